// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/exp.hpp"

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "oracle/compare.hpp"

namespace lt = logitope;
using oracle::close;
using oracle::same;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

/// Largest error in ulps over floats of both signs; every 61st, or all where LOGITOPE_EXHAUSTIVE is set.
template <lt::kernel_policy P>
double worst_float_ulps(bool subnormals) {
  const std::uint32_t step = std::getenv("LOGITOPE_EXHAUSTIVE") != nullptr ? 1 : 61;
  const float smallest = std::numeric_limits<float>::min();
  long double worst = 0;
  for (const float limit : {88.72283f, -104.5f}) {
    const std::uint32_t sign = std::bit_cast<std::uint32_t>(limit) & 0x80000000u;
    const std::uint32_t end = std::bit_cast<std::uint32_t>(limit) & 0x7fffffffu;
    // below 2^-30 exp is 1 + x; a coarse walk will do
    for (std::uint32_t b = 0x30800000u; b < end; b += step) {
      const float x = std::bit_cast<float>(b | sign);
      const long double want = std::exp(static_cast<long double>(x));
      if (!subnormals && want < static_cast<long double>(smallest) * 1.000001L) continue;
      const long double off =
          std::fabs(static_cast<long double>(lt::simd::exp<P>(x)) - want) / oracle::ulp_at<float>(want);
      if (!(off <= worst)) worst = off;
    }
  }
  return static_cast<double>(worst);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simd_exp)

BOOST_AUTO_TEST_CASE(floats_are_within_one_ulp_and_subnormals_flushed_by_default) {
  const double worst = worst_float_ulps<lt::default_policy>(false);
  BOOST_TEST_MESSAGE("exp<float>: " << worst << " ulp");
  BOOST_TEST(worst <= 1.0);
  BOOST_TEST(worst > 0.4);  // a scan that saw nothing would say 0
}

BOOST_AUTO_TEST_CASE(floats_are_within_one_ulp_of_the_subnormals_under_precise_policy) {
  BOOST_TEST(worst_float_ulps<lt::precise_policy>(true) <= 1.0);
}

BOOST_AUTO_TEST_CASE(doubles_are_within_one_ulp) {
  long double worst = 0;
  for (int i = 0; i < 2'000'003; ++i) {
    const double x = -745.0 + i * (1454.7 / 2'000'003);
    const long double want = std::exp(static_cast<long double>(x));
    const long double got = static_cast<long double>(lt::simd::exp<lt::precise_policy>(x));
    worst = (std::max)(worst, std::fabs(got - want) / oracle::ulp_at<double>(want));
  }
  BOOST_TEST_MESSAGE("exp<double>: " << static_cast<double>(worst) << " ulp");
  BOOST_TEST(static_cast<double>(worst) <= 1.0);
  BOOST_TEST(static_cast<double>(worst) > 0.4);
}

BOOST_AUTO_TEST_CASE(results_below_the_smallest_normal_follow_the_policy_SM24) {
  for (const float x : {-103.0f, -88.1f, -87.5f}) BOOST_TEST(same(lt::simd::exp(x), 0.0f));
  BOOST_TEST(close(lt::simd::exp<lt::precise_policy>(-103.0f), 1.4013e-45L, oracle::ulps{1}));
  BOOST_TEST(close(lt::simd::exp<lt::precise_policy>(-88.1f), 5.47843e-39L, oracle::relative{1e-5}));
  BOOST_TEST(close(lt::simd::exp<lt::precise_policy>(-87.5f), 9.98235e-39L, oracle::relative{1e-5}));
}

BOOST_AUTO_TEST_CASE(the_ends_of_the_range_are_right) {
  BOOST_TEST(same(lt::simd::exp(0.0f), 1.0f));
  BOOST_TEST(same(lt::simd::exp(-0.0f), 1.0f));
  BOOST_TEST(same(lt::simd::exp(-inf), 0.0f));
  BOOST_TEST(same(lt::simd::exp<lt::precise_policy>(-inf), 0.0f));
  BOOST_TEST(same(lt::simd::exp(inf), inf));
  BOOST_TEST(std::isnan(lt::simd::exp(std::numeric_limits<float>::quiet_NaN())));
  BOOST_TEST(close(lt::simd::exp(88.7f), 3.3260e38L, oracle::relative{2e-4}));
  BOOST_TEST(same(lt::simd::exp(88.73f), inf));
  BOOST_TEST(same(lt::simd::exp(0.0), 1.0));
  BOOST_TEST(same(lt::simd::exp(709.9), std::numeric_limits<double>::infinity()));
  BOOST_TEST(close(lt::simd::exp<lt::precise_policy>(-740.0), 4.1995e-322L, oracle::ulps{1}));
  BOOST_TEST(same(lt::simd::exp(-740.0), 0.0));
  BOOST_TEST(std::isnan(lt::simd::exp(std::numeric_limits<double>::quiet_NaN())));
}

BOOST_AUTO_TEST_SUITE_END()
