// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/loss/cross_entropy_grad.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "logitope/core/matrix.hpp"
#include "logitope/heads/dense.hpp"
#include "logitope/interop/xtensor.hpp"
#include "logitope/loss/kl.hpp"
#include "oracle/allocations.hpp"
#include "oracle/compare.hpp"
#include "oracle/loss.hpp"

namespace lt = logitope;
using oracle::close, oracle::same, oracle::says;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), nan_value = std::numeric_limits<double>::quiet_NaN();
struct small_tiles : lt::default_policy {
  static constexpr std::size_t vocabulary_tile = 7;
};

template <class T>
lt::matrix<T> waves(std::size_t n, std::size_t m, double phase) {
  lt::matrix<T> a(n, m);
  for (std::size_t i = 0; i < a.size(); ++i) a.values()[i] = static_cast<T>(std::sin(1.7 * double(i) + phase));
  return a;
}

/// A problem with a bias, its gradients and the scratch for them.
template <class T, class P = small_tiles>
struct problem {
  lt::matrix<T> W, H, dH, dW;
  std::vector<T> b, db;
  std::vector<int> y;
  lt::workspace_memory memory;

  problem(std::size_t N, std::size_t V, std::size_t D)
      : W(waves<T>(V, D, 0.3)),
        H(waves<T>(N, D, 0.9)),
        dH(N, D),
        dW(V, D),
        b(V),
        db(V),
        y(N),
        memory(lt::cross_entropy_grad_workspace<P, T>(V, D)) {
    for (std::size_t v = 0; v < V; ++v) b[v] = static_cast<T>(std::cos(double(v)));
    for (std::size_t i = 0; i < N; ++i) y[i] = static_cast<int>((i * 5) % V);
    clear(T(77));
  }
  void clear(T value) {
    for (T& x : dH.values()) x = value;
    for (T& x : dW.values()) x = value;
    for (T& x : db) x = value;
  }
  lt::loss_sum run(const lt::loss_options& options = {}, lt::grad_mode mode = lt::grad_mode::overwrite,
                   double scale = 1) {
    lt::workspace ws = memory.get();
    return lt::cross_entropy_grad<P>(lt::dense_head<T>(W, b), H, y, dH, dW, ws, db, options, mode, scale);
  }
};

