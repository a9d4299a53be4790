// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_X86_AVX512_HPP
#define LOGITOPE_SIMD_X86_AVX512_HPP

#include <immintrin.h>

#include <cstddef>
#include <limits>

#include "../../core/config.hpp"
#include "../row_kernels.hpp"

/// @file
/// @brief The float row primitives in AVX-512 (F, BW, DQ, VL), compiled so whatever the flags of the including file.
///
/// exp of a two_sum policy has the same bits as in a portable build with FMA; other policies have a shorter one here.
/// Free functions, because lambdas do not inherit a target.

// g++ 12 reports the deliberately undefined registers of its own avx512fintrin.h after inlining
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail::x86 {

using float_exp = exp_constants<float>;

/// Lane i is on for i < n, n < 16.
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl"), gnu::always_inline]] inline __mmask16 avx512_first(
    std::size_t n) noexcept {
  return static_cast<__mmask16>((1u << n) - 1u);
}

/// The last n < 16 entries, -inf behind them.
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl"), gnu::always_inline]] inline __m512 avx512_tail(
    const float* z, __mmask16 first) noexcept {
  return _mm512_mask_loadu_ps(_mm512_set1_ps(-std::numeric_limits<float>::infinity()), first, z);
}

/// 0 below the smallest normal number.
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl"), gnu::always_inline]] inline __m512 avx512_flush(
    __m512 y) noexcept {
  return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(y, _mm512_set1_ps((std::numeric_limits<float>::min)()), _CMP_GE_OQ), y);
}

/// exp(d) for d <= 88; 0 below the smallest normal number, and for NaN.
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl"), gnu::always_inline]] inline __m512 avx512_fast_exp(
    __m512 d) noexcept {
  using C = float_exp;
  const __m512 magic = _mm512_set1_ps(C::magic);
  const __m512 rounded = _mm512_fmadd_ps(d, _mm512_set1_ps(C::log2e), magic);
  const __m512 r = _mm512_fnmadd_ps(_mm512_sub_ps(rounded, magic), _mm512_set1_ps(C::ln2), d);
  __m512 p = _mm512_set1_ps(C::s[5]);
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(C::s[4]));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(C::s[3]));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(C::s[2]));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(C::s[1]));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(C::s[0]));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.0f));
  // the low bits of `rounded` are n: they are added to the exponent
  const __m512i n = _mm512_slli_epi32(_mm512_castps_si512(rounded), C::mantissa);
  return _mm512_castsi512_ps(
      _mm512_maskz_add_epi32(_mm512_cmp_ps_mask(d, _mm512_set1_ps(C::flush), _CMP_GT_OQ), _mm512_castps_si512(p), n));
}

