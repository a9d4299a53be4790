// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/reduce.hpp"

#include <limits>
#include <vector>

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(simd_reduce)

BOOST_AUTO_TEST_CASE(sums_of_whole_numbers_are_exact_at_every_length) {
  for (std::size_t n = 0; n <= 40; ++n) {
    std::vector<float> x(n), y(n, 2.0f);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(i + 1);
    const double want = static_cast<double>(n * (n + 1) / 2);
    BOOST_TEST(lt::sum(std::span<const float>(x)) == want);
    BOOST_TEST(lt::dot(std::span<const float>(x), std::span<const float>(y)) == 2 * want);
  }
}

BOOST_AUTO_TEST_CASE(float_sums_do_not_stall_at_two_to_the_24) {
  const std::vector<float> x((1u << 24) + 10, 1.0f);
  BOOST_TEST(lt::sum(std::span<const float>(x)) == 16777226.0);
}

BOOST_AUTO_TEST_CASE(the_largest_is_found_wherever_it_stands_lowest_index_first) {
  for (std::size_t n = 1; n <= 40; ++n)
    for (std::size_t at = 0; at < n; ++at) {
      std::vector<float> x(n, -3.0f);
      x[at] = 2.0f;
      x[n - 1] = 2.0f;
      BOOST_TEST(lt::max(std::span<const float>(x)) == 2.0f);
      BOOST_TEST(lt::argmax(std::span<const float>(x)) == at);
      x[at] = std::numeric_limits<float>::quiet_NaN();
      BOOST_TEST(std::isnan(lt::max(std::span<const float>(x))));
      BOOST_TEST(lt::argmax(std::span<const float>(x)) == lt::npos);
    }
  BOOST_TEST(lt::argmax(std::span<const float>()) == lt::npos);
  BOOST_TEST(lt::max(std::span<const double>()) == -std::numeric_limits<double>::infinity());
}

BOOST_AUTO_TEST_SUITE_END()
