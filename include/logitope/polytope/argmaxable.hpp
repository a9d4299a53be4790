// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_POLYTOPE_ARGMAXABLE_HPP
#define LOGITOPE_POLYTOPE_ARGMAXABLE_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "../core/config.hpp"
#include "../core/matrix.hpp"
#include "../core/progress.hpp"
#include "../core/view.hpp"
#include "certificate.hpp"
#include "duplicates.hpp"
#include "exact_verdict.hpp"
#include "hull_distance.hpp"

/// @file
/// @brief Which tokens of a head can be the one largest logit, each answer proved.

namespace logitope {
inline namespace v0 {

/// How long to search, and how far.
struct argmaxable_options {
  double time_limit_seconds = 600;        ///< what is not done by then is undecided
  std::size_t exact_margin_limit = 4096;  ///< smallest margin searched to the end for at most so many tokens
  std::size_t exact_dimension = 24;       ///< rational systems over many rows up to this h
  double exact_seconds = 0.3;             ///< a token's share of them; more where few tokens share the limit
};

/// What is known about every token.
struct argmaxable_report {
  std::vector<token_verdict> verdicts;               ///< [V]
  std::size_t argmaxable = 0;                        ///< tokens that can win alone
  std::vector<std::size_t> unargmaxable;             ///< never the one largest
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
namespace detail {

/// The state of one call, over rows that are all different.
template <class T>
class argmaxable_search {
 public:
  argmaxable_search(matrix_view<const T> W, std::span<const T> b, const argmaxable_options& options)
      : W_(W),
        b_(b),
        options_(options),
        V_(W.rows()),
        h_(W.cols()),
        points_(h_, V_),
        search_(points_),
        decision(V_),
        margin_lower(V_, 0.0),
        vertex(V_, false),
        residual(V_, infinity),
        mean_(h_, 0.0) {
    double largest = 0;
    for (std::size_t i = 0; i < V_; ++i)
      for (std::size_t d = 0; d < h_; ++d) largest = (std::max)(largest, std::fabs(static_cast<double>(W(i, d))));
    exponent_ = largest > 0 ? -std::ilogb(largest) : 0;
    for (std::size_t i = 0; i < V_; ++i)
      for (std::size_t d = 0; d < h_; ++d) {
        points_(d, i) = std::ldexp(static_cast<double>(W(i, d)), exponent_);
        mean_[d] += points_(d, i) / static_cast<double>(V_);
      }
    if (b.empty()) return;
    double bias = 0;
    for (const T v : b) bias = (std::max)(bias, std::fabs(static_cast<double>(v)));
    bias_exponent_ = bias > 0 ? -std::ilogb(bias) : 0;
    lifted_ = matrix<double>(h_ + 1, V_ + 1);
    for (std::size_t i = 0; i < V_; ++i) {
      for (std::size_t d = 0; d < h_; ++d) lifted_(d, i) = points_(d, i);
      lifted_(h_, i) = std::ldexp(static_cast<double>(b[i]), bias_exponent_);
    }
  }

  /// First every row along its own direction from the mean, in blocks: that settles most rows of most heads.
  template <class Late, class Tell>
  void decide_along_rows(const Late& late, const Tell& tell) {
    constexpr std::size_t block = 64;
    matrix<double> rows(V_, h_);
    for (std::size_t i = 0; i < V_; ++i)
      for (std::size_t d = 0; d < h_; ++d) rows(i, d) = static_cast<double>(W_(i, d));
    std::vector<separation> proof(block);
    for (std::size_t first = 0; first < V_ && !late(); first += block) {
      const std::size_t n = (std::min)(block, V_ - first);
      matrix<double> C(n, h_);
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t d = 0; d < h_; ++d) C(k, d) = points_(d, first + k) - mean_[d];
      check_separations(rows.view(), first, C.view(), std::span<separation>(proof).first(n));
      for (std::size_t k = 0; k < n; ++k)
        if (proof[k].strict) take(first + k, proof[k]);
      tell(first + n);
    }
  }

  /// Verdict of row i: its own direction, then the search, then rationals for a while.
  void decide(std::size_t i, const std::function<bool()>& late, double exact_seconds) {
    if (decision[i].verdict != token_verdict::undecided) return;
    std::vector<double> c(h_);
    for (std::size_t d = 0; d < h_; ++d) c[d] = points_(d, i) - mean_[d];
    if (accept(i, c)) return;
    const std::size_t near = nearest(i);
    hull_distance_result found = search_(i, near, 1e-9, late);
    residual[i] = std::ldexp(found.upper, -exponent_);
    if (accept(i, minus(found.x))) return;
    found = search_(i, near, infinity, late);
    residual[i] = std::ldexp(found.upper, -exponent_);
    if (found.lower > 0 && accept(i, minus(found.x))) return;
    std::vector<std::size_t> seed = found.support;
    if (late() || (!b_.empty() && decide_lifted(i, near, seed, late))) return;
    if (check_inside(W_, b_, i, std::span<const std::size_t>(found.support))) {
      decision[i] = {token_verdict::unargmaxable, tie_verdict::never};
      return;
    }
    const bool small = h_ <= options_.exact_dimension;
    if (small && V_ <= 64) {
      seed.clear();
      for (std::size_t j = 0; j < V_; ++j)
        if (j != i) seed.push_back(j);
    }
    const stopwatch own;
    const auto stop = [&] { return late() || own.seconds() > exact_seconds; };
    if (small || seed.size() <= 12) decision[i] = decide_exactly(W_, b_, i, std::move(seed), small ? 200 : 1, stop);
  }

  /// Distance of row i to the hull of the others in the units of W, or any number >= `enough` if it is no less.
  double distance(std::size_t i, double enough, const std::function<bool()>& late) {
    const auto found = search_(i, nearest(i), std::ldexp(enough, exponent_), late);
    (void)accept(i, minus(found.x));
    if (std::ldexp(found.lower, -exponent_) >= enough) return infinity;
    // The search stops at rounding when the row is in the hull; what is left there is no distance.
    return !vertex[i] ? 0.0 : std::ldexp(found.upper, -exponent_);
  }

  static constexpr double infinity = std::numeric_limits<double>::infinity();

 private:
  static std::vector<double> minus(std::vector<double> x) {
    for (double& v : x) v = -v;
    return x;
  }

  /// The row nearest to row i: where a search starts.
  [[nodiscard]] std::size_t nearest(std::size_t i) {
    gap_.assign(V_, 0.0);
    for (std::size_t d = 0; d < h_; ++d) {
      const double own = points_(d, i);
      const double* column = points_.data() + d * V_;
      for (std::size_t j = 0; j < V_; ++j) gap_[j] += (column[j] - own) * (column[j] - own);
    }
    gap_[i] = infinity;
    const auto least = static_cast<std::size_t>(std::min_element(gap_.begin(), gap_.end()) - gap_.begin());
    return least != i ? least : i == 0 ? 1 : 0;
  }

  bool accept(std::size_t i, const std::vector<double>& c) {
    const separation proof = check_separation(W_, b_, i, std::span<const double>(c), 0.0);
    if (proof.strict) take(i, proof);
    return proof.strict;
  }
  void take(std::size_t i, const separation& proof) {
    decision[i].verdict = token_verdict::argmaxable;
    vertex[i] = true;
    margin_lower[i] = (std::max)(margin_lower[i], proof.lower);
  }

  /// With the bias as one more coordinate and a point straight below w_i, that the maximum may not pass.
  bool decide_lifted(std::size_t i, std::size_t near, std::vector<std::size_t>& seed,
                     const std::function<bool()>& late) {
    for (std::size_t d = 0; d < h_; ++d) lifted_(d, V_) = points_(d, i);
    lifted_(h_, V_) = lifted_(h_, i) - 1;
    hull_search search(lifted_);
    const auto found = search(i, near, infinity, late);
    const double t = std::ldexp(-found.x[h_], bias_exponent_ - exponent_);
    if (found.lower > 0 && t > 0) {
      std::vector<double> c = minus(found.x);
      c.pop_back();
      if (check_separation(W_, b_, i, std::span<const double>(c), t).strict) {
        decision[i].verdict = token_verdict::argmaxable;
        return true;
      }
    }
    for (const std::size_t j : found.support)
      if (j < V_ && std::find(seed.begin(), seed.end(), j) == seed.end()) seed.push_back(j);
    return false;
  }

  matrix_view<const T> W_;
  std::span<const T> b_;
  argmaxable_options options_;
  std::size_t V_, h_;
  matrix<double> points_, lifted_;
  hull_search search_;

 public:
  std::vector<exact_decision> decision;
  std::vector<double> margin_lower;
  std::vector<bool> vertex;
  std::vector<double> residual;

 private:
  std::vector<double> mean_, gap_;
  int exponent_ = 0, bias_exponent_ = 0;
};

}  // namespace detail

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
/// @return verdicts and the smallest margin; +inf for V = 1, and where no token is argmaxable
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
  const double share = (std::max)(options.exact_seconds, options.time_limit_seconds / (4 * static_cast<double>(n)));
  if (n > 1) search.decide_along_rows(late, [&](std::size_t done) { tell("argmaxable: own directions", done, n); });
  for (std::size_t k = 0; n > 1 && k < n && !late(); ++k) {
    search.decide(k, late, share);
    tell("argmaxable", k + 1, n);
  }
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < n; ++k) {
    const exact_decision one = search.decision[k];
    const bool alone = classes[k].size() == 1;
    if (alone && one.verdict == token_verdict::argmaxable) order.push_back(k);
    for (const std::size_t i : classes[k]) {
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

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
