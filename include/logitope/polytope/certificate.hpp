// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_POLYTOPE_CERTIFICATE_HPP
#define LOGITOPE_POLYTOPE_CERTIFICATE_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "../core/config.hpp"
#include "../core/matrix.hpp"
#include "../core/view.hpp"
#include "../simd/panel.hpp"
#include "../simd/policy.hpp"
#include "exact_system.hpp"

/// @file
/// @brief Checks of verdicts in the numbers as given. Shares no code with the search that found them.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// @brief What a direction proves about a row.
struct separation {
  bool strict = false;  ///< c.w_i > c.w_j for every other j: proved
  double lower = 0;     ///< proved lower bound of min_j c.(w_i - w_j) / |c|, 0 if none
};

/// @brief Proves c.w_i + t b_i > c.w_j + t b_j for all j != i, in f64 with a rounding bound, else in rationals.
/// @param W [V, h] finite
/// @param b [V], or empty (then t is not read)
/// @param c [h]
/// @param t >= 0. With t = 0 the row wins under every bias, for a long enough c.
/// @par Cost 4 V h flops; exact arithmetic only for rows that the bound leaves open
/// @par Accuracy proved: |fl(sum) - sum| <= gamma_{n+3} sum |c|(|w_i| + |w_j|), Higham 2002, (3.5); underflow added
template <class T>
[[nodiscard]] separation check_separation(matrix_view<const T> W, std::span<const T> b, std::size_t i,
                                          std::span<const double> c, double t) {
  const std::size_t h = W.cols();
  const double u = std::numeric_limits<double>::epsilon() / 2;
  const double gamma = 2 * (static_cast<double>(h) + 6) * u;
  const double tiny = 4 * (static_cast<double>(h) + 2) * std::numeric_limits<double>::denorm_min();
  double norm = 0;
  for (const double v : c) norm += v * v;
  norm = std::sqrt(norm) * (1 + gamma);
  separation out{true, std::numeric_limits<double>::infinity()};
  const bool biased = !b.empty() && t > 0;
  for (std::size_t j = 0; j < W.rows(); ++j) {
    if (j == i) continue;
    double value[4]{}, size[4]{};
    std::size_t d = 0;
    const auto add = [&](std::size_t lane, double f, double p, double q) {
      value[lane] += f * (p - q);
      size[lane] += std::fabs(f) * (std::fabs(p) + std::fabs(q));
    };
    for (; d + 4 <= h; d += 4)
      for (std::size_t lane = 0; lane < 4; ++lane)
        add(lane, c[d + lane], static_cast<double>(W(i, d + lane)), static_cast<double>(W(j, d + lane)));
    for (; d < h; ++d) add(0, c[d], static_cast<double>(W(i, d)), static_cast<double>(W(j, d)));
    if (biased) add(1, t, static_cast<double>(b[i]), static_cast<double>(b[j]));
    const double sum = (value[0] + value[1]) + (value[2] + value[3]);
    const double bound = gamma * ((size[0] + size[1]) + (size[2] + size[3])) + tiny;
    if (std::isfinite(bound) && sum > bound) {
      out.lower = (std::min)(out.lower, (sum - bound) / norm * (1 - gamma));
      continue;
    }
    rational exact = 0;
    for (std::size_t e = 0; e < h; ++e)
      exact += rational(c[e]) * (rational(static_cast<double>(W(i, e))) - rational(static_cast<double>(W(j, e))));
    if (biased) exact += rational(t) * (rational(static_cast<double>(b[i])) - rational(static_cast<double>(b[j])));
    if (exact <= 0) return {};
    out.lower = 0;
  }
  if (biased || !std::isfinite(norm)) out.lower = 0;
  return out;
}

