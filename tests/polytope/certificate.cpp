// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/polytope/certificate.hpp"

#include <random>

#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {
const double triangle[] = {0, 0, 1, 0, 0, 1, .25, .25};
const lt::matrix_view<const double> W(triangle, 4, 2);
const std::vector<double> none;
}  // namespace

BOOST_AUTO_TEST_SUITE(polytope_certificate)

BOOST_AUTO_TEST_CASE(a_direction_proves_its_row_and_no_other) {
  const double c[] = {-1, -1};
  const auto proof = lt::check_separation<double>(W, none, 0, c, 0);
  BOOST_TEST(proof.strict);
  BOOST_TEST(proof.lower <= .5 / std::sqrt(2.0));
  BOOST_TEST(oracle::close(proof.lower, .5L / std::sqrt(2.0L), oracle::relative{1e-13}));
  BOOST_TEST(!lt::check_separation<double>(W, none, 1, c, 0).strict);
  BOOST_TEST(!lt::check_separation<double>(W, none, 3, c, 0).strict);
}

BOOST_AUTO_TEST_CASE(a_lead_below_rounding_is_decided_exactly) {
  // c.(w_0 - w_1) = 2^-80 or 0, of terms of size 1
  for (const double lead : {0x1p-80, 0.0}) {
    const double rows[] = {1, 1, lead, 1, 1, 0};
    const double c[] = {1, -1, 1};
    BOOST_TEST(lt::check_separation<double>(lt::matrix_view<const double>(rows, 2, 3), none, 0, c, 0).strict ==
               (lead > 0));
  }
}

BOOST_AUTO_TEST_CASE(the_bias_counts_with_its_weight) {
  const double bias[] = {0, 0, 0, 1}, zero[] = {0, 0};
  BOOST_TEST(lt::check_separation<double>(W, bias, 3, zero, 1).strict);
  BOOST_TEST(!lt::check_separation<double>(W, bias, 3, zero, 0).strict);
}

BOOST_AUTO_TEST_CASE(a_block_of_rows_is_proved_where_integers_say_so_and_nowhere_else) {
  std::mt19937 random(23);
  std::uniform_int_distribution<int> digit(-20, 20);
  const std::size_t V = 600, h = 7;  // three tiles of rows, the last one short
  lt::matrix<double> rows(V, h);
  for (double& v : rows.values()) v = digit(random);
  for (std::size_t d = 0; d < h; ++d) rows(257, d) = rows(255, d);  // a tie across two tiles
  std::size_t proved = 0;
  for (std::size_t first = 0; first < V; first += 60) {
    const auto C = rows.view().block(first, 60);
    std::vector<lt::separation> out(60);
    lt::check_separations<>(rows.view(), first, C, std::span<lt::separation>(out));
    for (std::size_t k = 0; k < 60; ++k) {
      long least = std::numeric_limits<long>::max(), square = 0;
      for (std::size_t j = 0; j < V; ++j) {
        long lead = 0;
        for (std::size_t d = 0; d < h; ++d) lead += long(C(k, d)) * long(rows(first + k, d) - rows(j, d));
        if (j != first + k) least = std::min(least, lead);
      }
      for (std::size_t d = 0; d < h; ++d) square += long(C(k, d)) * long(C(k, d));
      BOOST_TEST(out[k].strict == (least > 0));
      const long double want = static_cast<long double>(least) / std::sqrt(static_cast<long double>(square));
      if (least > 0) {
        ++proved;
        BOOST_TEST(out[k].lower <= want);
        BOOST_TEST(oracle::close(out[k].lower, want, oracle::absolute{1e-11}));
      } else {
        BOOST_TEST(out[k].lower == 0.0);
      }
    }
  }
  BOOST_TEST(proved > 50u);
  BOOST_TEST(proved < V - 50);
}

BOOST_AUTO_TEST_CASE(a_block_proves_no_lead_below_its_rounding) {
  for (const double lead : {0x1p-70, 0x1p-20, -0x1p-20}) {
    const double rows[] = {1, 1, lead, 1, 1, 0}, direction[] = {1, -1, 1};
    lt::separation out[1];
    lt::check_separations<>(lt::matrix_view<const double>(rows, 2, 3), 0,
                            lt::matrix_view<const double>(direction, 1, 3), std::span<lt::separation>(out));
    BOOST_TEST(out[0].strict == (lead == 0x1p-20));
  }
  // row 1 leads by 1/2, but its product may round to 0: large numbers of a small row's rival count too
  const double rival[] = {.5, 0, 0, 0x1p53, 1, -0x1p53}, ones[] = {1, 1, 1};
  lt::separation none_here[1]{{true, 1}};
  lt::check_separations<>(lt::matrix_view<const double>(rival, 2, 3), 0, lt::matrix_view<const double>(ones, 1, 3),
                          std::span<lt::separation>(none_here));
  BOOST_TEST(!none_here[0].strict);
  const double huge[] = {1e200, 0, 0, 1e200}, way[] = {1e200, 0};
  lt::separation out[1]{{true, 1}};
  lt::check_separations<>(lt::matrix_view<const double>(huge, 2, 2), 0, lt::matrix_view<const double>(way, 1, 2),
                          std::span<lt::separation>(out));
  BOOST_TEST(!out[0].strict);  // products overflow: no proof
}

BOOST_AUTO_TEST_CASE(a_combination_must_be_exact_and_nonnegative) {
  const std::size_t rows[] = {0, 1, 2};
  const std::vector<lt::rational> right{2, 1, 1}, wrong{2, 1, 2}, negative{-2, -1, -1};
  BOOST_TEST(lt::check_combination<double>(W, none, 3, rows, right) == 0);
  BOOST_TEST(lt::check_combination<double>(W, none, 3, rows, wrong) == -1);
  BOOST_TEST(lt::check_combination<double>(W, none, 3, rows, negative) == -1);
  const double high[] = {1, 1, 1, 2}, same[] = {1, 1, 1, 1}, low[] = {1, 1, 1, 0};
  BOOST_TEST(lt::check_combination<double>(W, high, 3, rows, right) == -1);
  BOOST_TEST(lt::check_combination<double>(W, same, 3, rows, right) == 0);
  BOOST_TEST(lt::check_combination<double>(W, low, 3, rows, right) == 1);
}

BOOST_AUTO_TEST_CASE(a_simplex_around_a_row_is_proved_in_floating_point_and_its_edge_is_not) {
  const std::size_t rows[] = {0, 1, 2};
  BOOST_TEST(lt::check_inside<double>(W, none, 3, rows));
  const double edge[] = {0, 0, 1, 0, 0, 1, .5, .5}, outside[] = {0, 0, 1, 0, 0, 1, .75, .5};
  BOOST_TEST(!lt::check_inside<double>(lt::matrix_view<const double>(edge, 4, 2), none, 3, rows));
  BOOST_TEST(!lt::check_inside<double>(lt::matrix_view<const double>(outside, 4, 2), none, 3, rows));
  const double high[] = {0, 0, 0, 1}, low[] = {0, 0, 0, -1};
  BOOST_TEST(!lt::check_inside<double>(W, high, 3, rows));
  BOOST_TEST(lt::check_inside<double>(W, low, 3, rows));
}

BOOST_AUTO_TEST_CASE(a_supporting_direction_counts_the_losers) {
  const std::vector<lt::rational> down{0, -1}, up{0, 1};
  BOOST_TEST(lt::check_support<double>(W, none, 0, down, 0) == 2u);
  BOOST_TEST(lt::check_support<double>(W, none, 0, up, 0) == lt::npos);
}

BOOST_AUTO_TEST_SUITE_END()
