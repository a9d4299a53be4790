// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_CORE_EXECUTOR_HPP
#define LOGITOPE_CORE_EXECUTOR_HPP

#include <concepts>
#include <cstddef>

#include "config.hpp"

/// @file
/// @brief Who runs the pieces of a batch call. The library starts no thread.
///
/// Work is cut into tasks whose number does not depend on the workers, and partial results are combined in task order:
/// one bit pattern for any number of threads.

namespace logitope {
inline namespace v0 {

/// @brief Runs f(task, worker) for task = 0 .. tasks-1; two tasks with the same worker never overlap in time.
template <class E>
concept executor = requires(E& e, std::size_t tasks, void (*f)(std::size_t task, std::size_t worker)) {
  { e.workers() } -> std::convertible_to<std::size_t>;
  e.run(tasks, f);
};

/// The caller's own thread, one task after the other.
struct sequential {
  [[nodiscard]] static constexpr std::size_t workers() noexcept { return 1; }
  template <class F>
  static constexpr void run(std::size_t tasks, F&& f) {
    for (std::size_t task = 0; task < tasks; ++task) f(task, std::size_t{0});
  }
};

}  // namespace v0
}  // namespace logitope

#endif
