// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_LOSS_ROW_BLOCK_HPP
#define LOGITOPE_LOSS_ROW_BLOCK_HPP

#include <algorithm>
#include <cstddef>
#include <span>

#include "../core/concepts.hpp"
#include "../core/config.hpp"
#include "../core/view.hpp"
#include "../core/workspace.hpp"
#include "../simd/policy.hpp"

/// @file
/// @brief The rows a loss holds at once: only those that count, packed one after the other.

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail {

/// Classes whose logits are held at once.
template <kernel_policy P>
[[nodiscard]] constexpr std::size_t loss_tile(std::size_t V) noexcept {
  return (std::min)(static_cast<std::size_t>(P::vocabulary_tile), V);
}

/// Up to 64 hidden states, a tile of their logits, and the gradient of the states where it is wanted. Packing costs D
/// copies a row beside 2 V D flops, and rows that do not count are never read: what they hold cannot reach a product.
template <real T>
class row_block {
 public:
  static constexpr std::size_t capacity = 64;

  [[nodiscard]] static constexpr std::size_t bytes(std::size_t tile, std::size_t D, bool gradient) noexcept {
    return scratch_bytes<std::size_t>(capacity) + scratch_bytes<T>(capacity * tile) +
           (gradient ? 2 : 1) * scratch_bytes<T>(capacity * D);
  }

  row_block(workspace& ws, std::size_t tile, std::size_t D, bool gradient)
      : index_(ws.take<std::size_t>(capacity)),
        logits_(ws.take<T>(capacity * tile)),
        hidden_(ws.take<T>(capacity * D)),
        dh_(ws.take<T>(gradient ? capacity * D : 0)),
        D_(D) {}

  /// Packs the next rows of H from `first` on for which keep(i); returns where to go on.
  template <class Keep>
  std::size_t fill(matrix_view<const T> H, std::size_t first, Keep keep) {
    for (n_ = 0; first < H.rows() && n_ < capacity; ++first)
      if (keep(first)) {
        std::copy_n(H.row_data(first), D_, hidden_.data() + n_ * D_);
        index_[n_++] = first;
      }
    std::fill(dh_.begin(), dh_.end(), T{0});
    return first;
  }

  [[nodiscard]] std::size_t size() const noexcept { return n_; }
  /// Which row of H the i-th is.
  [[nodiscard]] std::size_t operator[](std::size_t i) const noexcept { return index_[i]; }
  [[nodiscard]] matrix_view<const T> hidden() const { return {hidden_.data(), n_, D_}; }
  [[nodiscard]] matrix_view<T> logits(std::size_t width) const { return {logits_.data(), n_, width}; }
  [[nodiscard]] matrix_view<T> dh() const { return {dh_.data(), dh_.empty() ? 0 : n_, D_}; }
  /// The row's gradient is 0 although its state need not be finite: 0 times it must stay 0.
  void silence(std::size_t i) noexcept { std::fill_n(hidden_.data() + i * D_, D_, T{0}); }

 private:
  std::span<std::size_t> index_;
  std::span<T> logits_, hidden_, dh_;
  std::size_t D_, n_ = 0;
};

}  // namespace detail
}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
