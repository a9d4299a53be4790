// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/core/matrix.hpp"

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(core_matrix)

BOOST_AUTO_TEST_CASE(a_matrix_starts_at_zero_and_stores_row_after_row) {
  lt::matrix<float> m(2, 3);
  BOOST_TEST(m(1, 2) == 0.0f);
  m(1, 0) = 7;
  BOOST_TEST(m.data()[3] == 7.0f);
  BOOST_TEST(m.row(1)[0] == 7.0f);
  const lt::matrix_view<const float> view = m;
  BOOST_TEST(view(1, 0) == 7.0f);
  BOOST_TEST(m.size() == 6u);
}

BOOST_AUTO_TEST_CASE(a_matrix_without_rows_or_columns_is_empty) {
  BOOST_TEST(lt::matrix<float>().empty());
  BOOST_TEST(lt::matrix<float>(0, 3).empty());
  BOOST_TEST(lt::matrix<float>(0, 3).cols() == 3u);
}

BOOST_AUTO_TEST_CASE(sizes_whose_product_does_not_fit_are_refused_with_both_named) {
  // 2^33 * 2^33 wraps to 0: every element would lie outside.
  constexpr std::size_t wraps = std::size_t{1} << 33, half = std::size_t{1} << 32;
  BOOST_CHECK_EXCEPTION(lt::matrix<float>(wraps, wraps), lt::shape_error,
                        oracle::says("matrix: expected rows x columns that fit memory, got 8589934592 x 8589934592"));
  BOOST_CHECK_THROW(lt::matrix<double>(half, half / 2), lt::shape_error);  // elements fit, bytes do not
  BOOST_TEST(lt::matrix<double>(half * half - 1, 0).empty());
}

BOOST_AUTO_TEST_CASE(a_matrix_moved_from_has_no_rows_and_the_other_all_of_them) {
  lt::matrix<float> a(2, 3), b(1, 1);
  a(1, 2) = 7;
  const lt::matrix<float> c(std::move(a));
  BOOST_TEST(c(1, 2) == 7.0f);
  BOOST_TEST((a.rows() == 0 && a.cols() == 0 && a.view().empty()));
  b = lt::matrix<float>(c);
  BOOST_TEST((b.rows() == 2 && b.cols() == 3));
  a = std::move(b);
  BOOST_TEST(a(1, 2) == 7.0f);
  BOOST_TEST((b.rows() == 0 && b.size() == 0));
}

BOOST_AUTO_TEST_SUITE_END()
