// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_LOSS_SELECT_HPP
#define LOGITOPE_LOSS_SELECT_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "../core/array.hpp"
#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../core/matrix.hpp"
#include "../core/status.hpp"
#include "../core/view.hpp"
#include "../core/workspace.hpp"
#include "../heads/concepts.hpp"
#include "../simd/exp_sum.hpp"
#include "../simd/policy.hpp"
#include "../simd/select.hpp"
#include "cross_entropy.hpp"
#include "row_block.hpp"

/// @file
/// @brief The k most probable classes of every hidden state and their log-probabilities, never all logits.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// @brief What a head finds most probable.
template <real T>
struct selected_classes {
  matrix<std::size_t> index;  ///< [N, k]  most probable first, ties lowest index first; npos where there are fewer
  matrix<T> log_prob;         ///< [N, k]  nats; -inf where index is npos
  row_status status;          ///< rows that were not ordinary
};

namespace detail {

template <real T>
struct logit_of_class {
  T z;
  std::size_t index;
};

/// The best of a row so far, largest first, lowest index first among equals.
template <real T>
struct running_top {
  std::span<logit_of_class<T>> best;
  std::size_t size = 0;

  /// A logit below this one changes nothing, nor does an equal one: it has a higher index.
  [[nodiscard]] T bar() const noexcept {
    return size < best.size() ? -std::numeric_limits<T>::infinity() : best[size - 1].z;
  }
  /// Takes `order`, the classes of a tile that begins with class `first`, largest first.
  void take(std::span<const T> z, std::size_t first, std::span<const std::size_t> order,
            std::span<logit_of_class<T>> merged) noexcept {
    std::size_t old = 0, fresh = 0, n = 0;
    while (n < best.size()) {
      const bool more = fresh < order.size() && order[fresh] != npos;
      if (old < size && (!more || best[old].z >= z[order[fresh]])) merged[n++] = best[old++];
      else if (more) merged[n++] = {z[order[fresh]], first + order[fresh]}, ++fresh;
      else break;
    }
    size = n;
    std::copy_n(merged.begin(), n, best.begin());
  }
};

}  // namespace detail

/// Scratch of the selection below [bytes], for any number of rows.
template <kernel_policy P, real T>
[[nodiscard]] constexpr std::size_t top_k_workspace(std::size_t V, std::size_t D, std::size_t k) noexcept {
  using block = detail::row_block<T>;
  const std::size_t tile = detail::loss_tile<P>(V), of_tile = (std::min)(tile, k);
  return block::bytes(tile, D, false) + scratch_bytes<exp_sum<T>>(block::capacity) +
         scratch_bytes<detail::running_top<T>>(block::capacity) +
         block::capacity * scratch_bytes<detail::logit_of_class<T>>(k) + scratch_bytes<detail::logit_of_class<T>>(k) +
         scratch_bytes<std::size_t>(of_tile) + top_k_workspace<P, T>(tile, of_tile);
}

