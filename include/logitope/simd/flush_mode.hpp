// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_FLUSH_MODE_HPP
#define LOGITOPE_SIMD_FLUSH_MODE_HPP

#include "../core/config.hpp"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

/// @file
/// @brief Subnormal numbers for the length of a scope, whatever some other library switched on.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// @brief Switches flush-to-zero and denormals-are-zero off until the end of the scope, then restores the caller's.
/// Nothing happens where they are off already, or on an architecture other than x86.
class keep_subnormals {
 public:
#if defined(__SSE2__)
  keep_subnormals() noexcept : saved_(_mm_getcsr()) {
    if ((saved_ & flush_bits) != 0) _mm_setcsr(saved_ & ~flush_bits);
  }
  ~keep_subnormals() {
    if ((saved_ & flush_bits) != 0) _mm_setcsr(saved_);
  }
  /// Whether there is something to restore.
  [[nodiscard]] bool were_off() const noexcept {
    return (saved_ & flush_bits) != 0;
  }
#else
  keep_subnormals() noexcept {}
  ~keep_subnormals() {}
  [[nodiscard]] bool were_off() const noexcept {
    return false;
  }
#endif
  keep_subnormals(const keep_subnormals&) = delete;
  keep_subnormals& operator=(const keep_subnormals&) = delete;

 private:
#if defined(__SSE2__)
  static constexpr unsigned flush_bits = 0x8040;  // FTZ is bit 15, DAZ bit 6
  unsigned saved_;
#endif
};

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
