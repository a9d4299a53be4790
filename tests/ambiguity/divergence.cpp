// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/ambiguity/divergence.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "oracle/compare.hpp"
#include "oracle/information.hpp"

namespace lt = logitope;
using numbers = std::vector<double>;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

template <class T>
std::vector<T> rounded(const std::vector<long double>& p) {
  return std::vector<T>(p.begin(), p.end());
}

std::vector<float> gaussian(std::size_t n, double scale, std::mt19937_64& draw) {
  std::normal_distribution<double> normal;
  std::vector<float> z(n);
  for (float& v : z) v = float(scale * normal(draw));
  return z;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ambiguity_divergence)

BOOST_AUTO_TEST_CASE(zero_target_classes_add_nothing) {
  BOOST_TEST(oracle::close(lt::kl(numbers{0, .1, .9}, numbers{.1, .1, .8}), 0.9L * std::log(9.0L / 8.0L),
                           oracle::relative{1e-14}));
  BOOST_TEST(oracle::close(lt::kl(numbers{0, .1, .9}, numbers{.1, .1, .8}), 0.10600473L, oracle::absolute{5e-9}));
  // Log-probabilities [-inf, ln .2, ln .7, ln .1] are logits of themselves.
  const numbers p{0, .1, .8, .1}, z{-inf, std::log(.2), std::log(.7), std::log(.1)};
  BOOST_TEST(oracle::close(lt::kl_from_logits(p, z), 0.1L * std::log(0.5L) + 0.8L * std::log(8.0L / 7.0L),
                           oracle::relative{1e-14}));
}

BOOST_AUTO_TEST_CASE(a_class_the_model_excludes_costs_infinity_and_a_class_both_exclude_nothing) {
  BOOST_TEST(oracle::same(lt::kl(numbers{.3, .3, .4}, numbers{.5, .5, 0}), inf));
  BOOST_TEST(oracle::same(lt::kl(numbers{.5, .5, 0}, numbers{.5, .5, 0}), 0.0));
  BOOST_TEST(oracle::same(lt::kl_from_logits(numbers{.5, .5}, numbers{0, -inf}), inf));
  BOOST_TEST(oracle::same(lt::kl(numbers{.5, .5}, numbers{0, 0}), inf));
  BOOST_TEST(oracle::same(lt::kl_from_logits(numbers{.5, .5}, numbers{-inf, -inf}), inf));
}

BOOST_AUTO_TEST_CASE(a_divergence_close_to_zero_is_never_below_it) {
  numbers p, q;
  std::vector<float> pf, qf;
  for (int k = 1; k <= 271; ++k) {
    p.push_back(k / 36856.0);
    q.push_back(k == 1 ? 0 : k / 36855.0);
    pf.push_back(float(p.back()));
    qf.push_back(float(q.back()));
  }
  const long double want = std::log(36856.0L / 36855.0L);
  BOOST_TEST(oracle::close(lt::kl(q, p), want, oracle::relative{1e-10}));
  BOOST_TEST(oracle::close(lt::kl(qf, pf), 2.7132992e-5L, oracle::absolute{1e-6}));
  BOOST_TEST(lt::kl(qf, pf) >= 0.0);
}

BOOST_AUTO_TEST_CASE(a_distribution_diverges_from_itself_by_plus_zero) {
  std::mt19937_64 draw(1);
  for (const std::size_t n : {1u, 4u, 1000u}) {
    const auto p = rounded<float>(oracle::softmax_of(gaussian(n, 3, draw)));
    BOOST_TEST(oracle::same(lt::kl(p, p), 0.0));
    BOOST_TEST(oracle::same(lt::total_variation(p, p), 0.0));
    BOOST_TEST(oracle::same(lt::over_entropy(p, p), 0.0));
  }
  const numbers p = rounded<double>(oracle::softmax_of(numbers{0, 1, 2, 3}));
  BOOST_TEST(oracle::same(lt::kl(p, p), 0.0));
  BOOST_TEST(lt::kl_from_logits(p, numbers{0, 1, 2, 3}) < 1e-30);
}

