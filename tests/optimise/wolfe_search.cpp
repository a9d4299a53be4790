// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/optimise/wolfe_search.hpp"

#include <cmath>
#include <limits>

#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {

/// (t - 3)^2 with its slope.
lt::line_point parabola(double t) {
  return {t, (t - 3) * (t - 3), 2 * (t - 3)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(optimise_wolfe_search)

BOOST_AUTO_TEST_CASE(a_cubic_has_the_minimiser_that_calculus_gives) {
  const auto cubic = [](double t) { return lt::line_point{t, t * t * t - 3 * t, 3 * t * t - 3}; };  // minimum at 1
  BOOST_TEST(oracle::close(lt::detail::cubic_minimiser(cubic(0.25), cubic(2)), 1.0L, oracle::absolute{1e-15}));
  BOOST_TEST(oracle::close(lt::detail::cubic_minimiser(cubic(2), cubic(0.25)), 1.0L, oracle::absolute{1e-15}));
  BOOST_TEST(oracle::close(lt::detail::cubic_minimiser(parabola(0), parabola(100)), 3.0L, oracle::absolute{1e-12}));
}

BOOST_AUTO_TEST_CASE(a_small_curvature_constant_forces_the_minimum_of_a_parabola) {
  for (const double first : {1e-3, 1.0, 3.0, 5.0, 1e4}) {
    lt::wolfe_search search({1e-4, 1e-6, 40}, parabola(0), parabola);
    BOOST_TEST((search.run(first) == lt::line_outcome::wolfe));
    BOOST_TEST(oracle::close(search.at.step, 3.0L, oracle::absolute{3e-6}));
  }
}

BOOST_AUTO_TEST_CASE(a_large_curvature_constant_takes_the_first_step_that_will_do) {
  int calls = 0;
  const auto counted = [&](double t) {
    ++calls;
    return parabola(t);
  };
  lt::wolfe_search search({1e-4, 0.9, 40}, parabola(0), counted);
  BOOST_TEST((search.run(1.0) == lt::line_outcome::wolfe));
  BOOST_TEST(search.at.step == 1.0);
  BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(the_decrease_constant_refuses_a_step_that_lowers_the_value_too_little) {
  // At t = 5.5 the value fell by 2.75 of 33 predicted by the slope.
  lt::wolfe_search loose({0.05, 0.9, 40}, parabola(0), parabola), strict({0.3, 0.9, 40}, parabola(0), parabola);
  BOOST_TEST((loose.run(5.5) == lt::line_outcome::wolfe));
  BOOST_TEST(loose.at.step == 5.5);
  BOOST_TEST((strict.run(5.5) == lt::line_outcome::wolfe));
  BOOST_TEST(strict.at.step < 4.2);
}

BOOST_AUTO_TEST_CASE(a_trial_that_is_not_finite_is_an_upper_end) {
  const auto walled = [](double t) {
    return t < 2 ? lt::line_point{t, -std::log(2 - t) - 4 * t, 1 / (2 - t) - 4}
                 : lt::line_point{t, std::numeric_limits<double>::infinity(), std::nan("")};
  };
  lt::wolfe_search search({1e-4, 1e-4, 40}, walled(0), walled);  // minimum at 1.75
  BOOST_TEST((search.run(64.0) == lt::line_outcome::wolfe));
  BOOST_TEST(oracle::close(search.at.step, 1.75L, oracle::absolute{1e-4}));
}

BOOST_AUTO_TEST_CASE(a_low_value_without_a_slope_is_not_accepted) {
  const auto broken = [](double t) {
    return t < 4 ? parabola(t)
                 : lt::line_point{t, t < 8 ? -100 : -std::numeric_limits<double>::infinity(), std::nan("")};
  };
  for (const double first : {5.0, 10.0}) {
    lt::wolfe_search search({1e-4, 1e-3, 40}, parabola(0), broken);
    BOOST_TEST((search.run(first) == lt::line_outcome::wolfe));
    BOOST_TEST(oracle::close(search.at.step, 3.0L, oracle::absolute{3e-3}));
  }
}

BOOST_AUTO_TEST_CASE(out_of_trials_the_lowest_point_found_is_taken_and_evaluated_last) {
  const auto falling = [](double t) { return lt::line_point{t, -t, -1}; };
  lt::wolfe_search search({1e-4, 0.9, 5}, falling(0), falling);
  BOOST_TEST((search.run(1.0) == lt::line_outcome::decrease_only));
  BOOST_TEST(search.at.step > 1.0);
  const auto rising = [](double t) { return lt::line_point{t, t, -1}; };
  lt::wolfe_search hopeless({1e-4, 0.9, 40}, rising(0), rising);
  BOOST_TEST((hopeless.run(1.0) == lt::line_outcome::failed));
}

BOOST_AUTO_TEST_SUITE_END()
