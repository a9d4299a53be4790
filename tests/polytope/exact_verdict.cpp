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

BOOST_AUTO_TEST_SUITE_END()
