// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_X86_PANEL_AVX2_HPP
#define LOGITOPE_SIMD_X86_PANEL_AVX2_HPP

#include <immintrin.h>

#include <cstddef>

#include "../../core/config.hpp"

/// @file
/// @brief Four rows by two registers of a product, compiled for avx2,fma whatever the flags of the including file.

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail::x86 {

/// C[i, :] += sum_k a[i ai + k ak] b[k, :] for i < Rows; b is packed, 16 wide.
template <std::size_t Rows>
[[gnu::target("avx2,fma")]] inline void avx2_panel_float(const float* a, std::size_t ai, std::size_t ak, const float* b,
                                                         std::size_t K, float* c, std::size_t ldc) noexcept {
  __m256 s[Rows][2];
  for (std::size_t i = 0; i < Rows; ++i) {
    s[i][0] = _mm256_loadu_ps(c + i * ldc);
    s[i][1] = _mm256_loadu_ps(c + i * ldc + 8);
  }
  for (std::size_t k = 0; k < K; ++k) {
    const __m256 b0 = _mm256_loadu_ps(b + k * 16);
    const __m256 b1 = _mm256_loadu_ps(b + k * 16 + 8);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < Rows; ++i) {
      const __m256 x = _mm256_set1_ps(a[i * ai + k * ak]);
      s[i][0] = _mm256_fmadd_ps(x, b0, s[i][0]);
      s[i][1] = _mm256_fmadd_ps(x, b1, s[i][1]);
    }
  }
  for (std::size_t i = 0; i < Rows; ++i) {
    _mm256_storeu_ps(c + i * ldc, s[i][0]);
    _mm256_storeu_ps(c + i * ldc + 8, s[i][1]);
  }
}

/// C[i, :] += sum_k a[i ai + k ak] b[k, :] for i < Rows; b is packed, 8 wide.
template <std::size_t Rows>
[[gnu::target("avx2,fma")]] inline void avx2_panel_double(const double* a, std::size_t ai, std::size_t ak,
                                                          const double* b, std::size_t K, double* c,
                                                          std::size_t ldc) noexcept {
  __m256d s[Rows][2];
  for (std::size_t i = 0; i < Rows; ++i) {
    s[i][0] = _mm256_loadu_pd(c + i * ldc);
    s[i][1] = _mm256_loadu_pd(c + i * ldc + 4);
  }
  for (std::size_t k = 0; k < K; ++k) {
    const __m256d b0 = _mm256_loadu_pd(b + k * 8);
    const __m256d b1 = _mm256_loadu_pd(b + k * 8 + 4);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < Rows; ++i) {
      const __m256d x = _mm256_set1_pd(a[i * ai + k * ak]);
      s[i][0] = _mm256_fmadd_pd(x, b0, s[i][0]);
      s[i][1] = _mm256_fmadd_pd(x, b1, s[i][1]);
    }
  }
  for (std::size_t i = 0; i < Rows; ++i) {
    _mm256_storeu_pd(c + i * ldc, s[i][0]);
    _mm256_storeu_pd(c + i * ldc + 4, s[i][1]);
  }
}

}  // namespace detail::x86
}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
