// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/core/info.hpp"

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(core_info)

BOOST_AUTO_TEST_CASE(the_abi_names_the_instruction_set) {
  BOOST_TEST(lt::abi.substr(0, 3) == "v0_");
#ifdef __SSE2__
  BOOST_TEST((lt::abi.find("sse") != lt::abi.npos || lt::abi.find("avx") != lt::abi.npos));
#endif
  BOOST_TEST(!lt::version.empty());
}

BOOST_AUTO_TEST_SUITE_END()
