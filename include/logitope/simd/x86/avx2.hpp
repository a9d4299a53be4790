// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_X86_AVX2_HPP
#define LOGITOPE_SIMD_X86_AVX2_HPP

#include <immintrin.h>

#include <cstddef>
#include <limits>

#include "../../core/config.hpp"
#include "../row_kernels.hpp"

/// @file
/// @brief The float row primitives in AVX2 and FMA, compiled so whatever the flags of the including file.
///
/// exp of a two_sum policy has the same bits as in a portable build with FMA; other policies have a shorter one here.
/// Free functions, because lambdas do not inherit a target.

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail::x86 {

using float_exp = exp_constants<float>;

/// Rows shorter than a register are read through this mask: lane i is on for i < n.
[[gnu::target("avx2,fma"), gnu::always_inline]] inline __m256i avx2_first(std::size_t n) noexcept {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/// The last n < 8 entries, -inf behind them.
[[gnu::target("avx2,fma"), gnu::always_inline]] inline __m256 avx2_tail(const float* z, __m256i first) noexcept {
  const __m256 masked = _mm256_set1_ps(-std::numeric_limits<float>::infinity());
  return _mm256_blendv_ps(masked, _mm256_maskload_ps(z, first), _mm256_castsi256_ps(first));
}

/// 0 below the smallest normal number.
[[gnu::target("avx2,fma"), gnu::always_inline]] inline __m256 avx2_flush(__m256 y) noexcept {
  return _mm256_and_ps(y, _mm256_cmp_ps(y, _mm256_set1_ps((std::numeric_limits<float>::min)()), _CMP_GE_OQ));
}

/// exp(d) for d <= 88; 0 below the smallest normal number, and for NaN.
[[gnu::target("avx2,fma"), gnu::always_inline]] inline __m256 avx2_fast_exp(__m256 d) noexcept {
  using C = float_exp;
  const __m256 magic = _mm256_set1_ps(C::magic);
  const __m256 rounded = _mm256_fmadd_ps(d, _mm256_set1_ps(C::log2e), magic);
  const __m256 r = _mm256_fnmadd_ps(_mm256_sub_ps(rounded, magic), _mm256_set1_ps(C::ln2), d);
  __m256 p = _mm256_set1_ps(C::s[5]);
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(C::s[4]));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(C::s[3]));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(C::s[2]));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(C::s[1]));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(C::s[0]));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f));
  // the low bits of `rounded` are n: they are added to the exponent
  const __m256i n = _mm256_slli_epi32(_mm256_castps_si256(rounded), C::mantissa);
  return _mm256_and_ps(_mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(p), n)),
                       _mm256_cmp_ps(d, _mm256_set1_ps(C::flush), _CMP_GT_OQ));
}

/// exp(z - m) for z <= m, subnormal results kept.
[[gnu::target("avx2,fma"), gnu::always_inline]] inline __m256 avx2_precise_exp(__m256 z, __m256 m) noexcept {
  using C = float_exp;
  const __m256 magic = _mm256_set1_ps(C::magic);
  const __m256 d = _mm256_sub_ps(z, m);
  const __m256 x = _mm256_max_ps(d, _mm256_set1_ps(C::underflow));
  const __m256 n = _mm256_sub_ps(_mm256_fmadd_ps(x, _mm256_set1_ps(C::log2e), magic), magic);
  __m256 r = _mm256_fmadd_ps(n, _mm256_set1_ps(-C::ln2_hi), x);
  r = _mm256_fmadd_ps(n, _mm256_set1_ps(-C::ln2_lo), r);
  const __m256 back = _mm256_sub_ps(d, z);
  const __m256 lost = _mm256_sub_ps(_mm256_sub_ps(z, _mm256_sub_ps(d, back)), _mm256_add_ps(m, back));
  r = _mm256_add_ps(r, _mm256_and_ps(lost, _mm256_cmp_ps(d, _mm256_set1_ps(C::underflow), _CMP_GT_OQ)));
  __m256 q = _mm256_set1_ps(C::q[5]);
  q = _mm256_fmadd_ps(q, r, _mm256_set1_ps(C::q[4]));
  q = _mm256_fmadd_ps(q, r, _mm256_set1_ps(C::q[3]));
  q = _mm256_fmadd_ps(q, r, _mm256_set1_ps(C::q[2]));
  q = _mm256_fmadd_ps(q, r, _mm256_set1_ps(C::q[1]));
  q = _mm256_fmadd_ps(q, r, _mm256_set1_ps(C::q[0]));
  const __m256 p = _mm256_add_ps(_mm256_set1_ps(1.0f), _mm256_fmadd_ps(_mm256_mul_ps(r, r), q, r));
  const __m256i bias = _mm256_set1_epi32(C::bias);
  const __m256 half = _mm256_fmadd_ps(n, _mm256_set1_ps(0.5f), magic);
  const __m256 other = _mm256_add_ps(_mm256_sub_ps(n, _mm256_sub_ps(half, magic)), magic);
  const __m256i a = _mm256_slli_epi32(_mm256_add_epi32(_mm256_castps_si256(half), bias), C::mantissa);
  const __m256i b = _mm256_slli_epi32(_mm256_add_epi32(_mm256_castps_si256(other), bias), C::mantissa);
  return _mm256_mul_ps(_mm256_mul_ps(p, _mm256_castsi256_ps(a)), _mm256_castsi256_ps(b));
}

