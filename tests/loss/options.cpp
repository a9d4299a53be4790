// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/loss/options.hpp"

#include <cmath>

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(loss_options)

BOOST_AUTO_TEST_CASE(the_mean_of_nothing_is_nan_and_its_sum_zero) {
  const lt::loss_sum none;
  BOOST_TEST(std::isnan(none.mean()));
  BOOST_TEST(none.sum == 0);
  BOOST_TEST((lt::loss_sum{6, 4, {}}.mean() == 1.5));
}

BOOST_AUTO_TEST_CASE(a_smoothing_outside_zero_to_one_is_refused_with_its_value) {
  for (double eps : {0.0, 0.5, 1.0}) BOOST_CHECK_NO_THROW(lt::detail::require_smoothing(eps, "loss"));
  for (double eps : {-0.25, 1.25, std::nan("")})
    BOOST_CHECK_THROW(lt::detail::require_smoothing(eps, "loss"), lt::value_error);
  BOOST_CHECK_EXCEPTION(lt::detail::require_smoothing(1.25, "loss"), lt::value_error, oracle::says("got 1.25"));
}

BOOST_AUTO_TEST_SUITE_END()
