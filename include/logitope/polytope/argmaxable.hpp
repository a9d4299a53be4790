// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_POLYTOPE_ARGMAXABLE_HPP
#define LOGITOPE_POLYTOPE_ARGMAXABLE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "../core/array.hpp"
#include "../core/config.hpp"
#include "../core/matrix.hpp"
#include "../core/progress.hpp"
#include "../core/view.hpp"
#include "duplicates.hpp"
#include "exact_system.hpp"
#include "exact_verdict.hpp"
#include "hull_distance.hpp"
#include "radon.hpp"
#include "token_search.hpp"

/// @file
/// @brief Which tokens of a head can be the one largest logit, each answer proved.

namespace logitope {
inline namespace v0 {

/// What is known about every token.
struct argmaxable_report {
  std::vector<token_verdict> verdicts;               ///< [V]
  std::size_t argmaxable = 0;                        ///< tokens that can win alone
  std::vector<std::size_t> unargmaxable;             ///< never the one largest
  std::vector<radon_certificate> inside;             ///< [unargmaxable] whose hull holds it, but for its bias
  std::vector<std::size_t> boundary;                 ///< those of them that can tie at the top, some token being below
  std::vector<std::size_t> boundary_undecided;       ///< those of them of which that is not known
  std::vector<std::vector<std::size_t>> duplicates;  ///< groups of equal rows (and bias)
  std::vector<std::size_t> undecided;
  std::vector<double>
      residual;                ///< [undecided] distance from a found point of the other rows' hull; +inf: not searched
  std::size_t certified = 0;   ///< verdicts whose certificate was re-checked
  std::size_t vertices = 0;    ///< tokens proved to be vertices of conv(W), whatever the bias
  double smallest_margin = 0;  ///< over argmaxable tokens: distance of the row to the hull of all others, without bias
  std::size_t margin_token = npos;  ///< where it is
  std::string margin_kind =
      "certified_lower";  ///< "exact": searched to about 1e-10 relative; else a proved lower bound
};

}  // namespace v0

inline namespace LOGITOPE_ABI {

/// @brief Decides for every token whether some hidden state makes it the one largest logit, and proves it.
///
/// Token i is argmaxable unless \f[ \sum_{j\ne i}\lambda_j w_j = w_i, \quad \sum\lambda_j b_j \ge b_i, \quad
/// \lambda\ge 0, \quad \sum\lambda_j = 1 \f] has a solution. Searches in f64; every verdict is then re-checked
/// (certificate.hpp).
///
/// @param W       [V, h] rows, finite
/// @param bias    [V], or empty
/// @param options limits
/// @param watch   progress sink
/// @return verdicts, the same on every machine unless the time limit was met, and the smallest margin; +inf for V <= 1,
/// and where no token is argmaxable
/// @throws shape_error, value_error naming the row that is not finite
/// @par Cost 2 V^2 h flops where rows win along themselves; a search is some 10 to 300 passes of 2 V h
/// @par Accuracy verdicts: proved. Margin: measured, tests/polytope/argmaxable.cpp
/// @par Source Grivas et al. 2022, arXiv:2203.06462 (the question); Wolfe 1976 (the search); the lifted test: own
template <class T, progress_sink Progress = no_progress>
[[nodiscard]] argmaxable_report argmaxable(matrix_view<const T> W, std::span<const T> bias = {},
                                           argmaxable_options options = {}, Progress&& watch = {}) {
  detail::require_finite_head(W, bias);
  const detail::stopwatch clock;
  const auto late = [&] { return clock.seconds() > options.time_limit_seconds; };
  const std::size_t V = W.rows(), h = W.cols();
  argmaxable_report out;
  out.verdicts.assign(V, token_verdict::undecided);
  out.smallest_margin = std::numeric_limits<double>::infinity();
  const auto classes = equal_rows(W, bias);
  const std::size_t n = classes.size();
  matrix<T> unique(n, h);
  std::vector<T> unique_bias;
  for (std::size_t k = 0; k < n; ++k) {
    std::copy_n(W.row(classes[k][0]).begin(), h, unique.row(k).begin());
    if (!bias.empty()) unique_bias.push_back(bias[classes[k][0]]);
  }
  detail::argmaxable_search<T> search(unique.view(), std::span<const T>(unique_bias), options);
  if (n == 1) {
    search.decision[0] = {token_verdict::argmaxable, tie_verdict::never};
    search.vertex[0] = true;
    search.margin_lower[0] = search.infinity;
  }
  double told = 0;
  const auto tell = [&](const char* stage, std::size_t done, std::size_t total) {
    if (done < total && clock.seconds() - told < 0.05) return;
    told = clock.seconds();
    watch(progress_report{stage, done, total});
  };
  const std::uint64_t share =
      (std::max)(options.exact_products, options.exact_products_shared / (std::max)(n, std::size_t{1}));
  if (n > 1) search.decide_along_rows(late, [&](std::size_t done) { tell("argmaxable: own directions", done, n); });
  for (std::size_t k = 0; n > 1 && k < n && !late(); ++k) {
    search.decide(k, late, exact_work(share));
    tell("argmaxable", k + 1, n);
  }
  std::vector<std::size_t> order, owner(V);
  for (std::size_t k = 0; k < n; ++k) {
    const exact_decision& one = search.decision[k];
    const bool alone = classes[k].size() == 1;
    if (alone && one.verdict == token_verdict::argmaxable) order.push_back(k);
    for (const std::size_t i : classes[k]) {
      owner[i] = k;
      // Equal rows tie for ever; whether at the top, with others below, is their one point's verdict.
      out.verdicts[i] = alone ? one.verdict : token_verdict::unargmaxable;
      if (out.verdicts[i] == token_verdict::undecided) {  // alone, so these come in order
        out.undecided.push_back(i);
        out.residual.push_back(search.residual[k]);
      }
      if (out.verdicts[i] == token_verdict::argmaxable) ++out.argmaxable;
      if (alone && search.vertex[k]) ++out.vertices;
      if (out.verdicts[i] != token_verdict::unargmaxable) continue;
      out.unargmaxable.push_back(i);
      if (one.verdict == token_verdict::argmaxable ? n > 1 : one.tie == tie_verdict::possible)
        out.boundary.push_back(i);
      else if (one.verdict != token_verdict::argmaxable && one.tie == tie_verdict::undecided)
        out.boundary_undecided.push_back(i);
    }
    if (!alone) out.duplicates.push_back(classes[k]);
  }
  for (auto* ids : {&out.unargmaxable, &out.boundary, &out.boundary_undecided}) std::sort(ids->begin(), ids->end());
  for (const std::size_t i : out.unargmaxable) {
    const auto& equal = classes[owner[i]];
    if (equal.size() > 1) {
      out.inside.push_back({{i}, {equal[0] == i ? equal[1] : equal[0]}, {1}, {1}});
      continue;
    }
    radon_certificate known = std::move(search.decision[owner[i]].inside);
    for (auto* ids : {&known.set, &known.rows})
      for (std::size_t& j : *ids) j = classes[j][0];
    out.inside.push_back(std::move(known));
  }
  out.certified = V - out.undecided.size();

  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return search.margin_lower[a] < search.margin_lower[b]; });
  bool exact = n <= options.exact_margin_limit && out.undecided.empty();
  if (exact && n > 1)
    for (std::size_t done = 0; done < order.size(); ++done) {
      const std::size_t k = order[done];
      if (search.margin_lower[k] >= out.smallest_margin) break;
      if (late()) {
        exact = false;
        break;
      }
      const double margin = search.distance(k, out.smallest_margin, late);
      if (margin < out.smallest_margin) {
        out.smallest_margin = margin;
        out.margin_token = classes[k][0];
      }
      tell("margins", done + 1, order.size());
    }
  exact = exact && !late();  // a search that was cut short found no distance
  if (!exact || n == 1) {
    out.smallest_margin = search.infinity;
    for (const std::size_t k : order)
      if (out.margin_token == npos || search.margin_lower[k] < out.smallest_margin) {
        out.smallest_margin = search.margin_lower[k];
        out.margin_token = classes[k][0];
      }
  }
  if (exact) out.margin_kind = "exact";
  return out;
}

