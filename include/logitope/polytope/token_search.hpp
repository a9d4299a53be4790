// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_POLYTOPE_TOKEN_SEARCH_HPP
#define LOGITOPE_POLYTOPE_TOKEN_SEARCH_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "../core/config.hpp"
#include "../core/matrix.hpp"
#include "../core/view.hpp"
#include "certificate.hpp"
#include "exact_system.hpp"
#include "exact_verdict.hpp"
#include "hull_distance.hpp"

/// @file
/// @brief The search behind argmaxable(): one row after the other, by its own direction, by distance, exactly.

namespace logitope {
inline namespace v0 {

/// How long to search, and how far.
struct argmaxable_options {
  double time_limit_seconds = 600;            ///< what is not done by then is undecided
  std::size_t exact_margin_limit = 4096;      ///< smallest margin searched to the end for at most so many tokens
  std::size_t exact_dimension = 24;           ///< rational systems over many rows up to this h
  std::uint64_t exact_products = 30'000'000;  ///< what a token may spend on them (exact_work): some 0.2 s
  std::uint64_t exact_products_shared = 20'000'000'000;  ///< or its share of this, if that is more
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

  /// Verdict of row i: its own direction, then the search, then exact systems within a limit of work.
  void decide(std::size_t i, const std::function<bool()>& late, exact_work work) {
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
      decision[i] = {token_verdict::unargmaxable, tie_verdict::never, {{i}, found.support, {}, {}}};
      return;
    }
    const bool small = h_ <= options_.exact_dimension;
    if (small && V_ <= 64) {
      seed.clear();
      for (std::size_t j = 0; j < V_; ++j)
        if (j != i) seed.push_back(j);
    }
    if (small || seed.size() <= 12)
      decision[i] = decide_exactly(W_, b_, i, std::move(seed), small ? 200 : 1, work, late);
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

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
