// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/core/error.hpp"

#include <string>
#include <string_view>
#include <type_traits>

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(core_error)

BOOST_AUTO_TEST_CASE(a_wrong_extent_says_what_was_expected_and_found) {
  BOOST_CHECK_NO_THROW(lt::require_extent(3, 3, "targets"));
  BOOST_CHECK_EXCEPTION(lt::require_extent(2, 3, "targets"), lt::shape_error,
                        oracle::says("targets: expected 3, got 2"));
}

BOOST_AUTO_TEST_CASE(what_a_file_holds_is_shown_on_one_line_without_control_bytes) {
  BOOST_TEST(lt::detail::shown("a word") == "'a word'");
  BOOST_TEST(lt::detail::shown("") == "''");
  BOOST_TEST(lt::detail::shown(std::string_view("a\n\x1b[31m\0\x7f\t", 10)) == "'a\\x0a\\x1b[31m\\x00\\x7f\\x09'");
  BOOST_TEST(lt::detail::shown("gr\xc3\xb6\xc3\x9f"
                               "er") ==
             "'gr\xc3\xb6\xc3\x9f"
             "er'");
  BOOST_TEST(lt::detail::shown("12345", 3) == "'123'");
  BOOST_TEST(lt::detail::shown(std::string(100000, 'x')).size() == 42u);
}

BOOST_AUTO_TEST_CASE(every_error_can_be_caught_as_one) {
  BOOST_CHECK_THROW(lt::detail::raise<lt::value_error>("x"), lt::error);
  BOOST_CHECK_THROW(lt::detail::raise<lt::capacity_error>("x"), lt::error);
  BOOST_CHECK_THROW(lt::detail::raise<lt::format_error>("x"), lt::error);
  BOOST_CHECK_THROW(lt::detail::raise<lt::solver_error>("x"), lt::error);
  static_assert(!std::is_base_of_v<lt::shape_error, lt::value_error>);
}

BOOST_AUTO_TEST_SUITE_END()
