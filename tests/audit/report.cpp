// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/audit/report.hpp"

#include "oracle/compare.hpp"

BOOST_AUTO_TEST_SUITE(audit_report)

BOOST_AUTO_TEST_CASE(sections_that_need_contexts_or_a_truth_are_absent_at_first) {
  const logitope::head_report report;
  BOOST_TEST(!report.rank.log_prob.has_value());
  BOOST_TEST(!report.rank.prob.has_value());
  BOOST_TEST(!report.ambiguity.has_value());
  BOOST_TEST(!report.divergence.has_value());
  BOOST_TEST(report.sensing.empty());
}

BOOST_AUTO_TEST_SUITE_END()
