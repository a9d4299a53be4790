// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/select.hpp"
#include "simd/selection.hpp"

#if defined(__x86_64__)

namespace lt = logitope;

namespace {

bool runs_here() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simd_select_avx512)

BOOST_AUTO_TEST_CASE(the_primitives_in_avx512_do_what_loops_do) {
  if (!runs_here()) return oracle::skipped("this CPU has no AVX-512");
  const auto& single = lt::detail::select_kernels_of<lt::avx512, float>();
  BOOST_TEST((single.maxima == &lt::detail::x86::avx512_maxima_float));
  oracle::is_a_selection(single);
  const auto& twice = lt::detail::select_kernels_of<lt::avx512, double>();
  BOOST_TEST((twice.hits == &lt::detail::x86::avx512_hits_double));
  oracle::is_a_selection(twice);
}

BOOST_AUTO_TEST_SUITE_END()

#endif
