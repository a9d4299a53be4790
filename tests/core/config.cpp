// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/core/config.hpp"

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(core_config)

BOOST_AUTO_TEST_CASE(checks_are_off_unless_asked_for) {
  BOOST_TEST(lt::checks == (LOGITOPE_CHECKS != 0));
}

BOOST_AUTO_TEST_SUITE_END()