BOOST_AUTO_TEST_CASE(a_small_divergence_keeps_its_digits) {
  // p = 1/2 +- e against 1/2: ((1 + 2e) ln(1 + 2e) + (1 - 2e) ln(1 - 2e)) / 2 = 2 e^2 + 4/3 e^4 + ...
  for (const double e : {0x1p-5, 0x1p-10, 0x1p-26}) {
    const long double e2 = static_cast<long double>(e) * e,
                      want = 2 * e2 * (1 + e2 * (2 / 3.0L + e2 * (16 / 15.0L + e2 * 16 / 7.0L)));
    BOOST_TEST(oracle::close(lt::kl(numbers{.5 + e, .5 - e}, numbers{.5, .5}), want,
                             oracle::relative{e > 0.01 ? 1e-9 : 1e-14}));
  }
}

BOOST_AUTO_TEST_CASE(divergence_agrees_with_long_double) {
  std::mt19937_64 draw(7);
  for (const std::size_t n : {2u, 7u, 64u, 1000u})
    for (const double scale : {0.01, 1.0, 8.0}) {
      const auto a = gaussian(n, scale, draw), b = gaussian(n, scale, draw);
      const auto p = oracle::softmax_of(a), q = oracle::softmax_of(b);
      const auto pf = rounded<float>(p), qf = rounded<float>(q);
      const long double want = oracle::divergence_of(p, q);
      BOOST_TEST(oracle::close(lt::kl(rounded<double>(p), rounded<double>(q)), want, oracle::relative{1e-12}));
      BOOST_TEST(oracle::close(lt::kl(pf, qf), oracle::divergence_of(pf, qf), oracle::relative{1e-10}));
      BOOST_TEST(oracle::close(lt::kl(pf, qf), want, oracle::absolute{1e-6}));
      BOOST_TEST(
          oracle::close(lt::kl_from_logits(rounded<double>(p), b), want, oracle::absolute{1e-14 * (2 + 4 * scale)}));
      // Pinsker
      const double tv = lt::total_variation(rounded<double>(p), rounded<double>(q));
      BOOST_TEST(2 * tv * tv <= lt::kl(rounded<double>(p), rounded<double>(q)));
    }
}

BOOST_AUTO_TEST_CASE(logits_far_below_underflow_still_have_a_finite_divergence) {
  BOOST_TEST(oracle::close(lt::kl_from_logits(numbers{.5, .5}, numbers{0, -2000}), 1000 - std::log(2.0L),
                           oracle::relative{1e-15}));
  BOOST_TEST(
      oracle::close(lt::kl_from_logits(numbers{1, 1e-320}, numbers{-2000, 0}), 2000.0L, oracle::relative{1e-15}));
  BOOST_TEST(oracle::close(lt::kl(numbers{.5, .5}, numbers{1, 5e-324}), std::log(.5L) - std::log(5e-324) / 2.0L,
                           oracle::relative{1e-15}));
}

BOOST_AUTO_TEST_CASE(what_does_not_sum_to_one_is_refused_with_its_sum) {
  BOOST_CHECK_EXCEPTION(
      (void)lt::kl(numbers{.1, .1}, numbers{.5, .5}), lt::value_error,
      oracle::says("kl target p: expected probabilities that sum to 1 within 0.000100, got sum 0.200000"));
  BOOST_CHECK_EXCEPTION((void)lt::kl(numbers{.5, .5}, numbers{.99, .99}), lt::value_error, oracle::says("kl model q"));
  BOOST_CHECK_EXCEPTION((void)lt::kl(numbers{0, 0}, numbers{.5, .5}), lt::value_error, oracle::says("sum 0.0"));
  BOOST_CHECK_EXCEPTION((void)lt::kl(numbers{1.5, -.5}, numbers{.5, .5}), lt::value_error,
                        oracle::says("-0.500000 at class 1"));
  BOOST_CHECK_EXCEPTION((void)lt::kl_from_logits(numbers{.1, .1}, numbers{0, 0}), lt::value_error,
                        oracle::says("sum 0.2"));
  BOOST_CHECK_EXCEPTION((void)lt::total_variation(numbers{.5, .5}, numbers{.1, .1}), lt::value_error,
                        oracle::says("sum 0.2"));
  BOOST_CHECK_EXCEPTION((void)lt::kl(numbers{.5, .5}, numbers{1}), lt::shape_error, oracle::says("expected 2, got 1"));
  BOOST_CHECK_THROW((void)lt::kl(numbers{.5, .5002}, numbers{.5, .5}), lt::value_error);
  BOOST_CHECK_NO_THROW((void)lt::kl(numbers{.5, .50005}, numbers{.5, .5}));
  BOOST_CHECK_NO_THROW((void)lt::kl(numbers{.5, .5002}, numbers{.5, .5}, 1e-3));
}

