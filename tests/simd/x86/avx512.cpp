// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/kernels.hpp"

#if defined(__x86_64__)

#include <limits>
#include <vector>

#include "oracle/compare.hpp"

namespace lt = logitope;
using oracle::close;
using oracle::same;

namespace {

bool runs_here() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
constexpr float inf = std::numeric_limits<float>::infinity();

const lt::detail::row_kernels<float>& twin() {
  return lt::detail::kernels_of<lt::avx512, float>();
}
const lt::detail::row_kernels<float>& portable() {
  return lt::detail::kernels_of<lt::baseline, float>();
}

/// Distances from the maximum down to the subnormals and masks, in no order.
std::vector<float> row(std::size_t n) {
  std::vector<float> z(n);
  for (std::size_t i = 0; i < n; ++i) z[i] = i % 23 == 7 ? -inf : 3.0f - 0.731f * static_cast<float>((i * 37) % 151);
  return z;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simd_avx512)

BOOST_AUTO_TEST_CASE(the_pinned_table_is_avx512) {
  BOOST_TEST((&twin() == &lt::detail::x86::avx512_kernels));
}

BOOST_AUTO_TEST_CASE(a_scan_sees_the_largest_and_a_nan_in_every_lane_avx512) {
  if (!runs_here()) return oracle::skipped("this CPU has no AVX-512");
  BOOST_TEST(same(twin().scan(nullptr, 0).max, -inf));
  for (std::size_t n = 1; n <= 99; ++n)
    for (std::size_t at = 0; at < n; ++at) {
      std::vector<float> z(n, -4.0f);
      z[at] = -1.5f;
      BOOST_TEST(same(twin().scan(z.data(), n).max, -1.5f));
      BOOST_TEST(!twin().scan(z.data(), n).nan);
      BOOST_TEST(twin().find(z.data(), n, -1.5f) == at);
      BOOST_TEST(twin().find(z.data(), n, 8.0f) == n);
      z[at] = std::numeric_limits<float>::quiet_NaN();
      BOOST_TEST(twin().scan(z.data(), n).nan);
    }
}

BOOST_AUTO_TEST_CASE(exponentials_are_those_of_long_double_and_have_the_bits_of_portable_where_it_fuses_avx512) {
  if (!runs_here()) return oracle::skipped("this CPU has no AVX-512");
  for (std::size_t n = 0; n <= 170; ++n) {
    const std::vector<float> z = row(n);
    for (std::size_t exact = 0; exact < 2; ++exact) {
      std::vector<float> got(n + 1, 5.0f), other(n + 1, 5.0f);
      const float m = 3.0f;
      const double sum = twin().store_exp[exact](z.data(), got.data(), n, m);
      portable().store_exp[exact](z.data(), other.data(), n, m);
      BOOST_TEST(twin().sum_exp[exact](z.data(), n, m) == sum);
      BOOST_TEST(got[n] == 5.0f);
      long double total = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const long double d = static_cast<long double>(z[i]) - static_cast<long double>(m);
        const long double want = std::exp(d);
        total += want;
        // plain leaves the rounding of z - m in: half an ulp of it
        const long double u = 0x1p-24L * (2 + (exact != 0 ? 0 : std::fabs(d)));
        if (exact == 0 && want < 0x1.0001p-126L) BOOST_TEST(got[i] <= 0x1.0001p-126f);
        else
          BOOST_TEST(
              close(got[i], want, oracle::absolute{static_cast<double>(want * u) + (want < 0x1p-126L ? 0x1p-149 : 0)}),
              "d " << static_cast<double>(d));
        if (exact == 0 && want < 0x0.ffffp-126L) BOOST_TEST(same(got[i], 0.0f));
#if defined(__FMA__)
        if (exact != 0) BOOST_TEST(same(got[i], other[i]));
#endif
        BOOST_TEST(close(got[i], static_cast<long double>(other[i]), oracle::ulps{exact != 0 ? 2.0 : 4.0}));
      }
      // four floats meet before the sum goes on in double
      BOOST_TEST(close(sum, total, oracle::relative{1e-5}));
    }
  }
}

BOOST_AUTO_TEST_CASE(scaling_flushes_or_keeps_subnormals_as_asked_avx512) {
  if (!runs_here()) return oracle::skipped("this CPU has no AVX-512");
  for (std::size_t n = 0; n <= 70; ++n)
    for (std::size_t exact = 0; exact < 2; ++exact) {
      std::vector<float> p(n + 1, 5.0f);
      for (std::size_t i = 0; i < n; ++i) p[i] = i % 3 == 0 ? 0x1p-126f : 0.75f + static_cast<float>(i);
      twin().scale[exact](p.data(), n, 0.5f);
      for (std::size_t i = 0; i < n; ++i) {
        const float tiny = exact != 0 ? 0x1p-127f : 0.0f;
        BOOST_TEST(same(p[i], i % 3 == 0 ? tiny : 0.5f * (0.75f + static_cast<float>(i))));
      }
      BOOST_TEST(p[n] == 5.0f);
    }
}

BOOST_AUTO_TEST_CASE(shifts_have_one_rounding_where_exact_and_the_bits_of_portable_avx512) {
  if (!runs_here()) return oracle::skipped("this CPU has no AVX-512");
  for (std::size_t n = 0; n <= 70; ++n) {
    const std::vector<float> z = row(n);
    for (std::size_t exact = 0; exact < 2; ++exact) {
      std::vector<float> got(n + 1, 5.0f), other(n + 1, 5.0f);
      const double log_sum = 1.234567890123;
      twin().shift[exact](z.data(), got.data(), n, 3.3f, log_sum);
      portable().shift[exact](z.data(), other.data(), n, 3.3f, log_sum);
      for (std::size_t i = 0; i < n; ++i) {
        BOOST_TEST(same(got[i], other[i]));
        const long double want = (static_cast<long double>(z[i]) - 3.3f) - static_cast<long double>(log_sum);
        BOOST_TEST(close(got[i], want, oracle::ulps{exact != 0 ? 0.5000001 : 2.0}));
      }
      BOOST_TEST(got[n] == 5.0f);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

#endif
