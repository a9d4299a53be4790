// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_X86_SELECT_AVX512_HPP
#define LOGITOPE_SIMD_X86_SELECT_AVX512_HPP

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <limits>

#include "../../core/config.hpp"
#include "../select_kernels.hpp"
#include "avx512.hpp"

/// @file
/// @brief The primitives of top-k and sampling in AVX-512 (F, BW, DQ, VL), compiled so whatever the flags of the
/// including file. No compress-store: into memory it is microcode on Zen 4, and hits are few.

// g++ 12 reports the deliberately undefined registers of its own avx512fintrin.h after inlining
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail::x86 {

[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] inline block_tops<float> avx512_maxima_float(
    const float* z, std::size_t blocks, float* out) noexcept {
  constexpr float inf = std::numeric_limits<float>::infinity();
  __m512 top = _mm512_set1_ps(-inf);
  __m128 low = _mm_set_ss(inf);
  unsigned bad = 0;
  for (std::size_t b = 0; b < blocks; ++b, z += select_block) {
    const __m512 x0 = _mm512_loadu_ps(z), x1 = _mm512_loadu_ps(z + 16);
    const __m512 x2 = _mm512_loadu_ps(z + 32), x3 = _mm512_loadu_ps(z + 48);
    bad |= _mm512_cmp_ps_mask(x0, x1, _CMP_UNORD_Q);
    bad |= _mm512_cmp_ps_mask(x2, x3, _CMP_UNORD_Q);
    const __m512 m = _mm512_max_ps(_mm512_max_ps(x0, x1), _mm512_max_ps(x2, x3));
    top = _mm512_max_ps(m, top);
    const __m256 h = _mm256_max_ps(_mm512_castps512_ps256(m), _mm512_extractf32x8_ps(m, 1));
    __m128 q = _mm_max_ps(_mm256_castps256_ps128(h), _mm256_extractf128_ps(h, 1));
    q = _mm_max_ps(q, _mm_movehl_ps(q, q));
    q = _mm_max_ss(q, _mm_movehdup_ps(q));
    _mm_store_ss(out + b, q);
    low = _mm_min_ss(q, low);
  }
  return {_mm512_reduce_max_ps(top), _mm_cvtss_f32(low), bad != 0};
}

[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] inline block_tops<double> avx512_maxima_double(
    const double* z, std::size_t blocks, double* out) noexcept {
  constexpr double inf = std::numeric_limits<double>::infinity();
  __m512d top = _mm512_set1_pd(-inf);
  __m128d low = _mm_set_sd(inf);
  unsigned bad = 0;
  for (std::size_t b = 0; b < blocks; ++b, z += select_block) {
    __m512d m = _mm512_set1_pd(-inf);
    for (std::size_t i = 0; i < select_block; i += 16) {
      const __m512d x0 = _mm512_loadu_pd(z + i), x1 = _mm512_loadu_pd(z + i + 8);
      bad |= _mm512_cmp_pd_mask(x0, x1, _CMP_UNORD_Q);
      m = _mm512_max_pd(_mm512_max_pd(x0, x1), m);
    }
    top = _mm512_max_pd(m, top);
    const __m256d h = _mm256_max_pd(_mm512_castpd512_pd256(m), _mm512_extractf64x4_pd(m, 1));
    __m128d q = _mm_max_pd(_mm256_castpd256_pd128(h), _mm256_extractf128_pd(h, 1));
    q = _mm_max_sd(q, _mm_unpackhi_pd(q, q));
    _mm_store_sd(out + b, q);
    low = _mm_min_sd(q, low);
  }
  return {_mm512_reduce_max_pd(top), _mm_cvtsd_f64(low), bad != 0};
}

[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl"), gnu::always_inline]] inline std::uint64_t avx512_block_hits(
    const float* x, __m512 bound) noexcept {
  std::uint64_t mask = 0;
  for (unsigned i = 0; i < 64; i += 16)
    mask |= std::uint64_t{_mm512_cmp_ps_mask(_mm512_loadu_ps(x + i), bound, _CMP_GE_OQ)} << i;
  return mask;
}
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl"), gnu::always_inline]] inline std::uint64_t avx512_block_hits(
    const double* x, __m512d bound) noexcept {
  std::uint64_t mask = 0;
  for (unsigned i = 0; i < 64; i += 8)
    mask |= std::uint64_t{_mm512_cmp_pd_mask(_mm512_loadu_pd(x + i), bound, _CMP_GE_OQ)} << i;
  return mask;
}

