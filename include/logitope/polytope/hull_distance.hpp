// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_POLYTOPE_HULL_DISTANCE_HPP
#define LOGITOPE_POLYTOPE_HULL_DISTANCE_HPP

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "../core/config.hpp"
#include "../core/matrix.hpp"

/// @file
/// @brief Distance of a row to the hull of the others, by Wolfe's method. A search: its answers are re-checked
/// elsewhere.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// @brief What the search for the nearest point of a hull found. Nothing here is proved.
struct hull_distance_result {
  double lower = 0;                  ///< min_j x.(w_j - w_i) / |x|, the distance along x
  double upper = 0;                  ///< |x|
  std::vector<double> x;             ///< [h] nearest point of the hull seen from the row; -x separates if lower > 0
  std::vector<std::size_t> support;  ///< rows whose combination x is
  std::vector<double> weight;        ///< their weights
};

namespace detail {

/// Runs from its construction on.
struct stopwatch {
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
};

/// Weights of the point nearest to 0 in the affine hull of the rows of `points`; false if they are (nearly) dependent.
inline bool affine_minimum(const std::vector<std::vector<double>>& points, std::vector<double>& weight) {
  const std::size_t s = points.size(), h = points.front().size();
  double size = 0;
  const auto dot = [h](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t d = 0; d < h; ++d) sum += a[d] * b[d];
    return sum;
  };
  for (const auto& p : points) size = (std::max)(size, dot(p, p));
  if (!(size > 0)) size = 1;
  matrix<double> L(s, s);
  for (std::size_t a = 0; a < s; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      double sum = dot(points[a], points[b]) + size;
      const double* ra = L.data() + a * s;
      const double* rb = L.data() + b * s;
      for (std::size_t c = 0; c < b; ++c) sum -= ra[c] * rb[c];
      if (a == b) {
        if (!(sum > 1e-15 * size)) return false;
        L(a, a) = std::sqrt(sum);
      } else {
        L(a, b) = sum / L(b, b);
      }
    }
  const auto solve = [&](std::vector<double>& v) {
    for (std::size_t a = 0; a < s; ++a) {
      for (std::size_t b = 0; b < a; ++b) v[a] -= L(a, b) * v[b];
      v[a] /= L(a, a);
    }
    for (std::size_t a = s; a-- > 0;) {
      v[a] /= L(a, a);
      for (std::size_t b = 0; b < a; ++b) v[b] -= L(a, b) * v[a];
    }
  };
  std::vector<double> ones(s, 1);
  solve(ones);
  double total = 0;
  for (const double v : ones) total += v;
  weight = ones;
  for (double& v : weight) v /= total;
  // Gram entries lose digits of a near hull; x itself does not, so refine on x.p_j = const.
  for (int step = 0; step < 2; ++step) {
    std::vector<double> x(h, 0), residual(s);
    for (std::size_t a = 0; a < s; ++a)
      for (std::size_t d = 0; d < h; ++d) x[d] += weight[a] * points[a][d];
    const double level = dot(x, x);
    for (std::size_t a = 0; a < s; ++a) residual[a] = level - dot(x, points[a]);
    solve(residual);
    double shift = 0;
    for (const double v : residual) shift += v;
    for (std::size_t a = 0; a < s; ++a) weight[a] += residual[a] - shift * ones[a] / total;
  }
  return true;
}

}  // namespace detail

/// @brief The hull of rows given by columns (structure of arrays), asked for one row after the other.
class hull_search {
 public:
  /// @param transposed [h, V] the points, one per column, of moderate size; kept by reference
  explicit hull_search(const matrix<double>& transposed) : points_(transposed), product_(transposed.cols()) {}

