// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/core/config.hpp"

#include <string>
#include <string_view>

#include "logitope/core/info.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

// defined in config_checked.cpp, built with LOGITOPE_CHECKS 1
bool checks_there();
std::string_view abi_there();

BOOST_AUTO_TEST_SUITE(core_config)

BOOST_AUTO_TEST_CASE(checks_are_off_unless_the_file_asks_for_them) {
  BOOST_TEST(!lt::checks);
  BOOST_TEST(checks_there());
}

BOOST_AUTO_TEST_CASE(files_with_and_without_checks_live_in_different_namespaces) {
  BOOST_TEST(lt::abi.find("checked") == std::string_view::npos);
  BOOST_TEST(abi_there() == std::string(lt::abi) + "_checked");
}

BOOST_AUTO_TEST_CASE(the_abi_names_the_widest_instruction_set_of_the_flags) {
#if defined(__AVX512BW__)
  BOOST_TEST(lt::abi.starts_with("v0_avx512bw"));
#elif defined(__AVX512F__)
  BOOST_TEST(lt::abi.starts_with("v0_avx512"));
#elif defined(__AVX2__)
  BOOST_TEST(lt::abi.starts_with("v0_avx2"));
#elif defined(__SSE2__) && !defined(__SSE3__)
  BOOST_TEST(lt::abi.starts_with("v0_sse2"));
#endif
#if defined(__FMA__)
  BOOST_TEST(lt::abi.find("_fma") != std::string_view::npos);
#else
  BOOST_TEST(lt::abi.find("_fma") == std::string_view::npos);
#endif
}

BOOST_AUTO_TEST_SUITE_END()
