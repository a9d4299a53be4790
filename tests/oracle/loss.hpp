// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_TESTS_ORACLE_LOSS_HPP
#define LOGITOPE_TESTS_ORACLE_LOSS_HPP

#include <cmath>
#include <cstddef>
#include <vector>

/// The textbook losses of a linear head in long double: one logit at a time, log of the plain sum, no tiles.
namespace oracle {

using numbers = std::vector<long double>;

/// W [V][D], H [N][D], b [V] or empty; -inf in b masks.
struct linear_model {
  std::vector<numbers> W, H;
  numbers b;

  [[nodiscard]] numbers logits(std::size_t row) const {
    numbers z(W.size());
    for (std::size_t v = 0; v < W.size(); ++v) {
      if (!b.empty() && std::isinf(b[v]) && b[v] < 0) {
        z[v] = b[v];
        continue;
      }
      for (std::size_t d = 0; d < W[v].size(); ++d) z[v] += W[v][d] * H[row][d];
      if (!b.empty()) z[v] += b[v];
    }
    return z;
  }
};

/// log sum exp by exponentials of the logits as they are: only for logits of moderate size.
[[nodiscard]] inline long double plain_log_sum(const numbers& z) {
  long double sum = 0;
  for (const long double x : z) sum += std::exp(x);
  return std::log(sum);
}

/// -sum of t log q with t = (1 - eps) onehot + eps / unmasked.
[[nodiscard]] inline long double target_loss(const numbers& z, std::size_t y, long double eps) {
  const long double lse = plain_log_sum(z);
  std::size_t unmasked = 0;
  for (const long double x : z)
    if (!(std::isinf(x) && x < 0)) ++unmasked;
  long double loss = (1 - eps) * (lse - z[y]);
  for (const long double x : z)
    if (!(std::isinf(x) && x < 0)) loss += eps / static_cast<long double>(unmasked) * (lse - x);
  return loss;
}

/// Sum over rows that are not -100.
template <class Y>
[[nodiscard]] long double target_losses(const linear_model& m, const Y& y, long double eps) {
  long double sum = 0;
  for (std::size_t i = 0; i < m.H.size(); ++i)
    if (y[i] != -100) sum += target_loss(m.logits(i), static_cast<std::size_t>(y[i]), eps);
  return sum;
}

/// Sum of w KL(p || q) as sum of p (log p - log q).
[[nodiscard]] inline long double divergences(const linear_model& m, const std::vector<numbers>& p, const numbers& w) {
  long double sum = 0;
  for (std::size_t i = 0; i < m.H.size(); ++i) {
    if (w[i] == 0) continue;
    const numbers z = m.logits(i);
    const long double lse = plain_log_sum(z);
    for (std::size_t v = 0; v < z.size(); ++v)
      if (p[i][v] > 0) sum += w[i] * p[i][v] * (std::log(p[i][v]) - (z[v] - lse));
  }
  return sum;
}

/// Central difference of f in x.
template <class F>
[[nodiscard]] long double slope(long double& x, F f) {
  const long double at = x, step = 1e-5L;
  x = at + step;
  const long double up = f();
  x = at - step;
  const long double down = f();
  x = at;
  return (up - down) / (2 * step);
}

/// A container with rows() and cols() as the oracle's numbers.
template <class M>
[[nodiscard]] std::vector<numbers> as_numbers(const M& m) {
  std::vector<numbers> out(m.rows(), numbers(m.cols()));
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.cols(); ++j) out[i][j] = static_cast<long double>(m(i, j));
  return out;
}

}  // namespace oracle

#endif
