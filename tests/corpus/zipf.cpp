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

BOOST_AUTO_TEST_CASE(the_seed_decides) {
  const auto a = lt::zipf_truth(8, 4, 1), b = lt::zipf_truth(8, 4, 1), c = lt::zipf_truth(8, 4, 2);
  BOOST_TEST(
      std::equal(a.conditionals.values().begin(), a.conditionals.values().end(), b.conditionals.values().begin()));
  BOOST_TEST(
      !std::equal(a.conditionals.values().begin(), a.conditionals.values().end(), c.conditionals.values().begin()));
  BOOST_CHECK_THROW((void)lt::zipf_truth(1, 4, 1), lt::value_error);
}

BOOST_AUTO_TEST_SUITE_END()
