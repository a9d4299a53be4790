// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/core/concepts.hpp"

#include <list>
#include <vector>

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(core_concepts)

BOOST_AUTO_TEST_CASE(real_is_float_or_double_and_targets_are_signed_and_contiguous) {
  static_assert(lt::real<float> && lt::real<double> && !lt::real<long double> && !lt::real<int>);
  static_assert(lt::target_range<std::vector<int>> && lt::target_range<const std::vector<long>&>);
  static_assert(!lt::target_range<std::vector<unsigned>> && !lt::target_range<std::list<int>>);
  BOOST_TEST(lt::target_index<signed char>);
}

BOOST_AUTO_TEST_SUITE_END()
