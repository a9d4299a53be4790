// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/audit/contexts.hpp"

#include <cmath>

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(audit_contexts)

// W = (0, ln 3), H = (1, -1): q = (1/4, 3/4) and (3/4, 1/4).
BOOST_AUTO_TEST_CASE(means_are_over_contexts) {
  lt::matrix<double> W(2, 1), H(2, 1), truth(2, 2);
  W(1, 0) = std::log(3.0);
  H(0, 0) = 1;
  H(1, 0) = -1;
  truth(0, 0) = 1;                  // KL ln 4, leak 3/4
  truth(1, 0) = truth(1, 1) = 0.5;  // KL ln 2 - H + ..., leak 0
  const lt::dense_head<double> head(std::as_const(W).view());
  const lt::context_sections found = lt::survey_contexts(head, std::as_const(H).view(), std::as_const(truth).view());
  const long double entropy = 2 * std::log(2.0L) - 0.75L * std::log(3.0L);
  BOOST_TEST(oracle::close(found.ambiguity.mean_entropy, entropy, oracle::relative{1e-14}));
  BOOST_TEST(oracle::close(found.ambiguity.mean_effective_support, std::exp(entropy), oracle::relative{1e-14}));
  const long double second = 0.5L * std::log(0.5L / 0.75L) + 0.5L * std::log(0.5L / 0.25L);
  const lt::divergence_section& far = found.divergence.value();
  BOOST_TEST(oracle::close(far.mean_kl, (std::log(4.0L) + second) / 2, oracle::relative{1e-14}));
  BOOST_TEST(oracle::close(far.mean_over_entropy, entropy - std::log(2.0L) / 2, oracle::relative{1e-13}));
  BOOST_TEST(oracle::close(far.mean_leaked_mass, 0.375L, oracle::relative{1e-14}));
}

BOOST_AUTO_TEST_CASE(a_truth_of_another_size_is_named) {
  lt::matrix<double> W(3, 1), H(2, 1), truth(1, 3);
  const lt::dense_head<double> head(std::as_const(W).view());
  BOOST_CHECK_EXCEPTION((void)lt::survey_contexts(head, std::as_const(H).view(), std::as_const(truth).view()),
                        lt::shape_error, oracle::says("contexts of the truth: expected 2, got 1"));
}

BOOST_AUTO_TEST_SUITE_END()
