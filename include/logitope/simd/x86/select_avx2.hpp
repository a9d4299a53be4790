// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_X86_SELECT_AVX2_HPP
#define LOGITOPE_SIMD_X86_SELECT_AVX2_HPP

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <limits>

#include "../../core/config.hpp"
#include "../select_kernels.hpp"
#include "avx2.hpp"

/// @file
/// @brief The primitives of top-k and sampling in AVX2 and FMA, compiled so whatever the flags of the including file.

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail::x86 {

[[gnu::target("avx2,fma"), gnu::always_inline]] inline __m128 avx2_highest(__m256 m) noexcept {
  __m128 q = _mm_max_ps(_mm256_castps256_ps128(m), _mm256_extractf128_ps(m, 1));
  q = _mm_max_ps(q, _mm_movehl_ps(q, q));
  return _mm_max_ss(q, _mm_movehdup_ps(q));
}
[[gnu::target("avx2,fma"), gnu::always_inline]] inline __m128d avx2_highest(__m256d m) noexcept {
  const __m128d q = _mm_max_pd(_mm256_castpd256_pd128(m), _mm256_extractf128_pd(m, 1));
  return _mm_max_sd(q, _mm_unpackhi_pd(q, q));
}

[[gnu::target("avx2,fma")]] inline block_tops<float> avx2_maxima_float(const float* z, std::size_t blocks,
                                                                       float* out) noexcept {
  constexpr float inf = std::numeric_limits<float>::infinity();
  __m256 top = _mm256_set1_ps(-inf), bad = _mm256_setzero_ps();
  __m128 low = _mm_set_ss(inf);
  for (std::size_t b = 0; b < blocks; ++b, z += select_block) {
    __m256 m0 = _mm256_set1_ps(-inf), m1 = m0;
    for (std::size_t i = 0; i < select_block; i += 32) {
      const __m256 x0 = _mm256_loadu_ps(z + i), x1 = _mm256_loadu_ps(z + i + 8);
      const __m256 x2 = _mm256_loadu_ps(z + i + 16), x3 = _mm256_loadu_ps(z + i + 24);
      bad = _mm256_or_ps(bad, _mm256_or_ps(_mm256_cmp_ps(x0, x1, _CMP_UNORD_Q), _mm256_cmp_ps(x2, x3, _CMP_UNORD_Q)));
      m0 = _mm256_max_ps(_mm256_max_ps(x0, x1), m0);
      m1 = _mm256_max_ps(_mm256_max_ps(x2, x3), m1);
    }
    m0 = _mm256_max_ps(m0, m1);
    top = _mm256_max_ps(m0, top);
    const __m128 q = avx2_highest(m0);
    _mm_store_ss(out + b, q);
    low = _mm_min_ss(q, low);
  }
  return {_mm_cvtss_f32(avx2_highest(top)), _mm_cvtss_f32(low), _mm256_movemask_ps(bad) != 0};
}

[[gnu::target("avx2,fma")]] inline block_tops<double> avx2_maxima_double(const double* z, std::size_t blocks,
                                                                         double* out) noexcept {
  constexpr double inf = std::numeric_limits<double>::infinity();
  __m256d top = _mm256_set1_pd(-inf), bad = _mm256_setzero_pd();
  __m128d low = _mm_set_sd(inf);
  for (std::size_t b = 0; b < blocks; ++b, z += select_block) {
    __m256d m0 = _mm256_set1_pd(-inf), m1 = m0;
    for (std::size_t i = 0; i < select_block; i += 16) {
      const __m256d x0 = _mm256_loadu_pd(z + i), x1 = _mm256_loadu_pd(z + i + 4);
      const __m256d x2 = _mm256_loadu_pd(z + i + 8), x3 = _mm256_loadu_pd(z + i + 12);
      bad = _mm256_or_pd(bad, _mm256_or_pd(_mm256_cmp_pd(x0, x1, _CMP_UNORD_Q), _mm256_cmp_pd(x2, x3, _CMP_UNORD_Q)));
      m0 = _mm256_max_pd(_mm256_max_pd(x0, x1), m0);
      m1 = _mm256_max_pd(_mm256_max_pd(x2, x3), m1);
    }
    m0 = _mm256_max_pd(m0, m1);
    top = _mm256_max_pd(m0, top);
    const __m128d q = avx2_highest(m0);
    _mm_store_sd(out + b, q);
    low = _mm_min_sd(q, low);
  }
  return {_mm_cvtsd_f64(avx2_highest(top)), _mm_cvtsd_f64(low), _mm256_movemask_pd(bad) != 0};
}

[[gnu::target("avx2,fma")]] inline std::uint64_t avx2_hits_float(const float* x, float bound) noexcept {
  const __m256 b = _mm256_set1_ps(bound);
  std::uint64_t mask = 0;
  for (unsigned i = 0; i < 64; i += 8) {
    const int hit = _mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(x + i), b, _CMP_GE_OQ));
    mask |= static_cast<std::uint64_t>(static_cast<unsigned>(hit)) << i;
  }
  return mask;
}
[[gnu::target("avx2,fma")]] inline std::uint64_t avx2_hits_double(const double* x, double bound) noexcept {
  const __m256d b = _mm256_set1_pd(bound);
  std::uint64_t mask = 0;
  for (unsigned i = 0; i < 64; i += 4) {
    const int hit = _mm256_movemask_pd(_mm256_cmp_pd(_mm256_loadu_pd(x + i), b, _CMP_GE_OQ));
    mask |= static_cast<std::uint64_t>(static_cast<unsigned>(hit)) << i;
  }
  return mask;
}

