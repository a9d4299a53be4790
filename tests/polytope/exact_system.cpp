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

BOOST_AUTO_TEST_CASE(a_system_costs_the_same_work_every_time_and_one_product_less_stops_it) {
  std::vector<std::vector<lt::rational>> columns;
  for (int j = 1; j <= 12; ++j)
    columns.push_back({1, j, lt::rational(j * j, 7), j % 5 * j, lt::rational(1, j) + 0x1p-40});
  const std::vector<lt::rational> r{1, 6, lt::rational(37, 7), 11, lt::rational(1, 5)};
  lt::exact_work plenty;
  const auto whole = lt::solve_nonnegative(columns, r, 5000, plenty);
  BOOST_TEST((whole.answer != status::stopped));
  const std::uint64_t cost = lt::exact_work::unlimited - plenty.left();
  BOOST_TEST(cost > 1000u);
  for (int again = 0; again < 3; ++again) {
    lt::exact_work enough(cost + 1), short_by_one(cost);
    BOOST_TEST((lt::solve_nonnegative(columns, r, 5000, enough).answer == whole.answer));
    BOOST_TEST(enough.left() == 1u);
    BOOST_TEST((lt::solve_nonnegative(columns, r, 5000, short_by_one).answer == status::stopped));
    BOOST_TEST(short_by_one.left() == 0u);
  }
}

BOOST_AUTO_TEST_CASE(longer_numbers_cost_more_and_spent_work_stays_spent) {
  BOOST_TEST(lt::detail::words(0) == 1u);
  BOOST_TEST(lt::detail::words(lt::detail::integer(1) << 63) == 1u);
  BOOST_TEST(lt::detail::words(-(lt::detail::integer(1) << 64)) == 2u);
  lt::exact_work a(1000), b(1000);
  BOOST_TEST(a.spend(1));
  BOOST_TEST(b.spend(100));
  BOOST_TEST(a.left() == b.left() + 99);
  BOOST_TEST(!b.spend(100000));
  BOOST_TEST(!b.spend(0));
}

BOOST_AUTO_TEST_SUITE_END()
