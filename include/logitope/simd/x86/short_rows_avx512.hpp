// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_X86_SHORT_ROWS_AVX512_HPP
#define LOGITOPE_SIMD_X86_SHORT_ROWS_AVX512_HPP

#include <immintrin.h>

#include <cstddef>
#include <limits>

#include "../../core/config.hpp"
#include "avx512.hpp"

/// @file
/// @brief Softmax of many float rows in AVX-512, short ones four at a time.

// g++ 12 reports the deliberately undefined registers of its own avx512fintrin.h after inlining
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail::x86 {

template <bool Sum>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl"), gnu::always_inline]] inline __m512 avx512_joined(
    __m512 a, __m512 b) noexcept {
  return Sum ? _mm512_add_ps(a, b) : _mm512_max_ps(a, b);
}

/// The sum, or the largest, of each of R registers, one or four, in one order of additions: entry r of every quarter.
template <bool Sum, std::size_t R>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl"), gnu::always_inline]] inline __m512 avx512_reduce_each(
    const __m512 (&v)[R]) noexcept {
  __m512 x;
  if constexpr (R == 1) {
    x = avx512_joined<Sum>(v[0], _mm512_permute_ps(v[0], 0x4e));
    x = avx512_joined<Sum>(x, _mm512_permute_ps(x, 0xb1));
  } else {
    const __m512 a = avx512_joined<Sum>(_mm512_unpacklo_ps(v[0], v[1]), _mm512_unpackhi_ps(v[0], v[1]));
    const __m512 b = avx512_joined<Sum>(_mm512_unpacklo_ps(v[2], v[3]), _mm512_unpackhi_ps(v[2], v[3]));
    x = avx512_joined<Sum>(_mm512_shuffle_ps(a, b, 0x44), _mm512_shuffle_ps(a, b, 0xee));
  }
  x = avx512_joined<Sum>(x, _mm512_shuffle_f32x4(x, x, 0x4e));
  return avx512_joined<Sum>(x, _mm512_shuffle_f32x4(x, x, 0xb1));
}
/// Each of those everywhere in a register of its own.
template <std::size_t R>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl"), gnu::always_inline]] inline void avx512_spread_each(
    __m512 x, __m512 (&v)[R]) noexcept {
  v[0] = _mm512_permute_ps(x, 0x00);
  if constexpr (R == 4) {
    v[1] = _mm512_permute_ps(x, 0x55);
    v[2] = _mm512_permute_ps(x, 0xaa);
    v[3] = _mm512_permute_ps(x, 0xff);
  }
}

/// Rows of so many entries or fewer are taken four at a time: their reductions are shared and wait for nothing.
inline constexpr std::size_t short_row = 128;

