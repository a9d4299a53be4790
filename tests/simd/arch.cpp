// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/arch.hpp"

#include <array>
#include <limits>

#include "oracle/compare.hpp"

namespace simd = logitope::simd;

BOOST_AUTO_TEST_SUITE(simd_arch)

BOOST_AUTO_TEST_CASE(lanes_are_summed_compared_and_told_from_nan) {
  std::array<float, simd::lanes<float>> v{};
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i) - 1.5f;
  const auto x = simd::load<simd::default_arch>(v.data());
  const float n = static_cast<float>(v.size());
  BOOST_TEST(simd::hsum(x) == n * (n - 1) / 2 - 1.5f * n);
  BOOST_TEST(simd::hmax(x) == n - 2.5f);
  BOOST_TEST(!simd::any(simd::is_nan(x)));
  for (float& lane : v) {
    const float kept = lane;
    lane = std::numeric_limits<float>::quiet_NaN();
    BOOST_TEST(simd::any(simd::is_nan(simd::load<simd::default_arch>(v.data()))));
    lane = kept;
  }
}

template <class T>
void check_fused(T ulp) {
  // (1 + ulp)^2 - (1 + 2 ulp) is ulp^2 with one rounding and 0 with two
  volatile T one_ulp = 1 + ulp;
  const simd::batch<T> x(one_ulp), y(-(1 + 2 * ulp));
  BOOST_TEST(simd::fma(x, x, y).get(0) == ulp * ulp);
}

BOOST_AUTO_TEST_CASE(a_fused_multiply_add_has_one_rounding_at_every_optimisation_level) {
#if defined(__FMA__) || defined(__AVX512F__)
  check_fused(0x1p-23f);
  check_fused(0x1p-52);
#else
  const simd::batch<float> x(3.0f);
  BOOST_TEST(simd::fma(x, x, x).get(0) == 12.0f);
#endif
}

BOOST_AUTO_TEST_CASE(bits_go_to_integers_and_back) {
  const simd::batch<double> x(-2.5);
  BOOST_TEST((simd::as_real<double, simd::default_arch>(simd::as_int(x)).get(0) == -2.5));
  BOOST_TEST((simd::as_uint(simd::batch<float>(1.0f)).get(0) == 0x3f800000u));
}

BOOST_AUTO_TEST_SUITE_END()
