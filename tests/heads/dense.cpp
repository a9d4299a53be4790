// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/heads/dense.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "logitope/core/matrix.hpp"
#include "logitope/interop/xtensor.hpp"
#include "oracle/compare.hpp"
#include "oracle/loss.hpp"

#if __has_include(<xtensor/views/xview.hpp>)
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xview.hpp>
#endif

namespace lt = logitope;
using oracle::close, oracle::says;
using sizes = std::vector<std::size_t>;

namespace {

template <class T>
lt::matrix<T> waves(std::size_t n, std::size_t m, double phase) {
  lt::matrix<T> a(n, m);
  for (std::size_t i = 0; i < a.size(); ++i) a.values()[i] = static_cast<T>(std::sin(1.7 * double(i) + phase));
  return a;
}

template <class T>
void logits_are_exact(std::size_t N, std::size_t V, std::size_t D) {
  const auto W = waves<T>(V, D, 0.3), H = waves<T>(N, D, 0.9), b = waves<T>(1, V, 0.1);
  oracle::linear_model m{oracle::as_numbers(W), oracle::as_numbers(H), oracle::as_numbers(b)[0]};
  const lt::dense_head head(W, b.row(0));
  lt::workspace ws;
  for (std::size_t first = 0; first < V; first += 3) {
    lt::matrix<T> Z(N, (std::min)(std::size_t{5}, V - first));
    head.template logits<lt::default_policy>(H.view(), first, Z.view(), ws);
    for (std::size_t i = 0; i < N; ++i)
      for (std::size_t j = 0; j < Z.cols(); ++j)
        BOOST_TEST(close(Z(i, j), m.logits(i)[first + j],
                         oracle::absolute{double(D + 2) * double(std::numeric_limits<T>::epsilon())}));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(heads_dense)

BOOST_AUTO_TEST_CASE(logits_of_any_tile_are_those_of_the_long_double_product_around_lanes) {
  for (std::size_t V : sizes{1, 3, 4, 7, 8, 9, 16, 17, 33})
    for (std::size_t D : sizes{1, 7, 8, 9, 17})
      for (std::size_t N : sizes{1, 4, 5}) {
        logits_are_exact<float>(N, V, D);
        logits_are_exact<double>(N, V, D);
      }
}

BOOST_AUTO_TEST_CASE(any_array_of_two_axes_makes_a_head) {
  xt::xtensor<float, 2> W = {{0.f, 1.f}, {1.f, 0.f}, {1.f, 1.f}};
  xt::xtensor<float, 1> b = {1.f, 2.f, 3.f};
  const auto head = lt::dense_head(W, b);
  static_assert(std::is_same_v<decltype(head), const lt::dense_head<float>>);
  BOOST_TEST(head.vocabulary() == 3u);
  BOOST_TEST(head.hidden_size() == 2u);
  BOOST_TEST(head.weights().data() == W.data());  // looked at, not copied
  BOOST_TEST(head.bias()[2] == 3.f);
  const xt::xarray<double> A = {{1.0, 2.0}};
  BOOST_TEST(lt::dense_head(A).vocabulary() == 1u);
  const xt::xtensor<double, 2> column = {{1.0}, {2.0}};
  BOOST_TEST(lt::dense_head(column).weights()(1, 0) == 2.0);
  const auto left = xt::view(W, xt::all(), xt::range(0, 1));
  BOOST_TEST(lt::dense_head(left).weights()(2, 0) == 1.f);
  const lt::matrix<double> M(4, 2);
  BOOST_TEST(lt::dense_head(M).vocabulary() == 4u);
  std::array<double, 6> fixed{};
  const lt::dense_head sized(lt::matrix_view<double, 3, 2>(fixed.data(), 3, 2));
  static_assert(std::is_same_v<decltype(sized), const lt::dense_head<double, 3, 2>>);
}

BOOST_AUTO_TEST_CASE(weights_whose_rows_are_not_adjacent_are_refused_by_name) {
  xt::xtensor<double, 2> W = xt::zeros<double>({3, 4});
  BOOST_CHECK_EXCEPTION(lt::dense_head(xt::transpose(W)), lt::shape_error, says("got stride 4"));
  BOOST_CHECK_EXCEPTION(lt::dense_head(xt::view(W, xt::all(), xt::range(0, 4, 2))), lt::shape_error,
                        says("got stride 2"));
  const xt::xarray<double> cube = xt::zeros<double>({2, 2, 2});
  BOOST_CHECK_EXCEPTION(static_cast<void>(lt::dense_head(cube)), lt::shape_error, says("expected 2, got 3"));
  const std::vector<double> two(2);
  BOOST_CHECK_EXCEPTION(static_cast<void>(lt::dense_head(W, two)), lt::shape_error,
                        says("dense_head bias: expected 3, got 2"));
}

BOOST_AUTO_TEST_CASE(a_promise_that_the_dimension_cannot_keep_is_refused) {
  const lt::matrix<double> W(6, 3);
  using two = lt::dense_head<double, lt::dynamic, lt::dynamic, lt::supports<2>>;
  BOOST_CHECK_EXCEPTION(two{W.view()}, lt::value_error, says("at least min(2k, V-1) = 4, got 3"));
  BOOST_TEST((lt::dense_head<double, lt::dynamic, lt::dynamic, lt::supports<1>>(W.view()).vocabulary() == 6u));
}

BOOST_AUTO_TEST_CASE(the_rank_bound_is_one_more_than_the_dimension_and_two_with_a_bias) {
  const lt::matrix<double> W(9, 3);
  const std::vector<double> b(9);
  BOOST_TEST(lt::dense_head(W).rank_bound() == 4u);
  BOOST_TEST(lt::dense_head(W, b).rank_bound() == 5u);
  const lt::matrix<double> wide(2, 3);
  BOOST_TEST(lt::dense_head(wide).rank_bound() == 2u);
}

BOOST_AUTO_TEST_CASE(what_lies_under_a_mask_is_never_read_in_either_direction) {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  auto W = waves<double>(5, 2, 0.2);
  W(1, 0) = nan;
  W(3, 1) = inf;
  const std::vector<double> b{0, -inf, 0, -inf, 0.5};
  const auto H = waves<double>(3, 2, 0.7);
  const lt::dense_head head(W, b);
  BOOST_TEST(head.is_masked(3));
  BOOST_TEST(!head.is_masked(4));
  lt::workspace ws;
  lt::matrix<double> Z(3, 5), G = waves<double>(3, 5, 0.4), dH(3, 2), dW(5, 2);
  std::vector<double> db(5);
  head.logits(H.view(), 0, Z.view(), ws);
  head.pullback(H.view(), 0, std::as_const(G).view(), dH.view(), dW.view(), db, ws);
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_TEST(Z(i, 1) == -inf);
    BOOST_TEST(Z(i, 3) == -inf);
    for (std::size_t d = 0; d < 2; ++d) {
      long double want = 0;
      for (std::size_t v : sizes{0, 2, 4}) want += static_cast<long double>(G(i, v)) * W(v, d);
      BOOST_TEST(close(dH(i, d), want, oracle::absolute{1e-15}));
    }
  }
  for (std::size_t v = 0; v < 5; ++v)
    for (std::size_t d = 0; d < 2; ++d) {
      long double want = 0, column = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        want += static_cast<long double>(G(i, v)) * H(i, d);
        column += G(i, v);
      }
      const bool masked = v == 1 || v == 3;
      BOOST_TEST(close(dW(v, d), masked ? 0 : want, oracle::absolute{1e-15}));
      BOOST_TEST(close(db[v], masked ? 0 : column, oracle::absolute{1e-15}));
    }
}

BOOST_AUTO_TEST_SUITE_END()
