// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/core/view.hpp"

#include <array>

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(core_view)

BOOST_AUTO_TEST_CASE(rows_are_stride_elements_apart) {
  std::array<int, 10> buffer{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const lt::matrix_view<int> view(buffer.data(), 2, 3, 5);
  BOOST_TEST(view(0, 2) == 2);
  BOOST_TEST(view(1, 0) == 5);
  BOOST_TEST(view.row(1).size() == 3u);
  BOOST_TEST(view.block(1, 1)(0, 2) == 7);
}

BOOST_AUTO_TEST_CASE(a_fixed_extent_that_disagrees_is_named) {
  std::array<float, 6> buffer{};
  using fixed = lt::matrix_view<float, 2, 3>;
  BOOST_CHECK_EXCEPTION(fixed(buffer.data(), 3, 2), lt::shape_error, oracle::says("matrix rows: expected 2, got 3"));
}

BOOST_AUTO_TEST_CASE(a_stride_shorter_than_a_row_is_refused) {
  std::array<float, 6> buffer{};
  BOOST_CHECK_EXCEPTION(lt::matrix_view<float>(buffer.data(), 2, 3, 2), lt::shape_error, oracle::says("stride"));
}

BOOST_AUTO_TEST_CASE(extents_are_known_where_they_are_fixed) {
  static_assert(lt::compatible_extent<3, lt::dynamic> && lt::compatible_extent<3, 3> && !lt::compatible_extent<3, 4>);
  static_assert(std::is_convertible_v<lt::matrix_view<float, 2, 3>, lt::matrix_view<const float>>);
  static_assert(!std::is_convertible_v<lt::matrix_view<float, 2, 3>, lt::matrix_view<const float, 2, 4>>);
  static_assert(!std::is_convertible_v<lt::matrix_view<const float>, lt::matrix_view<float>>);
  std::array<float, 6> buffer{1, 2, 3, 4, 5, 6};
  const lt::matrix_view<const float> view = lt::matrix_view<float, 2, 3>(buffer.data(), 2, 3);
  BOOST_TEST(view(1, 1) == 5.0f);
}

BOOST_AUTO_TEST_SUITE_END()
