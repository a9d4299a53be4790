// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SENSING_NECESSARY_HPP
#define LOGITOPE_SENSING_NECESSARY_HPP

#include <cstddef>
#include <string>

#include "../core/config.hpp"
#include "../core/error.hpp"

/// @file
/// @brief The dimension without which no head at all represents every k-sparse distribution.

namespace logitope {
inline namespace v0 {

/// Criterion: every distribution on at most k of V tokens, by the best possible head. Attained by cyclic polytopes.
struct necessary {};

}  // namespace v0

inline namespace LOGITOPE_ABI {
namespace detail {

[[noreturn]] inline void refuse_support(std::size_t V, std::size_t k) {
  raise<value_error>("support size: expected 1 .. V = " + std::to_string(V) + ", got " + std::to_string(k));
}
/// 1 <= k <= V, or a value_error (at compile time: not a constant expression).
constexpr void require_support(std::size_t V, std::size_t k) {
  if (k == 0 || k > V) refuse_support(V, k);
}

}  // namespace detail

/// @brief Dimension every head needs before all k-sparse distributions over V tokens are in its closure.
/// \f[ h \ge \min(2k,\; V-1) \f]
/// @param V vocabulary, at least 1
/// @param k support size, 1 .. V
/// @return the dimension, exact
/// @throws value_error if k is 0 or above V
/// @par Source k-neighborly polytopes: Gale 1963; for heads: the question of Zucchet et al. 2026, arXiv:2608.15448
[[nodiscard]] constexpr double required(std::size_t V, std::size_t k, necessary = {}) {
  detail::require_support(V, k);
  return static_cast<double>(k < V - k ? 2 * k : V - 1);
}

/// @copybrief required
/// @return as an integer
[[nodiscard]] constexpr std::size_t required_dimension(std::size_t V, std::size_t k, necessary = {}) {
  detail::require_support(V, k);
  return k < V - k ? 2 * k : V - 1;
}

/// @brief Largest k that a head of dimension h can have: V where V rows can be affinely independent, else floor(h / 2).
/// @param V vocabulary, at least 1
/// @param h dimension of the hidden state, without bias
/// @return largest k with required_dimension(V, k) <= h; 0 if there is none
/// @throws value_error if V is 0
[[nodiscard]] constexpr std::size_t max_support(std::size_t V, std::size_t h, necessary = {}) {
  if (V == 0) detail::refuse_support(V, 0);
  return h >= V - 1 ? V : h / 2;
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
