// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/sensing/necessary.hpp"

#include "oracle/compare.hpp"

namespace lt = logitope;
using oracle::says;

BOOST_AUTO_TEST_SUITE(sensing_necessary)

BOOST_AUTO_TEST_CASE(two_dimensions_per_token_until_the_simplex_is_reached) {
  static_assert(lt::required_dimension(50257, 64, lt::necessary{}) == 128);
  static_assert(lt::required_dimension(4, 1, lt::necessary{}) == 2);
  static_assert(lt::required_dimension(4, 2, lt::necessary{}) == 3);  // a square has diagonals that are no edges
  static_assert(lt::required_dimension(5, 2, lt::necessary{}) == 4);
  static_assert(lt::required_dimension(7, 7, lt::necessary{}) == 6);
  static_assert(lt::required_dimension(2, 1, lt::necessary{}) == 1);
  static_assert(lt::required_dimension(1, 1, lt::necessary{}) == 0);
  BOOST_TEST(lt::required(50257, 100, lt::necessary{}) == 200.0);
  BOOST_TEST(lt::required(7, 5, lt::necessary{}) == 6.0);
}

BOOST_AUTO_TEST_CASE(largest_support_is_half_the_dimension_or_everything) {
  static_assert(lt::max_support(50257, 768, lt::necessary{}) == 384);
  static_assert(lt::max_support(9, 7, lt::necessary{}) == 3);
  static_assert(lt::max_support(9, 8, lt::necessary{}) == 9);
  static_assert(lt::max_support(9, 0, lt::necessary{}) == 0);
  static_assert(lt::max_support(9, 1, lt::necessary{}) == 0);
  BOOST_TEST(lt::max_support(1, 0, lt::necessary{}) == 1u);
}

BOOST_AUTO_TEST_CASE(largest_support_is_the_inverse_of_the_required_dimension) {
  for (std::size_t V = 1; V < 20; ++V)
    for (std::size_t h = 0; h < 24; ++h) {
      std::size_t want = 0;
      for (std::size_t k = 1; k <= V; ++k)
        if (lt::required_dimension(V, k, lt::necessary{}) <= h) want = k;
      BOOST_TEST(lt::max_support(V, h, lt::necessary{}) == want, "V = " << V << ", h = " << h);
    }
}

BOOST_AUTO_TEST_CASE(support_sizes_that_do_not_exist_are_named) {
  BOOST_CHECK_EXCEPTION((void)lt::required_dimension(9, 0, lt::necessary{}), lt::value_error,
                        says("support size: expected 1 .. V = 9, got 0"));
  BOOST_CHECK_EXCEPTION((void)lt::required(9, 10, lt::necessary{}), lt::value_error, says("got 10"));
  BOOST_CHECK_THROW((void)lt::max_support(0, 3, lt::necessary{}), lt::value_error);
}

BOOST_AUTO_TEST_SUITE_END()