namespace detail {

/// A copy of an array of two axes, row by row, or of one axis as one row.
template <real_array A>
[[nodiscard]] matrix<element_of<A>> rows_copied(const A& a, std::size_t axes, const char* what) {
  const auto v = array_traits<std::remove_cvref_t<A>>::view(a);
  require_extent(v.rank, axes, what);
  const std::size_t n = axes == 2 ? v.shape[0] : 1, m = v.shape[axes - 1];
  matrix<element_of<A>> out(n, m);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j)
      out(i, j) = v.data[static_cast<std::ptrdiff_t>(i) * (axes == 2 ? v.strides[0] : 0) +
                         static_cast<std::ptrdiff_t>(j) * v.strides[axes - 1]];
  return out;
}

}  // namespace detail

/// @brief The same of any array of two axes: matrix, xtensor, strided or transposed view. W is copied.
/// @throws shape_error for another number of axes; the others as above
template <real_array A>
[[nodiscard]] argmaxable_report argmaxable(const A& W, argmaxable_options options = {}) {
  const auto rows = detail::rows_copied(W, 2, "argmaxable: axes of the weights");
  return argmaxable<element_of<A>>(rows.view(), {}, options);
}

/// @brief The same with a bias [V], of the element type of W.
template <real_array A, real_array B>
requires std::same_as<element_of<A>, element_of<B>>
[[nodiscard]] argmaxable_report argmaxable(const A& W, const B& bias, argmaxable_options options = {}) {
  const auto rows = detail::rows_copied(W, 2, "argmaxable: axes of the weights");
  const auto b = detail::rows_copied(bias, 1, "argmaxable: axes of the bias");
  return argmaxable<element_of<A>>(rows.view(), std::span<const element_of<A>>(b.row(0)), options);
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
