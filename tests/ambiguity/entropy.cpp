// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/ambiguity/entropy.hpp"

#include <cfenv>
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

numbers zipf(std::size_t n) {
  numbers p;
  double sum = 0;
  for (std::size_t i = 1; i <= n; ++i) sum += 1.0 / double(i);
  for (std::size_t i = 1; i <= n; ++i) p.push_back(1.0 / double(i) / sum);
  return p;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ambiguity_entropy)

BOOST_AUTO_TEST_CASE(zipf_over_sixteen_has_its_known_entropy_support_and_impurity) {
  const numbers p = zipf(16);  // theory.md 2e
  BOOST_TEST(oracle::close(lt::entropy(p), 2.3589325193588284873L, oracle::relative{1e-14}));
  BOOST_TEST(oracle::close(lt::effective_support(p), 10.579651848913730969L, oracle::relative{1e-14}));
  BOOST_TEST(oracle::close(lt::gini_impurity(p), 0.86137886141884098022L, oracle::relative{1e-14}));
}

BOOST_AUTO_TEST_CASE(uniform_over_k_has_support_k) {
  for (const std::size_t k : {1u, 2u, 3u, 64u, 50257u}) {
    const numbers p(k, 1.0 / double(k)), z(k, -3.0);
    BOOST_TEST(oracle::close(lt::effective_support(p), static_cast<long double>(k), oracle::relative{1e-11}));
    BOOST_TEST(
        oracle::close(lt::effective_support_from_logits(z), static_cast<long double>(k), oracle::relative{1e-14}));
  }
}

BOOST_AUTO_TEST_CASE(entropy_agrees_with_long_double_over_sharp_and_flat_rows) {
  std::mt19937_64 draw(5);
  std::normal_distribution<double> normal;
  for (const std::size_t n : {1u, 2u, 7u, 8u, 9u, 1000u})
    for (const double scale : {0.01, 1.0, 30.0}) {
      std::vector<float> z(n);
      for (float& v : z) v = float(scale * normal(draw));
      const std::vector<long double> p = oracle::softmax_of(z);
      const std::vector<float> single(p.begin(), p.end());
      const long double want = oracle::entropy_of(p);
      BOOST_TEST(oracle::close(lt::entropy_from_logits(z), want, oracle::absolute{2e-14}));
      BOOST_TEST(oracle::close(lt::entropy(single), oracle::entropy_of(single), oracle::absolute{2e-14}));
      BOOST_TEST(oracle::close(lt::entropy(single), want, oracle::absolute{1e-6}));
    }
}

BOOST_AUTO_TEST_CASE(entropy_of_logits_keeps_its_digits_in_the_tail) {
  // Two classes 40 apart: H = q (1 + 40) + O(q^2), q = e^-40; 1 - p is below u.
  const long double q = std::exp(-40.0L);
  BOOST_TEST(
      oracle::close(lt::entropy_from_logits(numbers{40, 0}), q * 41 - q * q / 2 - 40 * q * q, oracle::relative{1e-15}));
}

BOOST_AUTO_TEST_CASE(a_shift_of_all_logits_changes_nothing) {
  const numbers z{0, 1, -2, 3.5}, shifted{1048576, 1048577, 1048574, 1048579.5};
  BOOST_TEST(lt::entropy_from_logits(z) == lt::entropy_from_logits(shifted));
}

BOOST_AUTO_TEST_CASE(one_hot_rows_are_exactly_plus_zero_and_one) {
  for (const numbers& p : {numbers{0, 1, 0, 0}, numbers{1}}) {
    BOOST_TEST(oracle::same(lt::entropy(p), 0.0));
    BOOST_TEST(oracle::same(lt::effective_support(p), 1.0));
    BOOST_TEST(oracle::same(lt::gini_impurity(p), 0.0));
  }
  for (const numbers& z : {numbers{0, -inf, -inf}, numbers{-700}, numbers{-inf, -1e308}}) {
    BOOST_TEST(oracle::same(lt::entropy_from_logits(z), 0.0));
    BOOST_TEST(oracle::same(lt::effective_support_from_logits(z), 1.0));
  }
  BOOST_TEST(oracle::same(lt::entropy(numbers{std::nextafter(1.0, 2.0)}), 0.0));
}

BOOST_AUTO_TEST_CASE(empty_rows_are_plus_zero) {
  for (const numbers& p : {numbers{}, numbers{0, 0}}) {
    BOOST_TEST(oracle::same(lt::entropy(p), 0.0));
    BOOST_TEST(oracle::same(lt::effective_support(p), 0.0));
    BOOST_TEST(oracle::same(lt::gini_impurity(p), 0.0));
  }
  for (const numbers& z : {numbers{}, numbers{-inf, -inf}}) {
    BOOST_TEST(oracle::same(lt::entropy_from_logits(z), 0.0));
    BOOST_TEST(oracle::same(lt::effective_support_from_logits(z), 0.0));
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_distribution_is_nan) {
  for (const numbers& p : {numbers{.5, no_number}, numbers{1.5, -.5}, numbers{inf, 0}}) {
    BOOST_TEST(std::isnan(lt::entropy(p)));
    BOOST_TEST(std::isnan(lt::effective_support(p)));
    BOOST_TEST(std::isnan(lt::gini_impurity(p)));
  }
  for (const numbers& z : {numbers{0, no_number}, numbers{inf, 0}, numbers{no_number, -inf}}) {
    BOOST_TEST(std::isnan(lt::entropy_from_logits(z)));
    BOOST_TEST(std::isnan(lt::effective_support_from_logits(z)));
  }
}

BOOST_AUTO_TEST_CASE(a_masked_class_is_as_if_it_were_not_there) {
  BOOST_TEST(lt::entropy_from_logits(numbers{1, -inf, 2}) == lt::entropy_from_logits(numbers{1, 2}));
}

BOOST_AUTO_TEST_CASE(a_row_with_nan_leaves_the_others_alone) {
  lt::matrix<double> P(3, 2);
  P(0, 0) = P(0, 1) = .5;
  P(1, 0) = no_number;
  P(2, 1) = 1;
  const std::vector<double> H = lt::entropy(P);
  BOOST_TEST(oracle::same(H[0], lt::entropy(P.row(0))));
  BOOST_TEST(std::isnan(H[1]));
  BOOST_TEST(oracle::same(H[2], 0.0));
}

#if defined(__GLIBC__)
BOOST_AUTO_TEST_CASE(zeros_and_masks_trap_nothing) {
  const numbers p{.5, .5, 0, 0}, z{0, 0, -inf, -inf}, masked{-inf, -inf}, bad{no_number, 0};
  feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(FE_INVALID | FE_DIVBYZERO);
  const double H = lt::entropy(p), from_logits = lt::entropy_from_logits(z);
  const double empty = lt::effective_support_from_logits(masked), none = lt::entropy(numbers{0, 0});
  const double broken = lt::entropy(bad);
  fedisableexcept(FE_INVALID | FE_DIVBYZERO);
  BOOST_TEST(oracle::close(H, 0.69314718055994530942L, oracle::ulps{1}));
  BOOST_TEST(oracle::close(from_logits, 0.69314718055994530942L, oracle::ulps{1}));
  BOOST_TEST(empty == 0.0);
  BOOST_TEST(none == 0.0);
  BOOST_TEST(std::isnan(broken));
}
#endif

BOOST_AUTO_TEST_SUITE_END()