template <bool TwoSum>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline __m256 avx2_term(__m256 z, __m256 m) noexcept {
  if constexpr (TwoSum) return avx2_precise_exp(z, m);
  else return avx2_fast_exp(_mm256_sub_ps(z, m));
}

[[gnu::target("avx2,fma"), gnu::always_inline]] inline __m256d avx2_widened(__m256 x) noexcept {
  return _mm256_add_pd(_mm256_cvtps_pd(_mm256_castps256_ps128(x)), _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)));
}

[[gnu::target("avx2,fma")]] inline row_top<float> avx2_scan(const float* z, std::size_t n) noexcept {
  const __m256 masked = _mm256_set1_ps(-std::numeric_limits<float>::infinity());
  __m256 m0 = masked, m1 = masked, m2 = masked, m3 = masked, bad = _mm256_setzero_ps();
  std::size_t i = 0;
  for (; i + 32 <= n; i += 32) {
    const __m256 a = _mm256_loadu_ps(z + i), b = _mm256_loadu_ps(z + i + 8);
    const __m256 c = _mm256_loadu_ps(z + i + 16), d = _mm256_loadu_ps(z + i + 24);
    bad = _mm256_or_ps(bad, _mm256_or_ps(_mm256_cmp_ps(a, b, _CMP_UNORD_Q), _mm256_cmp_ps(c, d, _CMP_UNORD_Q)));
    m0 = _mm256_max_ps(a, m0);
    m1 = _mm256_max_ps(b, m1);
    m2 = _mm256_max_ps(c, m2);
    m3 = _mm256_max_ps(d, m3);
  }
  for (; i < n; i += 8) {
    const __m256 a = n - i >= 8 ? _mm256_loadu_ps(z + i) : avx2_tail(z + i, avx2_first(n - i));
    bad = _mm256_or_ps(bad, _mm256_cmp_ps(a, a, _CMP_UNORD_Q));
    m0 = _mm256_max_ps(a, m0);
  }
  const __m256 m = _mm256_max_ps(_mm256_max_ps(m0, m1), _mm256_max_ps(m2, m3));
  __m128 h = _mm_max_ps(_mm256_castps256_ps128(m), _mm256_extractf128_ps(m, 1));
  h = _mm_max_ps(h, _mm_movehl_ps(h, h));
  h = _mm_max_ss(h, _mm_shuffle_ps(h, h, 1));
  return {_mm_cvtss_f32(h), _mm256_movemask_ps(bad) != 0};
}

[[gnu::target("avx2,fma")]] inline std::size_t avx2_find(const float* z, std::size_t n, float what) noexcept {
  const __m256 w = _mm256_set1_ps(what);
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const int hit = _mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(z + i), w, _CMP_EQ_OQ));
    if (hit != 0) return i + static_cast<std::size_t>(__builtin_ctz(static_cast<unsigned>(hit)));
  }
  while (i < n && z[i] != what) ++i;
  return i;
}

