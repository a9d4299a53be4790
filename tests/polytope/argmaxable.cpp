// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/polytope/argmaxable.hpp"

#include <array>
#include <chrono>
#include <ctime>
#include <fstream>
#include <numeric>
#include <random>

#include "logitope/interop/xtensor.hpp"
#include "oracle/compare.hpp"
#include "oracle/vertices.hpp"

#if __has_include(<xtensor/views/xstrided_view.hpp>)
#include <xtensor/views/xstrided_view.hpp>
#else
#include <xtensor/xstrided_view.hpp>
#endif

namespace lt = logitope;
using ids = std::vector<std::size_t>;

namespace {

#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
constexpr double oracle_slowness = 10;  // what the checks of a sanitizer cost
#else
constexpr double oracle_slowness = 1;
#endif

lt::argmaxable_report report(const std::vector<double>& rows, std::size_t h, const std::vector<double>& bias = {}) {
  return lt::argmaxable(lt::matrix_view<const double>(rows.data(), h == 0 ? bias.size() : rows.size() / h, h),
                        std::span<const double>(bias));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(polytope_argmaxable)

BOOST_AUTO_TEST_CASE(the_order_of_collinear_points_does_not_matter) {
  const std::array<std::array<double, 2>, 4> points{{{0, 0}, {6000, 6000}, {0, 12000}, {0, 6000}}};
  std::array<std::size_t, 4> order{0, 1, 2, 3};
  do {
    std::vector<double> rows;
    for (const std::size_t p : order) rows.insert(rows.end(), points[p].begin(), points[p].end());
    const auto found = report(rows, 2);
    const auto at = static_cast<std::size_t>(std::find(order.begin(), order.end(), 3u) - order.begin());
    BOOST_TEST(found.unargmaxable == ids{at}, boost::test_tools::per_element());
    BOOST_TEST(found.boundary == ids{at}, boost::test_tools::per_element());
    BOOST_TEST(found.argmaxable == 3u);
  } while (std::next_permutation(order.begin(), order.end()));
}

BOOST_AUTO_TEST_CASE(corners_given_three_times_are_four_groups_that_only_tie) {
  const std::vector<double> corners{0, 0, 1, 0, 1, 1, -0.0, 1};
  std::vector<double> rows;
  for (int n = 0; n < 3; ++n) rows.insert(rows.end(), corners.begin(), corners.end());
  const auto found = report(rows, 2);
  BOOST_TEST(found.duplicates.size() == 4u);
  for (const auto& group : found.duplicates) BOOST_TEST(group.size() == 3u);
  BOOST_TEST(found.argmaxable == 0u);
  BOOST_TEST(found.boundary.size() == 12u);
  BOOST_TEST(found.inside.size() == 12u);
  for (std::size_t i = 0; i < 12; ++i) {
    BOOST_TEST(found.inside[i].set == ids{i}, boost::test_tools::per_element());
    BOOST_TEST(lt::check_no_face(lt::matrix_view<const double>(rows.data(), 12, 2), found.inside[i]));
  }
}

BOOST_AUTO_TEST_CASE(magnitudes_from_1e_minus_322_to_1e139_are_right) {
  const auto found = report({2.6e-5, 9.5e-322, 7e-9, -2.1e139, -2.1e139, 2e-280, 0, 0}, 2);
  BOOST_TEST(found.undecided.empty());
  BOOST_TEST(oracle::vertices({2.6e-5, 9.5e-322, 7e-9, -2.1e139, -2.1e139, 2e-280, 0, 0}, 2) == found.argmaxable);
}

BOOST_AUTO_TEST_CASE(the_fifth_of_nearly_collinear_points_is_a_vertex) {
  const auto found = report({-1.7, -1.43, 0.5, -0.5, 0.105, 0.974, -0.658, 0.927, -0.995, 0.165}, 2);
  BOOST_TEST(found.argmaxable == 5u);
  BOOST_TEST(found.certified == 5u);
  BOOST_TEST(found.margin_kind == "exact");
  BOOST_TEST(found.margin_token == 4u);
  // distance of a point to the chord through (-1.7, -1.43) and (-0.658, 0.927)
  const long double cross = std::fabs(1.042L * (0.165L + 1.43L) - 2.357L * (-0.995L + 1.7L));
  BOOST_TEST(oracle::close(found.smallest_margin, cross / std::hypot(1.042L, 2.357L), oracle::relative{1e-10}));
}

BOOST_AUTO_TEST_CASE(a_point_1e_minus_11_inside_or_outside_is_told_apart) {
  for (const double off : {1e-11, -1e-11, 0x1p-60, -0x1p-60, 0.0}) {
    const auto found = report({-1, 0, 1, 0, 0, -1, 0.25, off}, 2);
    BOOST_TEST((found.verdicts[3] == (off > 0 ? lt::token_verdict::argmaxable : lt::token_verdict::unargmaxable)));
    BOOST_TEST(found.boundary.size() == (off == 0 ? 1u : 0u));
  }
}

BOOST_AUTO_TEST_CASE(the_crossing_of_two_segments_in_nine_dimensions_is_no_vertex) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> digit(-9, 9);
  std::vector<double> rows(42 * 9);
  for (double& v : rows) v = 2 * digit(random);
  for (std::size_t d = 0; d < 9; ++d) {
    rows[3 * 9 + d] = rows[d] + rows[9 + d] - rows[2 * 9 + d];  // w2, w3 cross w0, w1 in their middle
    rows[41 * 9 + d] = (rows[d] + rows[9 + d]) / 2;
  }
  const auto found = report(rows, 9);
  BOOST_TEST((found.verdicts[41] == lt::token_verdict::unargmaxable));
  BOOST_TEST(found.undecided.empty());
}

BOOST_AUTO_TEST_CASE(the_centroid_of_a_simplex_never_wins_unless_its_bias_is_larger) {
  const std::vector<double> rows{0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 1, 1, 1};
  const auto plain = report(rows, 3);
  BOOST_TEST(plain.unargmaxable == ids{4}, boost::test_tools::per_element());
  BOOST_TEST(plain.boundary.empty());
  const auto lifted = report(rows, 3, {0, 0, 0, 0, 0x1p-30});
  BOOST_TEST(lifted.argmaxable == 5u);
  BOOST_TEST(lifted.vertices == 4u);
  BOOST_TEST(lifted.smallest_margin == 0.0);
  BOOST_TEST(lifted.margin_token == 4u);
  BOOST_TEST(report(rows, 3, {0, 0, 0, 0, -1}).unargmaxable.size() == 1u);
}

BOOST_AUTO_TEST_CASE(small_integer_sets_agree_with_enumeration) {
  std::mt19937 random(11);
  std::uniform_int_distribution<int> digit(-2, 2);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t h = 2 + std::size_t(trial % 2);
    std::vector<double> rows(9 * h);
    for (double& v : rows) v = digit(random);
    const auto found = report(rows, h);
    BOOST_TEST(found.undecided.empty());
    BOOST_TEST(found.argmaxable == oracle::vertices(rows, h));
    // scaling by 2^k changes nothing
    std::vector<double> scaled(rows);
    for (double& v : scaled) v *= 0x1p-90;
    BOOST_TEST(report(scaled, h).boundary == found.boundary, boost::test_tools::per_element());
    BOOST_TEST(report(scaled, h).unargmaxable == found.unargmaxable, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(the_smallest_vocabularies_and_dimensions) {
  BOOST_TEST(report({3, 4}, 2).argmaxable == 1u);
  const auto two = report({0, 0, 3, 4}, 2);
  BOOST_TEST(two.argmaxable == 2u);
  BOOST_TEST(oracle::close(two.smallest_margin, 5.0L, oracle::relative{1e-14}));
  BOOST_TEST(report({1, 2, 3}, 1).boundary.empty());
  BOOST_TEST(report({1, 2, 3}, 1).unargmaxable == ids{1}, boost::test_tools::per_element());
  const auto none = report({}, 0, {1, 3, 2});
  BOOST_TEST(none.argmaxable == 1u);
  BOOST_TEST((none.verdicts[1] == lt::token_verdict::argmaxable));
  BOOST_TEST(report({1, 1, 1, 1}, 2).boundary.empty());
}

BOOST_AUTO_TEST_CASE(a_row_that_is_not_finite_is_named) {
  BOOST_CHECK_EXCEPTION((void)report({0, 1, 2, std::nan("")}, 2), lt::value_error, oracle::says("row 1"));
  BOOST_CHECK_EXCEPTION((void)report({0, 1}, 1, {0, HUGE_VAL}), lt::value_error, oracle::says("row 1"));
  BOOST_CHECK_THROW((void)report({0, 1}, 1, {0}), lt::shape_error);
}

BOOST_AUTO_TEST_CASE(what_no_time_is_left_for_is_undecided) {
  const std::vector<double> rows{0, 1, 2};
  lt::argmaxable_options options;
  options.time_limit_seconds = -1;
  const auto found = lt::argmaxable(lt::matrix_view<const double>(rows.data(), 3, 1), {}, options);
  BOOST_TEST(found.undecided.size() == 3u);
  BOOST_TEST(found.certified == 0u);
  BOOST_TEST(found.residual.size() == 3u);
  for (const double distance : found.residual) BOOST_TEST(std::isinf(distance));
  BOOST_TEST(found.margin_kind == "certified_lower");
}

BOOST_AUTO_TEST_CASE(the_time_limit_ends_a_search_with_right_or_open_verdicts) {
  std::mt19937 random(29);
  std::normal_distribution<double> normal;
  const std::size_t V = 3000, h = 40;
  std::vector<double> rows(V * h);
  for (double& v : rows) v = normal(random);
  for (std::size_t i = 0; i < V / 2; ++i)  // deep inside: each needs a search of its own
    for (std::size_t d = 0; d < h; ++d) rows[i * h + d] *= .3;
  lt::argmaxable_options options;
  options.time_limit_seconds = .3;
  const auto begin = std::chrono::steady_clock::now();
  const auto found = lt::argmaxable(lt::matrix_view<const double>(rows.data(), V, h), {}, options);
  BOOST_TEST(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < 3 * oracle_slowness);
  BOOST_TEST(!found.undecided.empty());
  BOOST_TEST(found.residual.size() == found.undecided.size());
  BOOST_TEST(found.argmaxable + found.unargmaxable.size() + found.undecided.size() == V);
  BOOST_TEST(found.certified == V - found.undecided.size());
  BOOST_TEST(found.margin_kind == "certified_lower");
  for (const std::size_t i : found.unargmaxable) BOOST_TEST(i < V / 2);
}

BOOST_AUTO_TEST_CASE(with_a_bias_as_many_tokens_win_as_the_lifted_points_have_upper_vertices) {
  // token i wins somewhere iff (w_i, b_i) is a vertex of all (w_j, b_j) and points (w_j, -99) far below
  std::mt19937 random(31);
  std::uniform_int_distribution<int> digit(-2, 2);
  std::size_t wins = 0, losses = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t h = 1 + std::size_t(trial % 2), V = 6;
    std::vector<double> rows(V * h), bias(V), lifted;
    for (double& v : rows) v = digit(random);
    for (double& v : bias) v = digit(random);
    for (const bool below : {false, true})
      for (std::size_t i = 0; i < V; ++i) {
        for (std::size_t d = 0; d < h; ++d) lifted.push_back(rows[i * h + d]);
        lifted.push_back(below ? -99 : bias[i]);
      }
    const auto found = report(rows, h, bias);
    const std::size_t bottom = oracle::vertices(rows, h);
    BOOST_TEST(found.undecided.empty());
    BOOST_TEST(found.argmaxable == oracle::vertices(lifted, h + 1) - bottom);
    BOOST_TEST(found.vertices <= found.argmaxable);
    wins += found.argmaxable;
    losses += found.unargmaxable.size();
    for (const auto& certificate : found.inside)
      BOOST_TEST(lt::check_no_face(lt::matrix_view<const double>(rows.data(), V, h), certificate));
  }
  BOOST_TEST(wins > 50u);
  BOOST_TEST(losses > 50u);
}

BOOST_AUTO_TEST_CASE(a_centroid_in_thirty_dimensions_wins_by_a_larger_bias_in_any_unit) {
  const std::size_t h = 30, V = h + 2;
  for (const double unit : {1.0, 0x1p60, 0x1p-60})
    for (const double own : {0x1p-6, 0x1p-40, -0x1p-6}) {  // the others have none
      std::vector<double> rows(V * h), bias(V);
      for (std::size_t d = 0; d < h; ++d) rows[(1 + d) * h + d] = 31 * unit;
      for (std::size_t d = 0; d < h; ++d) rows[31 * h + d] = unit;
      bias[31] = own;
      const auto found = report(rows, h, bias);
      const auto want = own > 0 ? lt::token_verdict::argmaxable : lt::token_verdict::unargmaxable;
      BOOST_TEST((found.verdicts[31] == want));
      BOOST_TEST(found.vertices == h + 1);
    }
}

BOOST_AUTO_TEST_CASE(the_order_of_rows_and_powers_of_two_change_no_verdict) {
  std::mt19937 random(37);
  std::uniform_int_distribution<int> digit(-3, 3);
  for (int trial = 0; trial < 12; ++trial) {
    const std::size_t h = 3, V = 14;
    std::vector<double> rows(V * h), bias(V);
    for (double& v : rows) v = digit(random);
    for (double& v : bias) v = digit(random);
    std::vector<std::size_t> order(V);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    for (const bool biased : {false, true}) {
      const auto found = report(rows, h, biased ? bias : std::vector<double>{});
      std::vector<double> moved(V * h), moved_bias(V), scaled(rows), scaled_bias(bias);
      for (std::size_t i = 0; i < V; ++i) {
        std::copy_n(rows.begin() + std::ptrdiff_t(order[i] * h), h, moved.begin() + std::ptrdiff_t(i * h));
        moved_bias[i] = bias[order[i]];
      }
      for (double& v : scaled) v *= 0x1p70;
      for (double& v : scaled_bias) v *= 0x1p-40;  // its unit is free: the hidden state's length makes up for it
      const auto other = report(moved, h, biased ? moved_bias : std::vector<double>{});
      const auto large = report(scaled, h, biased ? scaled_bias : std::vector<double>{});
      for (std::size_t i = 0; i < V; ++i) BOOST_TEST((other.verdicts[i] == found.verdicts[order[i]]));
      BOOST_TEST((large.verdicts == found.verdicts && large.boundary == found.boundary));
      BOOST_TEST(other.boundary.size() == found.boundary.size());
      BOOST_TEST(large.smallest_margin == std::ldexp(found.smallest_margin, 70));
      BOOST_TEST(oracle::close(other.smallest_margin, found.smallest_margin, oracle::absolute{1e-9}));
    }
  }
}

BOOST_AUTO_TEST_CASE(ties_above_dimension_24_are_found_for_equal_rows_refuted_inside_and_else_open) {
  const std::size_t h = 30, V = 35;  // 0, 1: equal; 2 .. 32: a simplex; 33: on its edge; 34: inside
  std::vector<double> rows(V * h);
  rows[0] = rows[h] = -64;
  for (std::size_t d = 0; d < h; ++d) rows[(3 + d) * h + d] = 64;
  rows[33 * h + 4] = rows[33 * h + 5] = 32;
  for (std::size_t d = 0; d < h; ++d) rows[34 * h + d] = 1;
  const auto found = report(rows, h);
  BOOST_TEST(found.undecided.empty());
  BOOST_TEST(found.unargmaxable == (ids{0, 1, 2, 33, 34}), boost::test_tools::per_element());
  for (const std::size_t i : {0u, 1u}) BOOST_TEST((std::count(found.boundary.begin(), found.boundary.end(), i) == 1));
  ids both(found.boundary);
  both.insert(both.end(), found.boundary_undecided.begin(), found.boundary_undecided.end());
  BOOST_TEST((std::count(both.begin(), both.end(), 33u) == 1));  // it can tie: "never" would be wrong
  BOOST_TEST((std::count(found.boundary.begin(), found.boundary.end(), 34u) == 0));
  // equal rows come first, so rows of certificates are not those of the search
  const lt::matrix_view<const double> W(rows.data(), V, h);
  for (std::size_t n = 0; n < found.inside.size(); ++n) {
    BOOST_TEST(found.inside[n].set == ids{found.unargmaxable[n]}, boost::test_tools::per_element());
    BOOST_TEST(lt::check_no_face(W, found.inside[n]));
  }
}

BOOST_AUTO_TEST_CASE(a_limit_of_work_leaves_planted_midpoints_undecided_with_their_residual_and_a_larger_one_decides) {
  std::mt19937 random(19);
  std::uniform_int_distribution<int> digit(-9, 9);
  const std::size_t V = 120, h = 10, planted = 5;
  std::vector<double> rows(V * h);
  for (double& v : rows) v = 2 * digit(random);
  for (std::size_t i = 0; i < planted; ++i)
    for (std::size_t d = 0; d < h; ++d) rows[i * h + d] = (rows[(20 + 2 * i) * h + d] + rows[(21 + 2 * i) * h + d]) / 2;
  const lt::matrix_view<const double> W(rows.data(), V, h);
  lt::argmaxable_options small;
  small.exact_products = 100;
  small.exact_products_shared = 0;
  const auto open = lt::argmaxable(W, {}, small);
  BOOST_TEST(open.undecided == (ids{0, 1, 2, 3, 4}), boost::test_tools::per_element());
  for (const double residual : open.residual) BOOST_TEST(residual < 1e-9);
  BOOST_TEST(open.certified == V - planted);
  const auto again = lt::argmaxable(W, {}, small);
  BOOST_TEST((again.verdicts == open.verdicts && again.residual == open.residual));
  small.exact_products_shared = 100'000'000'000;  // a share of it is enough
  for (const auto& found : {lt::argmaxable(W), lt::argmaxable(W, {}, small)}) {
    BOOST_TEST(found.undecided.empty());
    BOOST_TEST(found.unargmaxable == (ids{0, 1, 2, 3, 4}), boost::test_tools::per_element());
    BOOST_REQUIRE(found.inside.size() == planted);
    for (std::size_t n = 0; n < planted; ++n) {
      BOOST_TEST(found.inside[n].set == ids{n}, boost::test_tools::per_element());
      BOOST_TEST(lt::check_no_face(W, found.inside[n]));
    }
  }
}

BOOST_AUTO_TEST_CASE(planted_combinations_that_were_rounded_cost_seconds_and_get_no_wrong_verdict) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  const std::size_t V = 1000, h = 16;
  std::vector<double> rows(V * h);
  for (double& v : rows) v = normal(random);
  for (std::size_t k = 0; k < 20; ++k)
    for (std::size_t d = 0; d < h; ++d) {
      const std::size_t terms = k < 10 ? 2 : 64;
      double sum = 0;
      for (std::size_t n = 0; n < terms; ++n) sum += rows[(20 + 64 * (k % 10) + n) * h + d];
      rows[k * h + d] = sum / double(terms);
    }
  const std::clock_t begin = std::clock();  // not wall time: other processes take theirs
  const auto found = report(rows, h);
  BOOST_TEST(double(std::clock() - begin) / CLOCKS_PER_SEC < 10 * oracle_slowness);
  // the mean of 64 rows lies deep inside: rounding cannot move it out
  for (std::size_t i = 10; i < 20; ++i) BOOST_TEST((found.verdicts[i] == lt::token_verdict::unargmaxable));
  const lt::matrix_view<const double> W(rows.data(), V, h);
  for (const auto& certificate : found.inside) BOOST_TEST(lt::check_no_face(W, certificate));
  BOOST_TEST(found.residual.size() == found.undecided.size());
  for (std::size_t n = 0; n < found.undecided.size(); ++n) {
    BOOST_TEST(found.undecided[n] < 10u);
    BOOST_TEST(found.residual[n] < 1e-14);
  }
  BOOST_TEST_MESSAGE("undecided midpoints: " << found.undecided.size());
}

BOOST_AUTO_TEST_CASE(all_tokens_of_a_trained_head_can_win) {
  if (oracle::data_folder().empty()) return oracle::skipped("LOGITOPE_DATA is not set");
  std::ifstream file(oracle::data_folder() + "/stories260K.bin", std::ios::binary);
  BOOST_REQUIRE(file.good());
  file.seekg(28);
  std::vector<float> rows(512 * 64);
  file.read(reinterpret_cast<char*>(rows.data()), std::streamsize(rows.size() * sizeof(float)));
  const auto found = lt::argmaxable(lt::matrix_view<const float>(rows.data(), 512, 64));
  BOOST_TEST(found.argmaxable == 512u);
  BOOST_TEST(found.margin_token == 108u);
  BOOST_TEST(oracle::close(found.smallest_margin, 9.115e-5L, oracle::absolute{6e-9}));
  BOOST_TEST(found.margin_kind == "exact");
}

BOOST_AUTO_TEST_CASE(arrays_of_any_layout_are_taken_and_a_head_without_rows_has_no_verdicts) {
  // a square with one row inside, and a bias that lifts it over the others
  const xt::xtensor<double, 2> W{{0, 0}, {4, 0}, {0, 4}, {4, 4}, {1, 3}};
  const xt::xtensor<double, 2, xt::layout_type::column_major> columns = W;
  const xt::xtensor<double, 2> across = xt::transpose(W);
  lt::matrix<double> rows(5, 2);
  std::copy(W.begin(), W.end(), rows.values().begin());
  const std::vector<std::size_t> inside{4};
  BOOST_TEST((lt::argmaxable(W).unargmaxable == inside));
  BOOST_TEST((lt::argmaxable(columns).unargmaxable == inside));
  BOOST_TEST((lt::argmaxable(rows).unargmaxable == inside));
  BOOST_TEST((lt::argmaxable(rows.view()).unargmaxable == inside));
  BOOST_TEST((lt::argmaxable(xt::transpose(across)).unargmaxable == inside));
  const std::vector<double> bias{0, 0, 0, 0, 1};
  BOOST_TEST(lt::argmaxable(W, bias).unargmaxable.empty());
  BOOST_TEST(lt::argmaxable(W, xt::xtensor<double, 1>{0, 0, 0, 0, 1}).unargmaxable.empty());
  BOOST_CHECK_EXCEPTION(static_cast<void>(lt::argmaxable(bias)), lt::shape_error,
                        oracle::says("axes of the weights: expected 2, got 1"));
  const auto none = lt::argmaxable(lt::matrix<double>(0, 3));
  BOOST_TEST((none.verdicts.empty() && none.argmaxable == 0));
}

BOOST_AUTO_TEST_SUITE_END()
