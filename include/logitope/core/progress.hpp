// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_CORE_PROGRESS_HPP
#define LOGITOPE_CORE_PROGRESS_HPP

#include <concepts>
#include <cstddef>

#include "config.hpp"

/// @file
/// @brief How long work tells where it is. The library prints nothing: the caller's sink decides.

namespace logitope {
inline namespace v0 {

/// Where a long computation is.
struct progress_report {
  const char* stage = "";  ///< what is being done, a few words
  std::size_t done = 0;    ///< units finished
  std::size_t total = 0;   ///< units in all, 0 if unknown
};

/// Anything that takes a report; called often, so cheap when it has nothing to show.
template <class P>
concept progress_sink = std::invocable<P&, const progress_report&>;

/// Nobody watches.
struct no_progress {
  constexpr void operator()(const progress_report&) const noexcept {}
};

}  // namespace v0
}  // namespace logitope

#endif
