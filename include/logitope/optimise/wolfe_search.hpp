// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_OPTIMISE_WOLFE_SEARCH_HPP
#define LOGITOPE_OPTIMISE_WOLFE_SEARCH_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "../core/config.hpp"

/// @file
/// @brief How far to go along a descent direction: far enough, and not too far.

namespace logitope {
inline namespace v0 {

/// What an acceptable step is, and when to give up.
struct wolfe_constants {
  double sufficient_decrease = 1e-4;  ///< c1, 0 < c1 < c2
  double curvature = 0.9;             ///< c2, c1 < c2 < 1
  std::size_t max_trials = 40;        ///< evaluations, >= 2
};

/// The objective along a line: step, value, slope.
struct line_point {
  double step = 0;
  double value = 0;
  double slope = 0;
  [[nodiscard]] bool finite() const noexcept { return std::isfinite(value) && std::isfinite(slope); }
};

/// What a line search found.
enum class line_outcome : unsigned char {
  wolfe,          ///< a strong-Wolfe step
  decrease_only,  ///< a lower value, but no strong-Wolfe step within max_trials
  failed,         ///< no lower value
};

}  // namespace v0

inline namespace LOGITOPE_ABI {
namespace detail {

/// Minimiser of the cubic with the values and slopes of p and q; NaN where it has none (Nocedal & Wright, eq. 3.59).
[[nodiscard]] inline double cubic_minimiser(const line_point& p, const line_point& q) noexcept {
  const double d1 = p.slope + q.slope - 3 * (p.value - q.value) / (p.step - q.step);
  const double radicand = d1 * d1 - p.slope * q.slope;
  if (!(radicand >= 0)) return std::numeric_limits<double>::quiet_NaN();
  const double d2 = std::copysign(std::sqrt(radicand), q.step - p.step);
  return q.step - (q.step - p.step) * ((q.slope + d2 - d1) / (q.slope - p.slope + 2 * d2));
}

}  // namespace detail

/// @brief Strong-Wolfe search along a descent direction. `evaluate(step)` gives the point and may be not finite.
///
/// Keeps `low`, the lowest point so far with sufficient decrease, and, once known, the other end `high` of an interval
/// that holds acceptable points. A trial that is not finite is an upper end of unknown height. Where the values of the
/// objective no longer resolve the decrease, its slope decides (Hager & Zhang 2005, eq. 4.1), never a higher value.
template <class Evaluate>
class wolfe_search {
 public:
  wolfe_search(wolfe_constants options, line_point start, Evaluate evaluate)
      : options_(options), start_(start), low_(start), evaluate_(evaluate) {}

  /// After `wolfe` and `decrease_only` the last point evaluated is the one accepted.
  line_outcome run(double step) {
    double older_width = std::numeric_limits<double>::infinity(), old_width = older_width;
    for (std::size_t trial = 0; trial < options_.max_trials; ++trial) {
      at = evaluate_(step);
      if (accept()) return line_outcome::wolfe;
      if (!at.finite() || !decreases(at) || at.value >= low_.value) {
        high_ = at;
        bracketed_ = true;
      } else {
        const line_point before = low_;
        low_ = at;
        if (at.slope * (bracketed_ ? high_.step - before.step : 1.0) >= 0) {
          high_ = before;
          bracketed_ = true;
        } else if (!bracketed_) {
          const double cubic = detail::cubic_minimiser(before, at);
          step = std::isnan(cubic) || cubic <= at.step ? 4 * at.step : std::clamp(cubic, 1.1 * at.step, 10 * at.step);
          if (!std::isfinite(step)) break;
          continue;
        }
      }
      const double width = std::fabs(high_.step - low_.step);
      if (width <= 4 * std::numeric_limits<double>::epsilon() * (std::max)(high_.step, low_.step)) break;
      step = inside(width > 0.66 * older_width);
      older_width = std::exchange(old_width, width);
    }
    if (low_.step == 0) return line_outcome::failed;
    if (at.step != low_.step) at = evaluate_(low_.step);
    return at.finite() && at.value <= start_.value ? line_outcome::decrease_only : line_outcome::failed;
  }

  line_point at;  ///< last point evaluated

 private:
  [[nodiscard]] bool decreases(const line_point& p) const {
    return p.value <= start_.value + options_.sufficient_decrease * p.step * start_.slope;
  }
  [[nodiscard]] bool accept() const {
    if (!at.finite() || std::fabs(at.slope) > -options_.curvature * start_.slope) return false;
    if (decreases(at)) return true;
    const bool unresolved =
        std::fabs(at.value - start_.value) <= 64 * std::numeric_limits<double>::epsilon() * std::fabs(start_.value);
    return unresolved && at.value <= start_.value && at.slope <= (2 * options_.sufficient_decrease - 1) * start_.slope;
  }
  /// A step between the ends, away from both; the middle where interpolation makes no progress.
  [[nodiscard]] double inside(bool slow) const {
    const double width = high_.step - low_.step;
    if (!high_.finite()) return low_.step + 0.25 * width;
    const double cubic = detail::cubic_minimiser(low_, high_);
    const double part = (cubic - low_.step) / width;
    return low_.step + width * (slow || std::isnan(part) ? 0.5 : std::clamp(part, 0.001, 0.9));
  }

  wolfe_constants options_;
  line_point start_, low_, high_{};
  bool bracketed_ = false;
  Evaluate evaluate_;
};

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
