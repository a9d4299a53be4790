// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/loss/cross_entropy.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "logitope/core/matrix.hpp"
#include "logitope/heads/dense.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_CASE(equal_huge_logits_cost_log_two_and_ignored_rows_nothing) {
  lt::matrix<float> W(2, 1), H(2, 1);
  W(0, 0) = W(1, 0) = 1e8f;
  H(0, 0) = 1;
  H(1, 0) = NAN;
  lt::workspace_memory memory(lt::cross_entropy_workspace<lt::default_policy, float>(2, 1));
  lt::workspace ws = memory.get();
  const lt::dense_head<float> head(std::as_const(W).view());
  const lt::loss_sum got = lt::cross_entropy(head, H, std::vector<int>{1, -100}, ws);
  BOOST_TEST(oracle::close(got.mean(), std::log(2.0L), oracle::ulps{2}));
  BOOST_TEST(got.count == 1U);
  BOOST_TEST(std::isnan(lt::cross_entropy(head, H, std::vector<int>{-100, -100}, ws).mean()));
  BOOST_CHECK_THROW(static_cast<void>(lt::cross_entropy(head, H, std::vector<int>{2, 0}, ws)), lt::value_error);
}
