// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_TESTS_ORACLE_SOFTMAX_HPP
#define LOGITOPE_TESTS_ORACLE_SOFTMAX_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

/// Textbook softmax in long double with compensated sums; finite logits or -inf, at least one finite.
namespace oracle {

struct softmax_row {
  std::vector<long double> p, lp;
  long double lse = 0;
  long double max = 0;
};

template <class T>
[[nodiscard]] softmax_row softmax(const std::vector<T>& z) {
  softmax_row r;
  r.max = static_cast<long double>(*std::max_element(z.begin(), z.end()));
  const auto top = static_cast<std::size_t>(std::max_element(z.begin(), z.end()) - z.begin());
  long double rest = 0, lost = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (i == top) continue;
    const long double y = std::exp(static_cast<long double>(z[i]) - r.max) - lost;
    const long double s = rest + y;
    lost = (s - rest) - y;
    rest = s;
  }
  const long double log_sum = std::log1p(rest);
  r.lse = r.max + log_sum;
  for (const T x : z) {
    const long double d = static_cast<long double>(x) - r.max;
    r.p.push_back(std::exp(d) / (1.0L + rest));
    r.lp.push_back(d - log_sum);
  }
  return r;
}

}  // namespace oracle

#endif
