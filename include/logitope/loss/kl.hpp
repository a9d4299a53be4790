// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_LOSS_KL_HPP
#define LOGITOPE_LOSS_KL_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../core/status.hpp"
#include "../core/view.hpp"
#include "../core/workspace.hpp"
#include "../heads/concepts.hpp"
#include "../simd/exp_sum.hpp"
#include "../simd/kernels.hpp"
#include "../simd/policy.hpp"

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

/// Rows whose logits are held at once.
inline constexpr std::size_t kl_rows = 64;

struct kl_row {
  double mass = 0, inner = 0, plogp = 0, centre = 0;
  bool centred = false, masked = false;
};

template <kernel_policy P, logit_head Head, class T = typename Head::value_type>
kl_sum kl_walk(const Head& head, matrix_view<const T> H, matrix_view<const T> p, std::span<const T> weights, bool grad,
               matrix_view<T> dH, matrix_view<T> dW, std::span<T> db, workspace& ws) {
  const std::size_t N = H.rows(), V = head.vocabulary();
  require_extent(H.cols(), head.hidden_size(), "hidden state");
  require_extent(p.rows(), N, "target rows");
  require_extent(p.cols(), V, "target columns");
  if (!weights.empty()) require_extent(weights.size(), N, "row weights");
  if (grad) {
    require_extent(dH.rows(), N, "dH rows");
    require_extent(dH.cols(), H.cols(), "dH columns");
    require_extent(dW.rows(), V, "dW rows");
    require_extent(dW.cols(), H.cols(), "dW columns");
    if (!db.empty()) require_extent(db.size(), V, "db");
  }
  workspace::scope scope(ws);
  const std::size_t tile = (std::min)(static_cast<std::size_t>(P::vocabulary_tile), V);
  const auto scratch = ws.take<T>(kl_rows * tile);
  const auto tops = ws.take<exp_sum<T>>(kl_rows);
  const auto rows = ws.take<kl_row>(kl_rows);
  if (grad) {
    for (std::size_t i = 0; i < N; ++i) std::fill_n(dH.row_data(i), dH.cols(), T{0});
    for (std::size_t v = 0; v < V; ++v) std::fill_n(dW.row_data(v), dW.cols(), T{0});
    std::fill(db.begin(), db.end(), T{0});
  }
  constexpr T inf = std::numeric_limits<T>::infinity();
  const auto& kernels = kernels_of<typename P::arch, T>();
  kl_sum total;
  for (std::size_t first = 0; first < N; first += kl_rows) {
    const std::size_t n = (std::min)(kl_rows, N - first);
    const auto h = H.block(first, n);
    std::fill_n(tops.begin(), n, exp_sum<T>{});
    std::fill_n(rows.begin(), n, kl_row{});
    for (std::size_t v = 0; v < V; v += tile) {
      const matrix_view<T> Z(scratch.data(), n, (std::min)(tile, V - v));
      head.template logits<P>(h, v, Z, ws);
      for (std::size_t i = 0; i < n; ++i) {
        const auto s = exp_sum_of<P, T>(std::span<const T>(Z.row(i)), v);
        merge(tops[i], s);
        kl_row& r = rows[i];
        if (!r.centred && !s.empty()) r.centre = static_cast<double>(s.max), r.centred = true;
        for (std::size_t j = 0; j < Z.cols(); ++j) {
          const double t = static_cast<double>(p(first + i, v + j));
          if (t == 0) continue;
          r.mass += t;
          r.plogp += t * std::log(t);
          if (Z(i, j) == -inf) r.masked = true;
          else r.inner += t * (static_cast<double>(Z(i, j)) - r.centre);
        }
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double w = weights.empty() ? 1.0 : static_cast<double>(weights[first + i]);
      if (w == 0) {
        ++total.status.ignored;
        continue;
      }
      const auto& s = tops[i];
      const kl_row& r = rows[i];
      double ce = r.mass * ((static_cast<double>(s.max) - r.centre) + std::log1p(s.rest)) - r.inner;
      if (s.nan) ++total.status.nan, ce = std::numeric_limits<double>::quiet_NaN();
      else if (s.empty()) ++total.status.empty, ce = std::numeric_limits<double>::infinity();
      else if (s.max == inf) ++total.status.infinite, ce = std::numeric_limits<double>::quiet_NaN();
      else if (r.masked) ce = std::numeric_limits<double>::infinity();
      total.cross_entropy += w * ce;
      total.entropy -= w * r.plogp;
      total.sum += w * (ce + r.plogp);
    }
    if (!grad) continue;
    for (std::size_t v = 0; v < V; v += tile) {
      const matrix_view<T> Z(scratch.data(), n, (std::min)(tile, V - v));
      if (V > tile) head.template logits<P>(h, v, Z, ws);
      for (std::size_t i = 0; i < n; ++i) {
        const auto& s = tops[i];
        const double w = weights.empty() ? 1.0 : static_cast<double>(weights[first + i]);
        T* z = Z.row_data(i);
        if (w == 0 || (!s.nan && s.max != inf && (s.empty() || rows[i].masked))) {
          std::fill_n(z, Z.cols(), T{0});
        } else if (s.nan || s.max == inf) {
          std::fill_n(z, Z.cols(), std::numeric_limits<T>::quiet_NaN());
        } else {
          static_cast<void>(kernels.store_exp[P::shift == shift_rounding::two_sum](z, z, Z.cols(), s.max));
          const T scale = static_cast<T>(rows[i].mass / (1.0 + s.rest)), weight = static_cast<T>(w);
          const T* t = p.row_data(first + i) + v;
          for (std::size_t j = 0; j < Z.cols(); ++j) z[j] = weight * (z[j] * scale - t[j]);
        }
      }
      head.template pullback<P>(h, v, matrix_view<const T>(Z), dH.block(first, n), dW, db, ws);
    }
  }
  return total;
}

}  // namespace detail

