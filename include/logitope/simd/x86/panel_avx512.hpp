// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_X86_PANEL_AVX512_HPP
#define LOGITOPE_SIMD_X86_PANEL_AVX512_HPP

#include <immintrin.h>

#include <cstddef>

#include "../../core/config.hpp"

/// @file
/// @brief Four rows by two registers of a product, compiled for avx512f,avx512bw,avx512dq,avx512vl whatever the flags
/// of the including file.

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail::x86 {

/// C[i, :] += sum_k a[i ai + k ak] b[k, :] for i < Rows; b is packed, 32 wide.
template <std::size_t Rows>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] inline void avx512_panel_float(const float* a, std::size_t ai,
                                                                                     std::size_t ak, const float* b,
                                                                                     std::size_t K, float* c,
                                                                                     std::size_t ldc) noexcept {
  __m512 s[Rows][2];
  for (std::size_t i = 0; i < Rows; ++i) {
    s[i][0] = _mm512_loadu_ps(c + i * ldc);
    s[i][1] = _mm512_loadu_ps(c + i * ldc + 16);
  }
  for (std::size_t k = 0; k < K; ++k) {
    const __m512 b0 = _mm512_loadu_ps(b + k * 32);
    const __m512 b1 = _mm512_loadu_ps(b + k * 32 + 16);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < Rows; ++i) {
      const __m512 x = _mm512_set1_ps(a[i * ai + k * ak]);
      s[i][0] = _mm512_fmadd_ps(x, b0, s[i][0]);
      s[i][1] = _mm512_fmadd_ps(x, b1, s[i][1]);
    }
  }
  for (std::size_t i = 0; i < Rows; ++i) {
    _mm512_storeu_ps(c + i * ldc, s[i][0]);
    _mm512_storeu_ps(c + i * ldc + 16, s[i][1]);
  }
}

/// C[i, :] += sum_k a[i ai + k ak] b[k, :] for i < Rows; b is packed, 16 wide.
template <std::size_t Rows>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] inline void avx512_panel_double(const double* a, std::size_t ai,
                                                                                      std::size_t ak, const double* b,
                                                                                      std::size_t K, double* c,
                                                                                      std::size_t ldc) noexcept {
  __m512d s[Rows][2];
  for (std::size_t i = 0; i < Rows; ++i) {
    s[i][0] = _mm512_loadu_pd(c + i * ldc);
    s[i][1] = _mm512_loadu_pd(c + i * ldc + 8);
  }
  for (std::size_t k = 0; k < K; ++k) {
    const __m512d b0 = _mm512_loadu_pd(b + k * 16);
    const __m512d b1 = _mm512_loadu_pd(b + k * 16 + 8);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < Rows; ++i) {
      const __m512d x = _mm512_set1_pd(a[i * ai + k * ak]);
      s[i][0] = _mm512_fmadd_pd(x, b0, s[i][0]);
      s[i][1] = _mm512_fmadd_pd(x, b1, s[i][1]);
    }
  }
  for (std::size_t i = 0; i < Rows; ++i) {
    _mm512_storeu_pd(c + i * ldc, s[i][0]);
    _mm512_storeu_pd(c + i * ldc + 8, s[i][1]);
  }
}

}  // namespace detail::x86
}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
