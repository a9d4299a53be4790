// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/select_kernels.hpp"

#include <tuple>

#include "simd/selection.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(simd_select_kernels)

using element_types = std::tuple<float, double>;

BOOST_AUTO_TEST_CASE_TEMPLATE(the_portable_primitives_do_what_loops_do, T, element_types) {
  oracle::is_a_selection(lt::detail::portable_select<T, lt::simd::default_arch>::table());
}

BOOST_AUTO_TEST_CASE(counts_are_exact_where_float_lanes_would_stop_counting) {
  const std::size_t n = (std::size_t{1} << 24) + (std::size_t{1} << 22) + 64;
  std::vector<float> x(n, 1.0f);
  x[5] = 0.0f;
  BOOST_TEST((lt::detail::portable_select<float, lt::simd::default_arch>::count(x.data(), n, 1.0f) == n - 1));
}

BOOST_AUTO_TEST_SUITE_END()