BOOST_AUTO_TEST_CASE(sums_off_by_rounding_are_divided_out) {
  const numbers p{.3 * 1.00005, .7 * 1.00005}, q{.5 * .99995, .5 * .99995};
  BOOST_TEST(
      oracle::close(lt::kl(p, q), oracle::divergence_of(numbers{.3, .7}, numbers{.5, .5}), oracle::relative{1e-13}));
  BOOST_TEST(oracle::close(lt::kl_from_logits(p, numbers{1, 1}),
                           oracle::divergence_of(numbers{.3, .7}, numbers{.5, .5}), oracle::relative{1e-13}));
}

BOOST_AUTO_TEST_CASE(nan_gives_nan_in_its_row_only) {
  BOOST_TEST(std::isnan(lt::kl(numbers{no_number, 1}, numbers{.5, .5})));
  BOOST_TEST(std::isnan(lt::kl(numbers{.5, .5}, numbers{no_number, 1})));
  BOOST_TEST(std::isnan(lt::kl_from_logits(numbers{.5, .5}, numbers{no_number, 1})));
  BOOST_TEST(std::isnan(lt::kl_from_logits(numbers{.5, .5}, numbers{inf, 1})));
  BOOST_TEST(std::isnan(lt::total_variation(numbers{.5, .5}, numbers{no_number, 1})));
  lt::matrix<double> P(2, 2), Q(2, 2);
  P(0, 0) = no_number;
  Q(0, 0) = P(1, 0) = 1;
  Q(1, 0) = .25;
  Q(1, 1) = .75;
  const std::vector<double> d = lt::kl(P, Q);
  BOOST_TEST(std::isnan(d[0]));
  BOOST_TEST(oracle::close(d[1], std::log(4.0L), oracle::ulps{2}));
}

BOOST_AUTO_TEST_CASE(total_variation_and_over_entropy_are_their_definitions) {
  BOOST_TEST(lt::total_variation(numbers{.5, .5, 0}, numbers{.25, .5, .25}) == .25);
  BOOST_TEST(lt::total_variation(numbers{1, 0}, numbers{0, 1}) == 1.0);
  BOOST_TEST(oracle::close(lt::over_entropy(numbers{1, 0, 0, 0}, numbers{.25, .25, .25, .25}), std::log(4.0L),
                           oracle::ulps{2}));
  BOOST_TEST(oracle::close(lt::over_entropy(numbers{.5, .5}, numbers{0, 1}), -std::log(2.0L), oracle::ulps{1}));
}

BOOST_AUTO_TEST_CASE(a_perplexity_beyond_double_is_infinite_and_its_logarithm_is_kept) {
  const lt::perplexity_value beyond = lt::perplexity(-10000, 10);
  BOOST_TEST(oracle::same(beyond.perplexity, inf));
  BOOST_TEST(beyond.log_perplexity == 1000.0);
  BOOST_TEST(oracle::close(lt::perplexity(-88.8, 1).perplexity, 3.6757841e38L, oracle::relative{1e-7}));
  BOOST_TEST(oracle::same(lt::perplexity(0, 3).log_perplexity, 0.0));
  BOOST_TEST(std::isnan(lt::perplexity(0, 0).perplexity));
}

BOOST_AUTO_TEST_SUITE_END()
