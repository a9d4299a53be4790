// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/corpus/zipf.hpp"

#include <algorithm>

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(corpus_zipf)

BOOST_AUTO_TEST_CASE(each_context_is_one_power_law_over_its_own_order) {
  const auto truth = lt::zipf_truth(32, 20, 1);
  for (std::size_t i = 0; i < 20; ++i) {
    std::vector<double> p(truth.conditionals.row(i).begin(), truth.conditionals.row(i).end());
    std::sort(p.rbegin(), p.rend());
    const double s = std::log2(p[0] / p[1]);
    BOOST_TEST((s >= .8 && s < 1.6));
    double sum = 0;
    for (std::size_t r = 0; r < 32; ++r) {
      sum += p[r];
      BOOST_TEST(oracle::close(p[r] / p[0], std::pow(static_cast<long double>(r + 1), -static_cast<long double>(s)),
                               oracle::relative{1e-12}));
    }
    BOOST_TEST(oracle::close(sum, 1, oracle::absolute{1e-14}));
  }
}

BOOST_AUTO_TEST_CASE(the_log_log_slope_of_a_sorted_row_is_its_exponent) {
  const auto truth = lt::zipf_truth(200, 40, 1234567);
  std::vector<long double> exponents;
  for (std::size_t i = 0; i < 40; ++i) {
    std::vector<double> p(truth.conditionals.row(i).begin(), truth.conditionals.row(i).end());
    std::sort(p.rbegin(), p.rend());
    long double x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t r = 0; r < 200; ++r) {
      const long double a = std::log(static_cast<long double>(r + 1)), b = std::log(static_cast<long double>(p[r]));
      x += a, y += b, xx += a * a, xy += a * b;
    }
    exponents.push_back((x * y - 200 * xy) / (200 * xx - x * x));
  }
  // First number of SplitMix64 (Vigna 2015) from this seed, as published with other implementations.
  const long double unit = static_cast<long double>(6457827717110365317u >> 11) * 0x1p-53L;
  BOOST_TEST(oracle::close(static_cast<double>(exponents[0]), 0.8L + 0.8L * unit, oracle::absolute{1e-13}));
  BOOST_TEST(*std::min_element(exponents.begin(), exponents.end()) < 1.0L);
  BOOST_TEST(*std::max_element(exponents.begin(), exponents.end()) > 1.4L);
}

BOOST_AUTO_TEST_CASE(each_symbol_leads_equally_often) {
  const auto large = lt::zipf_truth(64, 4096, 5);
  std::vector<int> leads(64);
  for (std::size_t i = 0; i < 4096; ++i) {
    const auto row = large.conditionals.row(i);
    ++leads[static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin())];
  }
  // Chi-square with 63 degrees of freedom: 120 has probability below 1e-5.
  double chi_square = 0;
  for (const int n : leads) chi_square += (n - 64.0) * (n - 64.0) / 64.0;
  BOOST_TEST(chi_square < 120.0);
}

BOOST_AUTO_TEST_CASE(contexts_are_pairs_of_symbols_no_two_alike) {
  auto names = lt::zipf_truth(3, 9, 1).contexts;
  BOOST_TEST(names[5] == "w1 w2");
  std::sort(names.begin(), names.end());
  BOOST_TEST((std::adjacent_find(names.begin(), names.end()) == names.end()));
  BOOST_CHECK_EXCEPTION((void)lt::zipf_truth(3, 10, 1), lt::value_error, oracle::says("got 3 and 10"));
  BOOST_CHECK_EXCEPTION((void)lt::zipf_truth(3, 0, 1), lt::value_error, oracle::says("got 3 and 0"));
}

BOOST_AUTO_TEST_CASE(the_seed_decides) {
  const auto a = lt::zipf_truth(8, 4, 1), b = lt::zipf_truth(8, 4, 1), c = lt::zipf_truth(8, 4, 2);
  BOOST_TEST(
      std::equal(a.conditionals.values().begin(), a.conditionals.values().end(), b.conditionals.values().begin()));
  BOOST_TEST(
      !std::equal(a.conditionals.values().begin(), a.conditionals.values().end(), c.conditionals.values().begin()));
  BOOST_CHECK_THROW((void)lt::zipf_truth(1, 4, 1), lt::value_error);
}

BOOST_AUTO_TEST_SUITE_END()
