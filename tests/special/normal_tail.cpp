// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/special/normal_tail.hpp"

#include <cmath>

#include "oracle/compare.hpp"

namespace lt = logitope;
using oracle::close;
using oracle::relative;

namespace {

/// int_0^inf x^n exp(-z x - x^2 / 2) dx: the n-th moment of the tail over the density, by the trapezoidal rule after
/// x = exp(s - exp(-s)) / (1 + z), which makes it converge exponentially.
long double moment(int n, double z) {
  const long double step = 1.0L / 64;
  const long double scale = 1 / (1 + static_cast<long double>(z));
  long double sum = 0;
  for (int i = -400; i <= 400; ++i) {
    const long double s = step * i;
    const long double x = scale * std::exp(s - std::exp(-s));
    sum += std::exp(-x * static_cast<long double>(z) - x * x / 2) * std::pow(x, static_cast<long double>(n + 1)) *
           (1 + std::exp(-s));
  }
  return sum * step;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(special_normal_tail)

BOOST_AUTO_TEST_CASE(moments_agree_with_their_integrals_over_the_whole_range) {
  for (const double z : {0.0, 1e-9, 0.01, 0.3, 0.7, 0.999, 1.0, 1.001, 1.5, 2.0, 3.0, 5.0, 8.0, 13.0, 20.0, 38.0}) {
    const auto got = lt::normal_tail(z);
    BOOST_TEST_CONTEXT("z = " << z) {
      BOOST_TEST(close(got.mills, moment(0, z), relative{4e-15}));
      BOOST_TEST(close(got.first, moment(1, z), relative{4e-15}));
      BOOST_TEST(close(got.second, moment(2, z), relative{4e-15}));
    }
  }
}

BOOST_AUTO_TEST_CASE(at_zero_the_moments_are_half_those_of_the_normal) {
  const auto got = lt::normal_tail(0);
  BOOST_TEST(close(got.mills, 1.2533141373155002512078826L, relative{3e-16}));  // sqrt(pi / 2)
  BOOST_TEST(got.first == 1);
  BOOST_TEST(close(got.second, 1.2533141373155002512078826L, relative{3e-16}));
}

BOOST_AUTO_TEST_CASE(a_constant_expression_gives_the_same_number_as_a_call) {
  constexpr auto constant = lt::normal_tail(1.75);
  volatile double z = 1.75;
  const auto called = lt::normal_tail(z);
  BOOST_TEST(close(called.mills, static_cast<long double>(constant.mills), relative{1e-15}));
  BOOST_TEST(close(called.second, static_cast<long double>(constant.second), relative{1e-15}));
}

BOOST_AUTO_TEST_CASE(the_constant_exponential_is_the_exponential) {
  for (double x = -740; x <= 709; x += 0.37)
    BOOST_TEST(close(lt::detail::constant_exp(x), std::exp(static_cast<long double>(x)), oracle::ulps{4}));
  BOOST_TEST(lt::detail::constant_exp(0) == 1);
}

BOOST_AUTO_TEST_SUITE_END()
