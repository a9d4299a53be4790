// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/ambiguity/rows.hpp"

#include <array>
#include <vector>

#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {

/// Any array, as an interop header would describe it: here with strides chosen by hand.
struct strided_array {
  std::vector<float> values;
  lt::array_view<const float> seen;
};

constexpr auto weighted_sum = [](auto row) {
  double sum = 0;
  for (std::size_t v = 0; v < row.size; ++v) sum += double(v + 1) * row[v];
  return sum;
};

}  // namespace

template <>
struct logitope::array_traits<strided_array> : logitope::detail::standard_owner {
  using value_type = float;
  static constexpr std::size_t rank = 2;
  static array_view<const float> view(const strided_array& a) { return a.seen; }
};

BOOST_AUTO_TEST_SUITE(ambiguity_rows)

BOOST_AUTO_TEST_CASE(one_axis_gives_a_number_and_two_axes_a_number_per_row) {
  const std::vector<float> one{1, 2, 3};
  static_assert(std::is_same_v<decltype(lt::detail::measure_rows(one, "sum", weighted_sum)), double>);
  BOOST_TEST(lt::detail::measure_rows(one, "sum", weighted_sum) == 14.0);
  const std::array<double, 8> buffer{1, 2, 3, -9, 4, 5, 6, -9};
  const lt::matrix_view<const double> two(buffer.data(), 2, 3, 4);
  const std::vector<double> sums = lt::detail::measure_rows(two, "sum", weighted_sum);
  BOOST_TEST((sums == std::vector<double>{14, 32}));
}

BOOST_AUTO_TEST_CASE(transposed_and_reversed_axes_are_walked_by_their_strides) {
  strided_array a{{1, 4, 2, 5, 3, 6}, {}};
  a.seen = {a.values.data(), 2, {2, 3}, {1, 2}};
  BOOST_TEST((lt::detail::measure_rows(a, "sum", weighted_sum) == std::vector<double>{14, 32}));
  a.seen = {a.values.data() + 5, 2, {2, 3}, {-1, -2}};
  BOOST_TEST((lt::detail::measure_rows(a, "sum", weighted_sum) == std::vector<double>{6 + 10 + 12, 3 + 4 + 3}));
}

BOOST_AUTO_TEST_CASE(pairs_of_different_shapes_are_refused_by_name) {
  const lt::matrix<double> a(2, 3), b(2, 4);
  const std::vector<double> row(3);
  const auto first = [](auto, auto) { return 0.0; };
  BOOST_CHECK_EXCEPTION((void)lt::detail::measure_row_pairs(a, b, "kl", first), lt::shape_error,
                        oracle::says("kl, axis 1 of the second array: expected 3, got 4"));
  BOOST_CHECK_EXCEPTION((void)lt::detail::measure_row_pairs(a, row, "kl", first), lt::shape_error,
                        oracle::says("kl, axes of the second array: expected 2, got 1"));
}

BOOST_AUTO_TEST_SUITE_END()
