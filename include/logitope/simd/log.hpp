// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_LOG_HPP
#define LOGITOPE_SIMD_LOG_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <limits>

#include "../core/concepts.hpp"
#include "../core/config.hpp"
#include "arch.hpp"

/// @file
/// @brief The natural logarithm, one algorithm for every instruction set, subnormal arguments included.

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail {

template <real T>
struct log_constants;

template <>
struct log_constants<float> {
  static constexpr int mantissa = 23;
  static constexpr float bias = 127.0f;
  static constexpr float two_to_mantissa = 0x1p23f;
  static constexpr float subnormal_scale = 0x1p25f;
  static constexpr float subnormal_exponent = 25.0f;
  static constexpr float sqrt_half = 0.70710678118654752f;
  static constexpr float ln2_hi = 0x1.62e3p-1f;  ///< 16 bits: k ln2_hi is exact
  static constexpr float ln2_lo = 9.0580006144637e-06f;
  static constexpr std::array<float, 4> g{0.66666666554042012323f, 0.40000122211810678569f, 0.28550778633189982712f,
                                          0.23331614471881983667f};
};

template <>
struct log_constants<double> {
  static constexpr int mantissa = 52;
  static constexpr double bias = 1023.0;
  static constexpr double two_to_mantissa = 0x1p52;
  static constexpr double subnormal_scale = 0x1p54;
  static constexpr double subnormal_exponent = 54.0;
  static constexpr double sqrt_half = 0.70710678118654752440;
  static constexpr double ln2_hi = 0x1.62e42feep-1;
  static constexpr double ln2_lo = 1.90821492927058770002e-10;
  static constexpr std::array<double, 7> g{0.66666666666666697077, 0.39999999999898890513, 0.28571428626253837631,
                                           0.22222211089379493382, 0.1818289243253703153,  0.15331611722050652378,
                                           0.1461780715346282875};
};

}  // namespace detail

namespace simd {

/// @brief log of every lane: log(0) = -inf, of a negative number NaN, log(inf) = inf, NaN stays NaN. A caller that has
/// denormals-are-zero switched on gets -inf for subnormal arguments.
///
/// x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)); log(1 + f) = f - f^2/2 + s (f^2/2 + s^2 g(s^2)), s = f / (2 +
/// f), g interpolated at Chebyshev points.
/// @par Accuracy measured against long double, every 61st float (all of them under LOGITOPE_EXHAUSTIVE),
/// tests/simd/log.cpp: <= 1 ulp, float and double
/// @par Source the form of Ng's fdlibm e_log.c; coefficients and code our own
template <real T, class A>
[[nodiscard]] inline batch<T, A> log(const batch<T, A>& x) noexcept {
  using C = detail::log_constants<T>;
  using B = batch<T, A>;
  using U = batch<uint_of<T>, A>;
  constexpr T inf = std::numeric_limits<T>::infinity();
  constexpr auto one = std::bit_cast<uint_of<T>>(T{1});
  constexpr auto sqrt_half = std::bit_cast<uint_of<T>>(C::sqrt_half);
  const auto small = x < B((std::numeric_limits<T>::min)());
  const B scaled = simd::select(small, x * B(C::subnormal_scale), x);
  const U bits = simd::as_uint(scaled) + U(static_cast<uint_of<T>>(one - sqrt_half));
  // the exponent becomes a number by standing in the mantissa of 2^mantissa
  const U exponent = (bits >> C::mantissa) | U(std::bit_cast<uint_of<T>>(C::two_to_mantissa));
  const B k = simd::as_real<T, A>(exponent) - B(C::two_to_mantissa + C::bias) -
              simd::select(small, B(C::subnormal_exponent), B(T{0}));
  const U fraction = bits & U(static_cast<uint_of<T>>((uint_of<T>{1} << C::mantissa) - 1));
  const B f = simd::as_real<T, A>(fraction + U(sqrt_half)) - B(T{1});
  const B s = f / (B(T{2}) + f);
  const B z = s * s;
  B g(C::g.back());
  for (std::size_t i = C::g.size() - 1; i-- > 0;) g = simd::fma(g, z, B(C::g[i]));
  const B half = B(T{0.5}) * f * f;
  const B tail = half - simd::fma(s, half + z * g, k * B(C::ln2_lo));
  B y = k * B(C::ln2_hi) - (tail - f);
  y = simd::select(x == B(T{0}), B(-inf), y);
  y = simd::select(x < B(T{0}), B(std::numeric_limits<T>::quiet_NaN()), y);
  return simd::select((x == B(inf)) | simd::is_nan(x), x, y);
}

/// log of one number, the same bits as a lane.
template <real T>
[[nodiscard]] inline T log(T x) noexcept {
  return simd::log<T, default_arch>(batch<T>(x)).get(0);
}

}  // namespace simd
}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