template <bool TwoSum, bool Store>
[[gnu::target("avx2,fma")]] inline double avx2_run(const float* z, float* out, std::size_t n, float max) noexcept {
  const __m256 m = _mm256_set1_ps(max);
  __m256d sum = _mm256_setzero_pd();
  std::size_t i = 0;
  for (; i + 32 <= n; i += 32) {
    const __m256 a = avx2_term<TwoSum>(_mm256_loadu_ps(z + i), m);
    const __m256 b = avx2_term<TwoSum>(_mm256_loadu_ps(z + i + 8), m);
    const __m256 c = avx2_term<TwoSum>(_mm256_loadu_ps(z + i + 16), m);
    const __m256 d = avx2_term<TwoSum>(_mm256_loadu_ps(z + i + 24), m);
    if constexpr (Store) {
      _mm256_storeu_ps(out + i, a);
      _mm256_storeu_ps(out + i + 8, b);
      _mm256_storeu_ps(out + i + 16, c);
      _mm256_storeu_ps(out + i + 24, d);
    }
    sum = _mm256_add_pd(sum, avx2_widened(_mm256_add_ps(_mm256_add_ps(a, b), _mm256_add_ps(c, d))));
  }
  for (; i + 8 <= n; i += 8) {
    const __m256 a = avx2_term<TwoSum>(_mm256_loadu_ps(z + i), m);
    if constexpr (Store) _mm256_storeu_ps(out + i, a);
    sum = _mm256_add_pd(sum, avx2_widened(a));
  }
  if (i < n) {
    const __m256i first = avx2_first(n - i);
    const __m256 a = avx2_term<TwoSum>(avx2_tail(z + i, first), m);
    if constexpr (Store) _mm256_maskstore_ps(out + i, first, a);
    sum = _mm256_add_pd(sum, avx2_widened(a));
  }
  const __m128d h = _mm_add_pd(_mm256_castpd256_pd128(sum), _mm256_extractf128_pd(sum, 1));
  return _mm_cvtsd_f64(_mm_add_sd(h, _mm_unpackhi_pd(h, h)));
}

template <bool TwoSum>
[[gnu::target("avx2,fma")]] inline double avx2_sum_exp(const float* z, std::size_t n, float m) noexcept {
  return avx2_run<TwoSum, false>(z, nullptr, n, m);
}

template <bool Subnormals>
[[gnu::target("avx2,fma")]] inline void avx2_scale(float* out, std::size_t n, float factor) noexcept {
  const __m256 f = _mm256_set1_ps(factor);
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m256 y = _mm256_mul_ps(_mm256_loadu_ps(out + i), f);
    _mm256_storeu_ps(out + i, Subnormals ? y : avx2_flush(y));
  }
  if (i < n) {
    const __m256i first = avx2_first(n - i);
    const __m256 y = _mm256_mul_ps(_mm256_maskload_ps(out + i, first), f);
    _mm256_maskstore_ps(out + i, first, Subnormals ? y : avx2_flush(y));
  }
}

template <bool Exact>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline __m256 avx2_shifted(__m256 z, float m, double l) noexcept {
  if constexpr (Exact) {
    const __m256d wide_m = _mm256_set1_pd(static_cast<double>(m)), wide_l = _mm256_set1_pd(l);
    const __m256d a = _mm256_cvtps_pd(_mm256_castps256_ps128(z)), b = _mm256_cvtps_pd(_mm256_extractf128_ps(z, 1));
    return _mm256_insertf128_ps(
        _mm256_castps128_ps256(_mm256_cvtpd_ps(_mm256_sub_pd(_mm256_sub_pd(a, wide_m), wide_l))),
        _mm256_cvtpd_ps(_mm256_sub_pd(_mm256_sub_pd(b, wide_m), wide_l)), 1);
  } else {
    return _mm256_sub_ps(_mm256_sub_ps(z, _mm256_set1_ps(m)), _mm256_set1_ps(static_cast<float>(l)));
  }
}

template <bool Exact>
[[gnu::target("avx2,fma")]] inline void avx2_shift(const float* z, float* out, std::size_t n, float m,
                                                   double log_sum) noexcept {
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) _mm256_storeu_ps(out + i, avx2_shifted<Exact>(_mm256_loadu_ps(z + i), m, log_sum));
  if (i < n) {
    const __m256i first = avx2_first(n - i);
    _mm256_maskstore_ps(out + i, first, avx2_shifted<Exact>(avx2_tail(z + i, first), m, log_sum));
  }
}

[[gnu::target("avx2,fma")]] inline std::size_t avx2_softmax_rows(const float* z, std::size_t z_pitch, float* out,
                                                                 std::size_t out_pitch, std::size_t rows,
                                                                 std::size_t n) noexcept {
  constexpr float inf = std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < rows; ++i, z += z_pitch, out += out_pitch) {
    const row_top<float> top = avx2_scan(z, n);
    if (top.nan || !(top.max > -inf && top.max < inf)) return i;
    avx2_scale<false>(out, n, static_cast<float>(1.0 / avx2_run<false, true>(z, out, n, top.max)));
  }
  return rows;
}

}  // namespace detail::x86
}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
