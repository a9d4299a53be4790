// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_EXP_SUM_HPP
#define LOGITOPE_SIMD_EXP_SUM_HPP

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "../core/concepts.hpp"
#include "../core/config.hpp"
#include "../core/view.hpp"
#include "kernels.hpp"
#include "policy.hpp"

/// @file
/// @brief A row of logits in four numbers, mergeable from left to right.

namespace logitope {
inline namespace v0 {

/// @brief What is kept of the logits seen so far. `rest` leaves the largest out, because (sum - 1) would cancel.
template <real T>
struct exp_sum {
  T max = -std::numeric_limits<T>::infinity();  ///< largest logit; NaN if one was seen
  std::size_t argmax = npos;                    ///< its lowest index; npos if nothing is unmasked or a NaN was seen
  double rest = 0;                              ///< sum of exp(z - max) over all entries but argmax; 0 if max = +inf
  bool nan = false;                             ///< a NaN was seen

  [[nodiscard]] constexpr bool empty() const noexcept { return !nan && argmax == npos; }
};

}  // namespace v0

inline namespace LOGITOPE_ABI {

/// @brief Largest logit, where it is, and the sum of the other exponentials.
/// \f[ m = z_a = \max_i z_i, \qquad r = \sum_{i \ne a} e^{z_i - m} \f]
/// @param z            [n]  logits; -inf masks
/// @param first_index  index of z[0] in the whole row
/// @par Cost n exponentials, z read twice (the second time from cache), no allocation
/// @par Accuracy measured: r within (4 + |z - m|) u per term, 4 u under a two_sum policy: tests/simd/exp_sum.cpp
template <kernel_policy P, real T>
[[nodiscard]] exp_sum<T> exp_sum_of(std::span<const T> z, std::size_t first_index = 0) noexcept {
  exp_sum<T> s;
  const auto& k = detail::kernels_of<typename P::arch, T>();
  const auto top = k.scan(z.data(), z.size());
  if (top.nan) {
    s.nan = true;
    s.max = std::numeric_limits<T>::quiet_NaN();
    return s;
  }
  s.max = top.max;
  if (top.max == -std::numeric_limits<T>::infinity()) return s;
  const std::size_t a = k.find(z.data(), z.size(), top.max);
  s.argmax = first_index + a;
  if (top.max == std::numeric_limits<T>::infinity()) return s;
  const auto sum = k.sum_exp[P::shift == shift_rounding::two_sum];
  s.rest = sum(z.data(), a, top.max) + sum(z.data() + a + 1, z.size() - a - 1, top.max);
  return s;
}

/// @brief Joins the summary of the entries to the right of those already in `into`. Ties keep the lower index.
template <real T>
void merge(exp_sum<T>& into, const exp_sum<T>& tile) noexcept {
  if (into.nan || tile.empty()) return;
  if (tile.nan || into.empty()) {
    into = tile;
    return;
  }
  constexpr T inf = std::numeric_limits<T>::infinity();
  if (tile.max > into.max) {
    if (tile.max < inf)
      into.rest =
          tile.rest + (1.0 + into.rest) * std::exp(static_cast<double>(into.max) - static_cast<double>(tile.max));
    else into.rest = 0;
    into.max = tile.max;
    into.argmax = tile.argmax;
  } else if (into.max < inf) {
    into.rest += (1.0 + tile.rest) * std::exp(static_cast<double>(tile.max) - static_cast<double>(into.max));
  }
}

/// @brief log sum exp of what was seen: -inf if nothing, +inf if the largest is, NaN after a NaN.
/// @par Accuracy proved: absolute error <= 4 u + 2 u (|lse| + log(1 + rest)) + error of rest / (1 + rest), u = 2^-53
template <real T>
[[nodiscard]] double log_sum(const exp_sum<T>& s) noexcept {
  if (s.nan) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(s.max) + std::log1p(s.rest);
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
