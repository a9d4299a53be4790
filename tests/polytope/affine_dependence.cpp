// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/polytope/affine_dependence.hpp"

#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {
lt::affine_dependence of(const std::vector<double>& rows, std::size_t h, std::uint64_t limit = 1'000'000) {
  lt::exact_work work(limit);
  return lt::find_affine_dependence(lt::matrix_view<const double>(rows.data(), rows.size() / h, h), work);
}
}  // namespace

BOOST_AUTO_TEST_SUITE(polytope_affine_dependence)

BOOST_AUTO_TEST_CASE(dimensions_of_points_lines_and_planes_are_exact) {
  BOOST_TEST(of({3, 4}, 2).dimension == 0u);
  BOOST_TEST(of({3, 4, 3, 4, 3, 4}, 2).dimension == 0u);
  BOOST_TEST(of({1, 1, 2, 2, 5, 5}, 2).dimension == 1u);
  BOOST_TEST(of({1, 1, 2, 2, 5, 5 + 0x1p-50}, 2).dimension == 2u);
  BOOST_TEST(of({0, 0, 7, 1, 0, 7, 0, 1, 7, 1, 1, 7, 5, 5, 7}, 3).dimension == 2u);
  BOOST_TEST(of({0, 0, 7, 1, 0, 7, 0, 1, 7, 1, 1, 7, 5, 5, 7}, 3).weight.empty());
}

BOOST_AUTO_TEST_CASE(weights_are_those_of_the_middle_of_a_segment_at_any_magnitude) {
  for (const double size : {1.0, 0x1p-1000, 0x1p900}) {
    const auto found = of({0, 4 * size, 3 * size}, 1);  // 1 w_0 + 3 w_1 = 4 w_2
    BOOST_REQUIRE(found.weight.size() == 3u);
    BOOST_TEST((found.weight[1] == 3 * found.weight[0] && found.weight[2] == -4 * found.weight[0]));
    BOOST_TEST((found.weight[0] != 0));
  }
}

BOOST_AUTO_TEST_CASE(a_free_row_in_front_and_an_apex_are_found) {
  const auto found = of({1, 1, 1, 1, 5, 0}, 2);  // rows 0 and 1 are equal, row 2 is an apex
  BOOST_REQUIRE(found.weight.size() == 3u);
  BOOST_TEST((found.weight[0] == -found.weight[1] && found.weight[0] != 0 && found.weight[2] == 0));
}

BOOST_AUTO_TEST_CASE(spent_work_is_no_answer_and_work_is_counted_alike_every_time) {
  BOOST_TEST(!of({0, 0, 1, 0, 0, 1, 1, 1}, 2, 40).complete);
  lt::exact_work first(1000), second(1000);
  const double rows[] = {0, 0, 1, 0, 0, 1, 1, 1};
  const lt::matrix_view<const double> W(rows, 4, 2);
  (void)lt::find_affine_dependence(W, first);
  (void)lt::find_affine_dependence(W, second);
  BOOST_TEST(first.left() == second.left());
  BOOST_TEST(first.left() < 1000u);
}

BOOST_AUTO_TEST_CASE(the_guess_of_a_partition_has_the_smaller_side_first) {
  const double rows[] = {0, 0, 4, 0, 1, 1, 0, 4};
  const auto guess = lt::guess_radon_partition(lt::matrix_view<const double>(rows, 4, 2));
  BOOST_TEST(guess.set == (std::vector<std::size_t>{2}), boost::test_tools::per_element());
  BOOST_TEST(guess.rows.size() == 3u);
  const double line[] = {0, 0, 1, 1, 2, 2, 3, 3};
  BOOST_TEST(lt::guess_radon_partition(lt::matrix_view<const double>(line, 4, 2)).set.empty());
}

BOOST_AUTO_TEST_SUITE_END()
