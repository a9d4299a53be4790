// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_POLYTOPE_EXACT_SYSTEM_HPP
#define LOGITOPE_POLYTOPE_EXACT_SYSTEM_HPP

#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>
#include <utility>
#include <vector>

#include "../core/config.hpp"

/// @file
/// @brief Small systems A x = r, x >= 0 decided in rational arithmetic: a solution, or a proof that there is none.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// Every double is one exactly.
using rational = boost::multiprecision::cpp_rational;

/// @brief What is known about A x = r, x >= 0.
struct exact_outcome {
  enum class status { feasible, infeasible, stopped } answer = status::stopped;
  std::vector<rational> x;  ///< [n] a solution, if feasible
  std::vector<rational> y;  ///< [m] y^T A <= 0 and y^T r > 0, if infeasible
};

/// @brief Decides A x = r, x >= 0 exactly (first phase of the simplex method, Bland's rule, so it ends).
/// @param columns [n][m] the columns of A
/// @param r       [m]
/// @param pivots  stop after so many pivots
/// @return a solution, or Farkas' y, or `stopped`; the caller re-checks either
/// @par Cost (n + m) m rational operations a pivot; the numbers grow with m: for m up to about 25
/// @par Accuracy proved: no rounding
/// @par Source Bland 1977, Math. Oper. Res. 2:103
[[nodiscard]] inline exact_outcome solve_nonnegative(const std::vector<std::vector<rational>>& columns,
                                                     const std::vector<rational>& r, std::size_t pivots = 5000) {
  const std::size_t m = r.size(), n = columns.size(), width = n + m + 1;
  std::vector<std::vector<rational>> rows(m + 1, std::vector<rational>(width));
  std::vector<rational>& cost = rows[m];
  std::vector<bool> flipped(m);
  std::vector<std::size_t> basis(m);
  for (std::size_t k = 0; k < m; ++k) {
    flipped[k] = r[k] < 0;
    for (std::size_t j = 0; j < n; ++j) rows[k][j] = flipped[k] ? rational(-columns[j][k]) : columns[j][k];
    rows[k][n + k] = 1;
    rows[k][n + m] = flipped[k] ? rational(-r[k]) : r[k];
    basis[k] = n + k;
    for (std::size_t j = 0; j < n; ++j) cost[j] -= rows[k][j];
    cost[n + m] -= rows[k][n + m];
  }
  exact_outcome out;
  for (std::size_t step = 0; cost[n + m] != 0; ++step) {
    std::size_t enter = 0;
    while (enter < n && cost[enter] >= 0) ++enter;
    if (enter == n) {
      out.answer = exact_outcome::status::infeasible;
      for (std::size_t k = 0; k < m; ++k) {
        const rational y = 1 - cost[n + k];
        out.y.push_back(flipped[k] ? rational(-y) : y);
      }
      return out;
    }
    if (step >= pivots) return out;
    std::size_t leave = m;
    rational best;
    for (std::size_t k = 0; k < m; ++k) {
      if (rows[k][enter] <= 0) continue;
      const rational ratio = rows[k][n + m] / rows[k][enter];
      if (leave == m || ratio < best || (ratio == best && basis[k] < basis[leave])) {
        leave = k;
        best = ratio;
      }
    }
    if (leave == m) return out;  // cannot be: the sum of the artificial variables is bounded below
    const rational pivot = rows[leave][enter];
    for (rational& v : rows[leave])
      if (v != 0) v /= pivot;
    for (std::size_t k = 0; k <= m; ++k) {
      if (k == leave || rows[k][enter] == 0) continue;
      const rational factor = rows[k][enter];
      for (std::size_t j = 0; j < width; ++j)
        if (rows[leave][j] != 0) rows[k][j] -= factor * rows[leave][j];
    }
    basis[leave] = enter;
  }
  out.answer = exact_outcome::status::feasible;
  out.x.resize(n);
  for (std::size_t k = 0; k < m; ++k)
    if (basis[k] < n) out.x[basis[k]] = rows[k][n + m];
  return out;
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
