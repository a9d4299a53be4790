// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/kernels.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "logitope/simd/flush_mode.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;
using oracle::close;

namespace {

struct small_tiles : lt::default_policy {
  static constexpr std::size_t vocabulary_tile = 256;
};
struct no_such_arch : lt::default_policy {
  using arch = int;
};
struct no_tile : lt::default_policy {
  static constexpr std::size_t vocabulary_tile = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(simd_kernels)

BOOST_AUTO_TEST_CASE(the_table_holds_the_best_this_cpu_runs) {
  const auto info = lt::instruction_set();
#if defined(__x86_64__)
  const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  BOOST_TEST(info.lanes >= (wide ? 8u : 4u));
  if (wide) {
    BOOST_TEST(
        (&lt::detail::kernels_of<lt::best_available, float>() != &lt::detail::kernels_of<lt::baseline, float>()));
  }
#endif
  BOOST_TEST(!info.name.empty());
}

BOOST_AUTO_TEST_CASE(a_pinned_baseline_runs_on_the_flags_of_this_file) {
  struct pinned : lt::default_policy {
    using arch = lt::baseline;
  };
  BOOST_TEST(lt::instruction_set<pinned>().lanes == lt::simd::lanes<float>);
  BOOST_TEST(lt::xsimd_version[0] >= 8);
}

BOOST_AUTO_TEST_CASE(policies_are_read_by_a_concept) {
  static_assert(lt::kernel_policy<small_tiles> && lt::kernel_policy<lt::precise_policy>);
  static_assert(!lt::kernel_policy<no_such_arch> && !lt::kernel_policy<no_tile> && !lt::kernel_policy<int>);
  BOOST_TEST(small_tiles::vocabulary_tile == 256u);
}

BOOST_AUTO_TEST_CASE(every_table_answers_the_same_questions_alike) {
  const auto& a = lt::detail::kernels_of<lt::best_available, float>();
  const auto& b = lt::detail::kernels_of<lt::baseline, float>();
  for (std::size_t n = 0; n <= 140; ++n) {
    std::vector<float> z(n), pa(n + 1, 5.0f), pb(n + 1, 5.0f);
    for (std::size_t i = 0; i < n; ++i) z[i] = -static_cast<float>((i * 37) % 101);
    const auto ta = a.scan(z.data(), n), tb = b.scan(z.data(), n);
    BOOST_TEST(ta.max == tb.max);
    BOOST_TEST(ta.nan == tb.nan);
    BOOST_TEST(a.find(z.data(), n, -36.0f) == b.find(z.data(), n, -36.0f));
    for (std::size_t exact = 0; exact < 2; ++exact) {
      const double sa = a.sum_exp[exact](z.data(), n, 0.0f), sb = b.sum_exp[exact](z.data(), n, 0.0f);
      BOOST_TEST(close(sa, static_cast<long double>(sb), oracle::relative{4e-7}));
      BOOST_TEST(a.store_exp[exact](z.data(), pa.data(), n, 0.0f) == sa);
      b.store_exp[exact](z.data(), pb.data(), n, 0.0f);
      a.scale[exact](pa.data(), n, 0.25f);
      b.scale[exact](pb.data(), n, 0.25f);
      for (std::size_t i = 0; i < n; ++i)
        BOOST_TEST(close(pa[i], static_cast<long double>(pb[i]), oracle::ulps{exact != 0 ? 2.0 : 4.0}));
      a.shift[exact](z.data(), pa.data(), n, 0.5f, 1.25);
      b.shift[exact](z.data(), pb.data(), n, 0.5f, 1.25);
      for (std::size_t i = 0; i < n; ++i) {
        BOOST_TEST(pa[i] == pb[i]);
        BOOST_TEST(pa[i] == z[i] - 1.75f);
      }
      BOOST_TEST(pa[n] == 5.0f);  // nothing behind the row is written
      BOOST_TEST(pb[n] == 5.0f);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_exponential_in_the_loop_is_within_five_ulp_on_every_negative_float) {
  // every 61st, or all where LOGITOPE_EXHAUSTIVE is set; the last float below log of the smallest normal gives 0
  const std::uint32_t step = std::getenv("LOGITOPE_EXHAUSTIVE") != nullptr ? 1 : 61;
  const std::uint32_t sign = 0x80000000u, begin = 0x30800000u, end = std::bit_cast<std::uint32_t>(87.33654022f);
  for (const auto* table :
       {&lt::detail::kernels_of<lt::best_available, float>(), &lt::detail::kernels_of<lt::baseline, float>()}) {
    double worst = 0;
    std::vector<float> z, e(4096);
    const auto flush = [&] {
      table->store_exp[0](z.data(), e.data(), z.size(), 0.0f);
      for (std::size_t i = 0; i < z.size(); ++i) {
        const double want = std::exp(static_cast<double>(z[i]));
        const double ulp = std::ldexp(1.0, std::ilogb(want) - 23);
        const double off = std::fabs(static_cast<double>(e[i]) - want) / ulp;
        if (!(off <= worst)) worst = off;
      }
      z.clear();
    };
    for (std::uint32_t b = begin; b <= end; b += step) {
      z.push_back(std::bit_cast<float>(b | sign));
      if (z.size() == e.size()) flush();
    }
    z.push_back(-87.33654022f);
    flush();
    BOOST_TEST_MESSAGE("exp in the loop: " << worst << " ulp");
    BOOST_TEST(worst <= 5.0);
    const std::vector<float> last{0.0f, -0.0f, std::nextafter(-87.33654022f, -88.0f), -1000.0f,
                                  -std::numeric_limits<float>::infinity()};
    table->store_exp[0](last.data(), e.data(), last.size(), 0.0f);
    BOOST_TEST((e[0] == 1.0f && e[1] == 1.0f && e[2] == 0.0f && e[3] == 0.0f && e[4] == 0.0f));
  }
}

#if defined(__SSE2__)
BOOST_AUTO_TEST_CASE(subnormals_are_kept_for_a_scope_only) {
  const unsigned saved = _mm_getcsr();
  _mm_setcsr(saved | 0x8040u);
  {
    const lt::keep_subnormals scope;
    BOOST_TEST((_mm_getcsr() & 0x8040u) == 0u);
  }
  const unsigned after = _mm_getcsr();
  _mm_setcsr(saved);
  BOOST_TEST((after & 0x8040u) == 0x8040u);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
