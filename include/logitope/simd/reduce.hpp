// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_REDUCE_HPP
#define LOGITOPE_SIMD_REDUCE_HPP

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>

#include "../core/concepts.hpp"
#include "../core/config.hpp"
#include "../core/view.hpp"
#include "arch.hpp"
#include "kernels.hpp"
#include "policy.hpp"

/// @file
/// @brief Sums, inner products and maxima of spans, accumulated in double.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// @brief Sum of x, in double; eight partial sums, always the same eight.
/// @param x [n]
/// @par Accuracy proved: relative to the sum of |x|, float: n 2^-55 + 2^-53 (exact terms, double additions, n/8 + 3
/// deep); double: (n/8 + 3) 2^-53
template <real T>
[[nodiscard]] double sum(std::span<const T> x) noexcept {
  std::array<double, 8> s{};
  std::size_t i = 0;
  for (; i + 8 <= x.size(); i += 8)
    for (std::size_t j = 0; j < 8; ++j) s[j] += static_cast<double>(x[i + j]);
  for (std::size_t j = 0; i < x.size(); ++i, ++j) s[j] += static_cast<double>(x[i]);
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/// @brief Inner product of x and y, in double: products of floats are exact there.
/// @param x [n]
/// @param y [n]  the shorter length counts
/// @par Accuracy proved: relative to the sum of |x y|, (n/8 + 4) 2^-53
template <real T>
[[nodiscard]] double dot(std::span<const T> x, std::span<const std::type_identity_t<T>> y) noexcept {
  const std::size_t n = x.size() < y.size() ? x.size() : y.size();
  std::array<double, 8> s{};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (std::size_t j = 0; j < 8; ++j) s[j] += static_cast<double>(x[i + j]) * static_cast<double>(y[i + j]);
  for (std::size_t j = 0; i < n; ++i, ++j) s[j] += static_cast<double>(x[i]) * static_cast<double>(y[i]);
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/// @brief Largest entry: -inf of none, NaN if there is one wherever it stands.
/// @param x [n]
template <kernel_policy P = default_policy, real T>
[[nodiscard]] T (max)(std::span<const T> x) noexcept {
  const auto top = detail::kernels_of<typename P::arch, T>().scan(x.data(), x.size());
  return top.nan ? std::numeric_limits<T>::quiet_NaN() : top.max;
}

/// @brief Lowest index of the largest entry; npos of none unmasked (-inf), or with a NaN.
/// @param x [n]
template <kernel_policy P = default_policy, real T>
[[nodiscard]] std::size_t argmax(std::span<const T> x) noexcept {
  const auto& k = detail::kernels_of<typename P::arch, T>();
  const auto top = k.scan(x.data(), x.size());
  if (top.nan || top.max == -std::numeric_limits<T>::infinity()) return npos;
  return k.find(x.data(), x.size(), top.max);
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