[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] inline std::uint64_t avx512_hits_float(const float* x,
                                                                                             float bound) noexcept {
  return avx512_block_hits(x, _mm512_set1_ps(bound));
}
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] inline std::uint64_t avx512_hits_double(const double* x,
                                                                                              double bound) noexcept {
  return avx512_block_hits(x, _mm512_set1_pd(bound));
}

[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,popcnt")]] inline std::size_t avx512_count_float(
    const float* x, std::size_t n, float bound) noexcept {
  const __m512 b = _mm512_set1_ps(bound);
  std::size_t c = 0;
  for (std::size_t i = 0; i < n; i += select_block)
    c += static_cast<std::size_t>(__builtin_popcountll(avx512_block_hits(x + i, b)));
  return c;
}
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,popcnt")]] inline std::size_t avx512_count_double(
    const double* x, std::size_t n, double bound) noexcept {
  const __m512d b = _mm512_set1_pd(bound);
  std::size_t c = 0;
  for (std::size_t i = 0; i < n; i += select_block)
    c += static_cast<std::size_t>(__builtin_popcountll(avx512_block_hits(x + i, b)));
  return c;
}

/// exp((z - r) s); a product by 1 is left out.
template <bool Scaled>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl"), gnu::always_inline]] inline __m512 avx512_tempered(
    __m512 z, __m512 r, __m512 s) noexcept {
  if constexpr (Scaled) return avx512_term<false>(_mm512_mul_ps(_mm512_sub_ps(z, r), s), _mm512_setzero_ps());
  else return avx512_term<false>(z, r);
}

template <bool Scaled>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] inline exp_block<float> avx512_sum_exp_float(
    const float* z, std::size_t n, float reference, float scale) noexcept {
  const __m512 r = _mm512_set1_ps(reference), s = _mm512_set1_ps(scale);
  __m512 m0 = _mm512_set1_ps(-std::numeric_limits<float>::infinity()), m1 = m0;
  __m512 s0 = _mm512_setzero_ps(), s1 = s0, s2 = s0, s3 = s0;
  unsigned bad = 0;
  for (std::size_t i = 0; i < n; i += select_block) {
    const __m512 x0 = _mm512_loadu_ps(z + i), x1 = _mm512_loadu_ps(z + i + 16);
    const __m512 x2 = _mm512_loadu_ps(z + i + 32), x3 = _mm512_loadu_ps(z + i + 48);
    bad |= _mm512_cmp_ps_mask(x0, x1, _CMP_UNORD_Q);
    bad |= _mm512_cmp_ps_mask(x2, x3, _CMP_UNORD_Q);
    m0 = _mm512_max_ps(_mm512_max_ps(x0, x1), m0);
    m1 = _mm512_max_ps(_mm512_max_ps(x2, x3), m1);
    s0 = _mm512_add_ps(s0, avx512_tempered<Scaled>(x0, r, s));
    s1 = _mm512_add_ps(s1, avx512_tempered<Scaled>(x1, r, s));
    s2 = _mm512_add_ps(s2, avx512_tempered<Scaled>(x2, r, s));
    s3 = _mm512_add_ps(s3, avx512_tempered<Scaled>(x3, r, s));
  }
  const __m512 sum = _mm512_add_ps(_mm512_add_ps(s0, s1), _mm512_add_ps(s2, s3));
  return {_mm512_reduce_add_pd(avx512_widened(sum)), _mm512_reduce_max_ps(_mm512_max_ps(m0, m1)), bad != 0};
}

}  // namespace detail::x86
}  // namespace LOGITOPE_ABI
}  // namespace logitope

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