/// @brief check_separation for a block of rows at once, without bias and only in f64: row first + k along C's row k.
///
/// All products come from one matrix product; its rounding is bounded by norms, so a row may stay unproved here that
/// check_separation proves.
///
/// @param W     [V, h] finite
/// @param first first row of the block
/// @param C     [n, h] directions
/// @param out   [n]
/// @par Cost 2 n V h flops
/// @par Accuracy proved: |fl(c.w) - c.w| <= gamma_h |c| |w| in any order, Higham 2002, (3.5); underflow added
template <kernel_policy P = default_policy>
void check_separations(matrix_view<const double> W, std::size_t first, matrix_view<const double> C,
                       std::span<separation> out) {
  constexpr std::size_t tile = 256;
  const std::size_t n = C.rows(), h = W.cols(), V = W.rows();
  const double least = (std::numeric_limits<double>::min)(), tiny = 4 * (static_cast<double>(h) + 2) * least;
  const double gamma = (static_cast<double>(h) + 6) * std::numeric_limits<double>::epsilon();
  const auto norm = [&](std::span<const double> v) {
    double sum = static_cast<double>(h) * least;
    for (const double x : v) sum += x * x;
    return std::sqrt(sum) * (1 + gamma);
  };
  std::vector<double> own(n), length(n), doubt(n), lead(n, std::numeric_limits<double>::infinity()), size(tile);
  for (std::size_t k = 0; k < n; ++k) length[k] = norm(C.row(k));
  const auto product = [&](std::size_t from, std::size_t rows, matrix<double>& Z) {
    panel_nt<P>(C, matrix_view<const double>(W.block(from, rows)), Z.view());
  };
  matrix<double> diagonal(n, n);
  product(first, n, diagonal);
  for (std::size_t k = 0; k < n; ++k) {
    own[k] = diagonal(k, k);
    doubt[k] = gamma * length[k] * norm(W.row(first + k)) + tiny;
  }
  matrix<double> Z(n, (std::min)(tile, V));
  for (std::size_t from = 0; from < V; from += tile) {
    const std::size_t rows = (std::min)(tile, V - from);
    if (rows != Z.cols()) Z = matrix<double>(n, rows);
    product(from, rows, Z);
    for (std::size_t j = 0; j < rows; ++j) size[j] = norm(W.row(from + j));
    for (std::size_t k = 0; k < n; ++k) {
      const double* z = Z.data() + k * rows;
      const double error = gamma * length[k];
      const std::size_t self = first + k >= from && first + k < from + rows ? first + k - from : rows;
      double closest = lead[k];
      const auto look = [&](std::size_t begin, std::size_t end) {
        for (std::size_t j = begin; j < end; ++j) {
          const double sure = own[k] - z[j] - error * size[j];
          closest = sure < closest || std::isnan(sure) ? sure : closest;
        }
      };
      look(0, self);
      if (self < rows) look(self + 1, rows);
      lead[k] = closest;
      if (std::isnan(closest)) lead[k] = -std::numeric_limits<double>::infinity();
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    out[k] = {};
    if (!std::isfinite(lead[k]) || !std::isfinite(length[k]) || !(lead[k] > doubt[k] + tiny)) continue;
    out[k] = {true, (lead[k] - doubt[k] - tiny) / length[k] * (1 - gamma)};
  }
}

/// @brief Proves y = (c, t): c.w_i + t b_i >= c.w_j + t b_j for all j; counts how many are strict.
/// @return number of rows that lose strictly; npos if one wins
template <class T>
[[nodiscard]] std::size_t check_support(matrix_view<const T> W, std::span<const T> b, std::size_t i,
                                        std::span<const rational> c, const rational& t) {
  std::size_t losers = 0;
  if (t < 0) return npos;
  for (std::size_t j = 0; j < W.rows(); ++j) {
    rational lead = 0;
    for (std::size_t d = 0; d < W.cols(); ++d)
      lead += c[d] * (rational(static_cast<double>(W(i, d))) - rational(static_cast<double>(W(j, d))));
    if (!b.empty()) lead += t * (rational(static_cast<double>(b[i])) - rational(static_cast<double>(b[j])));
    if (lead < 0) return npos;
    if (lead > 0) ++losers;
  }
  return losers;
}

/// @brief Proves that row i is a convex combination of others, with no less bias: it never wins alone.
/// @param rows   the others
/// @param weight >= 0, not all zero; any sum
/// @return -1 if it is none; 0 if it is; 1 if it is and the combination's bias is strictly larger
template <class T>
[[nodiscard]] int check_combination(matrix_view<const T> W, std::span<const T> b, std::size_t i,
                                    std::span<const std::size_t> rows, std::span<const rational> weight) {
  rational total = 0;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    if (weight[n] < 0 || rows[n] == i) return -1;
    total += weight[n];
  }
  if (total <= 0) return -1;
  for (std::size_t d = 0; d < W.cols(); ++d) {
    rational sum = 0;
    for (std::size_t n = 0; n < rows.size(); ++n) sum += weight[n] * rational(static_cast<double>(W(rows[n], d)));
    if (sum != total * rational(static_cast<double>(W(i, d)))) return -1;
  }
  if (b.empty()) return 0;
  rational sum = 0;
  for (std::size_t n = 0; n < rows.size(); ++n) sum += weight[n] * rational(static_cast<double>(b[rows[n]]));
  const rational own = total * rational(static_cast<double>(b[i]));
  return sum < own ? -1 : sum > own ? 1 : 0;
}

