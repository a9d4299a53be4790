// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_TESTS_ORACLE_INFORMATION_HPP
#define LOGITOPE_TESTS_ORACLE_INFORMATION_HPP

#include <cmath>
#include <vector>

/// The textbook formulas of information theory in long double.
namespace oracle {

template <class Row>
[[nodiscard]] std::vector<long double> softmax_of(const Row& z) {
  long double top = -HUGE_VALL, sum = 0;
  for (const auto v : z) top = std::fmax(top, static_cast<long double>(v));
  std::vector<long double> p;
  for (const auto v : z) p.push_back(std::exp(static_cast<long double>(v) - top));
  for (const long double v : p) sum += v;
  for (long double& v : p) v /= sum;
  return p;
}

template <class Row>
[[nodiscard]] long double entropy_of(const Row& p) {
  long double sum = 0;
  for (const auto v : p)
    if (v > 0) sum -= static_cast<long double>(v) * std::log(static_cast<long double>(v));
  return sum;
}

/// Of p and q after division by their sums.
template <class Row, class Other>
[[nodiscard]] long double divergence_of(const Row& p, const Other& q) {
  long double sum = 0, sp = 0, sq = 0;
  for (const auto v : p) sp += static_cast<long double>(v);
  for (const auto v : q) sq += static_cast<long double>(v);
  for (std::size_t i = 0; i < p.size(); ++i)
    if (p[i] > 0)
      sum += static_cast<long double>(p[i]) / sp *
             std::log(static_cast<long double>(p[i]) / static_cast<long double>(q[i]) / (sp / sq));
  return sum;
}

}  // namespace oracle

#endif
