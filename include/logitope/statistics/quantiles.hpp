// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_STATISTICS_QUANTILES_HPP
#define LOGITOPE_STATISTICS_QUANTILES_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "../core/config.hpp"
#include "../core/error.hpp"

/// @file
/// @brief Where the values of a sample lie.

namespace logitope {
inline namespace v0 {

/// What a NaN in a sample does.
enum class nan_policy : unsigned char {
  propagate,  ///< every quantile is NaN
  omit,       ///< quantiles of the other values
};

}  // namespace v0

inline namespace LOGITOPE_ABI {

/// @brief Quantiles of a sample, linear between neighbouring order statistics.
///
/// \f[ Q(a) = x_{(j)} + g\,(x_{(j+1)} - x_{(j)}), \quad j + g = 1 + (n - 1) a \f]
///
/// @param values        [n] the sample, in any order; infinities are ordered as usual
/// @param probabilities [m] each in [0, 1], in any order
/// @param nans          what a NaN among the values does
/// @return [m] non-decreasing in the probability; NaN for an empty sample, or between -inf and +inf
/// @throws value_error naming a probability outside [0, 1]
/// @par Cost one sort, n log n; one allocation of n and one of m numbers
/// @par Source Hyndman & Fan 1996, Am. Stat. 50, 361, definition 7 (default of R, NumPy and xtensor)
[[nodiscard]] inline std::vector<double> quantiles(std::span<const double> values,
                                                   std::span<const double> probabilities,
                                                   nan_policy nans = nan_policy::propagate) {
  for (const double a : probabilities)
    if (!(a >= 0 && a <= 1))
      detail::raise<value_error>("quantiles probability: expected in [0, 1], got " + std::to_string(a));
  std::vector<double> out(probabilities.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<double> x(values.begin(), values.end());
  const auto first_nan = std::remove_if(x.begin(), x.end(), [](double v) { return std::isnan(v); });
  if (first_nan != x.end() && nans == nan_policy::propagate) return out;
  x.erase(first_nan, x.end());
  if (x.empty()) return out;
  std::sort(x.begin(), x.end());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double position = static_cast<double>(x.size() - 1) * probabilities[i];
    const auto j = static_cast<std::size_t>(position);
    const double part = position - static_cast<double>(j);
    // The neighbour is not looked at where it has no weight: 0 * inf is NaN.
    out[i] = part == 0 || x[j] == x[j + 1] ? x[j] : std::lerp(x[j], x[j + 1], part);
  }
  return out;
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
