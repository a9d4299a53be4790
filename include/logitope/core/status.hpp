// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_CORE_STATUS_HPP
#define LOGITOPE_CORE_STATUS_HPP

#include <cstddef>

#include "config.hpp"

/// @file
/// @brief What a batch call noticed: silence is not an answer.

namespace logitope {
inline namespace v0 {

/// @brief Counts of rows that were not ordinary. Span calls return it, array calls fill it where asked.
struct row_status {
  std::size_t empty = 0;     ///< every logit -inf (or none)
  std::size_t nan = 0;       ///< a NaN among the logits
  std::size_t infinite = 0;  ///< a logit +inf and no NaN
  std::size_t ignored = 0;   ///< target == ignore_index

  [[nodiscard]] constexpr bool ordinary() const noexcept { return empty + nan + infinite + ignored == 0; }
  constexpr row_status& operator+=(const row_status& other) noexcept {
    empty += other.empty;
    nan += other.nan;
    infinite += other.infinite;
    ignored += other.ignored;
    return *this;
  }
  friend constexpr bool operator==(const row_status&, const row_status&) = default;
};

/// @brief An answer that may be missing: `undecided` is a result, a guess is not.
enum class verdict : unsigned char { no, yes, undecided };

}  // namespace v0
}  // namespace logitope

#endif
