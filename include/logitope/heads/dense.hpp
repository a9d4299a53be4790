// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_HEADS_DENSE_HPP
#define LOGITOPE_HEADS_DENSE_HPP

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string>

#include "../core/concepts.hpp"
#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../core/view.hpp"
#include "../core/workspace.hpp"
#include "../simd/panel.hpp"
#include "concepts.hpp"

/// @file
/// @brief The linear head z = W h + b.

namespace logitope {
inline namespace v0 {

/// A promise asked of a head: every set of k tokens can be the set of most probable ones.
template <std::size_t K>
struct supports {
  static constexpr std::size_t k = K;
};

}  // namespace v0

inline namespace LOGITOPE_ABI {

/// @brief Logits z = W h + b. A view: owns neither W nor b.
/// @tparam V,D   sizes, or `dynamic`
/// @tparam Need  supports<k>: refused at compile time where min(2k, V-1) > D
template <real T, std::size_t V = dynamic, std::size_t D = dynamic, class Need = supports<0>>
class dense_head {
  static_assert(V == dynamic || D == dynamic || V == 0 || (std::min)(2 * Need::k, V - 1) <= D,
                "dense_head: this hidden size cannot support k tokens: min(2k, V-1) must not exceed D");

 public:
  using value_type = T;
  using weight_type = T;

  /// @param W [V, D] weights
  /// @param b [V]    bias, or empty; -inf masks a class whatever W h is
  /// @throws shape_error for a bias of another length; value_error where run-time sizes break supports<k>
  explicit dense_head(matrix_view<const T, V, D> W, std::span<const T> b = {}) : W_(W), b_(b) {
    if (!b.empty()) require_extent(b.size(), W.rows(), "dense_head bias");
    if (W.rows() > 0 && (std::min)(2 * Need::k, W.rows() - 1) > W.cols())
      detail::raise<value_error>("dense_head: expected a hidden size of at least min(2k, V-1) = " +
                                 std::to_string((std::min)(2 * Need::k, W.rows() - 1)) + ", got " +
                                 std::to_string(W.cols()));
  }

  [[nodiscard]] constexpr std::size_t vocabulary() const noexcept { return W_.rows(); }
  [[nodiscard]] constexpr std::size_t hidden_size() const noexcept { return W_.cols(); }
  [[nodiscard]] constexpr matrix_view<const T, V, D> weights() const noexcept { return W_; }
  [[nodiscard]] constexpr std::span<const T> bias() const noexcept { return b_; }

  /// Largest rank of a matrix of log-probabilities: D + 1, one more with a bias, never above V.
  [[nodiscard]] constexpr std::size_t rank_bound() const noexcept {
    return (std::min)(vocabulary(), hidden_size() + (b_.empty() ? 1 : 2));
  }

  /// @brief Z[i, j] = logit of class first + j for row i.
  /// @param H [n, D]  @param Z [n, tile]
  /// @par Accuracy proved: D u |W| |h|
  template <kernel_policy P = default_policy>
  void logits(matrix_view<const T> H, std::size_t first, matrix_view<T> Z, workspace&) const noexcept {
    panel_nt<P, T>(H, matrix_view<const T>(W_).block(first, Z.cols()), Z);
    if (b_.empty()) return;
    constexpr T inf = std::numeric_limits<T>::infinity();
    for (std::size_t i = 0; i < Z.rows(); ++i)
      for (std::size_t j = 0; j < Z.cols(); ++j) {
        const T b = b_[first + j];
        Z(i, j) = b == -inf ? -inf : Z(i, j) + b;
      }
  }

  /// @brief Adds dH += dZ W, dW[first + j] += dZ^T H, db += column sums of dZ. Empty dW or db: not wanted.
  template <kernel_policy P = default_policy>
  void pullback(matrix_view<const T> H, std::size_t first, matrix_view<const T> dZ, matrix_view<T> dH,
                matrix_view<T> dW, std::span<T> db, workspace&) const noexcept {
    if (!dH.empty()) panel_nn<P, T>(dZ, matrix_view<const T>(W_).block(first, dZ.cols()), dH);
    if (!dW.empty()) panel_tn<P, T>(dZ, H, dW.block(first, dZ.cols()));
    if (!db.empty())
      for (std::size_t i = 0; i < dZ.rows(); ++i)
        for (std::size_t j = 0; j < dZ.cols(); ++j) db[first + j] += dZ(i, j);
  }

 private:
  matrix_view<const T, V, D> W_;
  std::span<const T> b_;
};

/// Scratch that a dense head's logits need [bytes]: none.
template <kernel_policy P, real T>
[[nodiscard]] constexpr std::size_t logits_workspace(std::size_t, std::size_t, std::size_t) noexcept {
  return 0;
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
