// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/random/normal.hpp"

#include <vector>

#include "logitope/random/philox.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(random_normal)

BOOST_AUTO_TEST_CASE(moments_are_those_of_the_standard_normal) {
  std::vector<double> x(400000);
  lt::philox draws(7);
  lt::standard_normal(draws, std::span<double>(x));
  double m1 = 0, m2 = 0, m4 = 0, cross = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    m1 += x[i], m2 += x[i] * x[i], m4 += x[i] * x[i] * x[i] * x[i];
    if (i % 2 == 0) cross += x[i] * x[i + 1];
  }
  const auto n = static_cast<double>(x.size());
  // Five standard errors each: sd 1, sqrt 2, sqrt 96, 1.
  BOOST_TEST(oracle::close(m1 / n, 0, oracle::absolute{.008}));
  BOOST_TEST(oracle::close(m2 / n, 1, oracle::absolute{.0112}));
  BOOST_TEST(oracle::close(m4 / n, 3, oracle::absolute{.078}));
  BOOST_TEST(oracle::close(cross / n * 2, 0, oracle::absolute{.0112}));
}

BOOST_AUTO_TEST_CASE(an_odd_count_takes_an_even_number_of_draws) {
  lt::philox a(1), b(1);
  std::vector<float> x(3);
  lt::standard_normal(a, std::span<float>(x));
  b.skip(4);
  BOOST_TEST(a() == b());
}

BOOST_AUTO_TEST_SUITE_END()
