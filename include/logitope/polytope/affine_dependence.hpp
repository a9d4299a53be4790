// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_POLYTOPE_AFFINE_DEPENDENCE_HPP
#define LOGITOPE_POLYTOPE_AFFINE_DEPENDENCE_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "../core/config.hpp"
#include "../core/matrix.hpp"
#include "../core/view.hpp"
#include "exact_system.hpp"
#include "radon.hpp"

/// @file
/// @brief Affine dimension of points and, of d + 2 points that span d dimensions, their one affine dependence.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// @brief What exact elimination found about points.
struct affine_dependence {
  bool complete = false;      ///< false: the work ran out, nothing else is known
  std::size_t dimension = 0;  ///< of the affine hull; 0 for no points
  std::vector<detail::integer>
      weight;  ///< [V] not all 0, sum 0, sum of weight_j w_j = 0, if V = dimension + 2; or empty
};

/// @brief Dimension of the affine hull of the rows and their dependence if there is just one, exact.
/// @param W    [V, h] finite
/// @param work what may be spent; what is left stays in it
/// @par Cost V h min(V, h) products of integers of up to h times the digits of an entry
/// @par Accuracy proved: no rounding
/// @par Source Bareiss 1968, Math. Comp. 22:565
template <class T>
[[nodiscard]] affine_dependence find_affine_dependence(matrix_view<const T> W, exact_work& work) {
  using detail::integer;
  const std::size_t V = W.rows(), h = W.cols(), m = h + 1;
  affine_dependence out;
  std::vector<std::vector<integer>> a(m, std::vector<integer>(V, 1));  // the ones last: sum of weights = 0
  for (std::size_t d = 0; d < h; ++d) {
    std::vector<rational> line;
    for (std::size_t j = 0; j < V; ++j) line.emplace_back(static_cast<double>(W(j, d)));
    const integer scale = detail::common_denominator(line);
    for (std::size_t j = 0; j < V; ++j) a[d][j] = numerator(line[j]) * (scale / denominator(line[j]));
  }
  std::swap(a[0], a[h]);
  std::vector<std::size_t> pivots;
  std::size_t free_column = V;
  integer previous = 1;
  for (std::size_t column = 0; column < V && pivots.size() < m; ++column) {
    const std::size_t rank = pivots.size();
    std::size_t pivot = rank;
    while (pivot < m && a[pivot][column] == 0) ++pivot;
    if (pivot == m) {
      free_column = column;
      continue;
    }
    std::swap(a[rank], a[pivot]);
    const integer& lead = a[rank][column];
    for (std::size_t r = rank + 1; r < m; ++r) {
      const integer factor = a[r][column];
      for (std::size_t j = column + 1; j < V; ++j) {
        if (!work.spend(detail::words(lead) * detail::words(a[r][j]) +
                        detail::words(factor) * detail::words(a[rank][j])))
          return out;
        a[r][j] *= lead;
        if (factor != 0) a[r][j] -= factor * a[rank][j];
        if (previous != 1) a[r][j] /= previous;
      }
      a[r][column] = 0;
    }
    previous = lead;
    pivots.push_back(column);
  }
  out.dimension = pivots.empty() ? 0 : pivots.size() - 1;
  if (V == out.dimension + 2) {
    if (free_column == V) free_column = V - 1;
    std::vector<integer> x(V);
    x[free_column] = previous;  // the pivots' minor, so every other weight is an integer by Cramer's rule
    for (std::size_t k = pivots.size(); k-- > 0;) {
      integer sum = 0;
      for (std::size_t j = pivots[k] + 1; j < V; ++j) {
        if (!work.spend(detail::words(a[k][j]) * detail::words(x[j]))) return out;
        sum -= a[k][j] * x[j];
      }
      x[pivots[k]] = sum / a[k][pivots[k]];
    }
    out.weight = std::move(x);
  }
  out.complete = true;
  return out;
}

/// @brief The Radon partition of V = h + 2 rows as rounded numbers see it, the smaller side first: a guess that
/// check_no_face proves or not.
/// @param W [h + 2, h] finite
/// @return no weights; in `set` the row of largest weight first; empty if rounding finds no h + 1 independent rows
/// @par Cost 2/3 h^3 flops and as many comparisons
template <class T>
[[nodiscard]] radon_certificate guess_radon_partition(matrix_view<const T> W) {
  const std::size_t V = W.rows(), h = W.cols(), m = h + 1;
  double largest = 0;
  for (std::size_t j = 0; j < V; ++j)
    for (std::size_t d = 0; d < h; ++d) largest = (std::max)(largest, std::fabs(static_cast<double>(W(j, d))));
  if (V != m + 1 || !(largest > 1e-300)) return {};
  const double scale = std::ldexp(1.0, -std::ilogb(largest));
  matrix<double> a(m, V);
  for (std::size_t j = 0; j < V; ++j)
    for (std::size_t d = 0; d < m; ++d) a(d, j) = d < h ? static_cast<double>(W(j, d)) * scale : 1.0;
  std::vector<std::size_t> order(V);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t k = 0; k < m; ++k) {  // complete pivoting keeps the weight of the row that is left over large
    std::size_t row = k, column = k;
    for (std::size_t r = k; r < m; ++r)
      for (std::size_t j = k; j < V; ++j)
        if (std::fabs(a(r, j)) > std::fabs(a(row, column))) row = r, column = j;
    if (a(row, column) == 0) return {};
    for (std::size_t j = 0; j < V; ++j) std::swap(a(k, j), a(row, j));
    for (std::size_t r = 0; r < m; ++r) std::swap(a(r, k), a(r, column));
    std::swap(order[k], order[column]);
    for (std::size_t r = k + 1; r < m; ++r) {
      const double factor = a(r, k) / a(k, k);
      if (factor != 0)
        for (std::size_t j = k; j < V; ++j) a(r, j) -= factor * a(k, j);
    }
  }
  std::vector<double> x(V);
  x[m] = -1;
  for (std::size_t k = m; k-- > 0;) {
    for (std::size_t j = k + 1; j < V; ++j) x[k] -= a(k, j) * x[j];
    x[k] /= a(k, k);
  }
  std::vector<std::size_t> place(V);
  std::iota(place.begin(), place.end(), std::size_t{0});
  std::sort(place.begin(), place.end(),
            [&](std::size_t p, std::size_t q) { return std::fabs(x[p]) > std::fabs(x[q]); });
  radon_certificate out;
  for (const std::size_t k : place) (x[k] < 0 ? out.set : out.rows).push_back(order[k]);
  if (out.rows.size() < out.set.size()) std::swap(out.set, out.rows);
  return out;
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
