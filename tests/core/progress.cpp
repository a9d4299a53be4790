// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/core/progress.hpp"

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(core_progress)

BOOST_AUTO_TEST_CASE(whatever_takes_a_report_is_a_sink) {
  std::size_t done = 0;
  auto sink = [&](const lt::progress_report& report) { done = report.done; };
  static_assert(lt::progress_sink<decltype(sink)> && lt::progress_sink<lt::no_progress> && !lt::progress_sink<int>);
  sink({"train", 3, 4});
  BOOST_TEST(done == 3u);
  BOOST_TEST(lt::progress_report{}.total == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
