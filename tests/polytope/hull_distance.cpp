// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/polytope/hull_distance.hpp"

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(polytope_hull_distance)

BOOST_AUTO_TEST_CASE(a_corner_of_the_simplex_is_as_far_as_the_centroid_of_the_opposite_facet) {
  for (const std::size_t h : {2u, 5u, 16u}) {
    lt::matrix<double> points(h, h);  // unit vectors: |e_0 - mean of the others|^2 = 1 + 1 / (h - 1)
    for (std::size_t d = 0; d < h; ++d) points(d, d) = 1;
    lt::hull_search search(points);
    const auto found = search(0, 1, std::numeric_limits<double>::infinity());
    const long double want = std::sqrt(1 + 1 / static_cast<long double>(h - 1));
    BOOST_TEST(oracle::close(found.upper, want, oracle::relative{1e-13}));
    BOOST_TEST(oracle::close(found.lower, want, oracle::relative{1e-12}));
  }
}

BOOST_AUTO_TEST_CASE(a_thin_margin_keeps_ten_digits) {
  lt::matrix<double> points(2, 3);  // (0, 2^-20) above the segment (-1, 0) .. (2, 0)
  points(1, 0) = 0x1p-20;
  points(0, 1) = -1;
  points(0, 2) = 2;
  lt::hull_search search(points);
  const auto found = search(0, 1, std::numeric_limits<double>::infinity());
  BOOST_TEST(oracle::close(found.upper, 0x1p-20L, oracle::relative{1e-10}));
}

BOOST_AUTO_TEST_CASE(inside_the_hull_no_distance_is_left) {
  lt::matrix<double> points(2, 4);
  points(0, 1) = points(1, 2) = 1;
  points(0, 3) = points(1, 3) = -1;
  lt::hull_search search(points);
  const auto found = search(0, 1, std::numeric_limits<double>::infinity());
  BOOST_TEST(found.upper < 1e-14);
  BOOST_TEST(found.support.size() == 3u);
}

BOOST_AUTO_TEST_SUITE_END()
