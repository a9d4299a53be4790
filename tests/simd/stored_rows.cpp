// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/stored_rows.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "logitope/interop/xtensor.hpp"
#include "oracle/compare.hpp"
#include "oracle/softmax.hpp"

namespace lt = logitope;

namespace {

template <class S>
std::vector<S> row(std::size_t n, float scale, unsigned seed) {
  std::mt19937 g(seed);
  std::normal_distribution<float> normal(0, scale);
  std::vector<S> z(n);
  for (S& x : z) x = S(normal(g));
  return z;
}

template <class S>
std::vector<float> wide(const std::vector<S>& z) {
  return {z.begin(), z.end()};
}

/// One rounding to S of a number whose float relative error is at most r.
template <class S>
oracle::relative rounded(double r) {
  return {r + static_cast<double>(static_cast<float>(std::numeric_limits<S>::epsilon())) / 2};
}

template <class P, class S>
void check_rows(double in_float) {
  const auto smallest = static_cast<long double>(static_cast<float>((std::numeric_limits<S>::min)()));
  const auto spacing = static_cast<double>(static_cast<float>(std::numeric_limits<S>::denorm_min()));
  for (const std::size_t n : {1UL, 2UL, 15UL, 16UL, 17UL, 1000UL, 2047UL, 2048UL, 2049UL, 10000UL}) {
    const std::vector<S> z = row<S>(n, 3, static_cast<unsigned>(n));
    const auto want = oracle::softmax(wide(z));
    std::vector<S> p(n), lp(n);
    BOOST_TEST((lt::softmax_row<P, S>(z, std::span<S>(p)).ordinary()));
    BOOST_TEST((lt::log_softmax_row<P, S>(z, std::span<S>(lp)).ordinary()));
    for (std::size_t i = 0; i < n; ++i) {
      if (want.p[i] >= smallest) BOOST_TEST(oracle::close(static_cast<float>(p[i]), want.p[i], rounded<S>(in_float)));
      else BOOST_TEST(oracle::close(static_cast<float>(p[i]), want.p[i], oracle::absolute{0.5001 * spacing}));
      BOOST_TEST(oracle::close(static_cast<float>(lp[i]), want.lp[i], rounded<S>(in_float)));
    }
    BOOST_TEST(oracle::close((lt::logsumexp_row<P, S>(z)), want.lse, oracle::absolute{2e-6}));
    // in place
    std::vector<S> again = z;
    static_cast<void>(lt::softmax_row<P, S>(again, std::span<S>(again)));
    for (std::size_t i = 0; i < n; ++i) BOOST_TEST(again[i].bits == p[i].bits);
  }
}

struct pinned : lt::default_policy {
  using arch = lt::baseline;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(simd_stored_rows)

BOOST_AUTO_TEST_CASE(rows_are_those_of_long_double_rounded_once) {
  check_rows<lt::default_policy, lt::bf16>(1.5e-6);
  check_rows<lt::default_policy, lt::f16>(1.5e-6);
  check_rows<lt::precise_policy, lt::f16>(8 * 0x1p-24);
  check_rows<pinned, lt::bf16>(1.5e-6);
}

BOOST_AUTO_TEST_CASE(a_thousand_equal_classes_do_not_stall_at_256_SM21) {
  for (const std::size_t n : {1000UL, 40000UL}) {
    const std::vector<lt::bf16> z(n);
    std::vector<lt::bf16> p(n);
    static_cast<void>(lt::softmax_row(std::span<const lt::bf16>(z), std::span<lt::bf16>(p)));
    double sum = 0;
    for (const lt::bf16 x : p) {
      BOOST_TEST(x.bits == lt::bf16(1.0f / static_cast<float>(n)).bits);
      sum += static_cast<double>(static_cast<float>(x));
    }
    BOOST_TEST(std::fabs(sum - 1) < 0.004);
    BOOST_TEST(oracle::close(lt::logsumexp_row(std::span<const lt::bf16>(z)), std::log(static_cast<long double>(n)),
                             oracle::ulps{1}));
  }
}

BOOST_AUTO_TEST_CASE(lanes_beyond_a_short_row_do_not_win_its_maximum_SM22) {
  std::vector<lt::f16> z;
  for (const float x : {-5.0f, -6.0f, -7.0f, -8.0f, -9.0f}) z.push_back(lt::f16(x));
  std::vector<lt::f16> p(5);
  static_cast<void>(lt::softmax_row(std::span<const lt::f16>(z), std::span<lt::f16>(p)));
  const double want[] = {0.6364, 0.2341, 0.0861, 0.0317, 0.0117};
  for (std::size_t i = 0; i < 5; ++i)
    BOOST_TEST(std::fabs(static_cast<double>(static_cast<float>(p[i])) - want[i]) < 6e-5 + 0x1p-11 * want[i]);
}

BOOST_AUTO_TEST_CASE(special_rows_are_those_of_floats) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::size_t n : {3UL, 5000UL}) {
    std::vector<lt::bf16> z(n, lt::bf16(-inf)), p(n, lt::bf16(7.0f));
    const std::span<const lt::bf16> in(z);
    const std::span<lt::bf16> out(p);
    BOOST_TEST((lt::softmax_row(in, out) == lt::row_status{.empty = 1}));
    for (const lt::bf16 x : p) BOOST_TEST(x.bits == 0);
    BOOST_TEST((lt::log_softmax_row(in, out) == lt::row_status{.empty = 1}));
    for (const lt::bf16 x : p) BOOST_TEST(static_cast<float>(x) == -inf);
    lt::row_status status;
    BOOST_TEST(lt::logsumexp_row(in, &status) == -inf);
    BOOST_TEST((status == lt::row_status{.empty = 1}));
    z[n - 1] = lt::bf16(2.0f);
    BOOST_TEST(lt::softmax_row(in, out).ordinary());
    BOOST_TEST(static_cast<float>(p[n - 1]) == 1.0f);
    BOOST_TEST(p[0].bits == 0);
    z[0] = lt::bf16(inf);
    BOOST_TEST((lt::softmax_row(in, out) == lt::row_status{.infinite = 1}));
    for (const lt::bf16 x : p) BOOST_TEST(std::isnan(static_cast<float>(x)));
    z[1] = lt::bf16(nan);
    BOOST_TEST((lt::log_softmax_row(in, out) == lt::row_status{.nan = 1}));
    for (const lt::bf16 x : p) BOOST_TEST(std::isnan(static_cast<float>(x)));
    BOOST_TEST(std::isnan(lt::logsumexp_row(in)));
  }
}

