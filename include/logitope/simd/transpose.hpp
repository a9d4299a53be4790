// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_TRANSPOSE_HPP
#define LOGITOPE_SIMD_TRANSPOSE_HPP

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "../core/concepts.hpp"
#include "../core/config.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// @file
/// @brief Columns become rows: how lines that do not lie along memory get into registers.

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail {

#if defined(__SSE2__)
/// Four by four floats, two by two doubles: one register a row.
inline void transpose_square(const float* in, std::ptrdiff_t pitch, float* out, std::ptrdiff_t out_pitch) noexcept {
  __m128 a = _mm_loadu_ps(in), b = _mm_loadu_ps(in + pitch);
  __m128 c = _mm_loadu_ps(in + 2 * pitch), d = _mm_loadu_ps(in + 3 * pitch);
  const __m128 ac_low = _mm_unpacklo_ps(a, c), ac_high = _mm_unpackhi_ps(a, c);
  const __m128 bd_low = _mm_unpacklo_ps(b, d), bd_high = _mm_unpackhi_ps(b, d);
  _mm_storeu_ps(out, _mm_unpacklo_ps(ac_low, bd_low));
  _mm_storeu_ps(out + out_pitch, _mm_unpackhi_ps(ac_low, bd_low));
  _mm_storeu_ps(out + 2 * out_pitch, _mm_unpacklo_ps(ac_high, bd_high));
  _mm_storeu_ps(out + 3 * out_pitch, _mm_unpackhi_ps(ac_high, bd_high));
}
inline void transpose_square(const double* in, std::ptrdiff_t pitch, double* out, std::ptrdiff_t out_pitch) noexcept {
  const __m128d a = _mm_loadu_pd(in), b = _mm_loadu_pd(in + pitch);
  _mm_storeu_pd(out, _mm_unpacklo_pd(a, b));
  _mm_storeu_pd(out + out_pitch, _mm_unpackhi_pd(a, b));
}
template <class T>
inline constexpr std::size_t transpose_side = real<T> ? 16 / sizeof(T) : 1;
#else
template <class T>
inline constexpr std::size_t transpose_side = 1;
#endif
template <class T>
void transpose_square(const T* in, std::ptrdiff_t, T* out, std::ptrdiff_t) noexcept {
  *out = *in;
}

/// out(c, r) = in(r, c): `rows` rows of `cols` adjacent entries, `pitch` apart, into cols rows, `out_pitch` apart.
template <class T>
void transpose(const T* in, std::ptrdiff_t pitch, std::size_t rows, std::size_t cols, T* out,
               std::ptrdiff_t out_pitch) noexcept {
  constexpr std::size_t side = transpose_side<T>;
  const auto at = [](std::size_t i) { return static_cast<std::ptrdiff_t>(i); };
  const std::size_t square_rows = rows / side * side, square_cols = cols / side * side;
  const auto square = [&](std::size_t r, std::size_t c) {
    transpose_square(in + at(r) * pitch + at(c), pitch, out + at(c) * out_pitch + at(r), out_pitch);
  };
  // along the longer side, so that a cache line of the narrow side is finished before the next one is begun: at a pitch
  // of 4 KiB a line comes back from far away (1024 x 1024 floats: twice as fast)
  if (rows >= cols) {
    for (std::size_t r = 0; r < square_rows; r += side)
      for (std::size_t c = 0; c < square_cols; c += side) square(r, c);
  } else {
    for (std::size_t c = 0; c < square_cols; c += side)
      for (std::size_t r = 0; r < square_rows; r += side) square(r, c);
  }
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = r < square_rows ? square_cols : 0; c < cols; ++c)
      out[at(c) * out_pitch + at(r)] = in[at(r) * pitch + at(c)];
}

}  // namespace detail
}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
