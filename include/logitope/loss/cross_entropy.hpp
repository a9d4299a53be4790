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

#include "../core/concepts.hpp"
#include "../core/error.hpp"
#include "../core/status.hpp"
#include "../core/view.hpp"
#include "../core/workspace.hpp"
#include "../heads/concepts.hpp"
#include "../simd/exp_sum.hpp"

/// @file
/// @brief Loss of target words, in tiles of the vocabulary, never all logits.

namespace logitope {
inline namespace v0 {

/// Sum and count of the losses of the rows that are not ignored.
struct loss_sum {
  double sum = 0;         ///< [nats]
  std::size_t count = 0;  ///< rows not ignored
  row_status status;
  /// NaN where nothing was counted.
  [[nodiscard]] constexpr double mean() const noexcept {
    return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
  }
};

}  // namespace v0

inline namespace LOGITOPE_ABI {

/// Scratch of cross_entropy [bytes], for any number of rows.
template <kernel_policy P, real T>
[[nodiscard]] constexpr std::size_t cross_entropy_workspace(std::size_t V) noexcept {
  return scratch_bytes<T>((std::min)(static_cast<std::size_t>(P::vocabulary_tile), V));
}

/// @brief Sum over rows of log sum exp z - z_y, as log1p(rest) + (max - z_y).
/// @param H [N, D] hidden states
/// @param y [N]    classes, or ignore_index
/// @throws shape_error, value_error naming row and value, capacity_error
/// @par Cost 2 N V D flops, N V exponentials, W read once per row, no allocation
template <kernel_policy P = default_policy, logit_head Head, target_range Y>
[[nodiscard]] loss_sum cross_entropy(const Head& head, matrix_view<const typename Head::value_type> H, const Y& y,
                                     workspace& ws, long long ignore_index = -100) {
  using T = typename Head::value_type;
  constexpr T inf = std::numeric_limits<T>::infinity();
  const std::size_t N = H.rows(), V = head.vocabulary();
  require_extent(H.cols(), head.hidden_size(), "hidden state");
  require_extent(std::ranges::size(y), N, "targets");
  const auto* target = std::ranges::data(y);
  for (std::size_t i = 0; i < N; ++i) {
    const long long t = target[i];
    if (t != ignore_index && (t < 0 || static_cast<std::size_t>(t) >= V))
      detail::raise<value_error>("cross_entropy: expected a target below " + std::to_string(V) + ", got " +
                                 std::to_string(t) + " in row " + std::to_string(i));
  }
  workspace::scope scope(ws);
  const std::size_t tile = (std::min)(static_cast<std::size_t>(P::vocabulary_tile), V);
  const auto scratch = ws.take<T>(tile);
  loss_sum total;
  for (std::size_t i = 0; i < N; ++i) {
    if (target[i] == ignore_index) {
      ++total.status.ignored;
      continue;
    }
    const auto t = static_cast<std::size_t>(target[i]);
    exp_sum<T> s;
    T z = 0;
    for (std::size_t v = 0; v < V; v += tile) {
      const matrix_view<T> Z(scratch.data(), 1, (std::min)(tile, V - v));
      head.template logits<P>(H.block(i, 1), v, Z, ws);
      merge(s, exp_sum_of<P, T>(std::span<const T>(Z.row(0)), v));
      if (t >= v && t < v + Z.cols()) z = Z(0, t - v);
    }
    double loss = (static_cast<double>(s.max) - static_cast<double>(z)) + std::log1p(s.rest);
    if (s.nan) ++total.status.nan, loss = std::numeric_limits<double>::quiet_NaN();
    else if (s.empty()) ++total.status.empty, loss = std::numeric_limits<double>::infinity();
    else if (s.max == inf) ++total.status.infinite, loss = std::numeric_limits<double>::quiet_NaN();
    total.sum += loss;
    ++total.count;
  }
  return total;
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
