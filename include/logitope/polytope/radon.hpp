// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_POLYTOPE_RADON_HPP
#define LOGITOPE_POLYTOPE_RADON_HPP

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "../core/config.hpp"
#include "../core/view.hpp"
#include "certificate.hpp"

/// @file
/// @brief Why some rows are no face: other rows' hull meets theirs. Shares no code with the searches for such rows.

namespace logitope {
inline namespace v0 {

/// @brief Two disjoint sets of rows whose hulls share a point, so that neither set spans a simplex face.
struct radon_certificate {
  std::vector<std::size_t> set;                                 ///< the rows that are no face
  std::vector<std::size_t> rows;                                ///< the rows that meet them
  std::vector<boost::multiprecision::cpp_rational> set_weight;  ///< [set] >= 0; empty: left to check_no_face
  std::vector<boost::multiprecision::cpp_rational> row_weight;  ///< [rows] >= 0, of the same sum
};

}  // namespace v0

inline namespace LOGITOPE_ABI {

/// @brief Proves that the rows c.set are not the vertices of a simplex face of conv(W):
/// \f[ \sum_{s} \alpha_s w_s = \sum_r \beta_r w_r, \quad \sum \alpha_s = \sum \beta_r > 0, \quad
/// \alpha, \beta \ge 0. \f]
///
/// Without weights h + 2 rows in all are expected, of which all but the first of the set are affinely independent. Then
/// the signs of their only dependence are proved in f64, all of them and strictly, so that these h + 2 rows are exactly
/// (the smaller set less one)-neighborly among themselves.
///
/// @param W [V, h] finite
/// @param c index sets without repetition, and weights as integers over one denominator or any rationals
/// @return true is a proof; false says nothing
/// @par Cost with weights (|set| + |rows|) h rational products; without, 14/3 h^3 flops
/// @par Accuracy proved: no rounding, or check_inside's bound
/// @par Source Radon 1921, Math. Ann. 83:113; Gordan's alternative for faces
template <class T>
[[nodiscard]] bool check_no_face(matrix_view<const T> W, const radon_certificate& c) {
  std::vector<bool> seen(W.rows(), false);
  for (const auto* side : {&c.set, &c.rows})
    for (const std::size_t j : *side) {
      if (j >= W.rows() || seen[j]) return false;
      seen[j] = true;
    }
  if (c.set.empty() || c.rows.empty()) return false;
  if (c.set_weight.empty() && c.row_weight.empty()) {
    const std::size_t n = W.cols() + 1, own = c.set.size() - 1;
    if (own + c.rows.size() != n) return false;
    std::vector<std::size_t> others(c.set.begin() + 1, c.set.end());
    others.insert(others.end(), c.rows.begin(), c.rows.end());
    std::vector<double> weight;
    double error = 0;
    if (!detail::enclose_weights(W, c.set.front(), std::span<const std::size_t>(others), weight, error)) return false;
    for (std::size_t a = 0; a < n; ++a)
      if (!((a < own ? -weight[a] : weight[a]) > error)) return false;
    return true;
  }
  if (c.set_weight.size() != c.set.size() || c.row_weight.size() != c.rows.size()) return false;
  rational balance = 0, total = 0;
  for (const rational& v : c.set_weight) {
    if (v < 0) return false;
    total += v;
  }
  balance = total;
  for (const rational& v : c.row_weight) {
    if (v < 0) return false;
    balance -= v;
  }
  if (total <= 0 || balance != 0) return false;
  for (std::size_t d = 0; d < W.cols(); ++d) {
    rational sum = 0;
    for (std::size_t n = 0; n < c.set.size(); ++n)
      if (c.set_weight[n] != 0) sum += c.set_weight[n] * rational(static_cast<double>(W(c.set[n], d)));
    for (std::size_t n = 0; n < c.rows.size(); ++n)
      if (c.row_weight[n] != 0) sum -= c.row_weight[n] * rational(static_cast<double>(W(c.rows[n], d)));
    if (sum != 0) return false;
  }
  return true;
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
