// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/polytope/neighborliness.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "faces_by_facets.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {

using integer_points = std::vector<std::vector<int>>;

lt::matrix<double> rows_of(const integer_points& points) {
  lt::matrix<double> W(points.size(), points.front().size());
  for (std::size_t v = 0; v < W.rows(); ++v)
    for (std::size_t d = 0; d < W.cols(); ++d) W(v, d) = points[v][d];
  return W;
}

lt::neighborliness_report bounds_of(lt::matrix_view<const double> W,
                                    lt::exact_work work = lt::exact_work(1'000'000'000)) {
  return lt::neighborliness_bounds(W, lt::argmaxable(W), 20000, work);
}

/// d + 2 points: exact, as the enumeration of facets says, with a set that is no face and a proof of it.
void decided_as_by_enumeration(const integer_points& points) {
  const oracle::faces_by_facets truth(points);
  BOOST_REQUIRE(truth.dimension() + 2 == points.size());
  const auto W = rows_of(points);
  const auto found = bounds_of(W);
  BOOST_TEST(found.lower == truth.neighborliness());
  BOOST_TEST(found.upper == truth.neighborliness());
  if (found.violation.set.empty()) return;
  BOOST_TEST(found.violation.set.size() == found.upper + 1);
  BOOST_TEST(lt::check_no_face<double>(W, found.violation));
  std::uint32_t set = 0;
  for (const std::size_t j : found.violation.set) set |= 1u << j;
  BOOST_TEST(!truth.is_simplex_face(set));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(polytope_neighborliness)

BOOST_AUTO_TEST_CASE(every_known_polytope_lies_between_the_bounds_and_has_its_vertices) {
  const char* source = std::getenv("LOGITOPE_SOURCE");
  if (source == nullptr) return oracle::skipped("LOGITOPE_SOURCE is not set");
  std::ifstream file(std::string(source) + "/tests/data/known_neighborliness.json");
  BOOST_REQUIRE(file.good());
  const auto items = nlohmann::json::parse(file).at("items");
  BOOST_TEST(items.size() == 34u);
  for (const auto& item : items) {
    BOOST_TEST_CONTEXT(item.at("name")) {
      const std::size_t V = item.at("V"), h = item.at("h"), k = item.at("neighborliness_exact");
      std::vector<double> rows;
      for (const auto& point : item.at("points"))
        for (const double v : point) rows.push_back(v);
      const lt::matrix_view<const double> W(rows.data(), V, h);
      const auto faces = lt::argmaxable(W);
      BOOST_TEST(faces.undecided.empty());
      const auto bounds = lt::neighborliness_bounds(W, faces);
      BOOST_TEST(bounds.lower <= k);
      BOOST_TEST(bounds.upper >= k);
      const bool decided = k == 0 || k == V || V == item.at("dim").get<std::size_t>() + 2;
      if (decided) BOOST_TEST(bounds.lower == bounds.upper);
      if (!bounds.violation.set.empty()) BOOST_TEST(lt::check_no_face(W, bounds.violation));
      if (k >= 1) {
        BOOST_TEST(faces.argmaxable == V);
        BOOST_TEST(bounds.lower >= 1u);
      } else if (faces.duplicates.empty()) {
        BOOST_TEST(faces.argmaxable == item.at("polymake").at("n_vertices").get<std::size_t>());
      }
      BOOST_TEST(lt::exact_affine_dimension(W) == item.at("dim").get<std::size_t>());
    }
  }
}

BOOST_AUTO_TEST_CASE(two_more_points_than_dimensions_are_as_neighborly_as_the_smaller_side_of_their_partition) {
  for (int d = 1; d <= 6; ++d) {  // cyclic polytopes: d / 2, rounded down
    integer_points points;
    for (int n = 0; n < d + 2; ++n) {
      points.emplace_back();
      for (int e = 0, power = n - 2; e < d; ++e, power *= n - 2) points.back().push_back(power);
    }
    BOOST_TEST_CONTEXT("cyclic " << d) {
      BOOST_TEST(oracle::faces_by_facets(points).neighborliness() == std::size_t(d / 2));
      decided_as_by_enumeration(points);
      if (d > 1) {
        const auto W = rows_of(points);
        const auto found = bounds_of(W);
        BOOST_TEST(found.method.find("Radon") == 0u);
        BOOST_TEST(found.violation.set.size() == std::size_t(d / 2 + 1));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(repeated_rows_inner_rows_pyramids_and_flat_sets_agree_with_all_facets) {
  const std::vector<integer_points> sets{
      {{0, 0}, {1, 0}, {0, 1}, {1, 0}},                                                          // a repeated row: 0
      {{0, 0}, {4, 0}, {0, 4}, {1, 1}},                                                          // a row inside: 0
      {{0, 0}, {4, 0}, {0, 4}, {2, 2}},                                                          // a row on an edge: 0
      {{0, 0}, {1, 0}, {0, 1}, {1, 1}},                                                          // a square: 1
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}},                                   // a pyramid over it: 1
      {{0, 0, 7}, {1, 0, 7}, {0, 1, 7}, {1, 1, 7}},                                              // a square in space: 1
      {{3, 0, 0, 0}, {0, 3, 0, 0}, {-3, -3, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0, -1, -1}},  // two triangles: 2
      {{0, 0, 0, 0, 0},
       {3, 0, 0, 0, 0},
       {0, 3, 0, 0, 0},
       {1, 1, 2, 0, 0},
       {1, 1, -1, 1, 0},
       {1, 1, -1, -1, 0},
       {5, 5, 5, 5, 1}},  // and a pyramid over such
  };
  for (const auto& points : sets) BOOST_TEST_CONTEXT(points.size()) decided_as_by_enumeration(points);
}

BOOST_AUTO_TEST_CASE(random_integer_points_agree_with_all_facets) {
  std::mt19937 random(5);
  std::uniform_int_distribution<int> digit(-1, 2);
  std::size_t asked = 0, kinds[4]{};
  while (asked < 120) {
    const std::size_t d = 2 + asked % 4;
    integer_points points(d + 2, std::vector<int>(d));
    for (auto& p : points)
      for (int& v : p) v = digit(random);
    const oracle::faces_by_facets truth(points);
    if (truth.dimension() != d) continue;
    ++asked;
    ++kinds[truth.neighborliness()];
    decided_as_by_enumeration(points);
  }
  for (std::size_t k = 0; k < 3; ++k) BOOST_TEST(kinds[k] > 3u);  // all answers were asked for
}

BOOST_AUTO_TEST_CASE(seventy_dimensions_are_decided_by_signs_proved_in_f64) {
  // two simplices of 30 and 42 corners that share their centroid: the partition is 30 against 42
  const std::size_t h = 70;
  lt::matrix<double> W(h + 2, h);
  for (std::size_t v = 0; v < 29; ++v) W(v, v) = 1, W(29, v) = -1;
  for (std::size_t v = 30; v < 71; ++v) W(v, v - 1) = 1, W(71, v - 1) = -1;
  const auto found = bounds_of(W);
  BOOST_TEST(found.lower == 29u);
  BOOST_TEST(found.upper == 29u);
  BOOST_TEST(found.violation.set_weight.empty());
  BOOST_TEST(found.violation.set.size() == 30u);
  BOOST_TEST(lt::check_no_face<double>(W, found.violation));
  // an apex has weight 0, which no rounded number proves: exact
  W(71, 0) = 0x1p-60;
  lt::matrix<double> pyramid(h + 3, h + 1);
  for (std::size_t v = 0; v < h + 2; ++v)
    for (std::size_t d = 0; d < h; ++d) pyramid(v, d) = W(v, d);
  pyramid(h + 2, h) = 1;
  const auto apex = bounds_of(pyramid);
  BOOST_TEST(apex.lower == 29u);
  BOOST_TEST(apex.upper == 29u);
  BOOST_TEST(!apex.violation.set_weight.empty());
  BOOST_TEST(lt::check_no_face<double>(pyramid, apex.violation));
  // without work for it: bounds, and they say so
  const auto open = bounds_of(pyramid, lt::exact_work(9));
  BOOST_TEST(open.lower >= 1u);
  BOOST_TEST(open.lower <= 29u);
  BOOST_TEST(open.upper == (h + 1) / 2);
  BOOST_TEST(open.violation.set.empty());
}

BOOST_AUTO_TEST_CASE(ranges_prove_many_faces_of_a_simplex_and_one_at_most_of_a_square) {
  const std::size_t h = 40;
  std::vector<double> rows(h * h);
  for (std::size_t d = 0; d < h; ++d) rows[d * h + d] = 1;
  // the others all have the same product with u_i, so every range is 0 but for rounding
  BOOST_TEST(lt::neighborly_by_ranges(lt::matrix_view<const double>(rows.data(), h, h)) >= h / 2);
  const double square[] = {0, 0, 1, 0, 1, 1, 0, 1};
  BOOST_TEST(lt::neighborly_by_ranges(lt::matrix_view<const double>(square, 4, 2)) <= 1u);
}

BOOST_AUTO_TEST_CASE(a_report_of_another_head_is_refused) {
  const double two[] = {0, 1};
  const lt::matrix_view<const double> W(two, 2, 1);
  BOOST_CHECK_THROW((void)lt::neighborliness_bounds(W, lt::argmaxable_report{}), lt::shape_error);
  BOOST_TEST(lt::neighborliness_bounds(W, lt::argmaxable(W)).lower == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
