// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/rank/spectra.hpp"

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include "oracle/compare.hpp"

namespace lt = logitope;
using oracle::close;
using oracle::relative;
using oracle::says;

namespace {

lt::matrix<double> diagonal(std::size_t rows, std::size_t cols, std::initializer_list<double> values) {
  lt::matrix<double> A(rows, cols);
  std::size_t i = 0;
  for (const double v : values) {
    A(i, i) = v;
    ++i;
  }
  return A;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rank_spectra)

BOOST_AUTO_TEST_CASE(vectors_obey_the_tolerance_like_matrices_RA01) {
  const double x[] = {0, 0, 1e-14};
  for (const auto& A : {lt::matrix_view<const double>(x, 1, 3), lt::matrix_view<const double>(x, 3, 1)}) {
    BOOST_TEST(lt::numerical_rank(A, {.absolute = 1e-13}).rank == 0u);
    BOOST_TEST(lt::numerical_rank(A, {.absolute = 1e-15}).rank == 1u);
    BOOST_TEST(lt::numerical_rank(A).rank == 1u);
    BOOST_TEST(lt::numerical_rank(A, {.relative = 1.0}).rank == 0u);
  }
}

BOOST_AUTO_TEST_CASE(a_row_that_is_the_sum_of_the_others_is_seen_through_rounding_noise_RA02) {
  lt::matrix<double> A(10, 10);
  for (std::size_t i = 0; i < 9; ++i) A(i, i) = A(9, i) = 1;
  std::uint32_t seed = 5;
  for (double& a : A.values()) {
    seed = seed * 1664525u + 1013904223u;
    a += 1e-16 * (static_cast<double>(seed) / 2147483648.0 - 1);
  }
  const auto report = lt::numerical_rank(A.view());
  BOOST_TEST(report.rank == 9u);
  BOOST_TEST(report.singular_values.size() == 10u);
  BOOST_TEST(close(report.largest, std::sqrt(10.0L), relative{1e-14}));  // eigenvalues of I + 1 1^T: 10 and 1
  BOOST_TEST(report.gap > 1e14);
  BOOST_TEST(report.condition > 1e14);
  BOOST_TEST(report.scaled_rank ==
             10u);  // the last column is nothing but noise: its unit decides, and the flag says so
  BOOST_TEST(report.ill_conditioned);
  BOOST_TEST(close(report.tolerance, 10 * 0x1p-52L, relative{1e-15}));
}

BOOST_AUTO_TEST_CASE(huge_rows_that_hide_a_direction_are_flagged_RA04) {
  const float small[] = {1, 0, 0, 1e-3f};
  const auto alone = lt::numerical_rank(lt::matrix_view<const float>(small, 2, 2));
  BOOST_TEST(alone.rank == 2u);
  BOOST_TEST(!alone.ill_conditioned);
  lt::matrix<float> stacked(100002, 2);
  stacked(0, 0) = 1;
  stacked(1, 1) = 1e-3f;
  for (std::size_t i = 2; i < stacked.rows(); ++i) stacked(i, 0) = 1e4f;
  const auto report = lt::numerical_rank(stacked.view());
  BOOST_TEST(report.ill_conditioned);
  BOOST_TEST(report.rank == 1u);
  BOOST_TEST(report.scaled_rank == 2u);
  BOOST_TEST(close(report.singular_values[0], std::sqrt(1e13L + 1), relative{1e-12}));
  BOOST_TEST(close(report.singular_values[1], 1e-3L, relative{1e-6}));
  BOOST_TEST(!lt::numerical_rank(stacked.view(), {.check_scaling = false}).ill_conditioned);
}

BOOST_AUTO_TEST_CASE(the_default_tolerance_takes_the_longer_side_RA05) {
  auto A = diagonal(78, 13, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3.5e-15});
  BOOST_TEST(lt::numerical_rank(A.view(), {.check_scaling = false}).rank == 12u);
  BOOST_TEST(lt::numerical_rank(A.view(), {.relative = 13 * 0x1p-52}).rank == 13u);
}

BOOST_AUTO_TEST_CASE(the_default_tolerance_is_that_of_the_stored_type) {
  const float f[] = {1, 0, 0, 1e-7f};
  const double d[] = {1, 0, 0, 1e-7};
  BOOST_TEST(lt::numerical_rank(lt::matrix_view<const float>(f, 2, 2)).rank == 1u);
  BOOST_TEST(lt::numerical_rank(lt::matrix_view<const double>(d, 2, 2)).rank == 2u);
  BOOST_TEST(lt::numerical_rank(lt::matrix_view<const float>(f, 2, 2)).tolerance == 0x1p-22);
}

BOOST_AUTO_TEST_CASE(condition_and_gap_are_quotients_of_the_spectrum) {
  const auto report = lt::numerical_rank(diagonal(3, 3, {8, 2, 0.5}).view(), {.relative = 0.1});
  BOOST_TEST(report.rank == 2u);
  BOOST_TEST(close(report.condition, 16.0L, relative{1e-15}));
  BOOST_TEST(close(report.gap, 4.0L, relative{1e-15}));
  BOOST_TEST(report.tolerance == 0.1);
  BOOST_TEST(report.scaled_rank == 3u);
}

BOOST_AUTO_TEST_CASE(zero_and_empty_matrices_have_rank_zero) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const lt::matrix<double> zero(3, 4);
  const auto report = lt::numerical_rank(zero.view());
  BOOST_TEST(report.rank == 0u);
  BOOST_TEST(report.largest == 0);
  BOOST_TEST(report.condition == inf);
  BOOST_TEST(report.gap == inf);
  BOOST_TEST(lt::numerical_rank(zero.view(), {.relative = 0.0}).rank == 0u);
  const auto empty = lt::numerical_rank(lt::matrix_view<const double>());
  BOOST_TEST(empty.rank == 0u);
  BOOST_TEST(empty.condition == 0);
}

BOOST_AUTO_TEST_CASE(tolerances_that_are_no_tolerances_are_named) {
  const lt::matrix<double> A(2, 2);
  BOOST_CHECK_EXCEPTION((void)lt::numerical_rank(A.view(), {.relative = -1.0}), lt::value_error, says("relative"));
  BOOST_CHECK_EXCEPTION((void)lt::numerical_rank(A.view(), {.absolute = std::nan("")}), lt::value_error,
                        says("absolute tolerance: expected a number >= 0, got nan"));
}

BOOST_AUTO_TEST_SUITE_END()
