// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_RANDOM_NORMAL_HPP
#define LOGITOPE_RANDOM_NORMAL_HPP

#include <cmath>
#include <concepts>
#include <cstddef>
#include <numbers>
#include <span>

#include "../core/config.hpp"
#include "../core/uniform_source.hpp"

/// @file
/// @brief Standard normal numbers from any uniform source.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// @brief Fills `out` with independent N(0, 1) numbers, two per pair of draws (Box-Muller, in double).
/// \f[ x = \sqrt{-2 \ln(1 - u)} \cos(2 \pi v),\quad y = \sqrt{-2 \ln(1 - u)} \sin(2 \pi v) \f]
/// @param source  takes 2 ceil(n / 2) draws, so that a caller can skip ahead
/// @param out     [n] destination; an odd n drops the last sine
template <uniform_source R, std::floating_point T>
void standard_normal(R& source, std::span<T> out) {
  for (std::size_t i = 0; i < out.size(); i += 2) {
    // 1 - u lies in (0, 1]: the logarithm is finite.
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform_unit(source)));
    const double angle = 2.0 * std::numbers::pi * uniform_unit(source);
    out[i] = static_cast<T>(radius * std::cos(angle));
    if (i + 1 < out.size()) out[i + 1] = static_cast<T>(radius * std::sin(angle));
  }
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