/// @brief The k most probable classes of every row and their log-probabilities
/// \f[ \log q_v = (z_v - \max z) - \log \sum_j e^{z_j - \max z}, \qquad z = W h + b. \f]
/// @param H        [N, D] hidden states
/// @param index    [N, k] classes, most probable first, ties lowest index first; npos behind the last unmasked one and
/// after a NaN
/// @param log_prob [N, k] their log-probabilities [nats]; -inf where index is npos, NaN after a NaN and after +inf
/// @param ws       at least top_k_workspace<P, T>(V, D, k) bytes
/// @return counts of the rows that were not ordinary
/// @throws shape_error, capacity_error; nothing is written before
/// @par Cost 2 N V D flops, N V exponentials, W read once per 64 rows, no allocation. A tile is searched only where its
/// largest logit reaches the k best so far
/// @par Accuracy classes: exact for the computed logits, the first k of top-(k+1) are top-k. Log-probabilities as
/// log_softmax_row; measured: tests/loss/select.cpp
template <kernel_policy P = default_policy, logit_head Head>
row_status top_k(const Head& head, matrix_view<const typename Head::value_type> H, matrix_view<std::size_t> index,
                 matrix_view<typename Head::value_type> log_prob, workspace& ws) {
  using T = typename Head::value_type;
  constexpr T inf = std::numeric_limits<T>::infinity();
  const std::size_t N = H.rows(), V = head.vocabulary(), D = head.hidden_size(), k = index.cols();
  require_extent(H.cols(), D, "hidden state");
  require_extent(index.rows(), N, "top_k: rows of the classes");
  require_extent(log_prob.rows(), N, "top_k: rows of the log-probabilities");
  require_extent(log_prob.cols(), k, "top_k: columns of the log-probabilities");
  const workspace::scope scope(ws);
  const std::size_t tile = detail::loss_tile<P>(V);
  detail::row_block<T> block(ws, tile, D, false);
  const auto sums = ws.take<exp_sum<T>>(block.capacity);
  const auto tops = ws.take<detail::running_top<T>>(block.capacity);
  for (auto& top : tops) top.best = ws.take<detail::logit_of_class<T>>(k);
  const auto merged = ws.take<detail::logit_of_class<T>>(k);
  const auto order = ws.take<std::size_t>((std::min)(tile, k));
  row_status status;
  for (std::size_t next = 0; next < N;) {
    next = block.fill(H, next, [](std::size_t) { return true; });
    for (std::size_t i = 0; i < block.size(); ++i) sums[i] = {}, tops[i].size = 0;
    for (std::size_t v = 0; v < V; v += tile) {
      const matrix_view<T> Z = block.logits((std::min)(tile, V - v));
      head.template logits<P>(block.hidden(), v, Z, ws);
      for (std::size_t i = 0; i < block.size(); ++i) {
        const std::span<const T> z(Z.row_data(i), Z.cols());
        const exp_sum<T> s = exp_sum_of<P, T>(z, v);
        merge(sums[i], s);
        if (s.nan || s.empty() || !(s.max > tops[i].bar()) || k == 0) continue;
        const auto wanted = order.first((std::min)(order.size(), z.size()));
        static_cast<void>(top_k<P, T>(z, wanted, ws));
        tops[i].take(z, v, wanted, merged);
      }
    }
    for (std::size_t i = 0; i < block.size(); ++i) {
      const std::size_t row = block[i], n = sums[i].nan ? 0 : tops[i].size;
      detail::count(sums[i], status);
      const bool undefined = sums[i].nan || sums[i].max == inf;
      const auto below = static_cast<T>(std::log1p(sums[i].rest));
      for (std::size_t j = 0; j < k; ++j) {
        index(row, j) = j < n ? tops[i].best[j].index : npos;
        log_prob(row, j) = undefined ? std::numeric_limits<T>::quiet_NaN()
                           : j < n   ? (tops[i].best[j].z - sums[i].max) - below
                                     : -inf;
      }
    }
  }
  return status;
}

/// @brief The same for arrays.
/// @param H [N, D] any strides; packed where rows are not runs of adjacent elements
/// @par Cost as above; allocates the result, its scratch, and N D elements where H is strided
template <kernel_policy P = default_policy, logit_head Head, detail::hidden_states<Head> A>
[[nodiscard]] selected_classes<typename Head::value_type> top_k(const Head& head, const A& H, std::size_t k) {
  using T = typename Head::value_type;
  std::vector<T> buffer;
  const matrix_view<const T> rows = detail::rows_of(H, buffer, "axes of the hidden states");
  selected_classes<T> out{matrix<std::size_t>(rows.rows(), k), matrix<T>(rows.rows(), k), {}};
  workspace_memory memory(top_k_workspace<P, T>(head.vocabulary(), head.hidden_size(), k));
  workspace ws = memory.get();
  out.status = top_k<P>(head, rows, out.index.view(), out.log_prob.view(), ws);
  return out;
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
