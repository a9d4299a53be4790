// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/statistics/quantiles.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "oracle/compare.hpp"

namespace lt = logitope;
using numbers = std::vector<double>;

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
}  // namespace

BOOST_AUTO_TEST_SUITE(statistics_quantiles)

BOOST_AUTO_TEST_CASE(ten_squares_have_the_quantiles_of_definition_seven) {
  // 1, 4, .., 100 unsorted; position 9 a: .25 -> 2.25, .5 -> 4.5, .9 -> 8.1
  const numbers x{64, 1, 81, 4, 100, 9, 16, 49, 25, 36};
  const numbers q = lt::quantiles(x, numbers{0, .25, .5, .75, .9, 1});
  const numbers want{1, 9 + .25 * 7, 30.5, 49 + .75 * 15, 81 + .1 * 19, 100};
  for (std::size_t i = 0; i < want.size(); ++i)
    BOOST_TEST(oracle::close(q[i], static_cast<long double>(want[i]), oracle::relative{1e-15}));
}

BOOST_AUTO_TEST_CASE(probabilities_may_come_in_any_order) {
  const numbers q = lt::quantiles(numbers{3, 1, 2}, numbers{1, 0, .5});
  BOOST_TEST((q == numbers{3, 1, 2}));
}

BOOST_AUTO_TEST_CASE(one_value_is_every_quantile_and_no_value_has_none) {
  BOOST_TEST((lt::quantiles(numbers{7}, numbers{0, .3, 1}) == numbers{7, 7, 7}));
  BOOST_TEST(std::isnan(lt::quantiles(numbers{}, numbers{.5})[0]));
  BOOST_TEST(lt::quantiles(numbers{1, 2}, numbers{}).empty());
}

BOOST_AUTO_TEST_CASE(quantiles_never_decrease) {
  const numbers x{.1, .1, .1 + 1e-17, .3, .7, .7};
  double last = -inf;
  for (int i = 0; i <= 1000; ++i) {
    const double q = lt::quantiles(x, numbers{i / 1000.0})[0];
    BOOST_TEST(q >= last);
    last = q;
  }
}

BOOST_AUTO_TEST_CASE(nan_spoils_all_quantiles_unless_it_is_left_out) {
  const numbers x{1, no_number, 3};
  BOOST_TEST(std::isnan(lt::quantiles(x, numbers{0})[0]));
  BOOST_TEST(lt::quantiles(x, numbers{.5}, lt::nan_policy::omit)[0] == 2.0);
  BOOST_TEST(std::isnan(lt::quantiles(numbers{no_number}, numbers{.5}, lt::nan_policy::omit)[0]));
}

BOOST_AUTO_TEST_CASE(infinities_are_ends_of_the_order) {
  BOOST_TEST((lt::quantiles(numbers{inf, 1, -inf}, numbers{0, .5, 1}) == numbers{-inf, 1, inf}));
  BOOST_TEST(lt::quantiles(numbers{inf, inf}, numbers{.5})[0] == inf);
  BOOST_TEST(lt::quantiles(numbers{1, inf}, numbers{.5})[0] == inf);
}

BOOST_AUTO_TEST_CASE(a_probability_outside_the_unit_interval_is_named) {
  BOOST_CHECK_EXCEPTION((void)lt::quantiles(numbers{1}, numbers{.5, 1.5}), lt::value_error, oracle::says("got 1.5"));
  BOOST_CHECK_THROW((void)lt::quantiles(numbers{1}, numbers{no_number}), lt::value_error);
}

BOOST_AUTO_TEST_SUITE_END()
