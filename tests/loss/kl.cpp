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