/// exp(z - m) for z <= m, subnormal results kept.
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl"), gnu::always_inline]] inline __m512 avx512_precise_exp(
    __m512 z, __m512 m) noexcept {
  using C = float_exp;
  const __m512 magic = _mm512_set1_ps(C::magic);
  const __m512 d = _mm512_sub_ps(z, m);
  const __m512 x = _mm512_max_ps(d, _mm512_set1_ps(C::underflow));
  const __m512 n = _mm512_sub_ps(_mm512_fmadd_ps(x, _mm512_set1_ps(C::log2e), magic), magic);
  __m512 r = _mm512_fmadd_ps(n, _mm512_set1_ps(-C::ln2_hi), x);
  r = _mm512_fmadd_ps(n, _mm512_set1_ps(-C::ln2_lo), r);
  const __m512 back = _mm512_sub_ps(d, z);
  const __m512 lost = _mm512_sub_ps(_mm512_sub_ps(z, _mm512_sub_ps(d, back)), _mm512_add_ps(m, back));
  r = _mm512_mask_add_ps(r, _mm512_cmp_ps_mask(d, _mm512_set1_ps(C::underflow), _CMP_GT_OQ), r, lost);
  __m512 q = _mm512_set1_ps(C::q[5]);
  q = _mm512_fmadd_ps(q, r, _mm512_set1_ps(C::q[4]));
  q = _mm512_fmadd_ps(q, r, _mm512_set1_ps(C::q[3]));
  q = _mm512_fmadd_ps(q, r, _mm512_set1_ps(C::q[2]));
  q = _mm512_fmadd_ps(q, r, _mm512_set1_ps(C::q[1]));
  q = _mm512_fmadd_ps(q, r, _mm512_set1_ps(C::q[0]));
  const __m512 p = _mm512_add_ps(_mm512_set1_ps(1.0f), _mm512_fmadd_ps(_mm512_mul_ps(r, r), q, r));
  const __m512i bias = _mm512_set1_epi32(C::bias);
  const __m512 half = _mm512_fmadd_ps(n, _mm512_set1_ps(0.5f), magic);
  const __m512 other = _mm512_add_ps(_mm512_sub_ps(n, _mm512_sub_ps(half, magic)), magic);
  const __m512i a = _mm512_slli_epi32(_mm512_add_epi32(_mm512_castps_si512(half), bias), C::mantissa);
  const __m512i b = _mm512_slli_epi32(_mm512_add_epi32(_mm512_castps_si512(other), bias), C::mantissa);
  return _mm512_mul_ps(_mm512_mul_ps(p, _mm512_castsi512_ps(a)), _mm512_castsi512_ps(b));
}

template <bool TwoSum>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl"), gnu::always_inline]] inline __m512 avx512_term(__m512 z,
                                                                                                    __m512 m) noexcept {
  if constexpr (TwoSum) return avx512_precise_exp(z, m);
  else return avx512_fast_exp(_mm512_sub_ps(z, m));
}

[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl"), gnu::always_inline]] inline __m512d avx512_widened(
    __m512 x) noexcept {
  return _mm512_add_pd(_mm512_cvtps_pd(_mm512_castps512_ps256(x)), _mm512_cvtps_pd(_mm512_extractf32x8_ps(x, 1)));
}

[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] inline row_top<float> avx512_scan(const float* z,
                                                                                        std::size_t n) noexcept {
  const __m512 masked = _mm512_set1_ps(-std::numeric_limits<float>::infinity());
  __m512 m0 = masked, m1 = masked;
  unsigned bad = 0;
  std::size_t i = 0;
  for (; i + 32 <= n; i += 32) {
    const __m512 a = _mm512_loadu_ps(z + i), b = _mm512_loadu_ps(z + i + 16);
    bad |= _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q);
    m0 = _mm512_max_ps(a, m0);
    m1 = _mm512_max_ps(b, m1);
  }
  for (; i < n; i += 16) {
    const __m512 a = n - i >= 16 ? _mm512_loadu_ps(z + i) : avx512_tail(z + i, avx512_first(n - i));
    bad |= _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q);
    m0 = _mm512_max_ps(a, m0);
  }
  return {_mm512_reduce_max_ps(_mm512_max_ps(m0, m1)), bad != 0};
}

[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] inline std::size_t avx512_find(const float* z, std::size_t n,
                                                                                     float what) noexcept {
  const __m512 w = _mm512_set1_ps(what);
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const unsigned hit = _mm512_cmp_ps_mask(_mm512_loadu_ps(z + i), w, _CMP_EQ_OQ);
    if (hit != 0) return i + static_cast<std::size_t>(__builtin_ctz(hit));
  }
  while (i < n && z[i] != what) ++i;
  return i;
}

