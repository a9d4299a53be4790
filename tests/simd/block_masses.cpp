// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/block_masses.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {

using element_types = std::tuple<float, double>;

template <class T>
const auto& kernels() {
  return lt::detail::select_kernels_of<lt::best_available, T>();
}

template <class T>
void agree(const std::vector<T>& z, T scale, const char* what) {
  constexpr T inf = std::numeric_limits<T>::infinity();
  lt::workspace_memory memory(lt::scratch_bytes<double>(z.size() / 512 + 1) + lt::scratch_bytes<T>(z.size() / 512 + 1));
  lt::workspace ws = memory.get();
  const auto got = lt::detail::masses_of<T>(kernels<T>(), z, scale, ws);
  T max = -inf;
  for (const T x : z) max = x > max ? x : max;
  BOOST_TEST(oracle::same(got.max, max), what);
  long double total = 0;
  for (std::size_t b = 0; b < got.mass.size(); ++b) {
    long double want = 0;
    for (std::size_t i = 512 * b; i < (std::min)(z.size(), 512 * b + 512); ++i)
      want +=
          std::exp((static_cast<long double>(z[i]) - static_cast<long double>(max)) * static_cast<long double>(scale));
    total += want;
    // a term of size e^-x is off by (4 + 2 (x + 40)) u of itself; below the smallest normal number by all of it
    const double u = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
    BOOST_TEST(static_cast<double>(std::fabs(static_cast<long double>(got.mass[b]) - want)) <=
                   static_cast<double>(want) * 260 * u + 512 * static_cast<double>((std::numeric_limits<T>::min)()),
               what << ", block " << b);
  }
  BOOST_TEST(
      oracle::close(got.total, total, oracle::relative{static_cast<double>(std::numeric_limits<T>::epsilon()) * 100}),
      what);
}

template <class T, class Value>
std::vector<T> row(std::size_t n, Value value) {
  std::vector<T> z(n);
  for (std::size_t i = 0; i < n; ++i) z[i] = static_cast<T>(value(i));
  return z;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simd_block_masses)

BOOST_AUTO_TEST_CASE_TEMPLATE(every_block_has_its_mass_however_the_largest_logit_moves, T, element_types) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  std::mt19937 g(3);
  std::normal_distribution<double> d(0, 3);
  for (const std::size_t n : {1u, 63u, 511u, 512u, 513u, 1024u, 5000u})
    for (const T scale : {T{1}, T{0.125}, T{7}}) {
      agree(row<T>(n, [&](auto) { return d(g); }), scale, "random");
      agree(row<T>(n, [&](auto i) { return 0.05 * static_cast<double>(i); }), scale, "rising");
      agree(row<T>(n, [&](auto i) { return -0.05 * static_cast<double>(i); }), scale, "falling");
      agree(row<T>(n, [&](auto i) { return i / 512 % 2 == 0 ? -3000.0 : 30.0 * static_cast<double>(i / 512); }), scale,
            "leaping");
      agree(row<T>(n, [&](auto i) { return i / 512 == 0 && n > 512 ? -inf : d(g); }), scale, "first block masked");
      agree(row<T>(n, [&](auto i) { return i % 2 == 0 ? -2000 + d(g) : -inf; }), scale, "far below zero");
    }
}

BOOST_AUTO_TEST_CASE(the_share_of_a_block_far_above_the_first_has_no_rounding_of_the_difference) {
  std::mt19937 g(7);
  for (int draw = 0; draw < 300; ++draw) {
    std::uniform_real_distribution<double> from(-5, 5), to(0, 40);
    const double low = from(g), rise = to(g);
    const auto z = row<float>(1536, [&](auto i) { return i < 512 ? low : i % 512 == 0 ? low + rise : low - 60; });
    lt::workspace_memory memory(lt::scratch_bytes<double>(3) + lt::scratch_bytes<float>(3));
    lt::workspace ws = memory.get();
    const auto got = lt::detail::masses_of<float>(kernels<float>(), z, 1.0f, ws);
    std::vector<long double> sum{0};
    for (std::size_t i = 0; i < z.size(); ++i)
      sum.push_back(sum.back() + std::exp(static_cast<long double>(z[i]) - static_cast<long double>(got.max)));
    const long double one = sum[512] / sum[1536], two = sum[1024] / sum[1536];
    BOOST_TEST(oracle::close(got.mass[0] / got.total, one, oracle::relative{16 * 0x1p-24}), "rise " << rise);
    BOOST_TEST(oracle::close((got.mass[0] + got.mass[1]) / got.total, two, oracle::relative{16 * 0x1p-24}),
               "rise " << rise);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_class_where_the_running_mass_passes_a_mark_is_found, T, element_types) {
  constexpr T inf = std::numeric_limits<T>::infinity();
  // equal weights: the mark names the class
  for (const std::size_t n : {1u, 5u, 64u, 65u, 200u, 512u}) {
    const std::vector<T> z(n, T{2});
    for (std::size_t i = 0; i < n; ++i) {
      const double mark = static_cast<double>(i) + 0.5;
      BOOST_TEST(lt::detail::class_at<T>(kernels<T>(), z, 0, mark, T{2}, T{1}) == i);
      BOOST_TEST(lt::detail::class_at<T>(kernels<T>(), z, 0, mark, T{2}, T{3}) == i);
    }
    // beyond the end: the last one that has any weight
    BOOST_TEST(lt::detail::class_at<T>(kernels<T>(), z, 0, 1e9, T{2}, T{1}) == n - 1);
  }
  std::vector<T> z(300, -inf);
  std::fill(z.begin(), z.begin() + 30, T{0});
  z[40] = T{-30000};  // no weight that a number could hold
  BOOST_TEST(lt::detail::class_at<T>(kernels<T>(), z, 0, 30.0, T{0}, T{1}) == 29u);
  BOOST_TEST(lt::detail::class_at<T>(kernels<T>(), z, 0, std::nextafter(30.0, 0.0), T{0}, T{1}) == 29u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(unmasked_classes_are_counted_and_found, T, element_types) {
  constexpr T inf = std::numeric_limits<T>::infinity();
  std::mt19937 g(4);
  for (const std::size_t n : {1u, 64u, 65u, 1000u}) {
    std::vector<T> z(n);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < n; ++i) {
      z[i] = g() % 3 == 0 ? T{-1} : -inf;
      if (z[i] > -inf) open.push_back(i);
    }
    const lt::detail::unmasked_classes<T> unmasked{kernels<T>(), lt::detail::row_blocks<T>(z)};
    BOOST_TEST(unmasked.count() == open.size());
    for (std::size_t j = 0; j < open.size(); ++j) BOOST_TEST(unmasked.at(j) == open[j]);
  }
}

BOOST_AUTO_TEST_CASE(the_inverse_of_a_temperature_stays_among_the_normal_numbers) {
  BOOST_TEST(lt::detail::inverse_temperature<float>(4) == 0.25f);
  BOOST_TEST(lt::detail::inverse_temperature<float>(1e-40) == (std::numeric_limits<float>::max)());
  BOOST_TEST(lt::detail::inverse_temperature<float>(1e39) == 0.0f);
  BOOST_TEST(lt::detail::inverse_temperature<double>(std::numeric_limits<double>::infinity()) == 0.0);
  BOOST_TEST(lt::detail::inverse_temperature<double>(0x1p130) == 0x1p-130);
}

BOOST_AUTO_TEST_SUITE_END()
