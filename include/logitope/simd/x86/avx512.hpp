// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_X86_AVX512_HPP
#define LOGITOPE_SIMD_X86_AVX512_HPP

#include "../row_kernels.hpp"

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail::x86 {

inline constexpr row_kernels<float> avx512_kernels = portable<float, simd::default_arch>::table();

}  // namespace detail::x86
}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
