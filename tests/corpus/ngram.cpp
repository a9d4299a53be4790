// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/corpus/ngram.hpp"

#include <cmath>
#include <vector>

#include "corpus/tiny.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(corpus_ngram)

BOOST_AUTO_TEST_CASE(backoff_takes_the_listed_orders_first) {
  const auto truth = lt::trigram_truth(lt::parse_arpa(tiny_arpa, "tiny"));
  BOOST_TEST(truth.symbols == (std::vector<std::string>{"a", "b"}), boost::test_tools::per_element());
  BOOST_TEST(truth.contexts == (std::vector<std::string>{"a b", "b a"}), boost::test_tools::per_element());
  // a b: a by the bigram, 10^-1 10^-2 = .001; b listed, .1. b a: a by the unigram, 10^0 10^-2 10^-0.5; b by the
  // bigram, 10^0 10^-1.
  BOOST_TEST(oracle::close(truth.conditionals(0, 0), .001L / .101L, oracle::relative{1e-14}));
  BOOST_TEST(oracle::close(truth.conditionals(1, 1), .1L / (.1L + .0031622776601683793L), oracle::relative{1e-14}));
  BOOST_TEST(oracle::close(truth.worst_sum_error, .899L, oracle::relative{1e-14}));
}

BOOST_AUTO_TEST_CASE(the_phone_model_has_its_known_contexts_and_entropies) {
  const auto folder = oracle::data_folder();
  if (folder.empty()) return oracle::skipped("LOGITOPE_DATA is not set");
  const auto truth = lt::trigram_truth(lt::read_arpa(folder + "/phone-3gram.arpa"));
  BOOST_TEST(truth.symbols.size() == 41u);
  BOOST_TEST(truth.contexts.size() == 1472u);
  BOOST_TEST(truth.worst_sum_error < 6.5e-4);
  std::vector<double> perplexity;
  for (std::size_t i = 0; i < 1472; ++i) {
    double entropy = 0;
    for (const double p : truth.conditionals.row(i))
      if (p > 0) entropy -= p * std::log(p);
    perplexity.push_back(std::exp(entropy));
  }
  std::sort(perplexity.begin(), perplexity.end());
  BOOST_TEST(oracle::close(perplexity[368], 7.3, oracle::absolute{.06}));
  BOOST_TEST(oracle::close(perplexity[736], 10.8, oracle::absolute{.06}));
  BOOST_TEST(oracle::close(perplexity[1104], 15.8, oracle::absolute{.06}));
  BOOST_TEST(oracle::close(perplexity.back(), 28.2, oracle::absolute{.06}));
}

BOOST_AUTO_TEST_SUITE_END()