template <class T, class P>
void gradient_matches(std::size_t N, std::size_t V, std::size_t D, double eps) {
  problem<T, P> p(N, V, D);
  if (V > 3) {
    p.b[V / 2] = -std::numeric_limits<T>::infinity();
    for (int& t : p.y)
      if (t == static_cast<int>(V / 2)) t = -100;
  }
  oracle::linear_model m{oracle::as_numbers(p.W), oracle::as_numbers(p.H), oracle::numbers(p.b.begin(), p.b.end())};
  const double scale = 0.37, tolerance = std::is_same_v<T, float> ? 3e-5 : 1e-8;
  const lt::loss_sum got = p.run({.label_smoothing = eps}, lt::grad_mode::overwrite, scale);
  const auto loss = [&] { return oracle::target_losses(m, p.y, eps); };
  BOOST_TEST(close(got.sum, loss(), oracle::absolute{(std::is_same_v<T, float> ? 2e-6 : 1e-14) * double(1 + loss())}));
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t d = 0; d < D; ++d)
      BOOST_TEST(close(p.dH(i, d), scale * oracle::slope(m.H[i][d], loss), oracle::absolute{tolerance}));
  for (std::size_t v = 0; v < V; ++v) {
    for (std::size_t d = 0; d < D; ++d)
      BOOST_TEST(close(p.dW(v, d), scale * oracle::slope(m.W[v][d], loss), oracle::absolute{tolerance}));
    if (std::isinf(p.b[v])) BOOST_TEST(same(p.db[v], T{0}));
    else BOOST_TEST(close(p.db[v], scale * oracle::slope(m.b[v], loss), oracle::absolute{tolerance}));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(loss_cross_entropy_grad)

BOOST_AUTO_TEST_CASE(gradients_are_long_double_differences_around_tiles_lanes_and_blocks) {
  for (double eps : {0.0, 0.1})
    for (std::size_t V : std::vector<std::size_t>{1, 2, 6, 7, 8, 9, 14, 15})
      for (std::size_t D : std::vector<std::size_t>{1, 3, 8, 9}) {
        gradient_matches<double, small_tiles>(5, V, D, eps);
        gradient_matches<float, small_tiles>(5, V, D, eps);
        gradient_matches<float, lt::default_policy>(5, V, D, eps);
        gradient_matches<double, lt::precise_policy>(5, V, D, eps);
      }
  gradient_matches<double, small_tiles>(66, 9, 3, 0.1);
}

BOOST_AUTO_TEST_CASE(the_gradient_of_a_sure_target_keeps_its_digits) {
  lt::matrix<double> W(2, 1), H(1, 1);
  W(0, 0) = 40;
  H(0, 0) = 1;
  const auto got = lt::cross_entropy_grad(lt::dense_head(W), H, std::vector<int>{0});
  const long double q = std::exp(-40.0L) / (1 + std::exp(-40.0L));
  BOOST_TEST(close(got.dW(0, 0), -q, oracle::relative{1e-14}));
  BOOST_TEST(close(got.dW(1, 0), q, oracle::relative{1e-14}));
}

BOOST_AUTO_TEST_CASE(accumulate_adds_what_overwrite_writes) {
  problem<double> p(6, 9, 3);
  p.y[2] = -100;
  p.run();
  const auto dH = p.dH, dW = p.dW;
  const auto db = p.db;
  p.clear(0.5);
  p.run({}, lt::grad_mode::accumulate);
  for (std::size_t i = 0; i < dH.size(); ++i)
    BOOST_TEST(close(p.dH.values()[i], 0.5 + dH.values()[i], oracle::absolute{1e-14}));
  for (std::size_t i = 0; i < dW.size(); ++i)
    BOOST_TEST(close(p.dW.values()[i], 0.5 + dW.values()[i], oracle::absolute{1e-14}));
  for (std::size_t v = 0; v < 9; ++v) BOOST_TEST(close(p.db[v], 0.5 + db[v], oracle::absolute{1e-14}));
  p.clear(-0.0);
  for (int& t : p.y) t = -100;
  p.run({}, lt::grad_mode::accumulate);
  for (double x : p.dH.values()) BOOST_TEST(same(x, -0.0));
  for (double x : p.dW.values()) BOOST_TEST(same(x, -0.0));
}

BOOST_AUTO_TEST_CASE(ignored_rows_are_not_read_and_have_gradient_exactly_zero_CE10) {
  problem<double> p(4, 9, 3), without(4, 9, 3);
  p.y = without.y = {0, -100, 5, -100};
  for (std::size_t d = 0; d < 3; ++d) p.H(1, d) = nan_value, p.H(3, d) = inf;
  p.run();
  without.run();
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t d = 0; d < 3; ++d) BOOST_TEST(same(p.dH(i, d), i % 2 == 1 ? 0.0 : without.dH(i, d)));
  for (std::size_t i = 0; i < p.dW.size(); ++i) BOOST_TEST(same(p.dW.values()[i], without.dW.values()[i]));
}

BOOST_AUTO_TEST_CASE(a_masked_target_or_an_empty_row_has_gradient_zero_and_cost_infinity) {
  problem<double> p(2, 9, 3);
  p.y = {4, 4};
  p.b[4] = -inf;
  for (double eps : {0.0, 0.1}) {
    const auto got = p.run({.label_smoothing = eps});
    BOOST_TEST(got.sum == inf);
    BOOST_TEST(got.count == 2u);
    for (double x : p.dH.values()) BOOST_TEST(same(x, 0.0));
    for (double x : p.dW.values()) BOOST_TEST(same(x, 0.0));
  }
  for (double& b : p.b) b = -inf;
  p.H(0, 0) = nan_value;
  p.clear(3);
  const auto got = p.run();
  BOOST_TEST(got.status.empty == 2u);
  for (double x : p.dH.values()) BOOST_TEST(same(x, 0.0));
  for (double x : p.dW.values()) BOOST_TEST(same(x, 0.0));
}

BOOST_AUTO_TEST_CASE(a_masked_class_has_gradient_zero_whatever_its_weights_are) {
  problem<double> p(3, 9, 2), clean(3, 9, 2);
  p.b[2] = clean.b[2] = -inf;
  p.y = clean.y = {0, 1, 8};
  p.W(2, 0) = nan_value;
  p.run({.label_smoothing = 0.1});
  clean.run({.label_smoothing = 0.1});
  for (std::size_t i = 0; i < p.dH.size(); ++i) BOOST_TEST(same(p.dH.values()[i], clean.dH.values()[i]));
  for (std::size_t d = 0; d < 2; ++d) BOOST_TEST(same(p.dW(2, d), 0.0));
  BOOST_TEST(same(p.db[2], 0.0));
}

