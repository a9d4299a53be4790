// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/storage.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {

/// The value of a pattern by the definition of the format.
long double value_of(unsigned bits, int fraction, int bias) {
  const unsigned exponent = (bits & 0x7fffU) >> fraction, f = bits & ((1U << fraction) - 1U);
  const long double m = exponent == 0 ? f : f + (1U << fraction);
  const long double v = std::ldexp(m, (exponent == 0 ? 1 : static_cast<int>(exponent)) - bias - fraction);
  return (bits & 0x8000U) != 0 ? -v : v;
}

/// Every finite pattern has its value, and every number between two neighbours goes to the nearer, ties to even.
template <class S>
void check_format(int fraction, int bias) {
  const unsigned infinite = static_cast<unsigned>(S(std::numeric_limits<float>::infinity()).bits);
  for (unsigned b = 0; b < infinite; ++b) {
    const long double low = value_of(b, fraction, bias);
    const S x = S::from_bits(static_cast<std::uint16_t>(b));
    BOOST_REQUIRE(static_cast<long double>(static_cast<float>(x)) == low);
    BOOST_REQUIRE(S(static_cast<float>(x)).bits == b);
    BOOST_REQUIRE(static_cast<float>(S::from_bits(static_cast<std::uint16_t>(b | 0x8000U))) == -static_cast<float>(x));
    // what would follow the largest finite number in a longer exponent is where infinity begins to be nearer
    const long double high = value_of(b + 1, fraction, bias);
    const auto middle = static_cast<float>((low + high) / 2);
    BOOST_REQUIRE(static_cast<long double>(middle) == (low + high) / 2);
    const unsigned even = b % 2 == 0 ? b : b + 1;
    BOOST_REQUIRE(S(middle).bits == even);
    BOOST_REQUIRE(S(std::nextafter(middle, 0.0f)).bits == b);
    BOOST_REQUIRE(S(std::nextafter(middle, std::numeric_limits<float>::infinity())).bits == b + 1);
    BOOST_REQUIRE(S(-middle).bits == (even | 0x8000U));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simd_storage)

BOOST_AUTO_TEST_CASE(every_bf16_has_its_value_and_takes_the_floats_nearest_to_it) { check_format<lt::bf16>(7, 127); }
BOOST_AUTO_TEST_CASE(every_f16_has_its_value_and_takes_the_floats_nearest_to_it) { check_format<lt::f16>(10, 15); }

BOOST_AUTO_TEST_CASE(known_numbers_have_their_patterns) {
  BOOST_TEST(lt::bf16(1.0f).bits == 0x3f80);
  BOOST_TEST(lt::bf16(3.140625f).bits == 0x4049);
  BOOST_TEST(lt::f16(1.0f).bits == 0x3c00);
  BOOST_TEST(lt::f16(65504.0f).bits == 0x7bff);
  BOOST_TEST(lt::f16(65519.996f).bits == 0x7bff);
  BOOST_TEST(lt::f16(65520.0f).bits == 0x7c00);
  BOOST_TEST(lt::f16(0x1p-24f).bits == 0x0001);
  BOOST_TEST(lt::f16(0x1p-25f).bits == 0x0000);
  BOOST_TEST(lt::f16(-0.0f).bits == 0x8000);
  BOOST_TEST(lt::bf16(std::numeric_limits<float>::max()).bits == 0x7f80);
  BOOST_TEST(lt::bf16(0x1p-149f).bits == 0x0000);
  static_assert(lt::f16(0.1f).bits == 0x2e66 && lt::bf16(0.1f).bits == 0x3dcd);
}

BOOST_AUTO_TEST_CASE(a_nan_stays_one_whatever_its_payload) {
  for (const std::uint32_t bits : {0x7f800001U, 0x7fc00000U, 0x7fffffffU, 0xff800001U, 0xffffffffU}) {
    const auto x = std::bit_cast<float>(bits);
    BOOST_TEST(std::isnan(static_cast<float>(lt::bf16(x))));
    BOOST_TEST(std::isnan(static_cast<float>(lt::f16(x))));
    BOOST_TEST((lt::bf16(x).bits >> 15) == bits >> 31);
    BOOST_TEST((lt::f16(x).bits >> 15) == bits >> 31);
  }
}

template <class S>
void check_limits(long double epsilon, long double largest, long double smallest, long double subnormal) {
  using limits = std::numeric_limits<S>;
  const auto as_is = [](S x) { return static_cast<long double>(static_cast<float>(x)); };
  BOOST_TEST((limits::is_specialized && limits::has_infinity && limits::has_quiet_NaN));
  BOOST_TEST((as_is(limits::epsilon()) == epsilon));
  BOOST_TEST((as_is((limits::max)()) == largest));
  BOOST_TEST((as_is(limits::lowest()) == -largest));
  BOOST_TEST((as_is((limits::min)()) == smallest));
  BOOST_TEST((as_is(limits::denorm_min()) == subnormal));
  BOOST_TEST(std::isinf(static_cast<float>(limits::infinity())));
  BOOST_TEST(std::isnan(static_cast<float>(limits::quiet_NaN())));
  BOOST_TEST(std::isnan(static_cast<float>(limits::signaling_NaN())));
  BOOST_TEST((std::ldexp(1.0L, limits::min_exponent - 1) == smallest));
  BOOST_TEST((std::ldexp(1.0L, 1 - limits::digits) == epsilon));
  BOOST_TEST((std::ldexp(1.0L, limits::max_exponent) > largest));
}

BOOST_AUTO_TEST_CASE(limits_are_those_of_the_formats) {
  check_limits<lt::bf16>(0x1p-7L, 0x1.fep127L, 0x1p-126L, 0x1p-133L);
  check_limits<lt::f16>(0x1p-10L, 65504.0L, 0x1p-14L, 0x1p-24L);
}

BOOST_AUTO_TEST_SUITE_END()
