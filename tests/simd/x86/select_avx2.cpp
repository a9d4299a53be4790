// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/select.hpp"
#include "simd/selection.hpp"

#if defined(__x86_64__)

namespace lt = logitope;

namespace {

bool runs_here() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simd_select_avx2)

BOOST_AUTO_TEST_CASE(the_primitives_in_avx2_do_what_loops_do) {
  if (!runs_here()) return oracle::skipped("this CPU has no AVX2");
  const auto& single = lt::detail::select_kernels_of<lt::avx2, float>();
  BOOST_TEST((single.maxima == &lt::detail::x86::avx2_maxima_float));
  oracle::is_a_selection(single);
  const auto& twice = lt::detail::select_kernels_of<lt::avx2, double>();
  BOOST_TEST((twice.hits == &lt::detail::x86::avx2_hits_double));
  oracle::is_a_selection(twice);
}

BOOST_AUTO_TEST_SUITE_END()

#endif
