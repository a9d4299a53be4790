// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_EXP_HPP
#define LOGITOPE_SIMD_EXP_HPP

#include <array>
#include <cstddef>
#include <limits>

#include "../core/concepts.hpp"
#include "../core/config.hpp"
#include "arch.hpp"
#include "policy.hpp"

/// @file
/// @brief The exponential, one algorithm for every instruction set and for the scalar overloads.
///
/// x = n log 2 + r, |r| <= log(2) / 2, log 2 in two parts; exp(r) = 1 + (r + r^2 q(r)) with q interpolated at Chebyshev
/// points; 2^n in two factors, so that results near overflow and among the subnormals are rounded once. Own rather than
/// xsimd's, whose float version is 0 below -87.68 and infinite above 88.376.

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail {

/// Constants of the algorithm, shared with the raw kernels.
template <real T>
struct exp_constants;

template <>
struct exp_constants<float> {
  static constexpr float log2e = 1.44269504088896341f;
  static constexpr float magic = 0x1.8p23f;      ///< adding it rounds to an integer, which then sits in the low bits
  static constexpr float ln2_hi = 0.693359375f;  ///< nine bits: n ln2_hi is exact
  static constexpr float ln2_lo = -2.12194440054690582768e-4f;
  static constexpr float overflow = 89.0f;
  static constexpr float underflow = -104.0f;
  static constexpr float flush = -87.33654475f;  ///< the last float below log of the smallest normal number
  static constexpr std::int32_t bias = 127;
  static constexpr int mantissa = 23;
  static constexpr std::array<float, 6> q{0.50000000136201386764f,   0.16666666681794625246f,
                                          0.041666463386339526929f,  0.008333310754576892517f,
                                          0.0013933820489776019292f, 0.0001989118015828214244f};
  /// With one fused product for n log 2, whose rounding costs 0.046 |x| u, and exp(r) = 1 + r s(r), minimax of relative
  /// error 0.04 u: 13 operations instead of 20, for terms that carry the rounding of x - max, |x - max| u, anyway.
  static constexpr float ln2 = 0.693147180559945309f;
  static constexpr std::array<float, 6> s{1.0000000497093235463f,    0.50000004349803484072f,
                                          0.16666365162510840547f,   0.041664775537672095462f,
                                          0.0083790322674119777774f, 0.0014061321063148538805f};
};

template <>
struct exp_constants<double> {
  static constexpr double log2e = 1.44269504088896340736;
  static constexpr double magic = 0x1.8p52;
  static constexpr double ln2_hi = 0x1.62e42feep-1;  ///< 32 bits
  static constexpr double ln2_lo = 1.90821492927058770002e-10;
  static constexpr double overflow = 710.0;
  static constexpr double underflow = -746.0;
  static constexpr double flush = -708.39641853226408;
  static constexpr std::int64_t bias = 1023;
  static constexpr int mantissa = 52;
  static constexpr std::array<double, 12> q{
      0.49999999999999999998,   0.16666666666666666667,    0.041666666666666676968,    0.0083333333333333340199,
      0.0013888888888878923771, 0.00019841269841263199002, 0.000024801587336841621831, 2.7557319247484928842e-6,
      2.7557262852470398052e-7, 2.5052070809943926359e-8,  2.0918295266435272521e-9,   1.6086732952745415107e-10};
};

/// exp(x) for x in [underflow, overflow] or NaN; `low` is added to the reduced argument, for x known to more digits.
template <real T, class A>
[[nodiscard]] inline simd::batch<T, A> exp_in_range(const simd::batch<T, A>& x, const simd::batch<T, A>& low) noexcept {
  using C = exp_constants<T>;
  using B = simd::batch<T, A>;
  using I = simd::batch<simd::int_of<T>, A>;
  const B magic(C::magic);
  const B n = simd::fma(x, B(C::log2e), magic) - magic;
  const B r = simd::fma(n, B(-C::ln2_lo), simd::fma(n, B(-C::ln2_hi), x)) + low;
  B q(C::q.back());
  for (std::size_t i = C::q.size() - 1; i-- > 0;) q = simd::fma(q, r, B(C::q[i]));
  const B p = B(T{1}) + simd::fma(r * r, q, r);
  const B half = simd::fma(n, B(T{0.5}), magic);
  const B other = (n - (half - magic)) + magic;
  const I bias(C::bias);
  return p * simd::as_real<T, A>((simd::as_int(half) + bias) << C::mantissa) *
         simd::as_real<T, A>((simd::as_int(other) + bias) << C::mantissa);
}

/// exp of any x, subnormal results kept or flushed.
template <bool Subnormals, real T, class A>
[[nodiscard]] inline simd::batch<T, A> exp_of(const simd::batch<T, A>& x, const simd::batch<T, A>& low) noexcept {
  using C = exp_constants<T>;
  using B = simd::batch<T, A>;
  B bounded = simd::select(x > B(C::overflow), B(C::overflow), x);
  bounded = simd::select(bounded < B(C::underflow), B(C::underflow), bounded);
  const B e = exp_in_range<T, A>(bounded, low);
  if constexpr (Subnormals) return e;
  else return simd::select(e < B((std::numeric_limits<T>::min)()), B(T{0}), e);
}

/// z - m rounded, and what the rounding lost: TwoSum (Knuth), low part 0 where the exponential vanishes anyway.
template <real T, class A>
struct shifted {
  simd::batch<T, A> high, low;
  shifted(const simd::batch<T, A>& z, const simd::batch<T, A>& m) noexcept : high(z - m), low(T{0}) {
    const auto back = high - z;
    const auto lost = (z - (high - back)) - (m + back);
    low = simd::select(high > simd::batch<T, A>(exp_constants<T>::underflow), lost, low);
  }
};

}  // namespace detail

namespace simd {

/// @brief exp of every lane. NaN stays NaN, exp(-inf) = 0, exp(+inf) = inf.
/// @tparam P  a two_sum policy keeps subnormal results, others give 0 below the smallest normal number
/// @par Accuracy measured against long double, every 61st float of the whole range (all of them under
/// LOGITOPE_EXHAUSTIVE), tests/simd/exp.cpp: float <= 1 ulp, double <= 1 ulp; subnormals <= 1 of their spacing
/// @par Source Cody & Waite 1980 for the reduction; the polynomials are our own
template <kernel_policy P = default_policy, real T, class A>
[[nodiscard]] inline batch<T, A> exp(const batch<T, A>& x) noexcept {
  return detail::exp_of<P::shift == shift_rounding::two_sum, T, A>(x, batch<T, A>(T{0}));
}

/// exp of one number, the same bits as a lane.
template <kernel_policy P = default_policy, real T>
[[nodiscard]] inline T exp(T x) noexcept {
  return simd::exp<P, T, default_arch>(batch<T>(x)).get(0);
}

}  // namespace simd
}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
