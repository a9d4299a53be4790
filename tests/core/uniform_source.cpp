// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/core/uniform_source.hpp"

#include <random>

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(core_uniform_source)

BOOST_AUTO_TEST_CASE(the_unit_interval_is_half_open) {
  auto zeros = [] { return std::uint64_t{0}; };
  auto ones = [] { return ~std::uint64_t{0}; };
  auto half = [] { return std::uint64_t{1} << 63; };
  BOOST_TEST(lt::uniform_unit(zeros) == 0.0);
  BOOST_TEST(lt::uniform_unit(half) == 0.5);
  BOOST_TEST(lt::uniform_unit(ones) == 1.0 - 0x1p-53);
}

BOOST_AUTO_TEST_CASE(a_source_of_32_bits_is_refused) {
  static_assert(!lt::uniform_source<std::minstd_rand0> || sizeof(std::minstd_rand0::result_type) == 8);
  auto narrow = [] { return std::uint32_t{0}; };
  static_assert(!lt::uniform_source<decltype(narrow)>);
  BOOST_TEST(sizeof(narrow()) == 4u);
}

BOOST_AUTO_TEST_SUITE_END()
