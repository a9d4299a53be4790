// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/core/error.hpp"

#include <type_traits>

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(core_error)

BOOST_AUTO_TEST_CASE(a_wrong_extent_says_what_was_expected_and_found) {
  BOOST_CHECK_NO_THROW(lt::require_extent(3, 3, "targets"));
  BOOST_CHECK_EXCEPTION(lt::require_extent(2, 3, "targets"), lt::shape_error,
                        oracle::says("targets: expected 3, got 2"));
}

BOOST_AUTO_TEST_CASE(every_error_can_be_caught_as_one) {
  BOOST_CHECK_THROW(lt::detail::raise<lt::value_error>("x"), lt::error);
  BOOST_CHECK_THROW(lt::detail::raise<lt::capacity_error>("x"), lt::error);
  BOOST_CHECK_THROW(lt::detail::raise<lt::format_error>("x"), lt::error);
  BOOST_CHECK_THROW(lt::detail::raise<lt::solver_error>("x"), lt::error);
  static_assert(!std::is_base_of_v<lt::shape_error, lt::value_error>);
}

BOOST_AUTO_TEST_SUITE_END()
