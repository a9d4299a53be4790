// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_LOSS_CROSS_ENTROPY_GRAD_HPP
#define LOGITOPE_LOSS_CROSS_ENTROPY_GRAD_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "../core/array.hpp"
#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../core/view.hpp"
#include "../core/workspace.hpp"
#include "../heads/concepts.hpp"
#include "../simd/kernels.hpp"
#include "cross_entropy.hpp"
#include "options.hpp"
#include "row_block.hpp"

/// @file
/// @brief Cross-entropy with its gradients, in tiles of the vocabulary, never all logits.

namespace logitope {
inline namespace v0 {

/// What the array call returns: gradients of the mean loss.
template <class Owner, class T>
struct cross_entropy_gradient {
  loss_sum loss;
  Owner dH;           ///< [N, D]
  Owner dW;           ///< [V, D]
  std::vector<T> db;  ///< [V], empty where the head has no bias
};

}  // namespace v0

inline namespace LOGITOPE_ABI {
namespace detail {

/// Logits of one row of a tile become scale times the gradient of its loss; `e` is scratch as long as z.
template <kernel_policy P, real T>
void target_gradient(const target_row<T>& r, std::size_t first, double eps, double scale, std::span<T> z,
                     std::span<T> e) noexcept {
  constexpr T inf = std::numeric_limits<T>::infinity();
  if (r.without_gradient()) {
    std::fill(z.begin(), z.end(), T{0});
    return;
  }
  if (r.undefined()) {
    for (T& x : z) x = x == -inf ? T{0} : std::numeric_limits<T>::quiet_NaN();
    return;
  }
  const double q_top = 1 / (1 + r.top.rest), share = eps > 0 ? eps / static_cast<double>(r.unmasked) : 0;
  const auto& k = kernels_of<typename P::arch, T>();
  static_cast<void>(k.store_exp[P::shift == shift_rounding::two_sum](z.data(), e.data(), z.size(), r.top.max));
  const T factor = static_cast<T>(scale * q_top), less = static_cast<T>(scale * share);
  for (std::size_t j = 0; j < z.size(); ++j) z[j] = z[j] == -inf ? T{0} : e[j] * factor - less;
  if (r.y < first || r.y >= first + z.size()) return;
  // q - 1 of the most probable class would cancel; -rest / (1 + rest) is the same number without
  const double q_less_one = r.y == r.top.argmax ? -r.top.rest * q_top : static_cast<double>(e[r.y - first]) * q_top - 1;
  z[r.y - first] = static_cast<T>(scale * (q_less_one + (eps - share)));
}

}  // namespace detail

/// Scratch of the gradient below [bytes], for any number of rows.
template <kernel_policy P, real T>
[[nodiscard]] constexpr std::size_t cross_entropy_grad_workspace(std::size_t V, std::size_t D) noexcept {
  using block = detail::row_block<T>;
  return block::bytes(detail::loss_tile<P>(V), D, true) + scratch_bytes<detail::target_row<T>>(block::capacity) +
         scratch_bytes<T>(detail::loss_tile<P>(V));
}

/// @brief Loss as `cross_entropy`, and the gradient of `scale` times its SUM: scale = 1 / count gives the mean's.
/// \f[ dz_i = s \left(\mathrm{softmax}(z_i) - (1-\varepsilon) e_{y_i} - \varepsilon / U_i\right), \quad dH = dZ\,W,
///     \quad dW = dZ^T H, \quad db = dZ^T 1 \f]
/// with U the number of unmasked classes. A masked class, a masked target's row and an ignored row have gradient
/// exactly 0, whatever their W and H hold. A row with a NaN or +inf has gradient NaN: its dH and all of dW and db but
/// for masked classes; loss.status says so.
/// @param H       [N, D] hidden states; rows that are ignored are not read
/// @param y       [N] classes, or options.ignore_index
/// @param dH      [N, D] or `{}`: not wanted; apart from H, as dW is from W
/// @param dW      [V, D] or `{}`
/// @param ws      at least cross_entropy_grad_workspace<P, T>(V, D) bytes
/// @param db      [V] or empty
/// @param options ignore_index, label_smoothing
/// @param mode    replace what stands in dH, dW and db, or add to it
/// @param scale   of the gradient; the returned loss is not scaled
/// @return sum, count and status of the losses
/// @throws shape_error, value_error naming row and target or the smoothing, capacity_error; nothing is written before
/// @par Cost 6 N V D flops (8 where V exceeds a tile), N V exponentials twice, no allocation; on the caller's thread
/// @par Accuracy measured against long double differences: 1e-8 (double), 3e-5 (float):
/// tests/loss/cross_entropy_grad.cpp
template <kernel_policy P = default_policy, logit_head Head, target_range Y>
requires has_pullback<Head> loss_sum cross_entropy_grad(const Head& head,
                                                        matrix_view<const typename Head::value_type> H, const Y& y,
                                                        matrix_view<typename Head::value_type> dH,
                                                        matrix_view<typename Head::value_type> dW, workspace& ws,
                                                        std::span<typename Head::value_type> db = {},
                                                        const loss_options& options = {},
                                                        grad_mode mode = grad_mode::overwrite, double scale = 1) {
  using T = typename Head::value_type;
  const std::size_t N = H.rows(), V = head.vocabulary(), D = head.hidden_size(), tile = detail::loss_tile<P>(V);
  const bool want_dH = dH.rows() + dH.cols() > 0, want_dW = dW.rows() + dW.cols() > 0;
  require_extent(H.cols(), D, "hidden state");
  detail::require_targets(y, N, V, options.ignore_index, "cross_entropy_grad");
  detail::require_smoothing(options.label_smoothing, "cross_entropy_grad");
  if (want_dH) require_extent(dH.rows(), N, "dH rows"), require_extent(dH.cols(), D, "dH columns");
  if (want_dW) require_extent(dW.rows(), V, "dW rows"), require_extent(dW.cols(), D, "dW columns");
  if (!db.empty()) require_extent(db.size(), V, "db");
  workspace::scope scope(ws);
  detail::row_block<T> block(ws, tile, D, true);
  const auto rows = ws.take<detail::target_row<T>>(block.capacity);
  const auto exps = ws.take<T>(tile);
  if (mode == grad_mode::overwrite) {
    for (std::size_t i = 0; i < dH.rows(); ++i) std::fill_n(dH.row_data(i), dH.cols(), T{0});
    for (std::size_t v = 0; v < dW.rows(); ++v) std::fill_n(dW.row_data(v), dW.cols(), T{0});
    std::fill(db.begin(), db.end(), T{0});
  }
  const auto* target = std::ranges::data(y);
  loss_sum total;
  for (std::size_t next = 0; next < N;) {
    next = block.fill(H, next, [&](std::size_t i) { return target[i] != options.ignore_index; });
    detail::walk_targets<P>(head, block, target, options.label_smoothing, rows, ws);
    for (std::size_t i = 0; i < block.size(); ++i) {
      detail::count(rows[i].top, total.status);
      total.sum += rows[i].loss(options.label_smoothing);
      ++total.count;
      if (rows[i].without_gradient()) block.silence(i);
    }
    for (std::size_t v = 0; v < V; v += tile) {
      const matrix_view<T> Z = block.logits((std::min)(tile, V - v));
      if (V > tile) head.template logits<P>(block.hidden(), v, Z, ws);
      for (std::size_t i = 0; i < block.size(); ++i)
        detail::target_gradient<P, T>(rows[i], v, options.label_smoothing, scale, Z.row(i), exps.first(Z.cols()));
      head.template pullback<P>(block.hidden(), v, matrix_view<const T>(Z), want_dH ? block.dh() : matrix_view<T>(), dW,
                                db, ws);
    }
    if (want_dH)
      for (std::size_t i = 0; i < block.size(); ++i)
        if (!rows[i].without_gradient())
          for (std::size_t d = 0; d < D; ++d) dH(block[i], d) += block.dh()(i, d);
  }
  total.status.ignored = N - total.count;
  return total;
}

/// @brief Loss and gradients of the MEAN loss over the rows that are not ignored, for arrays.
/// @param H [N, D] any strides; packed where rows are not runs of adjacent elements
/// @param y [N]    any container or array of signed integers
/// @return loss (a sum, with mean()), dH and dW in H's array library, db where the head has a bias; all gradients 0
/// where every row is ignored
/// @throws shape_error, value_error
/// @par Cost as above; allocates the results and its scratch
template <kernel_policy P = default_policy, logit_head Head, detail::hidden_states<Head> A, class Y>
requires(has_pullback<Head> && (target_range<const Y&> || detail::target_array<Y>))
    [[nodiscard]] auto cross_entropy_grad(const Head& head, const A& H, const Y& y, const loss_options& options = {}) {
  using T = typename Head::value_type;
  using traits = array_traits<std::remove_cvref_t<A>>;
  const std::size_t V = head.vocabulary(), D = head.hidden_size();
  std::vector<T> buffer;
  const matrix_view<const T> rows = detail::rows_of(H, buffer, "axes of the hidden states");
  require_extent(rows.cols(), D, "hidden state");
  const std::array<std::size_t, 2> of_H{rows.rows(), D}, of_W{V, D};
  auto dH = traits::template make<T, rank_of<A>>(of_H);
  auto dW = traits::template make<T, rank_of<A>>(of_W);
  std::vector<T> db;
  if constexpr (requires { head.bias(); }) db.resize(head.bias().size());
  workspace_memory memory(cross_entropy_grad_workspace<P, T>(V, D));
  workspace ws = memory.get();
  const loss_sum loss = detail::with_targets(y, [&](const auto& t) {
    const auto ignored = std::ranges::count_if(t, [&](auto c) { return c == options.ignore_index; });
    const double counted = static_cast<double>(std::ranges::size(t)) - static_cast<double>(ignored);
    return cross_entropy_grad<P>(head, rows, t, matrix_view<T>(dH.data(), rows.rows(), D),
                                 matrix_view<T>(dW.data(), V, D), ws, std::span<T>(db), options, grad_mode::overwrite,
                                 counted > 0 ? 1 / counted : 1);
  });
  return cross_entropy_gradient<decltype(dH), T>{loss, std::move(dH), std::move(dW), std::move(db)};
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
