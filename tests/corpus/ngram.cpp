// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/corpus/ngram.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "corpus/tiny.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {
/// Rank by elimination with full pivoting in long double: pivots above `tolerance` times the first.
std::size_t rank_of(std::vector<std::vector<long double>> A, long double tolerance) {
  const std::size_t rows = A.size(), cols = A[0].size();
  long double first = 0;
  for (std::size_t k = 0; k < cols; ++k) {
    std::size_t row = k, col = k;
    for (std::size_t i = k; i < rows; ++i)
      for (std::size_t j = k; j < cols; ++j)
        if (std::fabs(A[i][j]) > std::fabs(A[row][col])) row = i, col = j;
    const long double pivot = std::fabs(A[row][col]);
    if (k == 0) first = pivot;
    if (!(pivot > tolerance * first)) return k;
    std::swap(A[k], A[row]);
    for (auto& r : A) std::swap(r[k], r[col]);
    for (std::size_t i = k + 1; i < rows; ++i) {
      const long double share = A[i][k] / A[k][k];
      for (std::size_t j = k; j < cols; ++j) A[i][j] -= share * A[k][j];
    }
  }
  return cols;
}
}  // namespace

BOOST_AUTO_TEST_SUITE(corpus_ngram)

BOOST_AUTO_TEST_CASE(the_elimination_of_this_test_knows_a_rank_of_two) {
  BOOST_TEST(rank_of({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {0, 0, 0}}, 1e-15L) == 2u);
  BOOST_TEST(rank_of({{1, 2}, {3, 4}, {5, 6}}, 1e-15L) == 2u);
}

BOOST_AUTO_TEST_CASE(models_that_contradict_themselves_are_refused) {
  const auto good = lt::parse_arpa(tiny_arpa, "tiny");
  const auto refused = [&](const std::string& text, auto spoil) {
    auto bad = good;
    spoil(bad);
    BOOST_CHECK_EXCEPTION((void)lt::trigram_truth(bad), lt::value_error, oracle::says(text));
  };
  refused("expected words among the unigrams, got 'c'", [](auto& m) { m.orders[1][{"c", "a"}] = {}; });
  refused("expected words among the unigrams, got 'c'", [](auto& m) { m.orders[1][{"a", "c"}] = {}; });
  refused("expected words among the unigrams, got 'c'", [](auto& m) { m.orders[2][{"a", "b", "c"}] = {}; });
  refused("expected words among the unigrams, got 'c'", [](auto& m) { m.unigrams.push_back("c"); });
  refused("expected 2 words in an entry of order 2, got 1", [](auto& m) { m.orders[1][{"a"}] = {}; });
  refused("expected a model of order 3, got 2", [](auto& m) { m.orders.pop_back(); });
  refused("expected mass after 'a b', got none", [](auto& m) {
    m.orders[1].at({"a", "b"}).log10_backoff = m.orders[2].at({"a", "b", "b"}).log10_probability =
        -std::numeric_limits<double>::infinity();
  });
}

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
  BOOST_TEST(truth.worst_sum_error > 1e-5);
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

BOOST_AUTO_TEST_CASE(the_centred_log_probabilities_of_the_phone_model_have_rank_40) {
  const auto folder = oracle::data_folder();
  if (folder.empty()) return oracle::skipped("LOGITOPE_DATA is not set");
  const auto truth = lt::trigram_truth(lt::read_arpa(folder + "/phone-3gram.arpa"));
  std::vector<std::vector<long double>> centred;
  for (std::size_t i = 0; i < truth.contexts.size(); ++i) {
    auto& row = centred.emplace_back();
    long double mean = 0;
    for (const double p : truth.conditionals.row(i)) mean += row.emplace_back(std::log(static_cast<long double>(p)));
    mean /= static_cast<long double>(row.size());
    for (long double& x : row) x -= mean;
  }
  BOOST_TEST(rank_of(centred, 1e-10L) == 40u);
}

BOOST_AUTO_TEST_CASE(mass_beyond_all_doubles_is_refused_not_divided_into_nan) {
  lt::arpa_model model;
  model.orders.resize(3);
  model.unigrams = {"a", "b"};
  model.orders[0][{"a"}].log10_probability = model.orders[0][{"b"}].log10_probability = -1;
  model.orders[1][{"a", "a"}].log10_probability = 400;
  BOOST_CHECK_EXCEPTION((void)lt::trigram_truth(model), lt::value_error,
                        oracle::says("expected finite mass after 'a a', got inf"));
}

BOOST_AUTO_TEST_SUITE_END()
