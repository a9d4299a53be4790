// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/log.hpp"

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "oracle/compare.hpp"

namespace lt = logitope;
using oracle::close;
using oracle::same;

BOOST_AUTO_TEST_SUITE(simd_log)

BOOST_AUTO_TEST_CASE(floats_are_within_one_ulp_subnormals_included) {
  const std::uint32_t step = std::getenv("LOGITOPE_EXHAUSTIVE") != nullptr ? 1 : 61;
  long double worst = 0;
  for (std::uint32_t b = 1; b < 0x7f800000u; b += step) {
    const float x = std::bit_cast<float>(b);
    const long double want = std::log(static_cast<long double>(x));
    const long double off = std::fabs(static_cast<long double>(lt::simd::log(x)) - want) / oracle::ulp_at<float>(want);
    if (!(off <= worst)) worst = off;
  }
  BOOST_TEST_MESSAGE("log<float>: " << static_cast<double>(worst) << " ulp");
  BOOST_TEST(static_cast<double>(worst) <= 1.0);
  BOOST_TEST(static_cast<double>(worst) > 0.4);
}

BOOST_AUTO_TEST_CASE(doubles_are_within_one_ulp) {
  long double worst = 0;
  for (std::uint64_t i = 0; i < 1'000'000; ++i) {
    // all exponents, and a dense stretch around 1 where log cancels
    const double x = i % 2 == 0 ? std::bit_cast<double>(1 + i * (0x7ff0000000000000ull / 1'000'003))
                                : 0.5 + static_cast<double>(i) * 1.0e-6;
    const long double want = std::log(static_cast<long double>(x));
    worst =
        (std::max)(worst, std::fabs(static_cast<long double>(lt::simd::log(x)) - want) / oracle::ulp_at<double>(want));
  }
  BOOST_TEST_MESSAGE("log<double>: " << static_cast<double>(worst) << " ulp");
  BOOST_TEST(static_cast<double>(worst) <= 1.0);
  BOOST_TEST(static_cast<double>(worst) > 0.4);
}

BOOST_AUTO_TEST_CASE(subnormal_arguments_are_not_lost_SM26) {
  BOOST_TEST(close(lt::simd::log(1e-40f), -92.103404L, oracle::absolute{8e-6}));
  BOOST_TEST(close(lt::simd::log(std::numeric_limits<float>::denorm_min()), -103.27893L, oracle::absolute{8e-6}));
  BOOST_TEST(close(lt::simd::log(std::numeric_limits<double>::denorm_min()), -744.44007192138126L, oracle::ulps{1}));
}

BOOST_AUTO_TEST_CASE(special_arguments_have_their_limits) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  BOOST_TEST(same(lt::simd::log(0.0f), -inf));
  BOOST_TEST(same(lt::simd::log(-0.0f), -inf));
  BOOST_TEST(same(lt::simd::log(1.0f), 0.0f));
  BOOST_TEST(same(lt::simd::log(inf), inf));
  BOOST_TEST(std::isnan(lt::simd::log(-1.0f)));
  BOOST_TEST(std::isnan(lt::simd::log(-1e-40f)));
  BOOST_TEST(std::isnan(lt::simd::log(-inf)));
  BOOST_TEST(std::isnan(lt::simd::log(std::numeric_limits<float>::quiet_NaN())));
}

BOOST_AUTO_TEST_SUITE_END()
