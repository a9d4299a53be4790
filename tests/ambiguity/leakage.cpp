// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/ambiguity/leakage.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "logitope/ambiguity/divergence.hpp"
#include "oracle/compare.hpp"
#include "oracle/information.hpp"

namespace lt = logitope;
using numbers = std::vector<double>;

BOOST_AUTO_TEST_SUITE(ambiguity_leakage)

BOOST_AUTO_TEST_CASE(the_three_worked_leaks_have_their_known_numbers) {  // theory.md 2e (T-e1)
  const oracle::relative digits{1e-14};
  const lt::uniform_leak a(4, 28, .1), b(16, 240, .25), c(100, 50157, .05);
  BOOST_TEST(oracle::close(a.divergence(), 0.105360515657826301L, digits));
  BOOST_TEST(oracle::close(a.entropy(), 1.90596834941687019L, digits));
  BOOST_TEST(oracle::close(a.over_entropy(), 0.519673988296979570L, digits));
  BOOST_TEST(oracle::close(a.effective_support(), 6.72591751350628135L, digits));
  BOOST_TEST(oracle::close(a.perplexity(), 4.4444444444444444444L, digits));
  BOOST_TEST(oracle::close(b.divergence(), 0.287682072451780927L, digits));
  BOOST_TEST(oracle::close(b.over_entropy(), 1.23934769489436087L, digits));
  BOOST_TEST(oracle::close(b.effective_support(), 55.253761367708831L, digits));
  BOOST_TEST(oracle::close(b.perplexity(), 21.333333333333333333L, digits));
  BOOST_TEST(oracle::close(c.divergence(), 0.0512932943875505334L, digits));
  BOOST_TEST(oracle::close(c.over_entropy(), 0.509402402291755775L, digits));
  BOOST_TEST(oracle::close(c.effective_support(), 166.429631804191405L, digits));
}

BOOST_AUTO_TEST_CASE(the_closed_forms_are_the_sums_over_all_classes) {
  for (const double leak : {0.0, 1e-9, .1, .5, .999}) {
    const std::size_t k = 5, m = 17;
    numbers p(k + m, 0.0), q(k + m, leak / double(m));
    for (std::size_t v = 0; v < k; ++v) {
      p[v] = 1.0 / double(k);
      q[v] = (1 - leak) / double(k);
    }
    const lt::uniform_leak closed(k, m, leak);
    BOOST_TEST(oracle::close(closed.entropy(), oracle::entropy_of(q), oracle::absolute{1e-14}));
    BOOST_TEST(oracle::close(closed.divergence(), oracle::divergence_of(p, q), oracle::absolute{1e-13}));
    BOOST_TEST(oracle::close(lt::kl(p, q), static_cast<long double>(closed.divergence()), oracle::absolute{1e-13}));
    BOOST_TEST(oracle::close(lt::over_entropy(p, q), static_cast<long double>(closed.over_entropy()),
                             oracle::absolute{1e-14}));
    BOOST_TEST(oracle::close(lt::leaked_mass(p, q), static_cast<long double>(leak), oracle::relative{1e-14}));
  }
}

BOOST_AUTO_TEST_CASE(leaked_mass_is_what_q_puts_where_p_is_zero) {
  BOOST_TEST(lt::leaked_mass(numbers{.5, 0, .5, 0}, numbers{.25, .25, .375, .125}) == .375);
  BOOST_TEST(lt::leaked_mass(numbers{.5, .5}, numbers{.25, .75}) == 0.0);
  BOOST_TEST(std::isnan(lt::leaked_mass(numbers{.5, .5}, numbers{.25, std::nan("")})));
  BOOST_TEST(std::isnan(lt::leaked_mass(numbers{.5, std::nan("")}, numbers{.25, .75})));
  BOOST_CHECK_THROW((void)lt::leaked_mass(numbers{.5, .5}, numbers{1}), lt::shape_error);
}

BOOST_AUTO_TEST_CASE(divergence_is_at_least_the_bound_and_the_bound_at_least_the_leak) {
  const numbers p{.5, .3, .2, 0}, proportional{.45, .27, .18, .1}, other{.2, .5, .2, .1};
  const double bound = lt::least_divergence(.1);
  BOOST_TEST(oracle::close(lt::kl(p, proportional), static_cast<long double>(bound), oracle::relative{1e-14}));
  BOOST_TEST(lt::kl(p, other) > bound);
  BOOST_TEST(lt::total_variation(p, other) >= .1);
  for (const double leak : {1e-300, 1e-12, .1, .9}) BOOST_TEST(lt::least_divergence(leak) >= leak);
}

BOOST_AUTO_TEST_CASE(the_ends_of_the_range_are_exact) {
  BOOST_TEST(oracle::same(lt::least_divergence(0), 0.0));
  BOOST_TEST(oracle::same(lt::least_divergence(1), std::numeric_limits<double>::infinity()));
  BOOST_TEST(oracle::same(lt::binary_entropy(0), 0.0));
  BOOST_TEST(oracle::same(lt::binary_entropy(1), 0.0));
  BOOST_TEST(oracle::close(lt::binary_entropy(.5), std::log(2.0L), oracle::ulps{1}));
  BOOST_TEST(oracle::same(lt::uniform_leak(7, 0, 0).over_entropy(), 0.0));
  BOOST_TEST(oracle::same(lt::uniform_leak(7, 3, 1).perplexity(), std::numeric_limits<double>::infinity()));
  BOOST_TEST(oracle::close(lt::uniform_leak(7, 3, 1).effective_support(), 3.0L, oracle::relative{1e-15}));
}

BOOST_AUTO_TEST_CASE(arguments_out_of_range_are_named) {
  BOOST_CHECK_EXCEPTION((void)lt::least_divergence(1.5), lt::value_error,
                        oracle::says("least_divergence leaked mass: expected in [0, 1], got 1.5"));
  BOOST_CHECK_THROW((void)lt::binary_entropy(std::nan("")), lt::value_error);
  BOOST_CHECK_EXCEPTION(lt::uniform_leak(0, 3, .1), lt::value_error, oracle::says("support"));
  BOOST_CHECK_EXCEPTION(lt::uniform_leak(4, 0, .1), lt::value_error, oracle::says("off the support"));
  BOOST_CHECK_THROW(lt::uniform_leak(4, 3, -.1), lt::value_error);
}

BOOST_AUTO_TEST_SUITE_END()