/// Scratch of the calls below [bytes], for any number of rows N.
template <kernel_policy P, real T>
[[nodiscard]] constexpr std::size_t kl_workspace(std::size_t, std::size_t V, std::size_t, std::size_t workers = 1) {
  return workers * (scratch_bytes<T>(detail::kl_rows * (std::min)(static_cast<std::size_t>(P::vocabulary_tile), V)) +
                    scratch_bytes<exp_sum<T>>(detail::kl_rows) + scratch_bytes<detail::kl_row>(detail::kl_rows));
}

/// @brief Divergence of N known distributions from a head's.
/// \f[ \sum_i w_i \sum_v p_{iv} \log \frac{p_{iv}}{q_{iv}}, \qquad q_i = \mathrm{softmax}(W h_i + b) \f]
/// @param H       [N, D] hidden states
/// @param p       [N, V] rows of probabilities; 0 contributes 0, p > 0 on a masked class makes the sum +inf
/// @param ws      at least kl_workspace<P, T>(N, V, D) bytes
/// @param weights [N] or empty (all 1); a row of weight 0 counts as ignored
/// @return sum and parts [nats]
/// @throws shape_error, capacity_error
/// @par Cost 2 N V D flops, N V exponentials, no allocation
template <kernel_policy P = default_policy, logit_head Head>
[[nodiscard]] kl_sum kl_divergence(const Head& head, matrix_view<const typename Head::value_type> H,
                                   matrix_view<const typename Head::value_type> p, workspace& ws,
                                   std::span<const typename Head::value_type> weights = {}) {
  return detail::kl_walk<P>(head, H, p, weights, false, {}, {}, {}, ws);
}

/// @brief The same, with its gradients: dz = w (q sum(p) - p), written over dH [N, D], dW [V, D] and db [V] or empty.
/// Rows whose target is masked have gradient 0; rows with a NaN or +inf make dW and db NaN.
/// @throws shape_error, capacity_error; nothing is written before
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