  /// @brief Searches the nearest point to row i in the hull of the others.
  /// @param i      row
  /// @param start  another row, best a near one
  /// @param enough stop once `lower` reaches this; +inf: search the distance itself
  /// @param stop   asked before every pass; true ends the search where it is
  /// @param sweeps at most so many passes over all rows
  /// @par Cost a pass is 2 V h flops, plus s^3 / 3 for s rows in the support
  /// @par Accuracy measured: 1e-10 relative, tests/polytope/hull_distance.cpp
  /// @par Source Wolfe 1976, Math. Program. 11:128
  [[nodiscard]] hull_distance_result operator()(std::size_t i, std::size_t start, double enough,
                                                const std::function<bool()>& stop = {}, std::size_t sweeps = 3000) {
    const std::size_t h = points_.rows(), V = points_.cols();
    hull_distance_result out;
    std::vector<std::vector<double>> corral{difference(start, i)};
    out.support = {start};
    out.weight = {1};
    out.x = corral.front();
    double best_lower = -std::numeric_limits<double>::infinity();
    double largest = 0;
    for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
      double square = 0;
      for (const double v : out.x) square += v * v;
      out.upper = std::sqrt(square);
      for (const auto& p : corral)
        for (const double v : p) largest = (std::max)(largest, std::fabs(v));
      if (out.upper <= 4e-15 * largest || (stop && stop())) break;
      std::fill(product_.begin(), product_.end(), 0.0);
      double own = 0;
      for (std::size_t d = 0; d < h; ++d) {
        const double f = out.x[d];
        const double* column = points_.data() + d * V;
        double* target = product_.data();
        for (std::size_t j = 0; j < V; ++j) target[j] += f * column[j];
        own += f * points_(d, i);
      }
      std::size_t next = V;
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < V; ++j)
        if (j != i && product_[j] < least) {
          least = product_[j];
          next = j;
        }
      least -= own;
      out.lower = least / out.upper;
      best_lower = (std::max)(best_lower, out.lower);
      if (out.lower >= enough || least >= square * (1 - 1e-13)) break;
      if (std::find(out.support.begin(), out.support.end(), next) != out.support.end()) break;
      corral.push_back(difference(next, i));
      out.support.push_back(next);
      out.weight.push_back(0);
      if (!descend(corral, out)) break;
    }
    return out;
  }

 private:
  [[nodiscard]] std::vector<double> difference(std::size_t j, std::size_t i) const {
    std::vector<double> p(points_.rows());
    for (std::size_t d = 0; d < p.size(); ++d) p[d] = points_(d, j) - points_(d, i);
    return p;
  }

  /// Wolfe's minor cycle: to the minimum of the affine hull, dropping rows whose weight would turn negative.
  static bool descend(std::vector<std::vector<double>>& corral, hull_distance_result& out) {
    for (;;) {
      std::vector<double> target;
      if (!detail::affine_minimum(corral, target)) {
        corral.pop_back();
        out.support.pop_back();
        out.weight.pop_back();
        return false;
      }
      double step = 1;
      std::size_t drop = corral.size();
      for (std::size_t a = 0; a < corral.size(); ++a)
        if (target[a] <= 1e-14) {
          const double change = out.weight[a] - target[a];
          const double fraction = change > 0 ? out.weight[a] / change : 0;
          if (fraction < step || drop == corral.size()) {
            step = (std::min)(step, fraction);
            drop = a;
          }
        }
      for (std::size_t a = 0; a < corral.size(); ++a) out.weight[a] += step * (target[a] - out.weight[a]);
      if (drop == corral.size()) break;
      corral.erase(corral.begin() + static_cast<std::ptrdiff_t>(drop));
      out.support.erase(out.support.begin() + static_cast<std::ptrdiff_t>(drop));
      out.weight.erase(out.weight.begin() + static_cast<std::ptrdiff_t>(drop));
      if (corral.empty()) return false;
    }
    std::fill(out.x.begin(), out.x.end(), 0.0);
    for (std::size_t a = 0; a < corral.size(); ++a)
      for (std::size_t d = 0; d < out.x.size(); ++d) out.x[d] += out.weight[a] * corral[a][d];
    return true;
  }

  const matrix<double>& points_;
  std::vector<double> product_;
};

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
