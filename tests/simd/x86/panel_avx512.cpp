// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/panel.hpp"
#include "simd/product.hpp"

#if defined(__x86_64__)

namespace lt = logitope;
using oracle::padded;

namespace {

bool runs_here() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

struct pinned : lt::default_policy {
  using arch = lt::avx512;
};
struct pinned_baseline : lt::default_policy {
  using arch = lt::baseline;
};

/// One strip of `columns` against a chain of std::fma, bit for bit; elements of a apart by ai and ak.
template <class T, class Run>
void is_a_chain_of_fma(Run run, std::size_t rows, std::size_t columns, std::size_t ai, std::size_t ak, std::size_t K) {
  const padded<T> a(1, rows * ai + K * ak + 1, T{0}, 1), b(1, K * columns + 1, T{0}, 2);
  padded<T> c(rows, columns, T{77}, 3);
  const padded<T> before = c;
  run(&a.at(0, 0), ai, ak, &b.at(0, 0), K, &c.at(0, 0), c.stride);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      T want = before.at(i, j);
      for (std::size_t k = 0; k < K; ++k) want = std::fma(a.at(0, i * ai + k * ak), b.at(0, k * columns + j), want);
      BOOST_TEST(oracle::same(c.at(i, j), want), "row " << i << ", column " << j << ", K " << K);
    }
  BOOST_TEST(c.gaps_untouched());
}

/// Two chains of K roundings each.
template <class T>
void agrees_with_portable(std::size_t n, std::size_t m, std::size_t K) {
  const padded<T> A(n, K, T{0}, 1), B(m, K, T{0}, 2);
  padded<T> C(n, m, T{77}, 3), D(n, m, T{77}, 3);
  lt::panel_nt<pinned>(A.view(), B.view(), C.view());
  lt::panel_nt<pinned_baseline>(A.view(), B.view(), D.view());
  BOOST_TEST(C.gaps_untouched());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j) {
#if defined(__FMA__)
      BOOST_TEST(oracle::same(C.at(i, j), D.at(i, j)));
#else
      long double size = 0;
      for (std::size_t k = 0; k < K; ++k) size += std::fabs(static_cast<long double>(A.at(i, k)) * B.at(j, k));
      const long double u = std::numeric_limits<T>::epsilon() / 2.0L;
      BOOST_TEST(oracle::close(C.at(i, j), static_cast<long double>(D.at(i, j)),
                               oracle::absolute{static_cast<double>(2 * static_cast<long double>(K) * u * size)}));
#endif
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simd_panel_avx512)

BOOST_AUTO_TEST_CASE(every_element_is_one_chain_of_fused_multiply_adds_avx512) {
  if (!runs_here()) return oracle::skipped("this CPU has no AVX-512");
  namespace x86 = lt::detail::x86;
  for (const std::size_t K : {0u, 1u, 2u, 7u, 64u}) {
    is_a_chain_of_fma<float>(x86::avx512_panel_float<4>, 4, 32, K + 2, 1, K);
    is_a_chain_of_fma<float>(x86::avx512_panel_float<4>, 4, 32, 1, 6, K);
    is_a_chain_of_fma<float>(x86::avx512_panel_float<1>, 1, 32, K + 2, 1, K);
    is_a_chain_of_fma<double>(x86::avx512_panel_double<4>, 4, 16, K + 2, 1, K);
    is_a_chain_of_fma<double>(x86::avx512_panel_double<4>, 4, 16, 1, 6, K);
    is_a_chain_of_fma<double>(x86::avx512_panel_double<1>, 1, 16, 1, 6, K);
  }
}

BOOST_AUTO_TEST_CASE(pinned_avx512_and_portable_agree_to_the_bit_with_fma_and_within_two_chains_without) {
  if (!runs_here()) return oracle::skipped("this CPU has no AVX-512");
  for (const std::size_t n : {1u, 3u, 4u, 9u})
    for (const std::size_t m : {1u, 15u, 16u, 33u, 70u})
      for (const std::size_t K : {1u, 17u, 256u, 300u}) {
        agrees_with_portable<float>(n, m, K);
        agrees_with_portable<double>(n, m, K);
      }
}

BOOST_AUTO_TEST_SUITE_END()

#endif