BOOST_AUTO_TEST_CASE(rows_of_a_matrix_are_single_rows_and_an_overlap_is_refused) {
  const std::vector<lt::bf16> z = row<lt::bf16>(60, 2, 5);
  std::vector<lt::bf16> p(60), one(20);
  const lt::matrix_view<const lt::bf16> Z(z.data(), 3, 20);
  BOOST_TEST(lt::softmax(Z, lt::matrix_view<lt::bf16>(p.data(), 3, 20)).ordinary());
  for (std::size_t i = 0; i < 3; ++i) {
    static_cast<void>(lt::softmax_row(Z.row(i), std::span<lt::bf16>(one)));
    for (std::size_t j = 0; j < 20; ++j) BOOST_TEST(p[20 * i + j].bits == one[j].bits);
  }
  const lt::matrix_view<lt::bf16> shifted(p.data() + 1, 2, 20);
  BOOST_CHECK_EXCEPTION(lt::softmax(lt::matrix_view<const lt::bf16>(p.data(), 2, 20), shifted), lt::value_error,
                        oracle::says("overlap"));
  BOOST_CHECK_EXCEPTION(lt::softmax(Z, shifted), lt::shape_error, oracle::says("expected 3, got 2"));
}

BOOST_AUTO_TEST_CASE(arrays_of_sixteen_bits_are_taken_along_any_axis) {
  xt::xtensor<lt::bf16, 2> Z = xt::xtensor<lt::bf16, 2>::from_shape({5, 37});
  const auto logits = row<lt::bf16>(5 * 37, 3, 8);
  std::copy(logits.begin(), logits.end(), Z.begin());
  const auto by_row = lt::softmax(Z);
  const auto by_column = lt::softmax(Z, 0), of_logs = lt::log_softmax(Z, 0);
  const auto lse = lt::logsumexp(Z, 0);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(by_column(0, 0))>, lt::bf16>);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(lse(0))>, float>);
  for (std::size_t i = 0; i < 5; ++i) {
    std::vector<lt::bf16> want(37);
    lt::softmax_row(std::span<const lt::bf16>(logits.data() + 37 * i, 37), std::span<lt::bf16>(want));
    for (std::size_t j = 0; j < 37; ++j) BOOST_TEST(oracle::same(float(by_row(i, j)), float(want[j])));
  }
  for (std::size_t j = 0; j < 37; ++j) {
    std::vector<lt::bf16> column, p(5), lp(5);
    for (std::size_t i = 0; i < 5; ++i) column.push_back(Z(i, j));
    lt::softmax_row(std::span<const lt::bf16>(column), std::span<lt::bf16>(p));
    lt::log_softmax_row(std::span<const lt::bf16>(column), std::span<lt::bf16>(lp));
    BOOST_TEST(oracle::same(lse(j), lt::logsumexp_row(std::span<const lt::bf16>(column))));
    for (std::size_t i = 0; i < 5; ++i) {
      BOOST_TEST(oracle::same(float(by_column(i, j)), float(p[i])));
      BOOST_TEST(oracle::same(float(of_logs(i, j)), float(lp[i])));
    }
  }
  BOOST_TEST(oracle::same(float(lt::softmax(std::vector<lt::f16>{lt::f16(0.0f), lt::f16(0.0f)})[1]), 0.5f));
}

BOOST_AUTO_TEST_SUITE_END()
