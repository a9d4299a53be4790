// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_TESTS_ORACLE_VERTICES_HPP
#define LOGITOPE_TESTS_ORACLE_VERTICES_HPP

#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>
#include <vector>

namespace oracle {

/// Number of rows that are vertices and not repeated, h = 2 or 3: by Caratheodory, row i is none if and only if it lies
/// in the hull of at most h + 1 others, each such hull tried in barycentric coordinates or, when flat, by its faces.
class vertex_count {
 public:
  using Q = boost::multiprecision::cpp_rational;
  vertex_count(const std::vector<double>& rows, std::size_t h) : h_(h) {
    for (std::size_t n = 0; n < rows.size(); n += h) {
      std::vector<Q> p;
      for (std::size_t d = 0; d < h; ++d) p.emplace_back(rows[n + d]);
      points_.push_back(p);
    }
  }
  std::size_t operator()() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      std::vector<std::size_t> chosen;
      if (!inside(i, 0, chosen)) ++count;
    }
    return count;
  }

 private:
  /// Some set of affinely independent rows, growing from `chosen`, has point i in its hull.
  bool inside(std::size_t i, std::size_t first, std::vector<std::size_t>& chosen) const {
    if (!chosen.empty() && combination(i, chosen)) return true;
    if (chosen.size() == h_ + 1) return false;
    for (std::size_t j = first; j < points_.size(); ++j) {
      if (j == i) continue;
      chosen.push_back(j);
      if (inside(i, j + 1, chosen)) return true;
      chosen.pop_back();
    }
    return false;
  }

  /// The unique weights, if the rows are independent, exist and are not negative.
  bool combination(std::size_t i, const std::vector<std::size_t>& chosen) const {
    const std::size_t s = chosen.size();
    std::vector<std::vector<Q>> a(h_ + 1, std::vector<Q>(s + 1));
    for (std::size_t c = 0; c <= s; ++c) {
      const auto& p = points_[c < s ? chosen[c] : i];
      for (std::size_t d = 0; d < h_; ++d) a[d][c] = p[d];
      a[h_][c] = 1;
    }
    for (std::size_t c = 0; c < s; ++c) {
      std::size_t pivot = c;
      while (pivot <= h_ && a[pivot][c] == 0) ++pivot;
      if (pivot > h_) return false;
      std::swap(a[c], a[pivot]);
      for (std::size_t r = 0; r <= h_; ++r) {
        if (r == c || a[r][c] == 0) continue;
        const Q f = a[r][c] / a[c][c];
        for (std::size_t k = c; k <= s; ++k) a[r][k] -= f * a[c][k];
      }
    }
    for (std::size_t r = 0; r <= h_; ++r) {
      if (r >= s && a[r][s] != 0) return false;
      if (r < s && a[r][s] / a[r][r] < 0) return false;
    }
    return true;
  }

  std::size_t h_;
  std::vector<std::vector<Q>> points_;
};

inline std::size_t vertices(const std::vector<double>& rows, std::size_t h) {
  return vertex_count(rows, h)();
}

}  // namespace oracle

#endif