BOOST_AUTO_TEST_CASE(a_nan_row_poisons_its_own_dH_and_all_of_dW_but_masked_classes) {
  problem<double> p(3, 9, 2), clean(3, 9, 2);
  p.b[2] = clean.b[2] = -inf;
  p.y = clean.y = {0, 1, 8};
  clean.run();
  p.H(1, 0) = nan_value;
  const auto got = p.run();
  BOOST_TEST(std::isnan(got.sum));
  BOOST_TEST(got.status.nan == 1u);
  for (std::size_t d = 0; d < 2; ++d) {
    BOOST_TEST(same(p.dH(0, d), clean.dH(0, d)));
    BOOST_TEST(std::isnan(p.dH(1, d)));
    BOOST_TEST(same(p.dH(2, d), clean.dH(2, d)));
    for (std::size_t v = 0; v < 9; ++v) BOOST_TEST(same(p.dW(v, d), v == 2 ? 0.0 : nan_value));
  }
}

BOOST_AUTO_TEST_CASE(one_unmasked_class_has_loss_and_gradient_exactly_zero) {
  for (double eps : {0.0, 0.1}) {
    problem<double> p(3, 9, 2);
    for (std::size_t v = 0; v < 9; ++v)
      if (v != 8) p.b[v] = -inf;
    p.y = {8, 8, 8};
    BOOST_TEST(same(p.run({.label_smoothing = eps}).sum, 0.0));
    for (double x : p.dH.values()) BOOST_TEST(x == 0);
    for (double x : p.dW.values()) BOOST_TEST(x == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_bad_call_leaves_every_output_untouched_CE03) {
  problem<double> p(3, 9, 2);
  p.y = {1, 2, -4};
  BOOST_CHECK_EXCEPTION(p.run(), lt::value_error, says("got -4 in row 2"));
  p.y = {1, 2, 3};
  BOOST_CHECK_THROW(p.run({.label_smoothing = -1}), lt::value_error);
  p.db.resize(4);
  BOOST_CHECK_EXCEPTION(p.run(), lt::shape_error, says("db: expected 9, got 4"));
  for (double x : p.dH.values()) BOOST_TEST(x == 77);
  for (double x : p.dW.values()) BOOST_TEST(x == 77);
  lt::workspace none;
  BOOST_CHECK_THROW(lt::cross_entropy_grad(lt::dense_head(p.W), p.H, p.y, p.dH, p.dW, none), lt::capacity_error);
  for (double x : p.dW.values()) BOOST_TEST(x == 77);
}

BOOST_AUTO_TEST_CASE(parts_that_are_not_wanted_are_left_out) {
  problem<double> p(5, 9, 3);
  p.run();
  lt::matrix<double> dW(9, 3), dH(5, 3);
  lt::workspace ws = p.memory.get();
  const lt::dense_head head(p.W, p.b);
  lt::cross_entropy_grad<small_tiles>(head, p.H, p.y, {}, dW, ws);
  lt::cross_entropy_grad<small_tiles>(head, p.H, p.y, dH, {}, ws);
  for (std::size_t i = 0; i < dW.size(); ++i) BOOST_TEST(same(dW.values()[i], p.dW.values()[i]));
  for (std::size_t i = 0; i < dH.size(); ++i) BOOST_TEST(same(dH.values()[i], p.dH.values()[i]));
}

BOOST_AUTO_TEST_CASE(arrays_get_the_gradient_of_the_mean_in_their_own_library) {
  xt::xtensor<float, 2> W = {{0, 1}, {1, 0}, {1, 1}}, H = {{2, 0}, {0, 3}, {1, 1}};
  const std::vector<int> y{1, 0, -100};
  const auto got = lt::cross_entropy_grad(lt::dense_head(W), H, y);
  static_assert(std::is_same_v<decltype(got.dW), xt::xtensor<float, 2>>);
  // z of the two rows is (0, 2, 2) and (3, 0, 3)
  const long double e2 = std::exp(2.0L), e3 = std::exp(3.0L);
  BOOST_TEST(close(got.loss.mean(), (std::log(1 + 2 * e2) - 2 + std::log(1 + 2 * e3) - 3) / 2, oracle::relative{1e-6}));
  BOOST_TEST(got.loss.count == 2u);
  BOOST_TEST(close(got.dW(2, 0), e2 / (1 + 2 * e2), oracle::relative{1e-6}));
  BOOST_TEST(close(got.dW(2, 1), 1.5L * e3 / (1 + 2 * e3), oracle::relative{1e-6}));
  BOOST_TEST(close(got.dH(0, 1), (1 / (1 + 2 * e2) + e2 / (1 + 2 * e2)) / 2, oracle::relative{1e-6}));
  BOOST_TEST(same(got.dH(2, 0), 0.f));
  BOOST_TEST(got.db.empty());
  const std::vector<float> b(3);
  BOOST_TEST(close(lt::cross_entropy_grad(lt::dense_head(W, b), H, y).db[2],
                   (e2 / (1 + 2 * e2) + e3 / (1 + 2 * e3)) / 2, oracle::relative{1e-6}));
  const auto none = lt::cross_entropy_grad(lt::dense_head(W), H, std::vector<int>(3, -100));
  BOOST_TEST(std::isnan(none.loss.mean()));
  for (float x : none.dW) BOOST_TEST(same(x, 0.f));
  const xt::xtensor<float, 2> across = xt::transpose(H);
  BOOST_TEST(same(lt::cross_entropy_grad(lt::dense_head(W), xt::transpose(across), y).dW(2, 0), got.dW(2, 0)));
}

BOOST_AUTO_TEST_CASE(no_rows_give_an_empty_dH_and_a_zero_dW_CE12) {
  const auto W = waves<double>(10, 2, 0);
  const auto got = lt::cross_entropy_grad(lt::dense_head(W), lt::matrix<double>(0, 2), std::vector<int>{});
  BOOST_TEST(got.dH.rows() == 0u);
  BOOST_TEST(got.dH.cols() == 2u);
  BOOST_TEST(got.loss.sum == 0);
  for (double x : got.dW.values()) BOOST_TEST(same(x, 0.0));
  const lt::matrix<double> no_class(0, 2);
  const auto empty =
      lt::cross_entropy_grad(lt::dense_head(no_class), lt::matrix<double>(2, 2), std::vector<int>{-100, -100});
  BOOST_TEST(empty.dW.rows() == 0u);
  for (double x : empty.dH.values()) BOOST_TEST(same(x, 0.0));
}

BOOST_AUTO_TEST_CASE(span_calls_do_not_allocate) {
  problem<double> p(70, 9, 3);
  lt::matrix<double> target(70, 9);
  for (std::size_t i = 0; i < 70; ++i) target(i, i % 9) = 1;
  lt::workspace_memory memory(lt::kl_workspace<small_tiles, double>(70, 9, 3));
  lt::workspace ws = memory.get(), ce = p.memory.get();
  const lt::dense_head<double> head(p.W, p.b);
  const std::size_t before = oracle::allocated().count;
  static_cast<void>(p.run());
  static_cast<void>(lt::cross_entropy<small_tiles>(head, p.H, p.y, ce));
  static_cast<void>(lt::kl_divergence_grad<small_tiles>(head, p.H, target, p.dH, p.dW, ws));
  BOOST_TEST(oracle::allocated().count == before);
}

BOOST_AUTO_TEST_CASE(spans_and_matrices_of_mutable_numbers_give_the_same_gradients) {
  lt::matrix<double> W(3, 2), H(3, 2);
  for (std::size_t i = 0; i < W.size(); ++i) W.values()[i] = H.values()[i] = std::sin(1.3 * double(i));
  std::vector<int> y{2, 0, 1};
  const auto want = lt::cross_entropy_grad(lt::dense_head(std::as_const(W)), std::as_const(H), y);
  const auto got = lt::cross_entropy_grad(lt::dense_head(W.view()), H.view(), std::span<int>(y));
  for (std::size_t i = 0; i < W.size(); ++i) {
    BOOST_TEST(same(got.dW.values()[i], want.dW.values()[i]));
    BOOST_TEST(same(got.dH.values()[i], want.dH.values()[i]));
  }
}

BOOST_AUTO_TEST_SUITE_END()
