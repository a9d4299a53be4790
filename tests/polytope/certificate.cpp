// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/polytope/certificate.hpp"

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