template <bool TwoSum, bool Store>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] inline double avx512_run(const float* z, float* out,
                                                                               std::size_t n, float max) noexcept {
  const __m512 m = _mm512_set1_ps(max);
  __m512d sum = _mm512_setzero_pd();
  std::size_t i = 0;
  for (; i + 64 <= n; i += 64) {
    const __m512 a = avx512_term<TwoSum>(_mm512_loadu_ps(z + i), m);
    const __m512 b = avx512_term<TwoSum>(_mm512_loadu_ps(z + i + 16), m);
    const __m512 c = avx512_term<TwoSum>(_mm512_loadu_ps(z + i + 32), m);
    const __m512 d = avx512_term<TwoSum>(_mm512_loadu_ps(z + i + 48), m);
    if constexpr (Store) {
      _mm512_storeu_ps(out + i, a);
      _mm512_storeu_ps(out + i + 16, b);
      _mm512_storeu_ps(out + i + 32, c);
      _mm512_storeu_ps(out + i + 48, d);
    }
    sum = _mm512_add_pd(sum, avx512_widened(_mm512_add_ps(_mm512_add_ps(a, b), _mm512_add_ps(c, d))));
  }
  for (; i + 16 <= n; i += 16) {
    const __m512 a = avx512_term<TwoSum>(_mm512_loadu_ps(z + i), m);
    if constexpr (Store) _mm512_storeu_ps(out + i, a);
    sum = _mm512_add_pd(sum, avx512_widened(a));
  }
  if (i < n) {
    const __mmask16 first = avx512_first(n - i);
    const __m512 a = avx512_term<TwoSum>(avx512_tail(z + i, first), m);
    if constexpr (Store) _mm512_mask_storeu_ps(out + i, first, a);
    sum = _mm512_add_pd(sum, avx512_widened(a));
  }
  return _mm512_reduce_add_pd(sum);
}

template <bool TwoSum>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] inline double avx512_sum_exp(const float* z, std::size_t n,
                                                                                   float m) noexcept {
  return avx512_run<TwoSum, false>(z, nullptr, n, m);
}

template <bool Subnormals>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] inline void avx512_scale(float* out, std::size_t n,
                                                                               float factor) noexcept {
  const __m512 f = _mm512_set1_ps(factor);
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const __m512 y = _mm512_mul_ps(_mm512_loadu_ps(out + i), f);
    _mm512_storeu_ps(out + i, Subnormals ? y : avx512_flush(y));
  }
  if (i < n) {
    const __mmask16 first = avx512_first(n - i);
    const __m512 y = _mm512_mul_ps(_mm512_maskz_loadu_ps(first, out + i), f);
    _mm512_mask_storeu_ps(out + i, first, Subnormals ? y : avx512_flush(y));
  }
}

template <bool Exact>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl"), gnu::always_inline]] inline __m512 avx512_shifted(
    __m512 z, float m, double l) noexcept {
  if constexpr (Exact) {
    const __m512d wide_m = _mm512_set1_pd(static_cast<double>(m)), wide_l = _mm512_set1_pd(l);
    const __m512d a = _mm512_cvtps_pd(_mm512_castps512_ps256(z)), b = _mm512_cvtps_pd(_mm512_extractf32x8_ps(z, 1));
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(_mm512_sub_pd(_mm512_sub_pd(a, wide_m), wide_l))),
                              _mm512_cvtpd_ps(_mm512_sub_pd(_mm512_sub_pd(b, wide_m), wide_l)), 1);
  } else {
    return _mm512_sub_ps(_mm512_sub_ps(z, _mm512_set1_ps(m)), _mm512_set1_ps(static_cast<float>(l)));
  }
}

template <bool Exact>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] inline void avx512_shift(const float* z, float* out,
                                                                               std::size_t n, float m,
                                                                               double log_sum) noexcept {
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) _mm512_storeu_ps(out + i, avx512_shifted<Exact>(_mm512_loadu_ps(z + i), m, log_sum));
  if (i < n) {
    const __mmask16 first = avx512_first(n - i);
    _mm512_mask_storeu_ps(out + i, first, avx512_shifted<Exact>(avx512_tail(z + i, first), m, log_sum));
  }
}

}  // namespace detail::x86
}  // namespace LOGITOPE_ABI
}  // namespace logitope

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
