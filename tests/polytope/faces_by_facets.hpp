// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_TESTS_POLYTOPE_FACES_BY_FACETS_HPP
#define LOGITOPE_TESTS_POLYTOPE_FACES_BY_FACETS_HPP

#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace oracle {

/// Neighborliness of a few integer points by the definition: all facets are found by trying every d points as a
/// hyperplane (integer determinants); a subset is a simplex face if no other point lies on all facets that hold it, and
/// its points are affinely independent. Every subset of size k is asked.
class faces_by_facets {
 public:
  using Z = boost::multiprecision::cpp_int;
  /// @param points [V][h], V <= 20
  explicit faces_by_facets(const std::vector<std::vector<int>>& points) {
    V_ = points.size();
    // coordinates that keep the affine dimension
    std::vector<std::size_t> kept;
    for (std::size_t d = 0; d < points.front().size(); ++d) {
      kept.push_back(d);
      if (rank(all(), points, kept) < kept.size()) kept.pop_back();
    }
    for (const auto& p : points) {
      points_.emplace_back();
      for (const std::size_t d : kept) points_.back().push_back(p[d]);
    }
    d_ = kept.size();
    coordinates_.resize(d_);
    for (std::size_t d = 0; d < d_; ++d) coordinates_[d] = d;
    if (d_ > 0) {
      std::vector<std::size_t> chosen;
      choose(0, chosen);
    }
  }
  [[nodiscard]] std::size_t dimension() const { return d_; }
  [[nodiscard]] bool is_simplex_face(std::uint32_t set) const {
    std::uint32_t closure = (1u << V_) - 1;
    for (const std::uint32_t facet : facets_)
      if ((set & ~facet) == 0) closure &= facet;
    const auto members = list(set);
    return closure == set && rank(members, points_, coordinates_) + 1 == members.size();
  }
  [[nodiscard]] std::size_t neighborliness() const {
    for (std::size_t k = 1; k <= V_; ++k)
      for (std::uint32_t set = 0; set < (1u << V_); ++set)
        if (list(set).size() == k && !is_simplex_face(set)) return k - 1;
    return V_;
  }

 private:
  using matrix = std::vector<std::vector<Z>>;
  static Z determinant(const matrix& a) {  // by the first row
    if (a.empty()) return 1;
    Z sum = 0;
    for (std::size_t c = 0; c < a.size(); ++c) {
      if (a[0][c] == 0) continue;
      matrix minor;
      for (std::size_t r = 1; r < a.size(); ++r) {
        minor.push_back(a[r]);
        minor.back().erase(minor.back().begin() + static_cast<std::ptrdiff_t>(c));
      }
      const Z term = a[0][c] * determinant(minor);
      sum += c % 2 == 0 ? term : Z(-term);
    }
    return sum;
  }
  [[nodiscard]] std::vector<std::size_t> all() const { return list((1u << V_) - 1); }
  [[nodiscard]] std::vector<std::size_t> list(std::uint32_t set) const {
    std::vector<std::size_t> out;
    for (std::size_t j = 0; j < V_; ++j)
      if (set >> j & 1) out.push_back(j);
    return out;
  }
  /// Rank of the differences to the first member: the largest minor that is not 0, grown by one row and column.
  static std::size_t rank(const std::vector<std::size_t>& members, const std::vector<std::vector<int>>& points,
                          const std::vector<std::size_t>& coordinates) {
    std::vector<std::size_t> rows, columns;
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t m = 1; m < members.size() && !grown; ++m)
        for (std::size_t d = 0; d < coordinates.size() && !grown; ++d) {
          auto r = rows, c = columns;
          r.push_back(members[m]);
          c.push_back(coordinates[d]);
          matrix a;
          for (const std::size_t i : r) {
            a.emplace_back();
            for (const std::size_t e : c) a.back().push_back(points[i][e] - points[members[0]][e]);
          }
          if (determinant(a) == 0) continue;
          rows = r;
          columns = c;
          grown = true;
        }
    }
    return rows.size();
  }
  void choose(std::size_t first, std::vector<std::size_t>& chosen) {
    if (chosen.size() < d_) {
      for (std::size_t j = first; j < V_; ++j) {
        chosen.push_back(j);
        choose(j + 1, chosen);
        chosen.pop_back();
      }
      return;
    }
    bool above = false, below = false;
    std::uint32_t on = 0;
    for (std::size_t j = 0; j < V_; ++j) {
      matrix a;
      for (std::size_t n = 0; n <= d_; ++n) {
        a.emplace_back();
        for (const int v : points_[n < d_ ? chosen[n] : j]) a.back().push_back(v);
        a.back().push_back(1);
      }
      const Z side = determinant(a);
      above = above || side > 0;
      below = below || side < 0;
      if (side == 0) on |= 1u << j;
    }
    if (above != below) facets_.push_back(on);  // dependent points have all others on both or no side
  }

  std::size_t V_ = 0, d_ = 0;
  std::vector<std::vector<int>> points_;
  std::vector<std::size_t> coordinates_;
  std::vector<std::uint32_t> facets_;
};

}  // namespace oracle

#endif
