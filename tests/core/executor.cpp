// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/core/executor.hpp"

#include <vector>

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(core_executor)

BOOST_AUTO_TEST_CASE(sequential_runs_every_task_once_in_order_on_worker_zero) {
  static_assert(lt::executor<lt::sequential> && !lt::executor<int>);
  std::vector<std::size_t> seen;
  lt::sequential::run(3, [&](std::size_t task, std::size_t worker) { seen.push_back(10 * task + worker); });
  BOOST_TEST((seen == std::vector<std::size_t>{0, 10, 20}));
  BOOST_TEST(lt::sequential::workers() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
