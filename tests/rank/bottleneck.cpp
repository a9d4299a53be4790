// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/rank/bottleneck.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include "oracle/compare.hpp"

namespace lt = logitope;
using oracle::close;
using oracle::relative;
using oracle::says;

namespace {

/// Numbers in (-scale, scale), the same every time.
template <class T>
struct scattered {
  std::uint64_t state;
  T scale;
  T operator()() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return scale * static_cast<T>(static_cast<double>(state >> 11) / 4503599627370496.0 - 1);
  }
};

using stored_types = std::tuple<float, double>;

template <class T>
struct toy_head {
  lt::matrix<T> W, H;
  std::vector<T> b;
  toy_head(std::size_t N, std::size_t V, std::size_t D) : W(V, D), H(N, D), b(V) {
    scattered<T> draw{42, T(1.5)};
    for (T& w : W.values()) w = draw();
    for (T& h : H.values()) h = draw();
    for (T& x : b) x = draw();
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(rank_bottleneck)

BOOST_AUTO_TEST_CASE_TEMPLATE(a_dense_head_of_dimension_six_has_ranks_7_and_8_and_6, T, stored_types) {
  const toy_head<T> head(200, 150, 6);
  for (const double tolerance : {1e-10, lt::bottleneck_tolerance<T>}) {
    const auto plain = lt::log_prob_rank(head.W, {}, head.H.view(), tolerance);
    const auto biased = lt::log_prob_rank(head.W, head.b, head.H.view(), tolerance);
    const auto centred = lt::centred_log_prob_rank(head.W, {}, head.H.view(), tolerance);
    const auto centred_biased = lt::centred_log_prob_rank(head.W, head.b, head.H.view(), tolerance);
    BOOST_TEST(plain.rank == 7u);
    BOOST_TEST(plain.bound == 7u);
    BOOST_TEST(biased.rank == 8u);
    BOOST_TEST(biased.bound == 8u);
    BOOST_TEST(centred.rank == 6u);
    BOOST_TEST(centred.bound == 6u);
    BOOST_TEST(centred_biased.rank == 7u);
    BOOST_TEST(centred_biased.bound == 7u);
    BOOST_TEST(plain.contexts == 200u);
    BOOST_TEST(plain.tolerance == tolerance);
    BOOST_TEST(plain.gap > 1e9);
  }
}

BOOST_AUTO_TEST_CASE(the_probabilities_themselves_are_not_bounded_by_the_dimension) {
  const toy_head<double> head(200, 150, 6);
  const auto found = lt::prob_rank(head.W, {}, head.H.view());
  BOOST_TEST(found.rank > 100u);
  BOOST_TEST(found.bound == 150u);
}

BOOST_AUTO_TEST_CASE(few_contexts_or_few_tokens_cap_the_bound) {
  const toy_head<double> head(200, 150, 6);
  const auto three = lt::log_prob_rank(head.W, {}, head.H.view().block(0, 3));
  BOOST_TEST(three.rank == 3u);
  BOOST_TEST(three.bound == 3u);
  const auto four = lt::log_prob_rank(head.W.view().block(0, 4), {}, head.H.view());
  BOOST_TEST(four.bound == 4u);
  BOOST_TEST(four.rank == 4u);
}

BOOST_AUTO_TEST_CASE(two_tokens_give_the_spectrum_of_their_log_probabilities) {
  // one context, logits log 3 and 0: P = (3/4, 1/4)
  const double W[] = {std::log(3.0), 0.0};
  const double H[] = {1.0};
  const lt::matrix_view<const double> weights(W, 2, 1);
  const lt::matrix_view<const double> states(H, 1, 1);
  const auto log_prob = lt::log_prob_rank(weights, {}, states);
  BOOST_TEST(close(log_prob.singular_values[0], std::hypot(std::log(0.75L), std::log(0.25L)), relative{1e-15}));
  const auto prob = lt::prob_rank(weights, {}, states);
  BOOST_TEST(close(prob.singular_values[0], std::sqrt(0.625L), relative{1e-15}));
  const double b[] = {-std::log(3.0), 0.0};
  const auto even = lt::prob_rank(weights, b, states);
  BOOST_TEST(close(even.singular_values[0], std::sqrt(0.5L), relative{1e-15}));
  const auto centred = lt::centred_log_prob_rank(weights, {}, states);
  BOOST_TEST(close(centred.singular_values[0], std::log(3.0L) / std::sqrt(2.0L), relative{1e-15}));
}

BOOST_AUTO_TEST_CASE(huge_logits_stay_finite) {
  toy_head<float> head(20, 15, 3);
  for (float& w : head.W.values()) w *= 1e6f;
  BOOST_TEST(lt::log_prob_rank(head.W, {}, head.H.view()).rank == 4u);
}

BOOST_AUTO_TEST_CASE(without_contexts_or_tokens_the_rank_is_zero) {
  const lt::matrix_view<const float> none(nullptr, 0, 6);
  const toy_head<float> head(20, 15, 6);
  BOOST_TEST(lt::log_prob_rank(head.W, {}, none).rank == 0u);
  BOOST_TEST(lt::prob_rank(none, {}, head.H.view()).bound == 0u);
}

BOOST_AUTO_TEST_CASE(sizes_and_numbers_that_do_not_fit_are_named) {
  toy_head<double> head(20, 15, 6);
  const lt::matrix<double> wrong(20, 5);
  BOOST_CHECK_EXCEPTION((void)lt::log_prob_rank(head.W, {}, wrong.view()), lt::shape_error,
                        says("hidden states, columns: expected 6, got 5"));
  const std::vector<double> short_bias(14);
  BOOST_CHECK_EXCEPTION((void)lt::prob_rank(head.W, short_bias, head.H.view()), lt::shape_error,
                        says("bias: expected 15, got 14"));
  BOOST_CHECK_EXCEPTION((void)lt::prob_rank(head.W, {}, head.H.view(), -1.0), lt::value_error, says("tolerance"));
  head.b[7] = std::numeric_limits<double>::infinity();
  BOOST_CHECK_EXCEPTION((void)lt::log_prob_rank(head.W, head.b, head.H.view()), lt::value_error,
                        says("bias: expected finite numbers, got inf at row 0, column 7"));
  head.W(3, 2) = std::nan("");
  BOOST_CHECK_EXCEPTION((void)lt::log_prob_rank(head.W, {}, head.H.view()), lt::value_error,
                        says("weights: expected finite numbers, got nan at row 3, column 2"));
}

BOOST_AUTO_TEST_SUITE_END()
