// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_TESTS_ORACLE_ALLOCATIONS_HPP
#define LOGITOPE_TESTS_ORACLE_ALLOCATIONS_HPP

#include <cstddef>

/// What the program asks of operator new, in suites that link allocations.cpp; std::malloc is not seen.
namespace oracle {

struct allocations {
  std::size_t count = 0;  ///< calls since the program began
  std::size_t bytes = 0;  ///< held now
  std::size_t peak = 0;   ///< most held at once since the last forget_peak
};

[[nodiscard]] allocations allocated() noexcept;

/// The peak starts again from what is held now.
void forget_peak() noexcept;

}  // namespace oracle

#endif
