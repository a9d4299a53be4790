// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_LINALG_LAPACK_HPP
#define LOGITOPE_LINALG_LAPACK_HPP

#include <lapacke.h>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "../core/config.hpp"
#include "../core/error.hpp"

/// @file
/// @brief The one door to LAPACK: whoever includes this links LAPACKE.

// OpenBLAS starts threads of its own. Weak, so that any other BLAS links as well.
extern "C" {
[[gnu::weak]] void openblas_set_num_threads(int count);
[[gnu::weak]] int openblas_get_num_threads(void);
}

namespace logitope {
inline namespace LOGITOPE_ABI {

/// @brief While it lives, OpenBLAS uses one thread; afterwards as many as before. Does nothing with another BLAS.
class one_blas_thread {
 public:
  one_blas_thread() : before_(openblas_get_num_threads != nullptr ? openblas_get_num_threads() : 0) { set(1); }
  ~one_blas_thread() { set(before_); }
  one_blas_thread(const one_blas_thread&) = delete;
  one_blas_thread& operator=(const one_blas_thread&) = delete;

 private:
  static void set(int count) {
    if (openblas_set_num_threads != nullptr && count > 0) openblas_set_num_threads(count);
  }
  int before_;
};

/// @brief A size as LAPACK's integer.
/// @throws value_error if it does not fit
[[nodiscard]] inline lapack_int lapack_size(std::size_t n) {
  if (n > static_cast<std::size_t>((std::numeric_limits<lapack_int>::max)()))
    detail::raise<value_error>("LAPACK size: expected at most " +
                               std::to_string((std::numeric_limits<lapack_int>::max)()) + ", got " + std::to_string(n));
  return static_cast<lapack_int>(n);
}

/// @brief A LAPACK routine succeeded, or a solver_error carries its name and code.
/// @param info    what the routine returned
/// @param routine its name
/// @throws solver_error unless info is 0
inline void require_lapack(lapack_int info, std::string_view routine) {
  if (info != 0)
    detail::raise<solver_error>("LAPACK " + std::string(routine) + ": expected info 0, got " + std::to_string(info));
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
