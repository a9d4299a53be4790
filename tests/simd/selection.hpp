// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_TESTS_SIMD_SELECTION_HPP
#define LOGITOPE_TESTS_SIMD_SELECTION_HPP

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "logitope/simd/select_kernels.hpp"
#include "oracle/compare.hpp"

/// The primitives of top-k and sampling against loops over their entries; one instruction set a caller.
namespace oracle {

template <class T>
std::vector<T> some_logits(std::size_t n, unsigned seed) {
  std::mt19937 g(seed);
  std::normal_distribution<double> d(0, 4);
  std::vector<T> z(n);
  for (T& x : z) x = g() % 5 == 0 ? -std::numeric_limits<T>::infinity() : static_cast<T>(d(g));
  return z;
}

template <class T>
void finds_maxima_and_hits(const logitope::detail::select_kernels<T>& k) {
  constexpr T inf = std::numeric_limits<T>::infinity();
  for (std::size_t blocks = 0; blocks <= 5; ++blocks) {
    // one entry off the alignment, and an entry beyond the blocks that would win
    auto z = some_logits<T>(1 + 64 * blocks + 1, static_cast<unsigned>(blocks));
    z.front() = z.back() = 1000;
    std::vector<T> out(blocks + 1, T{77});
    const auto tops = k.maxima(z.data() + 1, blocks, out.data());
    T max = -inf, min = inf;
    for (std::size_t b = 0; b < blocks; ++b) {
      const T want =
          *std::max_element(z.begin() + 1 + static_cast<long>(64 * b), z.begin() + 65 + static_cast<long>(64 * b));
      BOOST_TEST(same(out[b], want));
      max = (std::max)(max, want);
      min = (std::min)(min, want);
    }
    BOOST_TEST(same(out[blocks], T{77}));
    BOOST_TEST(same(tops.max, max));
    BOOST_TEST(same(tops.min, min));
    BOOST_TEST(!tops.nan);
    for (const T bound : {T{-inf}, T{-2}, T{0}, T{3.5}, z[z.size() / 2], T{inf}}) {
      std::size_t n = 0;
      for (std::size_t b = 0; b < blocks; ++b) {
        std::uint64_t want = 0;
        for (std::size_t i = 0; i < 64; ++i) want |= std::uint64_t{z[1 + 64 * b + i] >= bound} << i;
        BOOST_TEST(k.hits(z.data() + 1 + 64 * b, bound) == want);
        for (std::size_t i = 0; i < 64; ++i) n += want >> i & 1;
      }
      BOOST_TEST(k.count(z.data() + 1, 64 * blocks, bound) == n);
    }
  }
}

template <class T>
void sees_a_nan_wherever_it_stands(const logitope::detail::select_kernels<T>& k) {
  for (std::size_t at = 0; at < 192; ++at) {
    std::vector<T> z(192, T{1}), out(3);
    z[at] = std::numeric_limits<T>::quiet_NaN();
    BOOST_TEST(k.maxima(z.data(), 3, out.data()).nan, "maxima, " << at);
    BOOST_TEST(k.sum_exp[0](z.data(), 192, T{1}, T{1}).nan, "sum, " << at);
    BOOST_TEST(k.sum_exp[1](z.data(), 192, T{1}, T{2}).nan, "scaled sum, " << at);
  }
}

/// (4 + 2 |x|) u a term and 12 u for the additions.
template <class T>
void sums_exponentials(const logitope::detail::select_kernels<T>& k) {
  constexpr long double u = std::numeric_limits<T>::epsilon() / 2.0L;
  for (const std::size_t n : {64u, 128u, 448u, 512u})
    for (const T reference : {T{0}, T{9}, T{-20}})
      for (const T scale : {T{1}, T{0.25}, T{1.75}}) {
        const auto z = some_logits<T>(n, static_cast<unsigned>(n));
        long double want = 0, off = 0;
        for (const T x : z) {
          const long double d =
              (static_cast<long double>(x) - static_cast<long double>(reference)) * static_cast<long double>(scale);
          want += std::exp(d);
          if (!std::isinf(x)) off += std::exp(d) * (16 + 2 * std::fabs(d)) * u;
        }
        const auto got = k.sum_exp[scale == T{1} ? 0 : 1](z.data(), n, reference, scale);
        BOOST_TEST(close(got.sum, want, absolute{static_cast<double>(off)}), "n " << n << ", scale " << scale);
        BOOST_TEST(same(got.max, *std::max_element(z.begin(), z.end())));
        BOOST_TEST(!got.nan);
      }
  const std::vector<T> masked(64, -std::numeric_limits<T>::infinity());
  BOOST_TEST(same(k.sum_exp[0](masked.data(), 64, T{3}, T{1}).sum, 0.0));
  BOOST_TEST(same(k.sum_exp[1](masked.data(), 64, T{3}, T{0.5}).sum, 0.0));
}

template <class T>
void is_a_selection(const logitope::detail::select_kernels<T>& k) {
  finds_maxima_and_hits(k);
  sees_a_nan_wherever_it_stands(k);
  sums_exponentials(k);
}

}  // namespace oracle

#endif
