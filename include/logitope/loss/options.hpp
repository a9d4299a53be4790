// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_LOSS_OPTIONS_HPP
#define LOGITOPE_LOSS_OPTIONS_HPP

#include <cstddef>
#include <limits>
#include <string>

#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../core/status.hpp"

/// @file
/// @brief What a loss of target classes is told, and what it answers.

namespace logitope {
inline namespace v0 {

/// Which rows count and how sharp their targets are.
struct loss_options {
  long long ignore_index = -100;  ///< rows with this target are not read: loss 0, gradient 0, not counted
  double label_smoothing = 0;     ///< eps in [0, 1]: targets (1 - eps) onehot + eps / (number of unmasked classes)
};

/// Sum and count of the losses of the rows that are not ignored.
struct loss_sum {
  double sum = 0;         ///< [nats]
  std::size_t count = 0;  ///< rows not ignored
  row_status status;
  /// NaN where nothing was counted.
  [[nodiscard]] constexpr double mean() const noexcept {
    return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
  }
};

/// What becomes of the numbers that stand in a gradient's place.
enum class grad_mode : unsigned char {
  overwrite,  ///< they are replaced, whatever they were
  accumulate  ///< the gradient is added to them; rows that are ignored leave them bitwise unchanged
};

}  // namespace v0

inline namespace LOGITOPE_ABI {
namespace detail {

inline void require_smoothing(double eps, const char* who) {
  if (!(eps >= 0 && eps <= 1)) [[unlikely]]
    raise<value_error>(std::string(who) + ": expected a label smoothing in [0, 1], got " + std::to_string(eps));
}

}  // namespace detail
}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
