// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/polytope/exact_system.hpp"

#include "oracle/compare.hpp"

namespace lt = logitope;
using status = lt::exact_outcome::status;

BOOST_AUTO_TEST_SUITE(polytope_exact_system)

BOOST_AUTO_TEST_CASE(a_solution_is_a_solution_to_the_last_digit) {
  // x + 2 y = 1, 3 x + y = 1: x = 1/5, y = 2/5
  const auto out = lt::solve_nonnegative({{1, 3}, {2, 1}}, {1, 1});
  BOOST_TEST((out.answer == status::feasible));
  BOOST_TEST((out.x[0] == lt::rational(1, 5) && out.x[1] == lt::rational(2, 5)));
}

BOOST_AUTO_TEST_CASE(no_solution_comes_with_a_proof_also_for_negative_right_sides) {
  const std::vector<std::vector<lt::rational>> columns{{1, 1}, {2, 3}};
  const std::vector<lt::rational> r{1, -1};
  const auto out = lt::solve_nonnegative(columns, r);
  BOOST_TEST((out.answer == status::infeasible));
  for (const auto& a : columns) BOOST_TEST((out.y[0] * a[0] + out.y[1] * a[1] <= 0));
  BOOST_TEST((out.y[0] * r[0] + out.y[1] * r[1] > 0));
}

BOOST_AUTO_TEST_CASE(a_stop_is_not_an_answer) {
  BOOST_TEST((lt::solve_nonnegative({{1, 3}, {2, 1}}, {1, 1}, 0).answer == status::stopped));
}

BOOST_AUTO_TEST_SUITE_END()
