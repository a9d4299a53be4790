// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_LOSS_CROSS_ENTROPY_HPP
#define LOGITOPE_LOSS_CROSS_ENTROPY_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "../core/array.hpp"
#include "../core/concepts.hpp"
#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../core/view.hpp"
#include "../core/workspace.hpp"
#include "../heads/concepts.hpp"
#include "../simd/exp_sum.hpp"
#include "../simd/policy.hpp"
#include "options.hpp"
#include "row_block.hpp"

/// @file
/// @brief Loss of target classes, in tiles of the vocabulary, never all logits.
///
/// Everything runs on the caller's thread. Rows are taken 64 at a time, so that W is read once per 64 rows; a row's
/// loss has the same bits wherever it stands in the batch and whatever the other rows hold.

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail {

/// What the first walk over a row's logits leaves behind.
template <real T>
struct target_row {
  exp_sum<T> top;
  std::size_t y = 0;         ///< target
  T z_y = 0;                 ///< its logit
  std::size_t unmasked = 0;  ///< counted under label smoothing only, as are the next two
  double centre = 0;         ///< a logit of the row, so that sums of differences stay small
  double shifted = 0;        ///< sum of z - centre over unmasked classes

  [[nodiscard]] bool undefined() const noexcept { return top.nan || top.max == std::numeric_limits<T>::infinity(); }
  /// Nothing can be learned from it: no class at all, or not the target.
  [[nodiscard]] bool without_gradient() const noexcept {
    return !undefined() && (top.empty() || z_y == -std::numeric_limits<T>::infinity());
  }
  [[nodiscard]] double loss(double eps) const noexcept {
    if (undefined()) return std::numeric_limits<double>::quiet_NaN();
    if (without_gradient()) return std::numeric_limits<double>::infinity();
    const auto max = static_cast<double>(top.max);
    const double below = max - static_cast<double>(z_y);  // may overflow, and 0 times that is no number
    double l = (eps == 1 ? 0.0 : (1 - eps) * below) + std::log1p(top.rest);
    if (eps > 0) l += eps * ((max - centre) - shifted / static_cast<double>(unmasked));
    return l;
  }
};

template <real T>
void count(const exp_sum<T>& top, row_status& status) noexcept {
  if (top.nan) ++status.nan;
  else if (top.empty()) ++status.empty;
  else if (top.max == std::numeric_limits<T>::infinity()) ++status.infinite;
}

/// First walk: summary of every row of the block. Leaves the logits of the last tile in the block.
template <kernel_policy P, class Head, real T, class Y>
void walk_targets(const Head& head, const row_block<T>& block, const Y* y, double eps, std::span<target_row<T>> rows,
                  workspace& ws) {
  constexpr T inf = std::numeric_limits<T>::infinity();
  const std::size_t V = head.vocabulary(), tile = loss_tile<P>(V);
  for (std::size_t i = 0; i < block.size(); ++i) {
    rows[i] = {};
    rows[i].y = static_cast<std::size_t>(y[block[i]]);
  }
  for (std::size_t v = 0; v < V; v += tile) {
    const matrix_view<T> Z = block.logits((std::min)(tile, V - v));
    head.template logits<P>(block.hidden(), v, Z, ws);
    for (std::size_t i = 0; i < block.size(); ++i) {
      target_row<T>& r = rows[i];
      const T* z = Z.row_data(i);
      const exp_sum<T> s = exp_sum_of<P, T>(std::span<const T>(z, Z.cols()), v);
      if (r.y >= v && r.y < v + Z.cols()) r.z_y = z[r.y - v];
      if (eps > 0 && !s.empty()) {
        if (r.unmasked == 0) r.centre = static_cast<double>(s.max);
        for (std::size_t j = 0; j < Z.cols(); ++j)
          if (z[j] != -inf) ++r.unmasked, r.shifted += static_cast<double>(z[j]) - r.centre;
      }
      merge(r.top, s);
    }
  }
}

/// Every target is a class or ignored; all of them are looked at before anything is written.
template <class Y>
void require_targets(const Y& y, std::size_t N, std::size_t V, long long ignore_index, const char* who) {
  if constexpr (array_like<Y>)  // a matrix of as many numbers lies in memory like a vector
    require_extent(array_traits<Y>::view(y).rank, 1, "axes of the targets");
  require_extent(std::ranges::size(y), N, "targets");
  const auto* target = std::ranges::data(y);
  for (std::size_t i = 0; i < N; ++i) {
    const auto t = static_cast<long long>(target[i]);
    if (t != ignore_index && (t < 0 || static_cast<unsigned long long>(t) >= V)) [[unlikely]]
      raise<value_error>(std::string(who) + ": expected a target below " + std::to_string(V) + ", got " +
                         std::to_string(t) + " in row " + std::to_string(i));
  }
}

/// Rows of an array as a matrix; where they are not runs of adjacent elements, packed into `buffer`.
template <real_array A, class T = element_of<A>>
[[nodiscard]] matrix_view<const T> rows_of(const A& a, std::vector<T>& buffer, const char* who) {
  const auto v = array_traits<std::remove_cvref_t<A>>::view(a);
  require_extent(v.rank, 2, who);
  const std::size_t n = v.shape[0], m = v.shape[1];
  const bool adjacent = m <= 1 || v.strides[1] == 1;
  if (n == 0 || m == 0 || (adjacent && n == 1)) return {v.data, n, m};
  if (adjacent && v.strides[0] >= static_cast<std::ptrdiff_t>(m))
    return {v.data, n, m, static_cast<std::size_t>(v.strides[0])};
  buffer.resize(n * m);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j)
      buffer[i * m + j] =
          v.data[static_cast<std::ptrdiff_t>(i) * v.strides[0] + static_cast<std::ptrdiff_t>(j) * v.strides[1]];
  return {buffer.data(), n, m};
}

