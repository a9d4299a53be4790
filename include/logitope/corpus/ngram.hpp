// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_CORPUS_NGRAM_HPP
#define LOGITOPE_CORPUS_NGRAM_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../core/matrix.hpp"
#include "arpa.hpp"

/// @file
/// @brief The truth a head is measured against: what really follows each two-symbol context.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// Conditionals over V symbols for N contexts; each row sums to 1.
struct ngram_truth {
  std::vector<std::string> symbols;   ///< [V]
  std::vector<std::string> contexts;  ///< [N] "u v"
  matrix<double> conditionals;        ///< [N, V]
  double worst_sum_error = 0;         ///< max over contexts of |sum - 1| before the rows were normalised
};

namespace detail {

/// A model built by hand may say anything: every word must be a unigram, every entry as long as its order.
inline void require_closed(const arpa_model& model) {
  const auto check = [&model](const std::vector<std::string>& words) {
    for (const std::string& word : words)
      if (!model.orders[0].contains({word}))
        raise<value_error>("trigram_truth: expected words among the unigrams, got " + shown(word));
  };
  check(model.unigrams);
  for (std::size_t n = 1; n <= model.orders.size(); ++n)
    for (const auto& [words, entry] : model.orders[n - 1]) {
      if (words.size() != n)
        raise<value_error>("trigram_truth: expected " + std::to_string(n) + " words in an entry of order " +
                           std::to_string(n) + ", got " + std::to_string(words.size()));
      check(words);
    }
}

}  // namespace detail

/// @brief Every bigram of a 3-gram model as a context, its conditional with back-off, normalised.
/// \f[ p(w|uv) = 10^{a(uvw)} \text{ if listed, else } 10^{b(uv)} p(w|v) \f]
/// Outcomes are the unigrams of probability above 0; a context may end in any symbol but `</s>`.
/// @throws value_error if the model is not of order 3, has a word that is no unigram, or a context without mass
/// or with an infinite one
/// @par Cost N V look-ups in ordered maps; allocates the result
/// @par Source Katz 1987, doi 10.1109/TASSP.1987.1165125
[[nodiscard]] inline ngram_truth trigram_truth(const arpa_model& model) {
  if (model.orders.size() != 3)
    detail::raise<value_error>("trigram_truth: expected a model of order 3, got " +
                               std::to_string(model.orders.size()));
  detail::require_closed(model);
  const auto power = [](double x) { return std::isinf(x) ? 0.0 : std::pow(10.0, x); };
  ngram_truth truth;
  for (const auto& word : model.unigrams)
    if (!std::isinf(model.orders[0].at({word}).log10_probability)) truth.symbols.push_back(word);
  std::vector<const std::vector<std::string>*> pairs;
  for (const auto& [pair, entry] : model.orders[1])
    if (pair[1] != "</s>") pairs.push_back(&pair);
  truth.conditionals = matrix<double>(pairs.size(), truth.symbols.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::string& u = (*pairs[i])[0];
    const std::string& v = (*pairs[i])[1];
    truth.contexts.push_back(u + " " + v);
    const double backoff_pair = power(model.orders[1].at(*pairs[i]).log10_backoff);
    const double backoff_last = power(model.orders[0].at({v}).log10_backoff);
    double sum = 0;
    for (std::size_t j = 0; j < truth.symbols.size(); ++j) {
      const std::string& w = truth.symbols[j];
      double p = 0;
      if (const auto three = model.orders[2].find({u, v, w}); three != model.orders[2].end())
        p = power(three->second.log10_probability);
      else if (const auto two = model.orders[1].find({v, w}); two != model.orders[1].end())
        p = backoff_pair * power(two->second.log10_probability);
      else p = backoff_pair * backoff_last * power(model.orders[0].at({w}).log10_probability);
      truth.conditionals(i, j) = p;
      sum += p;
    }
    if (!(sum > 0))
      detail::raise<value_error>("trigram_truth: expected mass after " + detail::shown(truth.contexts[i]) +
                                 ", got none");
    if (std::isinf(sum))
      detail::raise<value_error>("trigram_truth: expected finite mass after " + detail::shown(truth.contexts[i]) +
                                 ", got inf");
    truth.worst_sum_error = (std::max)(truth.worst_sum_error, std::fabs(sum - 1));
    for (double& p : truth.conditionals.row(i)) p /= sum;
  }
  return truth;
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
