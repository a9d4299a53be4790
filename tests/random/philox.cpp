// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/random/philox.hpp"

#include <algorithm>
#include <array>

#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {
using key_words = std::array<std::uint64_t, 2>;
using block = std::array<std::uint64_t, 4>;

struct known_answer {
  block counter;
  key_words key;
  block out;
};
/// The lines "philox4x64 10" of Random123's kat_vectors: zeros, ones, digits of pi.
constexpr std::uint64_t ones = ~std::uint64_t{0};
const known_answer known_answers[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x16554d9eca36314cu, 0xdb20fe9d672d0fdcu, 0xd7e772cee186176bu, 0x7e68b68aec7ba23bu}},
    {{ones, ones, ones, ones},
     {ones, ones},
     {0x87b092c3013fe90bu, 0x438c3c67be8d0224u, 0x9cc7d7c69cd777b6u, 0xa09caebf594f0ba0u}},
    {{0x243f6a8885a308d3u, 0x13198a2e03707344u, 0xa4093822299f31d0u, 0x082efa98ec4e6c89u},
     {0x452821e638d01377u, 0xbe5466cf34e90c6cu},
     {0xa528f45403e61d95u, 0x38c72dbd566e9788u, 0xa5a1610e72fd18b5u, 0x57bd43b5e52b7fe6u}},
};

__extension__ using wide = unsigned __int128;

/// Salmon et al. 2011, section 3.3, as printed: ten rounds, the key raised by Weyl constants before all but the first.
block textbook(block c, key_words k) {
  for (int round = 0; round < 10; ++round) {
    const wide a = wide{0xD2E7470EE14C6C93u} * c[0], b = wide{0xCA5A826395121157u} * c[2];
    c = {static_cast<std::uint64_t>(b >> 64) ^ c[1] ^ k[0], static_cast<std::uint64_t>(b),
         static_cast<std::uint64_t>(a >> 64) ^ c[3] ^ k[1], static_cast<std::uint64_t>(a)};
    k[0] += 0x9E3779B97F4A7C15u;
    k[1] += 0xBB67AE8584CAA73Bu;
  }
  return c;
}
}  // namespace

BOOST_AUTO_TEST_SUITE(random_philox)

BOOST_AUTO_TEST_CASE(the_rounds_give_the_known_answers_of_random123) {
  for (const auto& known : known_answers) {
    BOOST_TEST(textbook(known.counter, known.key) == known.out, boost::test_tools::per_element());
    r123::Philox4x64::ctr_type counter;
    std::copy(known.counter.begin(), known.counter.end(), counter.begin());
    const auto out = r123::Philox4x64{}(counter, {{known.key[0], known.key[1]}});
    BOOST_TEST((std::equal(out.begin(), out.end(), known.out.begin())));
  }
}

BOOST_AUTO_TEST_CASE(draw_n_is_word_n_mod_4_of_block_n_div_4_under_seed_and_stream) {
  static_assert(lt::uniform_source<lt::philox>);
  for (const auto& known : known_answers)
    for (const std::uint64_t from : {std::uint64_t{0}, std::uint64_t{1} << 34, std::uint64_t{0xfffffffffffffff0u}}) {
      lt::philox draws(known.key[0], known.key[1]);
      draws.skip(from);
      for (std::uint64_t n = from; n < from + 10; ++n)
        BOOST_TEST(draws() == textbook({n / 4, 0, 0, 0}, known.key)[n % 4]);
    }
  BOOST_TEST(lt::philox(0)() == known_answers[0].out[0]);
}

BOOST_AUTO_TEST_CASE(skipping_equals_drawing) {
  for (std::uint64_t n = 0; n < 11; ++n) {
    lt::philox slow(3, 5), fast(3, 5);
    BOOST_TEST(slow() == fast());
    for (std::uint64_t i = 0; i < n; ++i) static_cast<void>(slow());
    fast.skip(n);
    for (int i = 0; i < 6; ++i) BOOST_TEST(slow() == fast());
  }
}

BOOST_AUTO_TEST_CASE(skips_add_up_and_a_copy_goes_its_own_way) {
  lt::philox twice(3, 5), once(3, 5);
  twice.skip(5);
  twice.skip(6);
  once.skip(11);
  lt::philox copy = once;
  const auto want = twice();
  BOOST_TEST(once() == want);
  BOOST_TEST(copy() == want);
}

BOOST_AUTO_TEST_CASE(seed_and_stream_both_change_the_draws) {
  lt::philox a(1, 1), b(2, 1), c(1, 2);
  const auto x = a(), y = b(), z = c();
  BOOST_TEST((x != y && x != z && y != z));
}

BOOST_AUTO_TEST_SUITE_END()
