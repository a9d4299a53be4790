// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_CONVERT_HPP
#define LOGITOPE_SIMD_CONVERT_HPP

#include <cstddef>
#include <span>

#include "../core/config.hpp"
#include "arch.hpp"
#include "policy.hpp"
#include "storage.hpp"

#if defined(__x86_64__)
#include "x86/convert.hpp"
#endif

/// @file
/// @brief Whole spans from sixteen-bit storage to float and back.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// @brief Floats of stored numbers; exact.
/// @param x    [n]  bf16 or f16
/// @param out  [n]  the shorter length counts
template <kernel_policy P = default_policy, half_stored S>
void widen(std::span<const S> x, std::span<float> out) noexcept {
  const std::size_t n = x.size() < out.size() ? x.size() : out.size();
  std::size_t i = 0;
#if defined(__x86_64__)
  if (detail::isa_of<typename P::arch>() == isa::avx512) i = detail::x86::avx512_widen(x.data(), out.data(), n);
  else if (detail::isa_of<typename P::arch>() == isa::avx2) i = detail::x86::avx2_widen(x.data(), out.data(), n);
#endif
  for (; i < n; ++i) out[i] = x[i];
}

/// @brief Stored numbers nearest to the floats, ties to even; NaN stays NaN, too large becomes infinity.
/// @param x    [n]  floats
/// @param out  [n]  bf16 or f16; the shorter length counts
/// @par Accuracy proved: relative 2^-8 (bf16), 2^-11 (f16, normal results), then 2^-25 absolute; tests/simd/convert.cpp
template <kernel_policy P = default_policy, half_stored S>
void narrow(std::span<const float> x, std::span<S> out) noexcept {
  const std::size_t n = x.size() < out.size() ? x.size() : out.size();
  std::size_t i = 0;
#if defined(__x86_64__)
  if (detail::isa_of<typename P::arch>() == isa::avx512) i = detail::x86::avx512_narrow(x.data(), out.data(), n);
  else if (detail::isa_of<typename P::arch>() == isa::avx2) i = detail::x86::avx2_narrow(x.data(), out.data(), n);
#endif
  for (; i < n; ++i) out[i] = S(x[i]);
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
