// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/random/normal.hpp"

#include <cmath>
#include <cstdint>
#include <span>
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

BOOST_AUTO_TEST_CASE(chosen_draws_give_the_box_muller_pair) {
  // u = 1 - e^-2 is as near as a multiple of 2^-53 gets; v = 1/8, so that cosine and sine are both sqrt(1/2).
  struct {
    std::uint64_t n = 0;
    std::uint64_t operator()() {
      return n++ % 2 == 0 ? static_cast<std::uint64_t>((1 - std::exp(-2.0L)) * 0x1p53L) << 11 : std::uint64_t{1} << 61;
    }
  } draws;
  std::vector<double> x(2);
  lt::standard_normal(draws, std::span<double>(x));
  BOOST_TEST(oracle::close(x[0], std::sqrt(2.0L), oracle::relative{1e-14}));
  BOOST_TEST(oracle::close(x[1], std::sqrt(2.0L), oracle::relative{1e-14}));
}

BOOST_AUTO_TEST_CASE(the_extreme_draws_give_finite_numbers) {
  for (const std::uint64_t bits : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    const auto draws = [bits] { return bits; };
    std::vector<float> x(3);
    lt::standard_normal(draws, std::span<float>(x));
    for (const float v : x) BOOST_TEST((std::isfinite(v) && std::fabs(v) <= 8.6f));
  }
}

BOOST_AUTO_TEST_CASE(about_the_right_share_lies_within_one_and_two) {
  std::vector<double> x(400000);
  lt::philox draws(11);
  lt::standard_normal(draws, std::span<double>(x));
  double one = 0, two = 0;
  for (const double v : x) one += std::fabs(v) < 1, two += std::fabs(v) < 2;
  // erf(1 / sqrt 2) and erf(sqrt 2), five standard errors.
  BOOST_TEST(oracle::close(one / 400000, .6826894921370859L, oracle::absolute{.0037}));
  BOOST_TEST(oracle::close(two / 400000, .9544997361036416L, oracle::absolute{.0017}));
}

BOOST_AUTO_TEST_CASE(an_odd_count_takes_an_even_number_of_draws) {
  lt::philox a(1), b(1);
  std::vector<float> x(3);
  lt::standard_normal(a, std::span<float>(x));
  b.skip(4);
  BOOST_TEST(a() == b());
}

BOOST_AUTO_TEST_SUITE_END()
