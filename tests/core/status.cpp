// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/core/status.hpp"

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(core_status)

BOOST_AUTO_TEST_CASE(each_kind_of_row_is_added_up_on_its_own) {
  lt::row_status a{1, 2, 3, 4};
  a += {10, 20, 30, 40};
  BOOST_TEST((a == lt::row_status{11, 22, 33, 44}));
}

BOOST_AUTO_TEST_CASE(any_special_row_ends_being_ordinary) {
  BOOST_TEST(lt::row_status{}.ordinary());
  BOOST_TEST(!(lt::row_status{1, 0, 0, 0}.ordinary()));
  BOOST_TEST(!(lt::row_status{0, 1, 0, 0}.ordinary()));
  BOOST_TEST(!(lt::row_status{0, 0, 1, 0}.ordinary()));
  BOOST_TEST(!(lt::row_status{0, 0, 0, 1}.ordinary()));
}

BOOST_AUTO_TEST_SUITE_END()
