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

BOOST_AUTO_TEST_SUITE_END()
