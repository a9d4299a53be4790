// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/polytope/exact_verdict.hpp"

#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {
lt::exact_decision decide(std::vector<double> rows, std::vector<double> bias, std::size_t i,
                          std::vector<std::size_t> seed) {
  return lt::decide_exactly<double>(lt::matrix_view<const double>(rows.data(), rows.size() / 2, 2),
                                    std::span<const double>(bias), i, std::move(seed));
}
constexpr auto yes = lt::token_verdict::argmaxable, no = lt::token_verdict::unargmaxable;
const std::vector<double> square{0, 0, 1, 0, 1, 1, 0, 1, .5, .5, .5, 0};
}  // namespace

BOOST_AUTO_TEST_SUITE(polytope_exact_verdict)

BOOST_AUTO_TEST_CASE(corner_edge_and_centre_from_a_seed_that_has_to_grow) {
  BOOST_TEST((decide(square, {}, 0, {1}).verdict == yes));
  const auto centre = decide(square, {}, 4, {0, 1, 2, 3, 5});
  BOOST_TEST((centre.verdict == no && centre.tie == lt::tie_verdict::never));
  const auto edge = decide(square, {}, 5, {0, 1});
  BOOST_TEST((edge.verdict == no && edge.tie == lt::tie_verdict::possible));
}

BOOST_AUTO_TEST_CASE(on_a_lifted_facet_a_row_ties_and_above_it_wins) {
  const std::vector<double> rows{0, 0, 2, 0, 0, 2, 2, 2, 1, 1};
  const std::vector<std::size_t> seed{0, 1, 2, 3};
  const auto on = decide(rows, {1, 0, 0, 1, 1}, 4, seed);
  BOOST_TEST((on.verdict == no && on.tie == lt::tie_verdict::possible));
  BOOST_TEST((decide(rows, {1, 0, 0, 1, 1.5}, 4, seed).verdict == yes));
  const auto under = decide(rows, {1, 0, 0, 1, .5}, 4, seed);
  BOOST_TEST((under.verdict == no && under.tie == lt::tie_verdict::never));
  const auto flat = decide(rows, {1, 1, 1, 1, 1}, 4, seed);
  BOOST_TEST((flat.verdict == no && flat.tie == lt::tie_verdict::never));
}

BOOST_AUTO_TEST_CASE(a_row_inside_comes_with_the_rows_whose_combination_it_is) {
  const auto centre = decide(square, {}, 4, {0, 1, 2, 3, 5});
  BOOST_TEST(centre.inside.set == (std::vector<std::size_t>{4}), boost::test_tools::per_element());
  BOOST_TEST(lt::check_no_face(lt::matrix_view<const double>(square.data(), 6, 2), centre.inside));
  BOOST_TEST(decide(square, {}, 0, {1}).inside.set.empty());
}

BOOST_AUTO_TEST_CASE(without_work_nothing_is_decided_and_with_a_little_only_the_verdict) {
  const lt::matrix_view<const double> W(square.data(), 6, 2);
  lt::exact_work none(1), plenty;
  const auto open = lt::decide_exactly<double>(W, {}, 4, {0, 1, 2, 3, 5}, 200, none);
  BOOST_TEST((open.verdict == lt::token_verdict::undecided && open.tie == lt::tie_verdict::undecided));
  BOOST_TEST(open.inside.set.empty());
  (void)lt::decide_exactly<double>(W, {}, 5, {0, 1}, 200, plenty);
  const std::uint64_t cost = lt::exact_work::unlimited - plenty.left();
  bool half = false;
  for (std::uint64_t limit = 1; limit <= cost + 1; limit += 20) {  // more work, never another verdict
    lt::exact_work some(limit);
    const auto found = lt::decide_exactly<double>(W, {}, 5, {0, 1}, 200, some);
    BOOST_TEST((found.verdict == lt::token_verdict::undecided || found.verdict == no));
    BOOST_TEST((found.tie == lt::tie_verdict::undecided || found.tie == lt::tie_verdict::possible));
    half = half || (found.verdict == no && found.tie == lt::tie_verdict::undecided);
  }
  BOOST_TEST(half);
}

BOOST_AUTO_TEST_SUITE_END()