namespace detail {

/// Weights of row i as an affine combination of h + 1 others, in f64; the exact ones lie within `error` of them.
/// False if that cannot be proved; true also proves that the h + 1 rows are affinely independent.
template <class T>
[[nodiscard]] bool enclose_weights(matrix_view<const T> W, std::size_t i, std::span<const std::size_t> rows,
                                   std::vector<double>& v, double& error) {
  const std::size_t n = W.cols() + 1;
  if (rows.size() != n) return false;
  double largest = 0;
  for (const std::size_t j : rows) {
    if (j == i) return false;
    for (std::size_t d = 0; d + 1 < n; ++d) largest = (std::max)(largest, std::fabs(static_cast<double>(W(j, d))));
  }
  if (!(largest > 1e-200 && largest < 1e200)) return false;
  const double scale = std::ldexp(1.0, -std::ilogb(largest));  // exact unless it underflows, which is checked
  matrix<double> M(n, n), work(n, 2 * n);
  std::vector<double> right(n, 1.0), residual(n);
  v.assign(n, 0.0);
  error = 0;
  for (std::size_t d = 0; d < n; ++d) {
    for (std::size_t a = 0; a < n; ++a) {
      const double value = d + 1 < n ? static_cast<double>(W(rows[a], d)) : 1.0;
      M(d, a) = d + 1 < n ? value * scale : 1.0;
      if (d + 1 < n && M(d, a) / scale != value) return false;
      work(d, a) = M(d, a);
    }
    if (d + 1 < n) {
      right[d] = static_cast<double>(W(i, d)) * scale;
      if (right[d] / scale != static_cast<double>(W(i, d))) return false;
    }
    work(d, n + d) = 1;
  }
  for (std::size_t k = 0; k < n; ++k) {  // Gauss-Jordan with row exchange; how R is found needs no proof
    std::size_t pivot = k;
    for (std::size_t a = k + 1; a < n; ++a)
      if (std::fabs(work(a, k)) > std::fabs(work(pivot, k))) pivot = a;
    if (work(pivot, k) == 0) return false;
    for (std::size_t e = 0; e < 2 * n; ++e) std::swap(work(k, e), work(pivot, e));
    const double f = 1 / work(k, k);
    for (std::size_t e = k; e < 2 * n; ++e) work(k, e) *= f;
    for (std::size_t a = 0; a < n; ++a) {
      if (a == k || work(a, k) == 0) continue;
      const double g = work(a, k);
      for (std::size_t e = k; e < 2 * n; ++e) work(a, e) -= g * work(k, e);
    }
  }
  const double gamma = 2 * (static_cast<double>(n) + 6) * std::numeric_limits<double>::epsilon();
  double defect = 0;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t d = 0; d < n; ++d) v[a] += work(a, n + d) * right[d];
  for (std::size_t d = 0; d < n; ++d) {
    double sum = -right[d], size = std::fabs(right[d]);
    for (std::size_t a = 0; a < n; ++a) {
      sum += M(d, a) * v[a];
      size += std::fabs(M(d, a) * v[a]);
    }
    residual[d] = std::fabs(sum) + gamma * size + 1e-300;
  }
  for (std::size_t a = 0; a < n; ++a) {
    double line = 0, reach = 0;
    for (std::size_t e = 0; e < n; ++e) {
      double sum = a == e ? -1 : 0, size = a == e ? 1 : 0;
      for (std::size_t d = 0; d < n; ++d) {
        sum += work(a, n + d) * M(d, e);
        size += std::fabs(work(a, n + d) * M(d, e));
      }
      line += std::fabs(sum) + gamma * size + 1e-300;
      reach += std::fabs(work(a, n + e)) * residual[e];
    }
    if (!std::isfinite(line) || !std::isfinite(reach)) return false;  // a maximum would pass over a NaN
    defect = (std::max)(defect, line * (1 + gamma));
    error = (std::max)(error, reach * (1 + gamma));
  }
  if (!(defect < 0.5)) return false;
  error = error / (1 - defect) * (1 + gamma);
  return std::isfinite(error);
}

}  // namespace detail

/// @brief Proves in f64 that row i lies inside the simplex of h + 1 independent rows (and that its bias is less than
/// theirs, combined): no direction makes it a maximum.
/// @param rows [h + 1]
/// @return true is a proof; false says nothing
/// @par Cost 8/3 h^3 flops
/// @par Accuracy proved: with R an approximate inverse of M = [w_j; 1] and ||I - R M|| <= a < 1, the exact weights lie
///   within ||R (b - M v)|| / (1 - a) of v, all roundings bounded (Rump 2010, Acta Numerica 19:287, section 10)
template <class T>
[[nodiscard]] bool check_inside(matrix_view<const T> W, std::span<const T> b, std::size_t i,
                                std::span<const std::size_t> rows) {
  const std::size_t n = W.cols() + 1;
  std::vector<double> v;
  double error = 0;
  if (!detail::enclose_weights(W, i, rows, v, error)) return false;
  const double gamma = 2 * (static_cast<double>(n) + 6) * std::numeric_limits<double>::epsilon();
  double excess = b.empty() ? 1 : 0, doubt = 0;
  for (std::size_t a = 0; a < n; ++a) {
    if (!(v[a] > error)) return false;
    if (b.empty()) continue;
    const double own = static_cast<double>(b[i]), other = static_cast<double>(b[rows[a]]);
    excess += v[a] * (other - own);
    doubt += (error + gamma * (v[a] + error)) * (std::fabs(other) + std::fabs(own));
  }
  return excess > doubt * (1 + gamma);
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
