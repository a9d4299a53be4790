// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_HEADS_DENSE_HPP
#define LOGITOPE_HEADS_DENSE_HPP

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <type_traits>

#include "../core/array.hpp"
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
namespace detail {

/// An array of two axes as a matrix, without a copy, because a head only looks at its weights.
template <class T, real_array A>
[[nodiscard]] matrix_view<const T> weights_of(const A& W) {
  const auto v = array_traits<std::remove_cvref_t<A>>::view(W);
  require_extent(v.rank, 2, "dense_head: axes of the weights");
  const std::size_t n = v.shape[0], m = v.shape[1];
  if (n == 0 || m == 0) return {v.data, n, m};
  if (m > 1 && v.strides[1] != 1)
    raise<shape_error>("dense_head: expected weights whose rows are adjacent elements (stride 1), got stride " +
                       std::to_string(v.strides[1]) + "; copy them row by row first");
  if (n == 1) return {v.data, n, m};
  if (v.strides[0] < static_cast<std::ptrdiff_t>(m))
    raise<shape_error>("dense_head: expected weights whose rows are at least " + std::to_string(m) +
                       " elements apart, got " + std::to_string(v.strides[0]) + "; copy them first");
  return {v.data, n, m, static_cast<std::size_t>(v.strides[0])};
}

template <class T, real_array B>
[[nodiscard]] std::span<const T> bias_of(const B& b) {
  const auto v = array_traits<std::remove_cvref_t<B>>::view(b);
  require_extent(v.rank, 1, "dense_head: axes of the bias");
  if (v.shape[0] > 1 && v.strides[0] != 1)
    raise<shape_error>("dense_head: expected a bias of adjacent elements (stride 1), got stride " +
                       std::to_string(v.strides[0]));
  return {v.data, v.shape[0]};
}

}  // namespace detail

/// @brief Logits z = W h + b. A view: owns neither W nor b, which must outlive it; temporaries are refused.
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

  /// @brief From any arrays of T: `dense_head(W)`, `dense_head(W, b)`.
  /// @throws shape_error where the rows of W, or b, are not runs of adjacent elements; and as above
  template <real_array A>
  requires std::same_as<element_of<A>, T>
  explicit dense_head(const A& W) : dense_head(matrix_view<const T, V, D>(detail::weights_of<T>(W))) {}
  template <real_array A, real_array B>
  requires(std::same_as<element_of<A>, T>&& std::same_as<element_of<B>, T>)  //
      dense_head(const A& W, const B& b)
      : dense_head(matrix_view<const T, V, D>(detail::weights_of<T>(W)), detail::bias_of<T>(b)) {}

  /// Weights or a bias that nobody else holds would be gone with the next line.
  template <real_array A>
  requires detail::passing_owner<A>
  explicit dense_head(A&& W) = delete;
  template <real_array A, real_array B>
  requires(detail::passing_owner<A> || detail::passing_owner<B>) dense_head(A&& W, B&& b)
  = delete;

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
  /// Classes masked by the bias are left out, whatever W, H and dZ hold there.
  /// @par Cost 4 n tile D flops; a call of the product kernels per run of unmasked classes
  template <kernel_policy P = default_policy>
  void pullback(matrix_view<const T> H, std::size_t first, matrix_view<const T> dZ, matrix_view<T> dH,
                matrix_view<T> dW, std::span<T> db, workspace&) const noexcept {
    for (std::size_t begin = 0, end = 0; begin < dZ.cols(); begin = end) {
      const bool masked = is_masked(first + begin);
      for (end = begin + 1; end < dZ.cols() && is_masked(first + end) == masked;) ++end;
      if (masked) continue;
      const matrix_view<const T> run(dZ.data() + begin, dZ.rows(), end - begin, dZ.stride());
      if (!dH.empty()) panel_nn<P, T>(run, matrix_view<const T>(W_).block(first + begin, run.cols()), dH);
      if (!dW.empty()) panel_tn<P, T>(run, H, dW.block(first + begin, run.cols()));
      if (!db.empty())
        for (std::size_t i = 0; i < run.rows(); ++i)
          for (std::size_t j = 0; j < run.cols(); ++j) db[first + begin + j] += run(i, j);
    }
  }

  /// The bias says that class v does not exist.
  [[nodiscard]] constexpr bool is_masked(std::size_t v) const noexcept {
    return !b_.empty() && b_[v] == -std::numeric_limits<T>::infinity();
  }

 private:
  matrix_view<const T, V, D> W_;
  std::span<const T> b_;
};

template <class T, std::size_t V, std::size_t D>
dense_head(matrix_view<T, V, D>) -> dense_head<std::remove_const_t<T>, V, D>;
template <class T, std::size_t V, std::size_t D, real_array B>
dense_head(matrix_view<T, V, D>, const B&) -> dense_head<std::remove_const_t<T>, V, D>;
template <real_array A>
dense_head(const A&) -> dense_head<element_of<A>>;
template <real_array A, real_array B>
dense_head(const A&, const B&) -> dense_head<element_of<A>>;

/// Scratch that a dense head's logits need [bytes]: none.
template <kernel_policy P, real T>
[[nodiscard]] constexpr std::size_t logits_workspace(std::size_t, std::size_t, std::size_t) noexcept {
  return 0;
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
