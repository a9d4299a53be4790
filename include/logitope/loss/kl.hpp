// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_LOSS_KL_HPP
#define LOGITOPE_LOSS_KL_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>

#include "../core/concepts.hpp"
#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../core/status.hpp"
#include "../core/view.hpp"
#include "../core/workspace.hpp"
#include "../heads/concepts.hpp"
#include "../simd/exp_sum.hpp"
#include "../simd/kernels.hpp"
#include "../simd/policy.hpp"
#include "row_block.hpp"

/// @file
/// @brief Kullback-Leibler divergence of known distributions from a head's, in tiles of the vocabulary.

namespace logitope {
inline namespace v0 {

/// Sum over rows, and its two parts: sum = cross_entropy - entropy.
struct kl_sum {
  double sum = 0;            ///< sum of w_i KL(p_i || q_i) [nats]
  double cross_entropy = 0;  ///< -sum of w_i p log q
  double entropy = 0;        ///< -sum of w_i p log p
  row_status status;
  constexpr operator double() const noexcept { return sum; }  // NOLINT: the number most callers want
};

}  // namespace v0

inline namespace LOGITOPE_ABI {
namespace detail {

template <real T>
struct kl_row {
  exp_sum<T> top;
  double mass = 0, inner = 0, plogp = 0, centre = 0;
  double kl = 0;
  bool centred = false, masked = false, fine = false;

  [[nodiscard]] bool undefined() const noexcept { return top.nan || top.max == std::numeric_limits<T>::infinity(); }
  [[nodiscard]] bool without_gradient() const noexcept { return !undefined() && (top.empty() || masked); }
};

/// Targets are finite and not negative in the rows that count.
template <real T, class Keep>
void require_distributions(matrix_view<const T> p, Keep keep) {
  constexpr T inf = std::numeric_limits<T>::infinity();
  for (std::size_t i = 0; i < p.rows(); ++i) {
    if (!keep(i)) continue;
    for (std::size_t v = 0; v < p.cols(); ++v)
      if (!(p(i, v) >= 0 && p(i, v) < inf)) [[unlikely]]
        raise<value_error>("kl_divergence: expected a finite target probability of at least 0, got " +
                           std::to_string(p(i, v)) + " in row " + std::to_string(i) + ", class " + std::to_string(v));
  }
}

/// Below this a row's divergence is summed again from terms that do not cancel: there the difference of cross-entropy
/// and entropy has no more than eleven digits.
inline constexpr double kl_cancels = 1e-4;

/// Where u = log q - log p, KL = sum over p > 0 of p (e^u - 1 - u), plus the q elsewhere, plus sum(p) - 1: no term is
/// negative but the last, and an error common to all log q drops out to first order.
template <real T>
double kl_terms(const kl_row<T>& r, const T* z, const T* p, std::size_t n) noexcept {
  const double log_rest = std::log1p(r.top.rest), max = static_cast<double>(r.top.max);
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double log_q = (static_cast<double>(z[j]) - max) - log_rest, t = static_cast<double>(p[j]);
    if (t == 0) {
      sum += std::exp(log_q);
      continue;
    }
    const double u = log_q - std::log(t);
    sum += t * (std::expm1(u) - u);
  }
  return sum;
}

template <real T>
double mass_less_one(std::span<const T> p) noexcept {
  double sum = -1, lost = 0;
  for (const T x : p) {
    const double t = static_cast<double>(x), s = sum + t, back = s - sum;
    lost += (sum - (s - back)) + (t - back);
    sum = s;
  }
  return sum + lost;
}

template <kernel_policy P, logit_head Head, class T = typename Head::value_type>
kl_sum kl_walk(const Head& head, matrix_view<const T> H, matrix_view<const T> p, std::span<const T> weights, bool grad,
               matrix_view<T> dH, matrix_view<T> dW, std::span<T> db, workspace& ws) {
  const std::size_t N = H.rows(), V = head.vocabulary(), D = head.hidden_size(), tile = loss_tile<P>(V);
  require_extent(H.cols(), D, "hidden state");
  require_extent(p.rows(), N, "target rows");
  require_extent(p.cols(), V, "target columns");
  if (!weights.empty()) require_extent(weights.size(), N, "row weights");
  if (grad) {
    require_extent(dH.rows(), N, "dH rows");
    require_extent(dH.cols(), D, "dH columns");
    require_extent(dW.rows(), V, "dW rows");
    require_extent(dW.cols(), D, "dW columns");
    if (!db.empty()) require_extent(db.size(), V, "db");
  }
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (!std::isfinite(weights[i])) [[unlikely]]
      raise<value_error>("kl_divergence: expected a finite weight, got " + std::to_string(weights[i]) + " in row " +
                         std::to_string(i));
  const auto weight = [&](std::size_t i) { return weights.empty() ? T{1} : weights[i]; };
  const auto counts = [&](std::size_t i) { return weights.empty() || weights[i] != 0; };
  require_distributions<T>(p, counts);
  workspace::scope scope(ws);
  row_block<T> block(ws, tile, D, grad);
  const auto rows = ws.take<kl_row<T>>(block.capacity);
  if (grad) {
    for (std::size_t i = 0; i < N; ++i) std::fill_n(dH.row_data(i), D, T{0});
    for (std::size_t v = 0; v < V; ++v) std::fill_n(dW.row_data(v), D, T{0});
    std::fill(db.begin(), db.end(), T{0});
  }
  constexpr T inf = std::numeric_limits<T>::infinity();
  const auto& kernels = kernels_of<typename P::arch, T>();
  kl_sum total;
  std::size_t counted = 0;
  for (std::size_t next = 0; next < N;) {
    next = block.fill(H, next, counts);
    const std::size_t n = block.size();
    counted += n;
    const auto logits = [&](std::size_t v, bool held) {
      const matrix_view<T> Z = block.logits((std::min)(tile, V - v));
      if (!held) head.template logits<P>(block.hidden(), v, Z, ws);
      return Z;
    };
    std::fill_n(rows.begin(), n, kl_row<T>{});
    for (std::size_t v = 0; v < V; v += tile) {
      const matrix_view<T> Z = logits(v, false);
      for (std::size_t i = 0; i < n; ++i) {
        const auto s = exp_sum_of<P, T>(std::span<const T>(Z.row(i)), v);
        kl_row<T>& r = rows[i];
        merge(r.top, s);
        if (!r.centred && !s.empty()) r.centre = static_cast<double>(s.max), r.centred = true;
        const T *z = Z.row_data(i), *target = p.row_data(block[i]) + v;
        for (std::size_t j = 0; j < Z.cols(); ++j) {
          const double t = static_cast<double>(target[j]);
          if (t == 0) continue;
          r.mass += t;
          r.plogp += t * std::log(t);
          if (z[j] == -inf) r.masked = true;
          else r.inner += t * (static_cast<double>(z[j]) - r.centre);
        }
      }
    }
    bool any_fine = false;
    for (std::size_t i = 0; i < n; ++i) {
      kl_row<T>& r = rows[i];
      const auto& s = r.top;
      double ce = r.mass * ((static_cast<double>(s.max) - r.centre) + std::log1p(s.rest)) - r.inner;
      if (s.nan) ++total.status.nan, ce = std::numeric_limits<double>::quiet_NaN();
      else if (s.empty()) ++total.status.empty, ce = std::numeric_limits<double>::infinity();
      else if (s.max == inf) ++total.status.infinite, ce = std::numeric_limits<double>::quiet_NaN();
      else if (r.masked) ce = std::numeric_limits<double>::infinity();
      const auto w = static_cast<double>(weight(block[i]));
      total.cross_entropy += w * ce;
      total.entropy -= w * r.plogp;
      r.kl = ce + r.plogp;
      r.fine = std::fabs(r.kl) < kl_cancels;
      if (r.fine) any_fine = true, r.kl = mass_less_one<T>(p.row(block[i]));
      if (grad && r.without_gradient()) block.silence(i);
    }
    if (any_fine)
      for (std::size_t v = 0; v < V; v += tile) {
        const matrix_view<T> Z = logits(v, V <= tile);
        for (std::size_t i = 0; i < n; ++i)
          if (rows[i].fine) rows[i].kl += kl_terms<T>(rows[i], Z.row_data(i), p.row_data(block[i]) + v, Z.cols());
      }
    for (std::size_t i = 0; i < n; ++i) total.sum += static_cast<double>(weight(block[i])) * rows[i].kl;
    if (!grad) continue;
    for (std::size_t v = 0; v < V; v += tile) {
      const matrix_view<T> Z = logits(v, V <= tile);
      for (std::size_t i = 0; i < n; ++i) {
        const kl_row<T>& r = rows[i];
        T* z = Z.row_data(i);
        if (r.without_gradient()) {
          std::fill_n(z, Z.cols(), T{0});
        } else if (r.undefined()) {
          for (std::size_t j = 0; j < Z.cols(); ++j) z[j] = z[j] == -inf ? T{0} : std::numeric_limits<T>::quiet_NaN();
        } else {
          static_cast<void>(kernels.store_exp[P::shift == shift_rounding::two_sum](z, z, Z.cols(), r.top.max));
          const T scale = static_cast<T>(r.mass / (1.0 + r.top.rest)), w = weight(block[i]);
          const T* t = p.row_data(block[i]) + v;
          for (std::size_t j = 0; j < Z.cols(); ++j) z[j] = w * (z[j] * scale - t[j]);
        }
      }
      head.template pullback<P>(block.hidden(), v, matrix_view<const T>(Z), block.dh(), dW, db, ws);
    }
    for (std::size_t i = 0; i < n; ++i)
      if (!rows[i].without_gradient()) std::copy_n(block.dh().row_data(i), D, dH.row_data(block[i]));
  }
  total.status.ignored = N - counted;
  return total;
}

}  // namespace detail

/// Scratch of the calls below [bytes], for any number of rows N.
template <kernel_policy P, real T>
[[nodiscard]] constexpr std::size_t kl_workspace(std::size_t, std::size_t V, std::size_t D, std::size_t workers = 1) {
  using block = detail::row_block<T>;
  return workers * (block::bytes(detail::loss_tile<P>(V), D, true) + scratch_bytes<detail::kl_row<T>>(block::capacity));
}

/// @brief Divergence of N known distributions from a head's.
/// \f[ \sum_i w_i \sum_v p_{iv} \log \frac{p_{iv}}{q_{iv}}, \qquad q_i = \mathrm{softmax}(W h_i + b) \f]
/// @param H       [N, D] hidden states
/// @param p       [N, V] rows of probabilities; 0 contributes 0, p > 0 on a masked class makes the sum +inf
/// @param ws      at least kl_workspace<P, T>(N, V, D) bytes
/// @param weights [N] or empty (all 1), finite; a row of weight 0 counts as ignored and is not read
/// @return sum and parts [nats]
/// @throws shape_error, value_error naming row and class of a target that is negative or not finite, capacity_error
/// @par Cost 2 N V D flops, N V exponentials, N V logarithms, no allocation; blocks of 64 rows with one whose
/// divergence is below 1e-4 look at their logits once more
/// @par Accuracy measured, given the logits: relative 1e-9 at a divergence of 1e-8 (double); sum is the more accurate
/// where it differs from cross_entropy - entropy: tests/loss/kl.cpp
template <kernel_policy P = default_policy, logit_head Head>
[[nodiscard]] kl_sum kl_divergence(const Head& head, matrix_view<const typename Head::value_type> H,
                                   matrix_view<const typename Head::value_type> p, workspace& ws,
                                   std::span<const typename Head::value_type> weights = {}) {
  return detail::kl_walk<P>(head, H, p, weights, false, {}, {}, {}, ws);
}

/// @brief The same, with its gradients: dz = w (q sum(p) - p), written over dH [N, D], dW [V, D] and db [V] or empty.
/// Masked classes, rows whose target is masked and rows of weight 0 have gradient exactly 0, whatever their W and H
/// hold; rows with a NaN or +inf make dW and db NaN.
/// @throws shape_error, value_error, capacity_error; nothing is written before
/// @par Cost 6 N V D flops (8 where V exceeds a tile), no allocation
template <kernel_policy P = default_policy, logit_head Head>
requires has_pullback<Head> kl_sum kl_divergence_grad(const Head& head, matrix_view<const typename Head::value_type> H,
                                                      matrix_view<const typename Head::value_type> p,
                                                      matrix_view<typename Head::value_type> dH,
                                                      matrix_view<typename Head::value_type> dW, workspace& ws,
                                                      std::span<typename Head::value_type> db = {},
                                                      std::span<const typename Head::value_type> weights = {}) {
  return detail::kl_walk<P>(head, H, p, weights, true, dH, dW, db, ws);
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
