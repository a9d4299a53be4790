// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_CORE_CONFIG_HPP
#define LOGITOPE_CORE_CONFIG_HPP

/// @file
/// @brief What the compiler was told: refuses unsafe flags and names the ABI that these flags make.
///
/// Two objects built with different flags must share no symbol of ours: the linker would keep one copy of an inline
/// function for both, and the baseline object would run AVX code. Everything whose code depends on flags therefore
/// lives in `inline namespace LOGITOPE_ABI`; error types and plain data live in `inline namespace v0`.

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "logitope: -ffast-math / -ffinite-math-only remove the guards for NaN and infinity; build without them"
#endif
#if !defined(__cplusplus) || __cplusplus < 202002L
#error "logitope: needs C++20 (-std=c++20)"
#endif
#if defined(__SIZEOF_POINTER__) && __SIZEOF_POINTER__ < 8
#error "logitope: needs a 64-bit target (not -m32): sizes and class indices have 64 bits"
#endif

/// The one user macro: 1 turns contract checks in noexcept kernels on.
#ifndef LOGITOPE_CHECKS
#define LOGITOPE_CHECKS 0
#endif

#if defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512CD__)
#define LOGITOPE_DETAIL_ISA avx512bw
#elif defined(__AVX512DQ__) && defined(__AVX512CD__)
#define LOGITOPE_DETAIL_ISA avx512dq
#elif defined(__AVX512CD__)
#define LOGITOPE_DETAIL_ISA avx512cd
#elif defined(__AVX512F__)
#define LOGITOPE_DETAIL_ISA avx512f
#elif defined(__AVX2__)
#define LOGITOPE_DETAIL_ISA avx2
#elif defined(__AVX__)
#define LOGITOPE_DETAIL_ISA avx
#elif defined(__SSE4_2__)
#define LOGITOPE_DETAIL_ISA sse4_2
#elif defined(__SSE4_1__)
#define LOGITOPE_DETAIL_ISA sse4_1
#elif defined(__SSSE3__)
#define LOGITOPE_DETAIL_ISA ssse3
#elif defined(__SSE3__)
#define LOGITOPE_DETAIL_ISA sse3
#elif defined(__SSE2__)
#define LOGITOPE_DETAIL_ISA sse2
#elif defined(__aarch64__)
#define LOGITOPE_DETAIL_ISA neon64
#else
#define LOGITOPE_DETAIL_ISA generic
#endif

#if defined(__FMA__)
#define LOGITOPE_DETAIL_FMA _fma
#else
#define LOGITOPE_DETAIL_FMA
#endif
#if defined(__AVX512VNNI__)
#define LOGITOPE_DETAIL_VNNI _vnni
#else
#define LOGITOPE_DETAIL_VNNI
#endif
#if defined(__AVX512BF16__)
#define LOGITOPE_DETAIL_BF16 _bf16
#else
#define LOGITOPE_DETAIL_BF16
#endif
#if defined(__AMX_TILE__)
#define LOGITOPE_DETAIL_AMX _amx
#else
#define LOGITOPE_DETAIL_AMX
#endif
#if LOGITOPE_CHECKS
#define LOGITOPE_DETAIL_CHECKS _checked
#else
#define LOGITOPE_DETAIL_CHECKS
#endif
#if defined(__cpp_exceptions)
#define LOGITOPE_DETAIL_EXCEPTIONS
#else
#define LOGITOPE_DETAIL_EXCEPTIONS _noexcept
#endif

#define LOGITOPE_DETAIL_PASTE(a, b, c, d, e, f, g) v0_##a##b##c##d##e##f##g
#define LOGITOPE_DETAIL_EXPAND(a, b, c, d, e, f, g) LOGITOPE_DETAIL_PASTE(a, b, c, d, e, f, g)
#define LOGITOPE_DETAIL_TEXT(a) #a
#define LOGITOPE_DETAIL_QUOTE(a) LOGITOPE_DETAIL_TEXT(a)

/// Name of the inline namespace for everything whose code depends on compiler flags; not for users to set.
#define LOGITOPE_ABI                                                                                           \
  LOGITOPE_DETAIL_EXPAND(LOGITOPE_DETAIL_ISA, LOGITOPE_DETAIL_FMA, LOGITOPE_DETAIL_VNNI, LOGITOPE_DETAIL_BF16, \
                         LOGITOPE_DETAIL_AMX, LOGITOPE_DETAIL_CHECKS, LOGITOPE_DETAIL_EXCEPTIONS)

namespace logitope {
inline namespace v0 {}
inline namespace LOGITOPE_ABI {

/// True where contract checks in noexcept kernels are compiled in.
inline constexpr bool checks = LOGITOPE_CHECKS != 0;

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
