// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/softmax.hpp"

#if defined(__x86_64__)

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "oracle/compare.hpp"

namespace lt = logitope;
using oracle::same;

namespace {

struct pinned_avx512 : lt::default_policy {
  using arch = lt::avx512;
};
constexpr float inf = std::numeric_limits<float>::infinity(), nan_value = std::numeric_limits<float>::quiet_NaN();

bool runs_here() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

std::vector<float> some_rows(std::size_t n, double sigma, unsigned seed) {
  std::mt19937 g(seed);
  std::normal_distribution<double> d(0, sigma);
  std::vector<float> z(n);
  for (float& x : z) x = g() % 11 == 0 ? -inf : static_cast<float>(d(g));
  return z;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simd_short_rows_avx512)

BOOST_AUTO_TEST_CASE(short_rows_are_the_probabilities_wherever_they_stand_in_a_batch) {
  if (!runs_here()) return oracle::skipped("this CPU has no AVX-512");
  constexpr double u = 0x1p-24;
  for (std::size_t n = 1; n <= 150; ++n) {
    const std::size_t rows = 7, pitch = n + 3, to = n + 5;
    const auto z = some_rows(rows * pitch, n % 3 == 0 ? 40 : 3, static_cast<unsigned>(n));
    std::vector<float> p(rows * to, 5.0f);
    lt::softmax<pinned_avx512>(lt::matrix_view<const float>(z.data(), rows, n, pitch),
                               lt::matrix_view<float>(p.data(), rows, n, to));
    for (std::size_t i = 0; i < rows; ++i) {
      const std::span<const float> row(z.data() + i * pitch, n);
      std::vector<float> alone(n);
      lt::softmax_row<pinned_avx512>(row, std::span<float>(alone));
      long double max = -inf, sum = 0;
      for (const float x : row) max = (std::max)(max, static_cast<long double>(x));
      for (const float x : row) sum += std::exp(static_cast<long double>(x) - max);
      for (std::size_t j = 0; j < n; ++j) {
        const float got = p[i * to + j];
        BOOST_TEST(same(got, alone[j]), "row " << i << " of length " << n);
        if (max == -inf) {
          BOOST_TEST(same(got, 0.0f));
          continue;
        }
        const long double d = static_cast<long double>(row[j]) - max, want = std::exp(d) / sum;
        const double bound =
            row[j] == -inf ? 0 : static_cast<double>(want) * (12 - static_cast<double>(d) + std::log(n)) * u;
        BOOST_TEST(oracle::close(got, want, oracle::absolute{(std::max)(bound, want < 0x1p-126L ? 0x1p-126 : 0.0)}));
      }
      for (std::size_t j = n; j < to; ++j) BOOST_TEST(same(p[i * to + j], 5.0f));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_row_that_is_not_ordinary_leaves_the_bits_of_its_neighbours) {
  if (!runs_here()) return oracle::skipped("this CPU has no AVX-512");
  for (const std::size_t n : {1u, 15u, 16u, 17u, 40u, 128u, 129u})
    for (std::size_t bad = 0; bad < 9; ++bad)
      for (const float what : {nan_value, inf, -inf}) {
        auto z = some_rows(9 * n, 3, static_cast<unsigned>(n + bad));
        for (std::size_t i = 0; i < 9; ++i) z[i * n] = 1.0f;  // none is empty
        std::vector<float> before(9 * n), after(9 * n);
        lt::softmax<pinned_avx512>(lt::matrix_view<const float>(z.data(), 9, n),
                                   lt::matrix_view<float>(before.data(), 9, n));
        if (what == -inf) std::fill_n(z.begin() + static_cast<long>(bad * n), n, what);
        else z[bad * n + n / 2] = what;
        const auto status = lt::softmax<pinned_avx512>(lt::matrix_view<const float>(z.data(), 9, n),
                                                       lt::matrix_view<float>(after.data(), 9, n));
        BOOST_TEST(status.nan == (std::isnan(what) ? 1u : 0u));
        BOOST_TEST(status.infinite == (what == inf ? 1u : 0u));
        BOOST_TEST(status.empty == (what == -inf ? 1u : 0u));
        for (std::size_t i = 0; i < 9; ++i)
          for (std::size_t j = 0; j < n; ++j)
            BOOST_TEST(same(after[i * n + j], i != bad ? before[i * n + j] : what == -inf ? 0.0f : nan_value));
        // in place
        lt::softmax<pinned_avx512>(lt::matrix_view<const float>(z.data(), 9, n),
                                   lt::matrix_view<float>(z.data(), 9, n));
        for (std::size_t i = 0; i < 9 * n; ++i) BOOST_TEST(same(z[i], after[i]));
      }
}

BOOST_AUTO_TEST_SUITE_END()

#endif
