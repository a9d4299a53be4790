// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_CORPUS_ZIPF_HPP
#define LOGITOPE_CORPUS_ZIPF_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../core/uniform_source.hpp"
#include "ngram.hpp"

/// @file
/// @brief A made-up truth with the statistics of language, for where no corpus is at hand.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// @brief Each context permutes the symbols at random and gives rank r the mass r^-s, s uniform in [0.8, 1.6).
/// \f[ p_{\pi(r)} \propto r^{-s} \f]
/// No probability is 0, so that every log-probability is finite; symbols are "w0", "w1", ..., contexts pairs of them.
/// @param symbols   V >= 2
/// @param contexts  N in 1 .. V^2
/// @param seed      the same seed gives the same truth on any machine, up to the rounding of pow
/// @throws value_error if a size is out of range
/// @par Cost N V powers; allocates the result
[[nodiscard]] inline ngram_truth zipf_truth(std::size_t symbols, std::size_t contexts, std::uint64_t seed) {
  // Rounded up, V >= N / V says N <= V^2 without a product that could overflow.
  if (symbols < 2 || contexts < 1 || contexts / symbols + (contexts % symbols != 0) > symbols)
    detail::raise<value_error>("zipf_truth: expected V >= 2 symbols and 1 .. V^2 contexts, got " +
                               std::to_string(symbols) + " and " + std::to_string(contexts));
  // SplitMix64 (Vigna 2015): this room may not include random/, and a truth needs no long period.
  auto bits = [state = seed]() mutable {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  };
  ngram_truth truth;
  truth.conditionals = matrix<double>(contexts, symbols);
  for (std::size_t j = 0; j < symbols; ++j) truth.symbols.push_back("w" + std::to_string(j));
  std::vector<std::size_t> order(symbols);
  for (std::size_t i = 0; i < contexts; ++i) {
    truth.contexts.push_back(truth.symbols[i / symbols % symbols] + " " + truth.symbols[i % symbols]);
    const double exponent = 0.8 + 0.8 * uniform_unit(bits);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t j = symbols - 1; j > 0; --j)
      std::swap(order[j], order[static_cast<std::size_t>(uniform_unit(bits) * static_cast<double>(j + 1))]);
    double sum = 0;
    for (std::size_t r = 0; r < symbols; ++r)
      sum += truth.conditionals(i, order[r]) = std::pow(static_cast<double>(r + 1), -exponent);
    for (double& p : truth.conditionals.row(i)) p /= sum;
  }
  return truth;
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
