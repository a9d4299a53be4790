// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/polytope/token_search.hpp"

#include <random>

#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {

using search = lt::detail::argmaxable_search<double>;
constexpr auto open = lt::token_verdict::undecided, yes = lt::token_verdict::argmaxable,
               no = lt::token_verdict::unargmaxable;
const auto never_late = [] { return false; };

/// Row 0 is the middle of rows 1, 2, on an edge of the hull of 40 rows: no rounded number can tell.
lt::matrix<double> with_a_midpoint() {
  constexpr std::size_t V = 40, h = 12;
  std::mt19937 random(2);
  std::uniform_int_distribution<int> digit(-9, 9);
  lt::matrix<double> W(V, h);
  for (double& v : W.values()) v = 2 * digit(random);
  for (std::size_t d = 0; d < h; ++d) W(0, d) = (W(1, d) + W(2, d)) / 2;
  return W;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(polytope_token_search)

BOOST_AUTO_TEST_CASE(a_planted_midpoint_is_open_under_a_tiny_limit_of_work_and_decided_under_a_large_one) {
  const auto W = with_a_midpoint();
  for (const bool large : {false, true}) {
    search s(W.view(), {}, {});
    s.decide(0, never_late, lt::exact_work(large ? 1'000'000'000 : 100));
    BOOST_TEST((s.decision[0].verdict == (large ? no : open)));
    BOOST_TEST(s.residual[0] < 1e-9);
    if (large) BOOST_TEST(lt::check_no_face<double>(W, s.decision[0].inside));
  }
}

BOOST_AUTO_TEST_CASE(the_verdict_needs_the_same_work_to_the_last_product_in_every_run) {
  const auto W = with_a_midpoint();
  const auto decided = [&](std::uint64_t limit) {
    search s(W.view(), {}, {});
    s.decide(0, never_late, lt::exact_work(limit));
    return s.decision[0].verdict != open;
  };
  std::uint64_t low = 100, high = 1'000'000'000;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (decided(middle) ? high : low) = middle;
  }
  for (int again = 0; again < 5; ++again) {
    BOOST_TEST(decided(high));
    BOOST_TEST(!decided(low));
  }
}

BOOST_AUTO_TEST_CASE(own_directions_settle_a_cross_polytope_and_leave_its_centre) {
  lt::matrix<double> W(7, 3);
  for (std::size_t d = 0; d < 3; ++d) W(2 * d, d) = 1, W(2 * d + 1, d) = -1;
  search s(W.view(), {}, {});
  s.decide_along_rows(never_late, [](std::size_t) {});
  for (std::size_t i = 0; i < 6; ++i) {
    BOOST_TEST((s.decision[i].verdict == yes));
    BOOST_TEST(s.vertex[i]);
    BOOST_TEST(oracle::close(s.margin_lower[i], 1.0L, oracle::relative{1e-12}));
    BOOST_TEST(oracle::close(s.distance(i, search::infinity, never_late), 1.0L, oracle::relative{1e-12}));
  }
  BOOST_TEST((s.decision[6].verdict == open));
}

BOOST_AUTO_TEST_CASE(once_late_nothing_more_is_searched) {
  const auto W = with_a_midpoint();
  search s(W.view(), {}, {});
  s.decide_along_rows([] { return true; }, [](std::size_t) {});
  for (std::size_t i = 0; i < W.rows(); ++i) BOOST_TEST((s.decision[i].verdict == open));
  s.decide(
      0, [] { return true; }, lt::exact_work());
  BOOST_TEST((s.decision[0].verdict == open));
}

BOOST_AUTO_TEST_SUITE_END()
