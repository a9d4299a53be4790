// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/loss/kl.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "logitope/core/matrix.hpp"
#include "logitope/heads/dense.hpp"
#include "oracle/compare.hpp"
#include "oracle/loss.hpp"

namespace lt = logitope;
using oracle::close;

namespace {

struct small_tiles : lt::default_policy {
  static constexpr std::size_t vocabulary_tile = 7;
};

/// Textbook divergence in long double, one logit at a time.
long double divergence(const lt::matrix<double>& W, const lt::matrix<double>& H, const lt::matrix<double>& p) {
  long double total = 0;
  for (std::size_t i = 0; i < H.rows(); ++i) {
    std::vector<long double> z(W.rows());
    long double sum = 0;
    for (std::size_t v = 0; v < W.rows(); ++v) {
      for (std::size_t d = 0; d < W.cols(); ++d) z[v] += static_cast<long double>(W(v, d)) * H(i, d);
      sum += std::exp(z[v]);
    }
    for (std::size_t v = 0; v < W.rows(); ++v)
      if (p(i, v) > 0) total += p(i, v) * (std::log(static_cast<long double>(p(i, v))) - z[v] + std::log(sum));
  }
  return total;
}

template <class P>
void gradient_matches(std::size_t N, std::size_t V, std::size_t D) {
  lt::matrix<double> W(V, D), H(N, D), p(N, V), dH(N, D), dW(V, D);
  for (std::size_t i = 0; i < W.size(); ++i) W.values()[i] = std::sin(1.7 * static_cast<double>(i) + 0.3);
  for (std::size_t i = 0; i < H.size(); ++i) H.values()[i] = std::cos(2.3 * static_cast<double>(i) + 0.1);
  for (std::size_t i = 0; i < N; ++i) {
    p(i, i % V) += 0.75;
    p(i, (i + 1) % V) += 0.25;
  }
  lt::workspace_memory memory(lt::kl_workspace<P, double>(N, V, D));
  lt::workspace ws = memory.get();
  const lt::kl_sum got = lt::kl_divergence_grad<P>(lt::dense_head<double>(std::as_const(W).view()), H, p, dH, dW, ws);
  BOOST_TEST(close(got.sum, divergence(W, H, p), oracle::absolute{1e-12}));
  BOOST_TEST(close(got.cross_entropy - got.entropy, divergence(W, H, p), oracle::absolute{1e-12}));
  const double step = 1e-5;
  for (auto [X, dX] : {std::pair{&W, &dW}, std::pair{&H, &dH}})
    for (std::size_t i = 0; i < X->size(); ++i) {
      const double x = X->values()[i];
      X->values()[i] = x + step;
      const long double up = divergence(W, H, p);
      X->values()[i] = x - step;
      const long double down = divergence(W, H, p);
      X->values()[i] = x;
      BOOST_TEST(close(dX->values()[i], (up - down) / (2 * step), oracle::absolute{1e-8}));
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(loss_kl)

BOOST_AUTO_TEST_CASE(gradient_is_that_of_the_long_double_divergence_around_tiles_and_lanes) {
  for (std::size_t V : {std::size_t{1}, std::size_t{2}, std::size_t{6}, std::size_t{7}, std::size_t{8}, std::size_t{9},
                        std::size_t{17}})
    for (std::size_t D : {std::size_t{1}, std::size_t{3}, std::size_t{8}, std::size_t{9}}) {
      gradient_matches<small_tiles>(5, V, D);
      gradient_matches<lt::default_policy>(5, V, D);
    }
  gradient_matches<small_tiles>(66, 9, 3);
}

BOOST_AUTO_TEST_CASE(a_middle_token_on_a_line_costs_log_three_at_best) {
  lt::matrix<double> W(3, 1), H(1, 1), p(1, 3), dH(1, 1), dW(3, 1);
  W(1, 0) = 1;
  W(2, 0) = 2;
  p(0, 1) = 1;
  lt::workspace_memory memory(lt::kl_workspace<lt::default_policy, double>(1, 3, 1));
  lt::workspace ws = memory.get();
  const lt::dense_head<double> head(std::as_const(W).view());
  BOOST_TEST(close(lt::kl_divergence_grad(head, H, p, dH, dW, ws).sum, std::log(3.0L), oracle::ulps{2}));
  BOOST_TEST(close(dH(0, 0), 0, oracle::absolute{1e-15}));
  for (double e : {-0.5, 0.5}) {
    H(0, 0) = e;
    BOOST_TEST(lt::kl_divergence(head, H, p, ws).sum > std::log(3.0));
  }
}

BOOST_AUTO_TEST_CASE(a_masked_target_costs_infinity_and_has_no_gradient) {
  const double inf = std::numeric_limits<double>::infinity();
  lt::matrix<double> W(3, 1), H(1, 1), p(1, 3), dH(1, 1), dW(3, 1);
  W(0, 0) = H(0, 0) = 1;
  const std::vector<double> b{0, -inf, 0};
  const lt::dense_head<double> head(std::as_const(W).view(), b);
  lt::workspace_memory memory(lt::kl_workspace<lt::default_policy, double>(1, 3, 1));
  lt::workspace ws = memory.get();
  p(0, 1) = 1;
  BOOST_TEST(lt::kl_divergence_grad(head, H, p, dH, dW, ws).sum == inf);
  BOOST_TEST(dH(0, 0) == 0);
  p(0, 1) = 0;
  p(0, 0) = 1;
  BOOST_TEST(close(lt::kl_divergence(head, H, p, ws).sum, std::log1p(std::exp(-1.0L)), oracle::ulps{4}));
}

BOOST_AUTO_TEST_CASE(a_middle_token_on_a_line_has_probability_one_third_T_b8) {
  lt::matrix<double> W(3, 1), H(1, 1), p(1, 3), dH(1, 1), dW(3, 1);
  W(1, 0) = 1;
  W(2, 0) = 2;
  p(0, 1) = 1;
  const std::vector<double> b(3);
  std::vector<double> db(3);
  lt::workspace_memory memory(lt::kl_workspace<lt::default_policy, double>(1, 3, 1));
  lt::workspace ws = memory.get();
  lt::kl_divergence_grad(lt::dense_head(W, b), H, p, dH, dW, ws, db);
  BOOST_TEST(close(db[0], 1 / 3.0L, oracle::absolute{1e-12}));  // q - p
  BOOST_TEST(close(db[1], 1 / 3.0L - 1, oracle::absolute{1e-12}));
  BOOST_TEST(close(db[2], 1 / 3.0L, oracle::absolute{1e-12}));
}

BOOST_AUTO_TEST_CASE(a_class_without_target_may_be_masked_CE16) {
  const double inf = std::numeric_limits<double>::infinity();
  lt::matrix<double> W(4, 1), H(1, 1), p(1, 4);
  const double q[] = {0, 0.2, 0.7, 0.1}, t[] = {0, 0.1, 0.8, 0.1};
  H(0, 0) = 1;
  for (std::size_t v = 1; v < 4; ++v) W(v, 0) = std::log(q[v]);
  for (std::size_t v = 0; v < 4; ++v) p(0, v) = t[v];
  const std::vector<double> b{-inf, 0, 0, 0};
  lt::workspace_memory memory(lt::kl_workspace<lt::default_policy, double>(1, 4, 1));
  lt::workspace ws = memory.get();
  BOOST_TEST(close(lt::kl_divergence(lt::dense_head(W, b), H, p, ws).sum, 0.0375104L, oracle::absolute{1e-8}));
}

BOOST_AUTO_TEST_CASE(one_class_has_divergence_exactly_zero) {
  lt::matrix<double> W(1, 1), H(1, 1), p(1, 1), dH(1, 1), dW(1, 1);
  W(0, 0) = 3;
  H(0, 0) = 1e5;
  p(0, 0) = 1;
  lt::workspace_memory memory(lt::kl_workspace<lt::default_policy, double>(1, 1, 1));
  lt::workspace ws = memory.get();
  BOOST_TEST(lt::kl_divergence_grad(lt::dense_head(W), H, p, dH, dW, ws).sum == 0);
  BOOST_TEST(dH(0, 0) == 0);
}

namespace {

/// q = softmax(z), z as given; p = q moved by `shift` between pairs of classes, so that KL is about shift^2.
template <class P>
void small_divergence(double shift, oracle::relative tolerance) {
  const std::size_t V = 20;
  lt::matrix<double> W(V, 1), H(1, 1), p(1, V);
  H(0, 0) = 1;
  oracle::numbers q(V);
  for (std::size_t v = 0; v < V; ++v) W(v, 0) = 4 * std::sin(1.3 * double(v));
  long double sum = 0;
  for (std::size_t v = 0; v < V; ++v) sum += q[v] = std::exp(static_cast<long double>(W(v, 0)));
  for (std::size_t v = 0; v < V; ++v) {
    q[v] /= sum;
    p(0, v) = double(q[v] * (1 + shift * (v % 2 == 0 ? 1 : -1)));
  }
  long double want = 0;
  for (std::size_t v = 0; v < V; ++v) want += p(0, v) * std::log(p(0, v) / q[v]);
  long double mass = -1;
  for (std::size_t v = 0; v < V; ++v) mass += p(0, v);
  const double rest = double(-mass);  // a distribution again, so that the divergence is of second order
  want -= p(0, 0) * std::log(p(0, 0) / q[0]);
  p(0, 0) += rest;
  want += p(0, 0) * std::log(p(0, 0) / q[0]);
  lt::workspace_memory memory(lt::kl_workspace<P, double>(1, V, 1));
  lt::workspace ws = memory.get();
  BOOST_TEST(close(lt::kl_divergence<P>(lt::dense_head(W), H, p, ws).sum, want, tolerance));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_divergence_of_1e_minus_8_keeps_nine_digits) {
  for (double shift : {1e-2, 1e-3, 1e-4}) {
    small_divergence<lt::default_policy>(shift, oracle::relative{1e-9});
    small_divergence<small_tiles>(shift, oracle::relative{1e-9});
  }
}

BOOST_AUTO_TEST_CASE(a_target_short_of_one_by_a_millionth_keeps_nine_digits) {
  // Beside q = 1/2 the first class adds nothing, the second p ln(2 p), of first order in what is missing.
  lt::matrix<double> W(2, 1), H(1, 1), p(1, 2);
  p(0, 0) = 0.5;
  p(0, 1) = 0.5 - 1e-6;
  const long double second = static_cast<long double>(p(0, 1));
  const long double want = second * std::log1p(2 * second - 1);
  lt::workspace_memory memory(lt::kl_workspace<lt::default_policy, double>(1, 2, 1));
  lt::workspace ws = memory.get();
  BOOST_TEST(close(lt::kl_divergence(lt::dense_head(W), H, p, ws).sum, want, oracle::relative{1e-9}));
  std::swap(p(0, 0), p(0, 1));
  BOOST_TEST(close(lt::kl_divergence(lt::dense_head(W), H, p, ws).sum, want, oracle::relative{1e-9}));
}

BOOST_AUTO_TEST_CASE(weights_multiply_rows_and_weight_zero_is_not_read) {
  const double nan_value = std::numeric_limits<double>::quiet_NaN();
  const std::size_t N = 70, V = 9, D = 3;
  lt::matrix<double> W(V, D), H(N, D), p(N, V), dH(N, D), dW(V, D);
  for (std::size_t i = 0; i < W.size(); ++i) W.values()[i] = std::sin(1.7 * double(i));
  for (std::size_t i = 0; i < H.size(); ++i) H.values()[i] = std::cos(2.3 * double(i));
  std::vector<double> w(N), db(V);
  for (std::size_t i = 0; i < N; ++i) {
    p(i, i % V) = 0.75;
    p(i, (i + 2) % V) = 0.25;
    w[i] = double(i % 3);
  }
  oracle::linear_model m{oracle::as_numbers(W), oracle::as_numbers(H), oracle::numbers(V)};
  const auto target = oracle::as_numbers(p);
  const oracle::numbers weights(w.begin(), w.end());
  for (std::size_t i = 0; i < N; i += 3) H(i, 0) = p(i, 0) = nan_value;
  const std::vector<double> b(V);
  lt::workspace_memory memory(lt::kl_workspace<small_tiles, double>(N, V, D));
  lt::workspace ws = memory.get();
  const auto got = lt::kl_divergence_grad<small_tiles>(lt::dense_head(W, b), H, p, dH, dW, ws, db, w);
  const auto loss = [&] { return oracle::divergences(m, target, weights); };
  BOOST_TEST(got.status.ignored == 24u);
  BOOST_TEST(close(got.sum, loss(), oracle::relative{1e-13}));
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t d = 0; d < D; ++d) {
      const bool ignored = i % 3 == 0;
      BOOST_TEST(close(dH(i, d), ignored ? 0 : oracle::slope(m.H[i][d], loss), oracle::absolute{ignored ? 0 : 1e-8}));
    }
  for (std::size_t v = 0; v < V; ++v) {
    for (std::size_t d = 0; d < D; ++d)
      BOOST_TEST(close(dW(v, d), oracle::slope(m.W[v][d], loss), oracle::absolute{1e-8}));
    BOOST_TEST(close(db[v], oracle::slope(m.b[v], loss), oracle::absolute{1e-8}));
  }
}

BOOST_AUTO_TEST_CASE(a_masked_class_has_gradient_zero_even_over_weights_that_are_no_numbers) {
  const double inf = std::numeric_limits<double>::infinity();
  lt::matrix<double> W(3, 2), H(2, 2), p(2, 3), dH(2, 2), dW(3, 2);
  for (double& x : dW.values()) x = 5;
  W(0, 0) = H(0, 0) = H(1, 1) = 1;
  W(1, 0) = std::numeric_limits<double>::quiet_NaN();
  W(1, 1) = inf;
  p(0, 0) = p(1, 2) = 1;
  const std::vector<double> b{0, -inf, 0};
  lt::workspace_memory memory(lt::kl_workspace<lt::default_policy, double>(2, 3, 2));
  lt::workspace ws = memory.get();
  const auto got = lt::kl_divergence_grad(lt::dense_head(W, b), H, p, dH, dW, ws);
  BOOST_TEST(close(got.sum, std::log1p(std::exp(-1.0L)) + std::log(2.0L), oracle::ulps{4}));
  for (std::size_t d = 0; d < 2; ++d) BOOST_TEST(oracle::same(dW(1, d), 0.0));
  BOOST_TEST(close(dH(0, 0), -1 / (1 + std::exp(1.0L)), oracle::ulps{4}));
}

BOOST_AUTO_TEST_CASE(a_target_that_is_no_probability_is_named_before_anything_is_written) {
  for (double bad : {-0.5, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    lt::matrix<double> W(3, 1), H(2, 1), p(2, 3), dH(2, 1), dW(3, 1);
    dW(0, 0) = 7;
    p(0, 0) = p(1, 0) = 1;
    p(1, 2) = bad;
    lt::workspace_memory memory(lt::kl_workspace<lt::default_policy, double>(2, 3, 1));
    lt::workspace ws = memory.get();
    BOOST_CHECK_EXCEPTION(lt::kl_divergence_grad(lt::dense_head(W), H, p, dH, dW, ws), lt::value_error,
                          oracle::says("in row 1, class 2"));
    BOOST_TEST(dW(0, 0) == 7);
    const std::vector<double> w{1, bad};
    p(1, 2) = 0;
    if (!std::isfinite(bad))
      BOOST_CHECK_EXCEPTION(lt::kl_divergence_grad(lt::dense_head(W), H, p, dH, dW, ws, {}, w), lt::value_error,
                            oracle::says("finite weight"));
  }
}

BOOST_AUTO_TEST_SUITE_END()
