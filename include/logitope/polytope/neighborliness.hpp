// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_POLYTOPE_NEIGHBORLINESS_HPP
#define LOGITOPE_POLYTOPE_NEIGHBORLINESS_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../core/view.hpp"
#include "affine_dependence.hpp"
#include "argmaxable.hpp"
#include "duplicates.hpp"
#include "exact_system.hpp"
#include "radon.hpp"

/// @file
/// @brief Bounds on the largest k such that every k tokens span a face.

namespace logitope {
inline namespace v0 {

/// lower <= k* <= upper, over all listed rows.
struct neighborliness_report {
  std::size_t lower = 0;
  std::size_t upper = 0;
  std::size_t bound_2k = 0;     ///< the largest k that h >= 2k allows; V where V <= h + 1
  std::string method;           ///< how the bounds were found
  radon_certificate violation;  ///< why upper: a set of upper + 1 rows that is no face; empty where only counted
};

}  // namespace v0

inline namespace LOGITOPE_ABI {

/// @brief Dimension of the affine hull of the rows, exact.
/// @par Cost as find_affine_dependence
template <class T>
[[nodiscard]] std::size_t exact_affine_dimension(matrix_view<const T> W) {
  exact_work work;
  return find_affine_dependence(W, work).dimension;
}

/// @brief The Radon partition that one affine dependence gives, the smaller side as the set: rows that are no face.
/// @param weight [V] the dependence; rows of weight 0 are in neither side
[[nodiscard]] inline radon_certificate radon_partition(const std::vector<detail::integer>& weight) {
  radon_certificate out;
  for (std::size_t j = 0; j < weight.size(); ++j) {
    if (weight[j] == 0) continue;
    const bool negative = weight[j] < 0;
    (negative ? out.set : out.rows).push_back(j);
    (negative ? out.set_weight : out.row_weight).emplace_back(negative ? detail::integer(-weight[j]) : weight[j]);
  }
  if (out.rows.size() < out.set.size()) {
    std::swap(out.set, out.rows);
    std::swap(out.set_weight, out.row_weight);
  }
  return out;
}

/// @brief The largest k that the ranges of the rows' own directions prove: every k rows span a face.
///
/// With f_j = u_i.w_j for u_i = w_i - mean, range_i = (max f - min f) / (f_i - min f) over j != i; k is proved once the
/// k largest ranges sum to less than one.
///
/// @return k, possibly 0
/// @par Cost 4 V^2 h flops
/// @par Accuracy proved: gamma_n |u_i||w_j| is added to f_max, taken from f_min and f_i
/// @par Source Juditsky & Nemirovski 2011, arXiv:0809.2650, one-sided; proof of this form: own
template <class T>
[[nodiscard]] std::size_t neighborly_by_ranges(matrix_view<const T> W) {
  const std::size_t V = W.rows(), h = W.cols();
  const double gamma = 2 * (static_cast<double>(h) + 4) * std::numeric_limits<double>::epsilon();
  std::vector<double> mean(h), u(h), ranges(V);
  for (std::size_t j = 0; j < V; ++j)
    for (std::size_t d = 0; d < h; ++d) mean[d] += static_cast<double>(W(j, d)) / static_cast<double>(V);
  for (std::size_t i = 0; i < V; ++i) {
    for (std::size_t d = 0; d < h; ++d) u[d] = static_cast<double>(W(i, d)) - mean[d];
    double own = 0, doubt = 0, high = -std::numeric_limits<double>::infinity(), low = -high;
    for (std::size_t j = 0; j < V; ++j) {
      double sum = 0, size = 0;
      for (std::size_t d = 0; d < h; ++d) {
        const double term = u[d] * (static_cast<double>(W(j, d)) - mean[d]);
        sum += term;
        size += std::fabs(u[d]) * (std::fabs(static_cast<double>(W(j, d))) + std::fabs(mean[d]));
      }
      const double bound = gamma * size + 1e-300;
      if (!std::isfinite(bound)) return 0;
      if (j == i) {
        own = sum - bound;
        doubt = bound;
        continue;
      }
      high = (std::max)(high, sum + bound);
      low = (std::min)(low, sum - bound);
    }
    high = (std::max)(high, low + 2 * doubt);  // row i's own coefficient lies in the range, however it was rounded
    if (V < 2 || !(own > high)) return 0;
    ranges[i] = (high - low) / (own - low) * (1 + gamma);
  }
  std::sort(ranges.rbegin(), ranges.rend());
  double sum = 0;
  std::size_t k = 0;
  while (k < V && (sum += ranges[k]) * (1 + gamma) < 1) ++k;
  return k;
}

namespace detail {

/// d + 2 rows that span d dimensions have one dependence, of P positive and N negative weights: a set is no face if and
/// only if it holds all of P or all of N, so k* = min(|P|, |N|) - 1. Rows of weight 0 are apexes of a pyramid.
inline void take_radon_partition(neighborliness_report& out, radon_certificate found, const char* how) {
  out.lower = out.upper = found.set.size() - 1;
  out.method = "Radon partition of d + 2 rows, " + std::to_string(found.set.size()) + " against " +
               std::to_string(found.rows.size()) + " (" + how + ")";
  out.violation = std::move(found);
}

}  // namespace detail

/// @brief Bounds on the neighborliness of the rows of W, counting every row: V if they are affinely independent, 0 if
/// one is repeated or no vertex, exact for d + 2 rows that span d dimensions.
/// @param W     [V, h]
/// @param faces what argmaxable() found for W, with any bias
/// @param range_limit rows are compared pairwise for lower >= 2 only up to so many
/// @param work  for the exact dependence; when it is spent, the dimension counts as h and d + 2 rows get bounds only
/// @return lower <= k* <= upper
/// @throws shape_error if faces belongs to another V
/// @par Cost 4 V^2 h flops, and an exact elimination for V h <= 4096 or V <= h + 2
/// @par Accuracy proved; `violation` is re-checked by check_no_face
/// @par Source Gale 1963 (upper); Radon 1921 (d + 2 rows); circuits have at most h + 2 rows
template <class T>
[[nodiscard]] neighborliness_report neighborliness_bounds(matrix_view<const T> W, const argmaxable_report& faces,
                                                          std::size_t range_limit = 4096,
                                                          exact_work work = exact_work(300'000'000)) {
  const std::size_t V = W.rows(), h = W.cols();
  require_extent(faces.verdicts.size(), V, "neighborliness: tokens of the report");
  neighborliness_report out;
  out.bound_2k = V <= h + 1 ? V : h / 2;
  if (V == 0) {
    out.method = "no rows";
    return out;
  }
  for (const auto& group : equal_rows(W)) {
    if (group.size() == 1) continue;
    out.method = "a row is repeated or no vertex";
    out.violation = {{group[0]}, {group[1]}, {1}, {1}};
    return out;
  }
  if (!faces.unargmaxable.empty()) {
    out.method = "a row is repeated or no vertex";
    if (!faces.inside.empty()) out.violation = faces.inside.front();
    return out;
  }
  if (V == h + 2 && V * h > 4096) {
    radon_certificate guess = guess_radon_partition(W);
    if (check_no_face(W, guess)) {
      detail::take_radon_partition(out, std::move(guess), "every sign proved in f64");
      return out;
    }
  }
  affine_dependence exact;
  if (V * h <= 4096 || V <= h + 2) exact = find_affine_dependence(W, work);
  if (exact.complete && exact.dimension + 1 == V) {
    out.lower = out.upper = V;
    out.method = "affinely independent rows (exact rank)";
    return out;
  }
  if (!exact.weight.empty()) {
    radon_certificate found = radon_partition(exact.weight);
    if (check_no_face(W, found)) {
      detail::take_radon_partition(out, std::move(found), "exact");
      return out;
    }
  }
  // The rank is only known where it is exact; a rank that rounding decides would prove nothing.
  out.upper = exact.complete ? exact.dimension / 2 : out.bound_2k;
  out.lower = faces.vertices == V ? 1 : 0;
  out.method = std::string(faces.vertices == V ? "all rows are vertices" : "not all rows are known to be vertices") +
               "; upper: floor(dimension / 2)";
  if (V <= range_limit) {
    const std::size_t k = neighborly_by_ranges(W);
    if (k > out.lower) {
      out.lower = k;
      out.method += "; lower: ranges of the rows' own directions";
    }
  }
  return out;
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