[[gnu::target("avx2,fma,popcnt")]] inline std::size_t avx2_count_float(const float* x, std::size_t n,
                                                                       float bound) noexcept {
  std::size_t c = 0;
  for (std::size_t i = 0; i < n; i += select_block)
    c += static_cast<std::size_t>(__builtin_popcountll(avx2_hits_float(x + i, bound)));
  return c;
}
[[gnu::target("avx2,fma,popcnt")]] inline std::size_t avx2_count_double(const double* x, std::size_t n,
                                                                        double bound) noexcept {
  std::size_t c = 0;
  for (std::size_t i = 0; i < n; i += select_block)
    c += static_cast<std::size_t>(__builtin_popcountll(avx2_hits_double(x + i, bound)));
  return c;
}

/// exp((z - r) s); a product by 1 is left out.
template <bool Scaled>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline __m256 avx2_tempered(__m256 z, __m256 r, __m256 s) noexcept {
  if constexpr (Scaled) return avx2_term<false>(_mm256_mul_ps(_mm256_sub_ps(z, r), s), _mm256_setzero_ps());
  else return avx2_term<false>(z, r);
}

template <bool Scaled>
[[gnu::target("avx2,fma")]] inline exp_block<float> avx2_sum_exp_float(const float* z, std::size_t n, float reference,
                                                                       float scale) noexcept {
  const __m256 r = _mm256_set1_ps(reference), s = _mm256_set1_ps(scale);
  __m256 m = _mm256_set1_ps(-std::numeric_limits<float>::infinity()), bad = _mm256_setzero_ps();
  __m256 s0 = _mm256_setzero_ps(), s1 = s0, s2 = s0, s3 = s0;
  for (std::size_t i = 0; i < n; i += 32) {
    const __m256 x0 = _mm256_loadu_ps(z + i), x1 = _mm256_loadu_ps(z + i + 8);
    const __m256 x2 = _mm256_loadu_ps(z + i + 16), x3 = _mm256_loadu_ps(z + i + 24);
    bad = _mm256_or_ps(bad, _mm256_or_ps(_mm256_cmp_ps(x0, x1, _CMP_UNORD_Q), _mm256_cmp_ps(x2, x3, _CMP_UNORD_Q)));
    m = _mm256_max_ps(_mm256_max_ps(_mm256_max_ps(x0, x1), _mm256_max_ps(x2, x3)), m);
    s0 = _mm256_add_ps(s0, avx2_tempered<Scaled>(x0, r, s));
    s1 = _mm256_add_ps(s1, avx2_tempered<Scaled>(x1, r, s));
    s2 = _mm256_add_ps(s2, avx2_tempered<Scaled>(x2, r, s));
    s3 = _mm256_add_ps(s3, avx2_tempered<Scaled>(x3, r, s));
  }
  const __m256d d = avx2_widened(_mm256_add_ps(_mm256_add_ps(s0, s1), _mm256_add_ps(s2, s3)));
  const __m128d h = _mm_add_pd(_mm256_castpd256_pd128(d), _mm256_extractf128_pd(d, 1));
  return {_mm_cvtsd_f64(_mm_add_sd(h, _mm_unpackhi_pd(h, h))), _mm_cvtss_f32(avx2_highest(m)),
          _mm256_movemask_ps(bad) != 0};
}

}  // namespace detail::x86
}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