/// Softmax of R rows, one or four, of n <= short_row entries; false, and nothing written, where one of them is not
/// ordinary. A row has the same bits alone.
/// A lane adds up at most eight terms, in two sums of four; with the lanes that is 8 u.
template <std::size_t R>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] inline bool avx512_softmax_short(const float* z,
                                                                                       std::size_t z_pitch, float* out,
                                                                                       std::size_t out_pitch,
                                                                                       std::size_t n) noexcept {
  const std::size_t whole = n / 16 * 16;
  const __mmask16 rest = avx512_first(n - whole);
  __m512 m[R], even[R], odd[R];
  unsigned bad = 0;
#pragma GCC unroll 4
  for (std::size_t r = 0; r < R; ++r) {
    m[r] = _mm512_set1_ps(-std::numeric_limits<float>::infinity());
    even[r] = odd[r] = _mm512_setzero_ps();
  }
  for (std::size_t i = 0; i < whole; i += 16)
#pragma GCC unroll 4
    for (std::size_t r = 0; r < R; ++r) {
      const __m512 x = _mm512_loadu_ps(z + r * z_pitch + i);
      bad |= _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
      m[r] = _mm512_max_ps(x, m[r]);
    }
  if (rest != 0)
#pragma GCC unroll 4
    for (std::size_t r = 0; r < R; ++r) {
      const __m512 x = avx512_tail(z + r * z_pitch + whole, rest);
      bad |= _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
      m[r] = _mm512_max_ps(x, m[r]);
    }
  const __m512 top = avx512_reduce_each<false>(m);
  const __m512 largest = _mm512_set1_ps((std::numeric_limits<float>::max)());
  bad |= _mm512_cmp_ps_mask(_mm512_abs_ps(top), largest, _CMP_NLE_UQ);
  if (bad != 0) return false;
  avx512_spread_each(top, m);
  const std::size_t pairs = whole / 32 * 32;
  for (std::size_t i = 0; i < pairs; i += 32)
#pragma GCC unroll 4
    for (std::size_t r = 0; r < R; ++r) {
      const __m512 a = avx512_term<false>(_mm512_loadu_ps(z + r * z_pitch + i), m[r]);
      const __m512 b = avx512_term<false>(_mm512_loadu_ps(z + r * z_pitch + i + 16), m[r]);
      _mm512_storeu_ps(out + r * out_pitch + i, a);
      _mm512_storeu_ps(out + r * out_pitch + i + 16, b);
      even[r] = _mm512_add_ps(even[r], a);
      odd[r] = _mm512_add_ps(odd[r], b);
    }
  if (pairs < whole)
#pragma GCC unroll 4
    for (std::size_t r = 0; r < R; ++r) {
      const __m512 e = avx512_term<false>(_mm512_loadu_ps(z + r * z_pitch + pairs), m[r]);
      _mm512_storeu_ps(out + r * out_pitch + pairs, e);
      even[r] = _mm512_add_ps(even[r], e);
    }
  if (rest != 0)
#pragma GCC unroll 4
    for (std::size_t r = 0; r < R; ++r) {
      const __m512 e = avx512_term<false>(avx512_tail(z + r * z_pitch + whole, rest), m[r]);
      _mm512_mask_storeu_ps(out + r * out_pitch + whole, rest, e);
      odd[r] = _mm512_add_ps(odd[r], e);
    }
#pragma GCC unroll 4
  for (std::size_t r = 0; r < R; ++r) even[r] = _mm512_add_ps(even[r], odd[r]);
  avx512_spread_each(_mm512_div_ps(_mm512_set1_ps(1.0f), avx512_reduce_each<true>(even)), m);
  for (std::size_t i = 0; i < whole; i += 16)
#pragma GCC unroll 4
    for (std::size_t r = 0; r < R; ++r) {
      float* p = out + r * out_pitch + i;
      _mm512_storeu_ps(p, avx512_flush(_mm512_mul_ps(_mm512_loadu_ps(p), m[r])));
    }
  if (rest != 0)
#pragma GCC unroll 4
    for (std::size_t r = 0; r < R; ++r) {
      float* p = out + r * out_pitch + whole;
      _mm512_mask_storeu_ps(p, rest, avx512_flush(_mm512_mul_ps(_mm512_maskz_loadu_ps(rest, p), m[r])));
    }
  return true;
}

[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] inline std::size_t avx512_softmax_rows(
    const float* z, std::size_t z_pitch, float* out, std::size_t out_pitch, std::size_t rows, std::size_t n) noexcept {
  constexpr float inf = std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < rows; ++i) {
    const float* row = z + i * z_pitch;
    float* to = out + i * out_pitch;
    if (n <= short_row) {
      if (i + 4 <= rows && avx512_softmax_short<4>(row, z_pitch, to, out_pitch, n)) i += 3;
      else if (!avx512_softmax_short<1>(row, 0, to, 0, n)) return i;
      continue;
    }
    const row_top<float> top = avx512_scan(row, n);
    if (top.nan || !(top.max > -inf && top.max < inf)) return i;
    avx512_scale<false>(to, n, static_cast<float>(1.0 / avx512_run<false, true>(row, to, n, top.max)));
  }
  return rows;
}

}  // namespace detail::x86
}  // namespace LOGITOPE_ABI
}  // namespace logitope

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