/// An array whose rows can be hidden states of a head.
template <class A, class Head>
concept hidden_states = real_array<A> && std::same_as < element_of<A>,
typename Head::value_type > &&(rank_of<A> == 2 || rank_of<A> == dynamic);

/// An array of one axis of signed integers.
template <class Y>
concept target_array = array_like<Y> && std::signed_integral<element_of<Y>>;

/// Calls f(contiguous targets).
template <class Y, class F>
decltype(auto) with_targets(const Y& y, F f) {
  if constexpr (target_range<const Y&>) {
    return f(y);
  } else {
    const auto v = array_traits<std::remove_cvref_t<Y>>::view(y);
    require_extent(v.rank, 1, "axes of the targets");
    std::vector<element_of<Y>> packed(v.shape[0]);
    for (std::size_t i = 0; i < packed.size(); ++i) packed[i] = v.data[static_cast<std::ptrdiff_t>(i) * v.strides[0]];
    return f(packed);
  }
}

}  // namespace detail

/// Scratch of the loss below [bytes], for any number of rows.
template <kernel_policy P, real T>
[[nodiscard]] constexpr std::size_t cross_entropy_workspace(std::size_t V, std::size_t D) noexcept {
  using block = detail::row_block<T>;
  return block::bytes(detail::loss_tile<P>(V), D, false) + scratch_bytes<detail::target_row<T>>(block::capacity);
}

/// @brief Sum over rows of the loss of a target class, as log1p(rest) + (max - z_y): no cancellation at any size.
/// \f[ L_i = (1-\varepsilon)(\mathrm{lse}\,z - z_{y_i}) + \varepsilon\,(\mathrm{lse}\,z - \overline{z}), \qquad
///     z = W h_i + b \f]
/// with the mean of z over the unmasked classes.
/// @param H       [N, D] hidden states; rows that are ignored are not read
/// @param y       [N] classes, or options.ignore_index
/// @param ws      at least cross_entropy_workspace<P, T>(V, D) bytes
/// @param options ignore_index, label_smoothing
/// @param losses  [N] or empty: where the loss of every row goes [nats], 0 for ignored ones
/// @return sum, count and status; a row with a NaN or +inf makes the sum NaN, no class or a masked target +inf
/// @throws shape_error, value_error naming row and target or the smoothing, capacity_error; nothing is written before
/// @par Cost 2 N V D flops, N V exponentials, W read once per 64 rows, no allocation; runs on the caller's thread
/// @par Accuracy measured: 1e-14 (double) and 2e-6 (float) beside 1 + |L|: tests/loss/cross_entropy.cpp
template <kernel_policy P = default_policy, logit_head Head, target_range Y>
[[nodiscard]] loss_sum cross_entropy(const Head& head, matrix_view<const typename Head::value_type> H, const Y& y,
                                     workspace& ws, const loss_options& options = {}, std::span<double> losses = {}) {
  using T = typename Head::value_type;
  const std::size_t N = H.rows(), V = head.vocabulary(), D = head.hidden_size();
  require_extent(H.cols(), D, "hidden state");
  detail::require_targets(y, N, V, options.ignore_index, "cross_entropy");
  detail::require_smoothing(options.label_smoothing, "cross_entropy");
  if (!losses.empty()) require_extent(losses.size(), N, "losses");
  workspace::scope scope(ws);
  detail::row_block<T> block(ws, detail::loss_tile<P>(V), D, false);
  const auto rows = ws.take<detail::target_row<T>>(block.capacity);
  std::fill(losses.begin(), losses.end(), 0.0);
  const auto* target = std::ranges::data(y);
  loss_sum total;
  for (std::size_t next = 0; next < N;) {
    next = block.fill(H, next, [&](std::size_t i) { return target[i] != options.ignore_index; });
    detail::walk_targets<P>(head, block, target, options.label_smoothing, rows, ws);
    for (std::size_t i = 0; i < block.size(); ++i) {
      const double loss = rows[i].loss(options.label_smoothing);
      detail::count(rows[i].top, total.status);
      if (!losses.empty()) losses[block[i]] = loss;
      total.sum += loss;
      ++total.count;
    }
  }
  total.status.ignored = N - total.count;
  return total;
}

/// @brief The same for arrays: spans, matrices, and xtensor's through interop/xtensor.hpp.
/// @param H [N, D] any strides; packed where rows are not runs of adjacent elements
/// @param y [N]    any container or array of signed integers
/// @throws shape_error, value_error
/// @par Cost as above; allocates its scratch, and N D elements where H is strided
template <kernel_policy P = default_policy, logit_head Head, detail::hidden_states<Head> A, class Y>
requires(target_range<const Y&> || detail::target_array<Y>) [[nodiscard]] loss_sum
    cross_entropy(const Head& head, const A& H, const Y& y, const loss_options& options = {}) {
  using T = typename Head::value_type;
  std::vector<T> buffer;
  const matrix_view<const T> rows = detail::rows_of(H, buffer, "axes of the hidden states");
  workspace_memory memory(cross_entropy_workspace<P, T>(head.vocabulary(), head.hidden_size()));
  workspace ws = memory.get();
  return detail::with_targets(y, [&](const auto& t) { return cross_entropy<P>(head, rows, t, ws, options); });
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
