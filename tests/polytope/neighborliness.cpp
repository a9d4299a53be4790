// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/polytope/neighborliness.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "oracle/compare.hpp"

namespace lt = logitope;

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
      if (k == 0 || k == V) BOOST_TEST(bounds.lower == bounds.upper);
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
