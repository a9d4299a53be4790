// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_KERNELS_HPP
#define LOGITOPE_SIMD_KERNELS_HPP

#include <array>
#include <cstddef>
#include <type_traits>

#include "../core/concepts.hpp"
#include "../core/config.hpp"
#include "arch.hpp"
#include "policy.hpp"
#include "row_kernels.hpp"

#if defined(__x86_64__)
#include "x86/avx2.hpp"
#include "x86/avx512.hpp"
#include "x86/short_rows_avx512.hpp"
#endif

/// @file
/// @brief The table of row kernels, chosen once per process; a policy with a pinned architecture skips the choice.

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail {

#if defined(__x86_64__)
namespace x86 {

inline constexpr row_kernels<float> avx2_kernels{
    &avx2_scan,
    &avx2_find,
    {&avx2_sum_exp<false>, &avx2_sum_exp<true>},
    {&avx2_run<false, true>, &avx2_run<true, true>},
    {&avx2_scale<false>, &avx2_scale<true>},
    {&avx2_shift<false>, &avx2_shift<true>},
    &avx2_softmax_rows,
};

inline constexpr row_kernels<float> avx512_kernels{
    &avx512_scan,
    &avx512_find,
    {&avx512_sum_exp<false>, &avx512_sum_exp<true>},
    {&avx512_run<false, true>, &avx512_run<true, true>},
    {&avx512_scale<false>, &avx512_scale<true>},
    {&avx512_shift<false>, &avx512_shift<true>},
    &avx512_softmax_rows,
};

}  // namespace x86
#endif

template <real T, class A>
inline constexpr row_kernels<T> portable_kernels = portable<T, A>::table();

/// Kernels of a policy's architecture for element T. Before the process has asked its CPU (inside other static
/// initialisers) best_available is the baseline, which runs everywhere.
template <arch_tag Arch, real T>
[[nodiscard]] inline const row_kernels<T>& kernels_of() noexcept {
#if defined(__x86_64__)
  if constexpr (!std::is_same_v<Arch, baseline> && std::is_same_v<T, float>) {
    switch (isa_of<Arch>()) {
      case isa::avx512:
        return x86::avx512_kernels;
      case isa::avx2:
        return x86::avx2_kernels;
      case isa::baseline:
        break;
    }
  }
#endif
  return portable_kernels<T, simd::default_arch>;
}

}  // namespace detail
}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
