// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_POLYTOPE_DUPLICATES_HPP
#define LOGITOPE_POLYTOPE_DUPLICATES_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../core/view.hpp"

/// @file
/// @brief Which rows are equal, number for number.

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail {

template <class T>
void require_finite_head(matrix_view<const T> W, std::span<const T> b) {
  if (!b.empty()) require_extent(b.size(), W.rows(), "argmaxable: bias");
  for (std::size_t i = 0; i < W.rows(); ++i) {
    bool finite = b.empty() || std::isfinite(b[i]);
    for (std::size_t d = 0; d < W.cols(); ++d) finite = finite && std::isfinite(W(i, d));
    if (!finite)
      raise<value_error>("argmaxable: row " + std::to_string(i) + ": expected finite numbers, got NaN or infinity");
  }
}

}  // namespace detail

/// @brief Classes of rows with equal numbers (and equal bias, if there is one); -0 equals +0.
/// @param W    [V, h] finite
/// @param bias [V] or empty
/// @return every class, ascending inside and by first member; also the classes of one
/// @par Cost V log V row comparisons, which mostly end at the first number
template <class T>
[[nodiscard]] std::vector<std::vector<std::size_t>> equal_rows(matrix_view<const T> W, std::span<const T> bias = {}) {
  const auto compare = [&](std::size_t a, std::size_t b) {
    for (std::size_t d = 0; d < W.cols(); ++d)
      if (W(a, d) != W(b, d)) return W(a, d) < W(b, d) ? -1 : 1;
    if (!bias.empty() && bias[a] != bias[b]) return bias[a] < bias[b] ? -1 : 1;
    return 0;
  };
  std::vector<std::size_t> order(W.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const int c = compare(a, b);
    return c != 0 ? c < 0 : a < b;
  });
  std::vector<std::vector<std::size_t>> classes;
  for (std::size_t n = 0; n < order.size(); ++n) {
    if (n > 0 && compare(order[n - 1], order[n]) == 0) classes.back().push_back(order[n]);
    else classes.push_back({order[n]});
  }
  std::sort(classes.begin(), classes.end());
  return classes;
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
