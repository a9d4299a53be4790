// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_AMBIGUITY_ENTROPY_HPP
#define LOGITOPE_AMBIGUITY_ENTROPY_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "../core/array.hpp"
#include "../core/config.hpp"
#include "rows.hpp"

/// @file
/// @brief How ambiguous a distribution is: entropy, the support size it amounts to, the chance that two draws differ.
///
/// Calls take any array of float or double with distributions along the last axis and return a number for one axis,
/// an array of double for more. They compute in double and allocate only what they return.

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// What a row of probabilities amounts to.
struct row_measures {
  double entropy = 0;
  double differ = 0;  ///< sum p (1 - p)
  bool empty = true;  ///< no probability above 0
};

/// NaN where an entry is NaN, infinite or negative. No logarithm of 0 is taken: no floating-point exception is raised.
template <class T>
[[nodiscard]] row_measures measures_of(strided_row<T> p) noexcept {
  row_measures m;
  for (std::size_t v = 0; v < p.size; ++v) {
    const double pv = p[v];
    if (!std::isfinite(pv) || pv < 0) return {not_a_number, not_a_number, false};
    if (pv == 0) continue;
    m.empty = false;
    m.entropy -= pv * std::log(pv);
    m.differ += pv * (1 - pv);
  }
  // Only rounding takes them below 0, as with a largest probability of 1 + u.
  m.entropy = (std::max)(m.entropy, 0.0);
  m.differ = (std::max)(m.differ, 0.0);
  return m;
}

/// A row of logits, read once: its largest, and the sums over the other classes that log-sum-exp and entropy need.
struct logit_sums {
  double max = -infinity;
  double rest = 0;   ///< sum exp(z - max) without the largest
  double slope = 0;  ///< sum exp(z - max) (z - max)
  bool nan = false;  ///< a NaN or +inf: probabilities are not defined

  [[nodiscard]] bool empty() const noexcept { return !nan && max == -infinity; }
  /// log sum exp(z - max)
  [[nodiscard]] double log_sum() const noexcept { return std::log1p(rest); }
};

template <class T>
[[nodiscard]] logit_sums logit_sums_of(strided_row<T> z) noexcept {
  logit_sums s;
  std::size_t largest = 0;
  for (std::size_t v = 0; v < z.size; ++v) {
    const double zv = z[v];
    if (std::isnan(zv) || zv == infinity) {
      s.nan = true;
      return s;
    }
    if (zv > s.max) {
      s.max = zv;
      largest = v;
    }
  }
  for (std::size_t v = 0; v < z.size; ++v) {
    if (v == largest || z[v] == -infinity) continue;  // before the difference: -inf - -inf is an invalid operation
    const double below = z[v] - s.max;
    if (below == -infinity) continue;  // the difference of two large finite logits
    const double e = std::exp(below);
    s.rest += e;
    s.slope += e * below;
  }
  return s;
}

/// Both terms are >= 0: nothing cancels, however far the logits are from 0.
[[nodiscard]] inline double entropy_of(const logit_sums& s) noexcept {
  if (s.nan) return not_a_number;
  return s.empty() ? 0.0 : s.log_sum() - s.slope / (1 + s.rest);
}

}  // namespace detail

/// @brief Shannon entropy of a distribution; 0 log 0 = 0.
///
/// \f[ H = -\sum_v p_v \ln p_v \f]
///
/// @param p [..., V] probabilities; their sum is not checked
/// @return [...] nats, never below +0; one-hot and empty rows +0; NaN where a probability is NaN, infinite or negative
/// @par Cost V logarithms a row, p read once
/// @par Accuracy measured: within 4 ulp + 2 V u of a long-double sum, tests/ambiguity/entropy.cpp
/// @par Source Shannon 1948
template <real_array A>
[[nodiscard]] auto entropy(const A& p) {
  return detail::measure_rows(p, "entropy", [](auto row) { return detail::measures_of(row).entropy; });
}

/// @brief Entropy of softmax(z), without forming it.
///
/// \f[ H = \ln \sum_v e^{z_v - m} - \frac{\sum_v e^{z_v - m}(z_v - m)}{\sum_v e^{z_v - m}}, \quad m = \max_v z_v \f]
///
/// @param z [..., V] logits; -inf masks a class
/// @return [...] nats; one unmasked class and empty rows +0; NaN where a logit is NaN or +inf
/// @par Cost V exponentials a row, z read twice
/// @par Accuracy measured: unchanged by z + c where that is exact; tests/ambiguity/entropy.cpp
template <real_array A>
[[nodiscard]] auto entropy_from_logits(const A& z) {
  return detail::measure_rows(z, "entropy_from_logits",
                              [](auto row) { return detail::entropy_of(detail::logit_sums_of(row)); });
}

/// @brief The size of the uniform support with the same entropy.
///
/// \f[ k_\mathrm{eff} = e^{H} \f]
///
/// @param p [..., V] probabilities
/// @return [...] classes; exactly 1 for one-hot, +0 for an empty row, NaN as `entropy`
template <real_array A>
[[nodiscard]] auto effective_support(const A& p) {
  return detail::measure_rows(p, "effective_support", [](auto row) {
    const detail::row_measures m = detail::measures_of(row);
    return m.empty ? 0.0 : std::exp(m.entropy);
  });
}

/// @brief exp(H) of softmax(z): as `effective_support`, from logits.
template <real_array A>
[[nodiscard]] auto effective_support_from_logits(const A& z) {
  return detail::measure_rows(z, "effective_support_from_logits", [](auto row) {
    const detail::logit_sums s = detail::logit_sums_of(row);
    return s.empty() ? 0.0 : std::exp(detail::entropy_of(s));
  });
}

/// @brief Chance that two draws differ (Gini impurity): what scales the noise floor of sampled gradients.
///
/// \f[ 1 - \sum_v p_v^2 = \sum_v p_v (1 - p_v) \f]
///
/// @param p [..., V] probabilities; summed in the second form, which keeps its digits near one-hot
/// @return [...] in [0, 1); one-hot and empty rows +0; NaN as `entropy`
template <real_array A>
[[nodiscard]] auto gini_impurity(const A& p) {
  return detail::measure_rows(p, "gini_impurity", [](auto row) { return detail::measures_of(row).differ; });
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
