// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/core/array.hpp"

#include <vector>

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(core_array)

BOOST_AUTO_TEST_CASE(vectors_matrices_and_views_show_their_shape_and_strides) {
  lt::matrix<double> m(2, 3);
  const auto view = lt::array_traits<lt::matrix<double>>::view(m);
  BOOST_TEST(view.rank == 2u);
  BOOST_TEST(view.size() == 6u);
  BOOST_TEST(view.strides[0] == 3);
  BOOST_TEST(view.strides[1] == 1);
  std::vector<float> buffer(10);
  const auto padded = lt::array_view<float>::of_matrix(lt::matrix_view<float>(buffer.data(), 2, 3, 5));
  BOOST_TEST(padded.strides[0] == 5);
  BOOST_TEST(padded.extents().size() == 2u);
}

BOOST_AUTO_TEST_CASE(only_float_and_double_are_real_arrays) {
  static_assert(lt::real_array<std::vector<float>> && lt::real_array<lt::matrix<double>>);
  static_assert(lt::array_like<std::vector<int>> && !lt::real_array<std::vector<int>> && !lt::array_like<int>);
  static_assert(lt::rank_of<std::span<const float>> == 1 && lt::rank_of<lt::matrix<float>> == 2);
  static_assert(std::is_same_v<lt::element_of<std::span<const float>>, float>);
  BOOST_TEST(lt::array_view<float>{}.size() == 1u);  // rank 0: a scalar
}

BOOST_AUTO_TEST_SUITE_END()
