// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/polytope/duplicates.hpp"

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(polytope_duplicates)

BOOST_AUTO_TEST_CASE(zero_has_no_sign_and_a_bias_tells_equal_rows_apart) {
  const double rows[] = {0.0, 1, 2, 3, -0.0, 1, 2, 3};
  const lt::matrix_view<const double> W(rows, 4, 2);
  using classes = std::vector<std::vector<std::size_t>>;
  BOOST_TEST((lt::equal_rows(W) == classes{{0, 2}, {1, 3}}));
  const double bias[] = {0.0, 1, -0.0, 2};
  BOOST_TEST((lt::equal_rows(W, std::span<const double>(bias)) == classes{{0, 2}, {1}, {3}}));
}

BOOST_AUTO_TEST_SUITE_END()
