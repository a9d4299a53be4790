// SPDX-License-Identifier: BSD-3-Clause
#if defined(__x86_64__)
#include "logitope/simd/x86/convert.hpp"

#include <bit>
#include <cstdint>
#include <vector>

#include "../../oracle/compare.hpp"
#include "logitope/simd/arch.hpp"

namespace lt = logitope;
namespace x86 = lt::detail::x86;

namespace {

/// Whole registers are done and counted; a tail is left alone.
template <class S, class Widen, class Narrow>
void check_registers(std::size_t lanes, Widen widen, Narrow narrow) {
  for (std::size_t n = 0; n < 3 * lanes; ++n) {
    std::vector<float> x(3 * lanes, 5.0f);
    for (std::size_t i = 0; i < n; ++i) x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(0x3e4f8000U + 0x4000U * i));
    std::vector<S> h(3 * lanes, S(7.0f));
    const std::size_t done = narrow(x.data(), h.data(), n);
    BOOST_TEST(done == n / lanes * lanes);
    for (std::size_t i = 0; i < h.size(); ++i) BOOST_TEST(h[i].bits == (i < done ? S(x[i]) : S(7.0f)).bits);
    std::vector<float> back(3 * lanes, -1.0f);
    BOOST_TEST(widen(h.data(), back.data(), n) == done);
    for (std::size_t i = 0; i < h.size(); ++i) BOOST_TEST(back[i] == (i < done ? static_cast<float>(h[i]) : -1.0f));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simd_x86_convert)

BOOST_AUTO_TEST_CASE(registers_of_avx2_are_converted_and_counted) {
  if (lt::detail::process_isa == lt::isa::baseline) return oracle::skipped("this CPU has no AVX2");
  check_registers<lt::bf16>(8, x86::avx2_widen<lt::bf16>, x86::avx2_narrow<lt::bf16>);
  check_registers<lt::f16>(8, x86::avx2_widen<lt::f16>, x86::avx2_narrow<lt::f16>);
}

BOOST_AUTO_TEST_CASE(registers_of_avx512_are_converted_and_counted) {
  if (lt::detail::process_isa != lt::isa::avx512) return oracle::skipped("this CPU has no AVX-512");
  check_registers<lt::bf16>(16, x86::avx512_widen<lt::bf16>, x86::avx512_narrow<lt::bf16>);
  check_registers<lt::f16>(16, x86::avx512_widen<lt::f16>, x86::avx512_narrow<lt::f16>);
}

BOOST_AUTO_TEST_SUITE_END()
#endif
