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

BOOST_AUTO_TEST_CASE(a_stop_ends_the_search_where_it_is) {
  lt::matrix<double> points(3, 4);  // the origin and three unit vectors: distance 1 / sqrt(3)
  for (std::size_t d = 0; d < 3; ++d) points(d, d + 1) = 1;
  lt::hull_search search(points);
  const double infinity = std::numeric_limits<double>::infinity();
  int asked = 0;
  const auto at_once = search(0, 1, infinity, [&] { return ++asked > 0; });
  BOOST_TEST(asked == 1);
  BOOST_TEST(at_once.upper == 1.0);
  BOOST_TEST(at_once.support.size() == 1u);
  asked = 0;
  BOOST_TEST(oracle::close(search(0, 1, infinity, [&] { return ++asked > 1; }).upper, std::sqrt(.5L),
                           oracle::relative{1e-14}));
  BOOST_TEST(
      oracle::close(search(0, 1, infinity, [] { return false; }).upper, 1 / std::sqrt(3.0L), oracle::relative{1e-14}));
  BOOST_TEST(search(0, 1, infinity, {}, 1).support.size() == 2u);  // one sweep: one row more
  BOOST_TEST(search(0, 1, .5).lower >= .5);                        // enough is enough
}

BOOST_AUTO_TEST_CASE(weights_of_the_nearest_point_of_a_flat_are_barycentric_and_may_be_negative) {
  std::vector<double> weight;
  BOOST_TEST(lt::detail::affine_minimum({{3, 4}}, weight));
  BOOST_TEST(weight[0] == 1.0);
  // the line x + 2 y = 5 is nearest to 0 in (1, 2): -1 (5, 0) + ... = 1/2 (-1, 3) + 1/2 (3, 1)
  BOOST_TEST(lt::detail::affine_minimum({{-1, 3}, {3, 1}}, weight));
  BOOST_TEST(oracle::close(weight[0], .5L, oracle::relative{1e-14}));
  BOOST_TEST(lt::detail::affine_minimum({{5, 0}, {3, 1}}, weight));  // (1, 2) = 2 (3, 1) - (5, 0)
  BOOST_TEST(oracle::close(weight[0], -1.0L, oracle::relative{1e-13}));
  BOOST_TEST(oracle::close(weight[1], 2.0L, oracle::relative{1e-13}));
  for (const double thin : {1.0, 0x1p-20}) {  // (0, thin) = 2/3 (1, thin) + 1/3 (-2, thin)
    BOOST_TEST(lt::detail::affine_minimum({{1, thin}, {-2, thin}}, weight));
    BOOST_TEST(oracle::close(weight[0], 2 / 3.0L, oracle::relative{1e-14}));
    BOOST_TEST(oracle::close(weight[1], 1 / 3.0L, oracle::relative{1e-14}));
  }
  // the plane through (6, 0, 0), (0, 3, 0), (0, 0, 2) is nearest to 0 in 6 / 14 (1, 2, 3): weights 1, 4, 9 of 14
  BOOST_TEST(lt::detail::affine_minimum({{6, 0, 0}, {0, 3, 0}, {0, 0, 2}}, weight));
  for (std::size_t a = 0; a < 3; ++a)
    BOOST_TEST(oracle::close(weight[a], static_cast<long double>((a + 1) * (a + 1)) / 14, oracle::relative{1e-14}));
}

BOOST_AUTO_TEST_CASE(dependent_points_have_no_weights) {
  std::vector<double> weight;
  BOOST_TEST(!lt::detail::affine_minimum({{1, 2}, {1, 2}}, weight));
  BOOST_TEST(!lt::detail::affine_minimum({{1, 0}, {0, 1}, {.5, .5}}, weight));
  BOOST_TEST(lt::detail::affine_minimum({{0, 0}}, weight));
}

BOOST_AUTO_TEST_SUITE_END()
