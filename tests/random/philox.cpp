// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/random/philox.hpp"

#include <array>

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(random_philox)

BOOST_AUTO_TEST_CASE(the_first_block_of_key_zero_is_the_known_answer_of_random123) {
  static_assert(lt::uniform_source<lt::philox>);
  lt::philox draws(0, 0);
  for (const std::uint64_t want :
       {0x16554d9eca36314cu, 0xdb20fe9d672d0fdcu, 0xd7e772cee186176bu, 0x7e68b68aec7ba23bu})  // kat_vectors
    BOOST_TEST(draws() == want);
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

BOOST_AUTO_TEST_CASE(seed_and_stream_both_change_the_draws) {
  lt::philox a(1, 1), b(2, 1), c(1, 2);
  const auto x = a(), y = b(), z = c();
  BOOST_TEST((x != y && x != z && y != z));
}

BOOST_AUTO_TEST_SUITE_END()
