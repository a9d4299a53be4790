// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_STORAGE_HPP
#define LOGITOPE_SIMD_STORAGE_HPP

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>

#include "../core/config.hpp"

/// @file
/// @brief Sixteen-bit numbers that are stored only: every calculation is done in float.

namespace logitope {
inline namespace v0 {

/// @brief bfloat16: sign, 8 exponent bits, 7 of the fraction; the upper half of a float.
struct bf16 {
  std::uint16_t bits = 0;

  constexpr bf16() = default;
  /// @brief Nearest, ties to even; NaN stays NaN (quiet), overflow becomes infinity. Exact integer arithmetic, the same
  /// under every flush and rounding mode.
  constexpr explicit bf16(float x) noexcept {
    const auto b = std::bit_cast<std::uint32_t>(x);
    if ((b & 0x7fffffffU) > 0x7f800000U) bits = static_cast<std::uint16_t>((b >> 16) | 0x40U);
    else bits = static_cast<std::uint16_t>((b + 0x7fffU + ((b >> 16) & 1U)) >> 16);
  }
  [[nodiscard]] static constexpr bf16 from_bits(std::uint16_t b) noexcept {
    bf16 x;
    x.bits = b;
    return x;
  }
  /// Exact.
  constexpr operator float() const noexcept { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
};

/// @brief IEEE binary16: sign, 5 exponent bits, 10 of the fraction; largest finite number 65504.
struct f16 {
  std::uint16_t bits = 0;

  constexpr f16() = default;
  /// @brief Nearest, ties to even; NaN stays NaN (quiet), from 65520 on infinity, below 2^-25 zero.
  constexpr explicit f16(float x) noexcept {
    const auto b = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t sign = (b >> 16) & 0x8000U, a = b & 0x7fffffffU;
    std::uint32_t h = 0;
    if (a > 0x7f800000U) {
      h = 0x7e00U | ((a >> 13) & 0x3ffU);
    } else if (a >= 0x47800000U) {  // 2^16
      h = 0x7c00U;
    } else if (a >= 0x38800000U) {  // 2^-14, the smallest normal: a carry out of the fraction is the right answer too
      h = (a - 0x38000000U + 0xfffU + ((a >> 13) & 1U)) >> 13;
    } else if (a > 0x33000000U) {  // above 2^-25, half of the smallest subnormal
      const std::uint32_t shift = 126U - (a >> 23), m = (a & 0x7fffffU) | 0x800000U;
      const std::uint32_t half = 1U << (shift - 1);
      h = (m + half - 1U + ((m >> shift) & 1U)) >> shift;
    }
    bits = static_cast<std::uint16_t>(sign | h);
  }
  [[nodiscard]] static constexpr f16 from_bits(std::uint16_t b) noexcept {
    f16 x;
    x.bits = b;
    return x;
  }
  /// Exact.
  constexpr operator float() const noexcept {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16, a = bits & 0x7fffU;
    if (a >= 0x7c00U) return std::bit_cast<float>(sign | 0x7f800000U | (a & 0x3ffU) << 13);
    if (a >= 0x400U) return std::bit_cast<float>(sign | ((a << 13) + 0x38000000U));
    const float subnormal = static_cast<float>(a) * 0x1p-24f;  // of a normal float: no flush mode touches it
    return sign != 0 ? -subnormal : subnormal;
  }
};

/// @brief What a row or a weight matrix may be stored in; arithmetic is in float, for double in double.
template <class S>
concept stored = std::same_as<S, float> || std::same_as<S, double> || std::same_as<S, bf16> || std::same_as<S, f16>;

/// A stored type that is not calculated in.
template <class S>
concept half_stored = std::same_as<S, bf16> || std::same_as<S, f16>;

}  // namespace v0
}  // namespace logitope

namespace logitope::inline v0::detail_limits {

/// The part of numeric_limits that a 16-bit format shares with the other; `Bits` is the pattern of a value.
template <class S, int Digits, int MaxExponent>
struct sixteen_bits {
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;
  static constexpr bool is_iec559 = true, is_bounded = true, is_modulo = false;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr int digits = Digits, radix = 2;
  static constexpr int digits10 = (Digits - 1) * 30103 / 100000, max_digits10 = Digits * 30103 / 100000 + 2;
  static constexpr int max_exponent = MaxExponent, min_exponent = 3 - MaxExponent;
  static constexpr unsigned fraction = Digits - 1, exponent_mask = 0x7fffU >> fraction << fraction;
  static constexpr S of(unsigned bits) noexcept { return S::from_bits(static_cast<std::uint16_t>(bits)); }
  static constexpr S(min)() noexcept { return of(1U << fraction); }
  static constexpr S(max)() noexcept { return of(exponent_mask - 1U); }
  static constexpr S lowest() noexcept { return of(0x8000U | (exponent_mask - 1U)); }
  static constexpr S epsilon() noexcept { return S(1.0f / static_cast<float>(1U << fraction)); }
  static constexpr S round_error() noexcept { return S(0.5f); }
  static constexpr S infinity() noexcept { return of(exponent_mask); }
  static constexpr S quiet_NaN() noexcept { return of(exponent_mask | 1U << (fraction - 1)); }
  static constexpr S signaling_NaN() noexcept { return of(exponent_mask | 1U); }
  static constexpr S denorm_min() noexcept { return of(1U); }
};

}  // namespace logitope::inline v0::detail_limits

/// An unspecialised numeric_limits answers 0 to infinity() and lets padding win a maximum.
template <>
struct std::numeric_limits<logitope::bf16> : logitope::detail_limits::sixteen_bits<logitope::bf16, 8, 128> {};
template <>
struct std::numeric_limits<logitope::f16> : logitope::detail_limits::sixteen_bits<logitope::f16, 11, 16> {};

static_assert(std::numeric_limits<logitope::bf16>::has_infinity && std::numeric_limits<logitope::f16>::has_infinity);

#endif
