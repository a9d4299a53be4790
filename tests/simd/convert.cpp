// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/convert.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {

struct pinned : lt::default_policy {
  using arch = lt::baseline;
};

/// Whole spans have the bits of one number at a time, on the best instruction set and on the pinned one.
template <class P, class S>
void check_spans() {
  std::vector<S> all(65536 + 13);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = S::from_bits(static_cast<std::uint16_t>(i));
  std::vector<float> wide(all.size());
  lt::widen<P, S>(all, wide);
  for (std::size_t i = 0; i < all.size(); ++i) BOOST_REQUIRE(oracle::same(wide[i], static_cast<float>(all[i])));
  // a walk over all exponents with fractions that hit ties, both sides of them, and NaN payloads
  std::vector<float> x;
  for (std::uint32_t e = 0; e < 512; ++e)
    for (std::uint32_t f = 0; f < 0x800000U; f += 0x7ffU + (f % 3U)) x.push_back(std::bit_cast<float>(e << 23 | f));
  std::vector<S> out(x.size());
  lt::narrow<P, S>(x, std::span<S>(out));
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] != x[i]) BOOST_REQUIRE(static_cast<float>(out[i]) != static_cast<float>(out[i]));
    else BOOST_REQUIRE(out[i].bits == S(x[i]).bits);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simd_convert)

BOOST_AUTO_TEST_CASE(spans_have_the_bits_of_single_numbers) {
  check_spans<lt::default_policy, lt::bf16>();
  check_spans<lt::default_policy, lt::f16>();
  check_spans<pinned, lt::bf16>();
  check_spans<pinned, lt::f16>();
}

BOOST_AUTO_TEST_CASE(a_rounding_is_off_by_half_a_spacing_which_is_an_eighth_or_eleventh_power_of_two) {
  const auto worst = [](auto of) {
    double w = 0;
    for (int i = 0; i <= 1 << 16; ++i) {
      const float x = 1.0f + static_cast<float>(i) * 0x1p-16f;
      w = (std::max)(w, std::fabs(static_cast<double>(of(x)) - static_cast<double>(x)) / static_cast<double>(x));
    }
    return w;
  };
  const double b = worst([](float x) { return static_cast<float>(lt::bf16(x)); });
  const double f = worst([](float x) { return static_cast<float>(lt::f16(x)); });
  BOOST_TEST((b > 0x1p-9 && b <= 0x1p-8), b);
  BOOST_TEST((f > 0x1p-12 && f <= 0x1p-11), f);
}

BOOST_AUTO_TEST_CASE(every_length_is_converted_to_its_end_and_not_beyond) {
  for (std::size_t n = 0; n < 40; ++n) {
    std::vector<float> x(n, 1.5f), back(n + 1, -7.0f);
    std::vector<lt::bf16> h(n + 1, lt::bf16(9.0f));
    lt::narrow(std::span<const float>(x), std::span<lt::bf16>(h));
    for (std::size_t i = 0; i < n; ++i) BOOST_TEST(h[i].bits == 0x3fc0);
    BOOST_TEST(h[n].bits == lt::bf16(9.0f).bits);
    lt::widen(std::span<const lt::bf16>(h).first(n), std::span<float>(back));
    for (std::size_t i = 0; i < n; ++i) BOOST_TEST(back[i] == 1.5f);
    BOOST_TEST(back[n] == -7.0f);
  }
}

BOOST_AUTO_TEST_SUITE_END()
