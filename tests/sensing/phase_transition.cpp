// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/sensing/phase_transition.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/compare.hpp"

namespace lt = logitope;
using oracle::close;
using oracle::relative;
using oracle::says;

namespace {

constexpr lt::weak_gaussian simplex;
constexpr lt::weak_gaussian_signed cross;

struct known_threshold {
  double delta;
  long double simplex, cross;
};
/// 15 digits, found in two ways.
constexpr known_threshold fifteen_digits[] = {
    {0.05, .188854732172509L, .154360523145674L}, {0.1, .240975896186354L, .189429367759674L},
    {0.25, .365089159561012L, .267383552407757L}, {0.5, .558227691314180L, .385689666181481L},
    {0.75, .765883538797149L, .533711676804469L}, {0.9, .902657232687375L, .678169378134499L},
};
/// 12 digits from the exponents of the face counts.
constexpr known_threshold twelve_digits[] = {
    {1e-6, 0.0392687848116L, 0.0373078208339L}, {1e-5, 0.0475334553643L, 0.0447081515572L},
    {1e-4, 0.0600641817243L, 0.0556639502094L}, {1e-3, 0.081160874715L, 0.0734467522807L},
    {0.01, 0.123369390254L, 0.106877620243L},   {0.05, 0.188854732173L, 0.154360523146L},
    {0.1, 0.240975896186L, 0.18942936776L},     {0.2, 0.325859623216L, 0.243300964386L},
    {0.25, 0.365089159561L, 0.267383552408L},   {0.3, 0.403600538856L, 0.290784368247L},
    {0.4, 0.480282416402L, 0.337325986476L},    {0.5, 0.558227691314L, 0.385689666181L},
    {0.6, 0.638693087187L, 0.438390543469L},    {0.7, 0.722512583005L, 0.498842752477L},
    {0.75, 0.765883538797L, 0.533711676804L},   {0.8, 0.810322240296L, 0.573313317388L},
    {0.9, 0.902657232687L, 0.678169378134L},    {0.95, 0.950673738432L, 0.7601049433L},
    {0.99, 0.990027249254L, 0.883714865083L},   {0.999, 0.999000273165L, 0.961334668008L},
};

struct known_dimension {
  std::size_t k;
  long double simplex, cross;
};
/// h / V of the statistical dimension, V = 1000.
constexpr known_dimension statistical_dimension[] = {
    {1, 0.00841549431352L, 0.00945796149391L}, {10, 0.0522186295771L, 0.0612439594364L},
    {50, 0.167081873674L, 0.20389985633L},     {100, 0.265304324763L, 0.328793505454L},
    {200, 0.409903455384L, 0.511129610373L},   {300, 0.521490192663L, 0.645572291997L},
    {500, 0.695631293567L, 0.831299905706L},
};

/// The variational form by golden section in long double: min over tau of e (1 + tau^2) + (1 - e) kappa G(tau).
long double least_dimension(long double e, long double kappa) {
  const auto value = [&](long double t) {
    const long double q = std::erfc(t / std::sqrt(2.0L)) / 2;
    const long double density = std::exp(-t * t / 2) * 0.398942280401432677939946059934L;
    return e * (1 + t * t) + (1 - e) * kappa * ((1 + t * t) * q - t * density);
  };
  long double low = 0;
  long double high = 12;
  const long double golden = 0.618033988749894848204586834366L;
  for (int i = 0; i < 120; ++i) {
    const long double a = high - golden * (high - low);
    const long double b = low + golden * (high - low);
    (value(a) < value(b) ? high : low) = value(a) < value(b) ? b : a;
  }
  return value((low + high) / 2);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sensing_phase_transition)

BOOST_AUTO_TEST_CASE(required_dimension_is_a_constant_expression) {
  static_assert(lt::required_dimension(50257, 100, lt::weak_gaussian{}) == 742);
  static_assert(lt::required_dimension(1000, 10, lt::weak_gaussian{}) == 53);
  static_assert(lt::max_support(50257, 742, lt::weak_gaussian{}) == 100);
  static_assert(lt::max_support(50257, 741, lt::weak_gaussian{}) == 99);
  static_assert(lt::threshold(0.5, lt::weak_gaussian{}) > 0.558 && lt::threshold(0.5, lt::weak_gaussian{}) < 0.559);
  const volatile std::size_t tokens = 50257;  // the same at run time
  BOOST_TEST(lt::required_dimension(tokens, 100, lt::weak_gaussian{}) == 742u);
}

BOOST_AUTO_TEST_CASE(weak_thresholds_have_twelve_digits_of_the_reference) {
  for (const auto& want : fifteen_digits) {
    BOOST_TEST(close(lt::threshold(want.delta, simplex), want.simplex, relative{1e-12}));
    BOOST_TEST(close(lt::threshold(want.delta, cross), want.cross, relative{1e-12}));
  }
}

BOOST_AUTO_TEST_CASE(weak_thresholds_hold_from_one_millionth_to_almost_one) {
  for (const auto& want : twelve_digits) {
    BOOST_TEST(close(lt::threshold(want.delta, simplex), want.simplex, relative{2e-11}));
    BOOST_TEST(close(lt::threshold(want.delta, cross), want.cross, relative{2e-11}));
  }
}

BOOST_AUTO_TEST_CASE(required_dimensions_have_every_printed_digit) {
  BOOST_TEST(close(lt::required(1000, 10, simplex), 52.21862958L, relative{2e-10}));
  BOOST_TEST(close(lt::required(50257, 1, simplex), 14.63082477L, relative{4e-10}));
  BOOST_TEST(close(lt::required(50257, 10, simplex), 108.8906807L, relative{5e-10}));
  BOOST_TEST(close(lt::required(50257, 100, simplex), 741.2858669L, relative{1e-10}));
  BOOST_TEST(close(lt::required(50257, 1000, simplex), 4374.63771L, relative{2e-9}));
  BOOST_TEST(close(lt::required(128256, 64, simplex), 605.5536315L, relative{1e-10}));
  for (const auto& want : statistical_dimension) {
    BOOST_TEST(close(lt::required(1000, want.k, simplex), 1000 * want.simplex, relative{1e-11}));
    BOOST_TEST(close(lt::required(1000, want.k, cross), 1000 * want.cross, relative{1e-11}));
  }
}

BOOST_AUTO_TEST_CASE(required_dimension_is_the_minimum_of_the_variational_form) {
  for (const std::size_t V : {7u, 100u, 50257u, 1000000000u})
    for (const std::size_t k : {1u, 2u, 5u}) {
      const long double e = static_cast<long double>(k) / static_cast<long double>(V);
      const auto all = static_cast<long double>(V);
      BOOST_TEST(close(lt::required(V, k, simplex), std::min(all * least_dimension(e, 1), all - 1), relative{1e-12}));
      BOOST_TEST(close(lt::required(V, k, cross), all * least_dimension(e, 2), relative{1e-12}));
    }
}

BOOST_AUTO_TEST_CASE(threshold_and_required_dimension_are_inverse) {
  for (const double delta : {1e-9, 1e-6, 1e-3, 0.1, 0.5, 0.9, 0.999}) {
    const double V = 1e12;
    const double k = std::floor(V * delta * lt::threshold(delta, simplex));
    const double back = lt::required(static_cast<std::size_t>(V), static_cast<std::size_t>(k), simplex) / V;
    BOOST_TEST(close(back, delta, relative{1e-12 + 2 / k}));
  }
}

BOOST_AUTO_TEST_CASE(largest_support_is_the_largest_that_fits) {
  for (const std::size_t V : {1u, 2u, 3u, 10u, 41u})
    for (std::size_t h = 0; h <= V + 1; ++h) {
      std::size_t want_simplex = 0;
      std::size_t want_cross = 0;
      for (std::size_t k = 1; k <= V; ++k) {
        if (lt::required(V, k, simplex) <= static_cast<double>(h)) want_simplex = k;
        if (lt::required(V, k, cross) <= static_cast<double>(h)) want_cross = k;
      }
      BOOST_TEST(lt::max_support(V, h, simplex) == want_simplex, "V = " << V << ", h = " << h);
      BOOST_TEST(lt::max_support(V, h, cross) == want_cross, "signed, V = " << V << ", h = " << h);
    }
}

BOOST_AUTO_TEST_CASE(the_ends_of_the_curve_are_exact) {
  BOOST_TEST(lt::threshold(1, simplex) == 1);
  BOOST_TEST(lt::threshold(1, cross) == 1);
  BOOST_TEST(lt::required(9, 9, simplex) == 8);
  BOOST_TEST(lt::required(9, 9, cross) == 9);
  BOOST_TEST(lt::required(1, 1, simplex) == 0);
}

BOOST_AUTO_TEST_CASE(arguments_outside_their_range_are_named) {
  BOOST_CHECK_EXCEPTION((void)lt::required(9, 0, simplex), lt::value_error, says("expected 1 .. V = 9, got 0"));
  BOOST_CHECK_EXCEPTION((void)lt::required_dimension(9, 10, simplex), lt::value_error, says("got 10"));
  BOOST_CHECK_THROW((void)lt::max_support(0, 1, simplex), lt::value_error);
  BOOST_CHECK_EXCEPTION((void)lt::threshold(0, simplex), lt::value_error, says("undersampling"));
  BOOST_CHECK_THROW((void)lt::threshold(1.01, cross), lt::value_error);
  BOOST_CHECK_THROW((void)lt::threshold(std::nan(""), simplex), lt::value_error);
}

BOOST_AUTO_TEST_SUITE_END()
