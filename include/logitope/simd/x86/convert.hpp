// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_X86_CONVERT_HPP
#define LOGITOPE_SIMD_X86_CONVERT_HPP

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../core/config.hpp"
#include "../storage.hpp"

/// @file
/// @brief Sixteen-bit storage to float and back in AVX2 + F16C (which every AVX2 processor has) and in AVX-512: the
/// bits of the conversions of storage.hpp. A tail is left to the caller.

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail::x86 {

/// bf16 from the bits of eight floats: nearest even, NaN made quiet; the 16 bits stand in each 32-bit lane.
[[gnu::target("avx2,fma,f16c"), gnu::always_inline]] inline __m256i avx2_rounded(__m256i b) noexcept {
  const __m256i high = _mm256_srli_epi32(b, 16), odd = _mm256_and_si256(high, _mm256_set1_epi32(1));
  const __m256i near = _mm256_srli_epi32(_mm256_add_epi32(b, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff))), 16);
  const __m256i magnitude = _mm256_and_si256(b, _mm256_set1_epi32(0x7fffffff));
  const __m256i nan = _mm256_cmpgt_epi32(magnitude, _mm256_set1_epi32(0x7f800000));
  return _mm256_blendv_epi8(near, _mm256_or_si256(high, _mm256_set1_epi32(0x40)), nan);
}

template <class S>
[[gnu::target("avx2,fma,f16c")]] inline std::size_t avx2_widen(const S* x, float* out, std::size_t n) noexcept {
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m128i h = _mm_loadu_si128(reinterpret_cast<const __m128i*>(x + i));
    if constexpr (std::is_same_v<S, f16>) _mm256_storeu_ps(out + i, _mm256_cvtph_ps(h));
    else _mm256_storeu_ps(out + i, _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(h), 16)));
  }
  return i;
}

template <class S>
[[gnu::target("avx2,fma,f16c")]] inline std::size_t avx2_narrow(const float* x, S* out, std::size_t n) noexcept {
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m256 v = _mm256_loadu_ps(x + i);
    __m128i h;
    if constexpr (std::is_same_v<S, f16>) {
      h = _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    } else {
      const __m256i r = avx2_rounded(_mm256_castps_si256(v));
      h = _mm_packus_epi32(_mm256_castsi256_si128(r), _mm256_extracti128_si256(r, 1));
    }
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), h);
  }
  return i;
}

template <class S>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] inline std::size_t avx512_widen(const S* x, float* out,
                                                                                     std::size_t n) noexcept {
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const __m256i h = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + i));
    if constexpr (std::is_same_v<S, f16>) _mm512_storeu_ps(out + i, _mm512_cvtph_ps(h));
    else _mm512_storeu_ps(out + i, _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(h), 16)));
  }
  return i;
}

template <class S>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] inline std::size_t avx512_narrow(const float* x, S* out,
                                                                                      std::size_t n) noexcept {
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const __m512 v = _mm512_loadu_ps(x + i);
    __m256i h;
    if constexpr (std::is_same_v<S, f16>) {
      h = _mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    } else {
      const __m512i b = _mm512_castps_si512(v), high = _mm512_srli_epi32(b, 16);
      const __m512i odd = _mm512_and_si512(high, _mm512_set1_epi32(1));
      const __m512i near = _mm512_srli_epi32(_mm512_add_epi32(b, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff))), 16);
      const __mmask16 nan = _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q);
      h = _mm512_cvtepi32_epi16(_mm512_mask_or_epi32(near, nan, high, _mm512_set1_epi32(0x40)));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), h);
  }
  return i;
}

}  // namespace detail::x86
}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
