// SPDX-License-Identifier: BSD-3-Clause
#include "oracle/compare.hpp"

#include <limits>

// A comparator that passes everything would make every other test worthless: it is tested on what it must refuse.
BOOST_AUTO_TEST_SUITE(oracle_compare)

using oracle::absolute, oracle::close, oracle::relative, oracle::same, oracle::ulps;
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

BOOST_AUTO_TEST_CASE(a_nan_equals_no_number) {
  BOOST_TEST(!close(nan_value, 5.0L, relative{1e9}));
  BOOST_TEST(!close(5.0, std::numeric_limits<long double>::quiet_NaN(), absolute{1e9}));
  BOOST_TEST(!close(nan_value, std::numeric_limits<long double>::quiet_NaN(), ulps{1e9}));
  BOOST_TEST(same(nan_value, nan_value));
  BOOST_TEST(!same(nan_value, 0.0));
}

BOOST_AUTO_TEST_CASE(tolerances_are_fractions_not_percents) {  // TE02
  BOOST_TEST(close(1.005, 1.0L, relative{0.01}));
  BOOST_TEST(!close(1.005, 1.0L, relative{1e-4}));
  BOOST_TEST(!close(100.005, 100.0L, absolute{1e-3}));
}

BOOST_AUTO_TEST_CASE(an_ulp_is_that_of_the_type_found) {
  BOOST_TEST(close(std::nextafter(1.0f, 2.0f), 1.0L, ulps{1}));
  BOOST_TEST(!close(std::nextafter(std::nextafter(1.0f, 2.0f), 2.0f), 1.0L, ulps{1}));
  BOOST_TEST(!close(1.0 + 1e-7, 1.0L, ulps{1}));
}

BOOST_AUTO_TEST_CASE(infinities_must_be_the_same) {
  BOOST_TEST(close(infinity, std::numeric_limits<long double>::infinity(), ulps{0}));
  BOOST_TEST(!close(infinity, -std::numeric_limits<long double>::infinity(), relative{1e9}));
  BOOST_TEST(!close(1e308, std::numeric_limits<long double>::infinity(), relative{1}));
}

BOOST_AUTO_TEST_CASE(the_sign_of_zero_counts_when_asked) {  // TE03
  BOOST_TEST(!same(0.0, -0.0));
  BOOST_TEST(close(0.0, -0.0L, ulps{0}));
}

BOOST_AUTO_TEST_SUITE_END()
