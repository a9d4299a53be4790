// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/audit/head_audit.hpp"

#include <cmath>

#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {

// A square, its centre, and an edge's midpoint: rows 0..3 can win, 4 cannot, 5 can only tie.
lt::head_input square() {
  lt::head_input head;
  head.weights = lt::matrix<double>(6, 2);
  const double points[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {.5, .5}, {.5, 0}};
  for (std::size_t v = 0; v < 6; ++v)
    for (std::size_t d = 0; d < 2; ++d) head.weights(v, d) = points[v][d];
  head.source = "square";
  return head;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(audit_head_audit)

BOOST_AUTO_TEST_CASE(a_square_with_two_points_that_are_no_corners) {
  const lt::head_report report = lt::audit_head(square());
  BOOST_TEST(report.argmaxable.argmaxable == 4u);
  BOOST_TEST(report.argmaxable.unargmaxable == (std::vector<std::size_t>{4, 5}), boost::test_tools::per_element());
  BOOST_TEST(report.argmaxable.boundary == (std::vector<std::size_t>{5}), boost::test_tools::per_element());
  BOOST_TEST(report.argmaxable.certified == 6u);
  // a lower corner is 1/2 sqrt(1/2)... from the segment between its edge's midpoint and the opposite corner: 1 /
  // sqrt(5)
  BOOST_TEST(oracle::close(report.argmaxable.smallest_margin, 1 / std::sqrt(5.0L), oracle::relative{1e-9}));
  BOOST_TEST(report.argmaxable.margin_kind == "exact");
  BOOST_TEST(report.neighborliness.upper == 0u);
  BOOST_TEST(report.neighborliness.violating_set == (std::vector<std::size_t>{4}), boost::test_tools::per_element());
  BOOST_TEST(report.argmaxable.residual.empty());
  BOOST_TEST(report.argmaxable.boundary_undecided.empty());
  BOOST_TEST(report.rank.weights.rank == 2u);
  BOOST_TEST(!report.ambiguity.has_value());
  BOOST_TEST(report.sensing.size() == 3u);
  BOOST_TEST(report.sensing[2].necessary == 5.0);
}

BOOST_AUTO_TEST_CASE(the_free_sum_of_two_triangles_is_two_neighborly_by_its_radon_partition) {
  // corners of two triangles that cross in their centroids, in four dimensions: 3 against 3
  lt::head_input head;
  head.weights = lt::matrix<double>(6, 4);
  for (std::size_t t = 0; t < 2; ++t)
    for (std::size_t d = 0; d < 2; ++d) {
      head.weights(3 * t + d, 2 * t + d) = 1;
      head.weights(3 * t + 2, 2 * t + d) = -1;
    }
  const lt::head_report report = lt::audit_head(head);
  BOOST_TEST(report.neighborliness.lower == 2u);
  BOOST_TEST(report.neighborliness.upper == 2u);
  BOOST_TEST(report.neighborliness.violating_set.size() == 3u);
  BOOST_TEST(report.neighborliness.method.find("Radon partition of d + 2 rows, 3 against 3") == 0u);
}

BOOST_AUTO_TEST_CASE(without_time_every_token_is_undecided_and_has_a_residual) {
  lt::audit_options options;
  options.time_limit = -1;
  const lt::head_report report = lt::audit_head(square(), options);
  BOOST_TEST(report.argmaxable.undecided.size() == 6u);
  BOOST_REQUIRE(report.argmaxable.residual.size() == 6u);
  for (const double distance : report.argmaxable.residual) BOOST_TEST(std::isinf(distance));
}

BOOST_AUTO_TEST_CASE(contexts_bring_ranks_of_log_p_and_p_and_their_ambiguity) {
  lt::head_input head = square();
  head.hidden = lt::matrix<double>(2, 2);  // zero states: uniform over 6 tokens
  const lt::head_report report = lt::audit_head(head);
  BOOST_TEST(report.rank.log_prob.value().rank == 1u);
  BOOST_TEST(report.rank.log_prob.value().contexts == 2u);
  BOOST_TEST(oracle::close(report.ambiguity.value().mean_entropy, std::log(6.0L), oracle::relative{1e-14}));
  BOOST_TEST(oracle::close(report.ambiguity.value().mean_effective_support, 6.0L, oracle::relative{1e-14}));
  BOOST_TEST(!report.divergence.has_value());
}

BOOST_AUTO_TEST_CASE(a_truth_brings_the_divergence) {
  lt::head_input head = square();
  head.hidden = lt::matrix<double>(1, 2);
  head.truth = lt::matrix<double>(1, 6);
  head.truth(0, 0) = head.truth(0, 1) = .5;
  const lt::divergence_section far = lt::audit_head(head).divergence.value();
  BOOST_TEST(oracle::close(far.mean_kl, std::log(3.0L), oracle::relative{1e-14}));
  BOOST_TEST(oracle::close(far.mean_over_entropy, std::log(3.0L), oracle::relative{1e-14}));
  BOOST_TEST(oracle::close(far.mean_leaked_mass, 4 / 6.0L, oracle::relative{1e-14}));
}

BOOST_AUTO_TEST_CASE(sizes_that_disagree_are_named_before_any_work) {
  lt::head_input head = square();
  head.bias = {0, 0};
  BOOST_CHECK_EXCEPTION((void)lt::audit_head(head), lt::shape_error, oracle::says("bias: expected 6, got 2"));
  head.bias.clear();
  head.hidden = lt::matrix<double>(1, 3);
  BOOST_CHECK_EXCEPTION((void)lt::audit_head(head), lt::shape_error, oracle::says("expected 2, got 3"));
  lt::audit_options options;
  options.supports = {6};
  BOOST_CHECK_EXCEPTION((void)lt::audit_head(square(), options), lt::value_error, oracle::says("got 6"));
}

BOOST_AUTO_TEST_SUITE_END()
