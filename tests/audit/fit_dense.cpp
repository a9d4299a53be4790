// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/audit/fit_dense.hpp"

#include <cmath>
#include <numbers>

#include "logitope/corpus/ngram.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(audit_fit_dense)

// Two contexts that put their mass on different halves: one dimension separates them, so the infimum of the KL is 0.
BOOST_AUTO_TEST_CASE(opposite_contexts_are_fitted_by_one_dimension) {
  lt::matrix<double> truth(2, 4);
  const double p[2][4] = {{.4, .4, .1, .1}, {.1, .1, .4, .4}};
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t v = 0; v < 4; ++v) truth(i, v) = p[i][v];
  const lt::fitted_head fit = lt::fit_dense(truth, 1);
  BOOST_TEST(fit.mean_kl < 1e-9);
  BOOST_TEST(fit.hidden(0, 0) * fit.hidden(1, 0) < 0);
  // log(.4 / .1) = (w_0 - w_2) h_0 whatever the scale of w and h
  BOOST_TEST(oracle::close((fit.weights(0, 0) - fit.weights(2, 0)) * fit.hidden(0, 0), std::log(4.0L),
                           oracle::absolute{1e-4}));
}

// Row-centred log-probabilities of rank 2 cannot be had from one dimension, but from two.
BOOST_AUTO_TEST_CASE(a_dimension_too_few_leaves_a_divergence) {
  lt::matrix<double> truth(3, 3);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t v = 0; v < 3; ++v) truth(i, v) = i == v ? .8 : .1;
  BOOST_TEST(lt::fit_dense(truth, 1).mean_kl > 1e-2);
  BOOST_TEST(lt::fit_dense(truth, 2).mean_kl < 1e-9);
}

BOOST_AUTO_TEST_CASE(the_seed_decides_and_repeats) {
  lt::matrix<double> truth(3, 3);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t v = 0; v < 3; ++v) truth(i, v) = i == v ? .8 : .1;
  lt::fit_options options;
  options.starts = 1;
  options.screening = 5;
  options.max_iterations = 0;
  const double first = lt::fit_dense(truth, 1, options).mean_kl;
  BOOST_TEST(oracle::same(lt::fit_dense(truth, 1, options).mean_kl, first));
  options.seed = 2;
  BOOST_TEST(lt::fit_dense(truth, 1, options).mean_kl != first);
}

BOOST_AUTO_TEST_CASE(empty_input_is_named) {
  BOOST_CHECK_EXCEPTION((void)lt::fit_dense(lt::matrix<double>(), 2), lt::value_error, oracle::says("got none"));
  lt::matrix<double> truth(1, 2);
  truth(0, 0) = truth(0, 1) = .5;
  BOOST_CHECK_EXCEPTION((void)lt::fit_dense(truth, 0), lt::value_error, oracle::says("got 0"));
}

BOOST_AUTO_TEST_SUITE_END()
