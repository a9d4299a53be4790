// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/loss/select.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

#include "logitope/heads/dense.hpp"
#include "logitope/interop/xtensor.hpp"
#include "oracle/allocations.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;
using oracle::same;

namespace {

struct small_tiles : lt::default_policy {
  static constexpr std::size_t vocabulary_tile = 7;
};
using element_types = std::tuple<float, double>;

/// Small integers: every logit is exact, and many are equal.
template <class T>
lt::matrix<T> integers(std::size_t n, std::size_t m, unsigned seed) {
  std::mt19937 g(seed);
  lt::matrix<T> a(n, m);
  for (T& x : a.values()) x = static_cast<T>(static_cast<int>(g() % 7) - 3);
  return a;
}

template <class P, class T>
void agrees_with_a_sort(std::size_t N, std::size_t V, std::size_t D, std::size_t k, bool biased) {
  const auto W = integers<T>(V, D, 1), H = integers<T>(N, D, 2);
  std::vector<T> b(V);
  for (std::size_t v = 0; v < V; ++v) b[v] = v % 5 == 3 ? -std::numeric_limits<T>::infinity() : static_cast<T>(v % 3);
  const lt::dense_head<T> head(W, biased ? std::span<const T>(b) : std::span<const T>());
  const auto got = lt::top_k<P>(head, H, k);
  BOOST_TEST((got.status == lt::row_status{.empty = V == 0 ? N : 0}));
  for (std::size_t i = 0; i < N; ++i) {
    std::vector<long double> z(V);
    std::vector<std::size_t> order;
    long double max = -std::numeric_limits<long double>::infinity(), sum = 0;
    for (std::size_t v = 0; v < V; ++v) {
      z[v] = biased ? static_cast<long double>(b[v]) : 0;
      for (std::size_t d = 0; d < D; ++d) z[v] += static_cast<long double>(W(v, d)) * static_cast<long double>(H(i, d));
      if (!std::isinf(z[v])) order.push_back(v);
      max = (std::max)(max, z[v]);
    }
    for (const std::size_t v : order) sum += std::exp(z[v] - max);
    std::stable_sort(order.begin(), order.end(), [&](auto x, auto y) { return z[x] > z[y]; });
    for (std::size_t j = 0; j < k; ++j) {
      BOOST_TEST(got.index(i, j) == (j < order.size() ? order[j] : lt::npos));
      if (j >= order.size()) {
        BOOST_TEST(same(got.log_prob(i, j), -std::numeric_limits<T>::infinity()));
        continue;
      }
      const long double want = (z[order[j]] - max) - std::log(sum);
      const double u = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
      const double off = (6 + 3 * std::fabs(static_cast<double>(want)) + std::log(static_cast<double>(V))) * u;
      BOOST_TEST(oracle::close(got.log_prob(i, j), want, oracle::absolute{off}));
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(loss_select)

BOOST_AUTO_TEST_CASE_TEMPLATE(the_most_probable_classes_are_those_of_a_stable_sort_of_all_logits, T, element_types) {
  for (const std::size_t V : {0u, 1u, 6u, 7u, 8u, 50u, 1023u, 1025u, 2100u})
    for (const std::size_t k : {0u, 1u, 3u, 8u, 60u}) {
      agrees_with_a_sort<lt::default_policy, T>(3, V, 4, k, V % 2 == 0);
      if (V < 100) agrees_with_a_sort<small_tiles, T>(70, V, 3, k, true);
    }
  agrees_with_a_sort<lt::precise_policy, T>(65, 90, 5, 10, false);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_first_k_of_the_next_are_the_top_k, T, element_types) {
  const auto W = integers<T>(40, 3, 5), H = integers<T>(2, 3, 6);
  const lt::dense_head<T> head(W);
  const auto all = lt::top_k<small_tiles>(head, H, 40);
  for (std::size_t k = 0; k < 40; ++k) {
    const auto top = lt::top_k<small_tiles>(head, H, k);
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < k; ++j) {
        BOOST_TEST(top.index(i, j) == all.index(i, j));
        BOOST_TEST(same(top.log_prob(i, j), all.log_prob(i, j)));
      }
  }
}

BOOST_AUTO_TEST_CASE(rows_that_are_not_ordinary_have_their_answer_and_leave_the_others_alone) {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  lt::matrix<double> W(20, 1), H(4, 1);
  for (std::size_t v = 0; v < 20; ++v) W(v, 0) = static_cast<double>(v % 10);
  for (std::size_t i = 0; i < 4; ++i) H(i, 0) = 1;
  const auto before = lt::top_k<small_tiles>(lt::dense_head(W), H, 3);
  BOOST_TEST((before.index(0, 0) == 9u && before.index(0, 1) == 19u && before.index(0, 2) == 8u));
  H(1, 0) = nan;
  const auto after = lt::top_k<small_tiles>(lt::dense_head(W), H, 3);
  BOOST_TEST((after.status == lt::row_status{.nan = 1}));
  for (std::size_t j = 0; j < 3; ++j) {
    BOOST_TEST(after.index(1, j) == lt::npos);
    BOOST_TEST(std::isnan(after.log_prob(1, j)));
    for (const std::size_t i : {0u, 2u, 3u}) {
      BOOST_TEST(after.index(i, j) == before.index(i, j));
      BOOST_TEST(same(after.log_prob(i, j), before.log_prob(i, j)));
    }
  }
  const std::vector<double> lifted{0, 0, inf, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, inf, 0, 0}, masked(20, -inf);
  H(1, 0) = 1;
  const auto top = lt::top_k<small_tiles>(lt::dense_head(W, lifted), H, 3);
  BOOST_TEST((top.status == lt::row_status{.infinite = 4}));
  BOOST_TEST((top.index(0, 0) == 2u && top.index(0, 1) == 17u && top.index(0, 2) == 9u));
  BOOST_TEST(std::isnan(top.log_prob(0, 2)));
  const auto none = lt::top_k<small_tiles>(lt::dense_head(W, masked), H, 2);
  BOOST_TEST((none.status == lt::row_status{.empty = 4}));
  BOOST_TEST((none.index(3, 1) == lt::npos && none.log_prob(3, 1) == -inf));
}

BOOST_AUTO_TEST_CASE(shapes_are_checked_before_anything_is_written_and_nothing_is_allocated) {
  const auto W = integers<float>(300, 4, 1), H = integers<float>(70, 4, 2);
  const lt::dense_head<float> head(W);
  lt::matrix<std::size_t> index(70, 5);
  lt::matrix<float> lp(70, 5), narrow(70, 4);
  lt::workspace_memory memory(lt::top_k_workspace<small_tiles, float>(300, 4, 5));
  lt::workspace ws = memory.get();
  const std::size_t before = oracle::allocated().count;
  lt::top_k<small_tiles>(head, H.view(), index.view(), lp.view(), ws);
  BOOST_TEST(oracle::allocated().count == before);
  BOOST_TEST(ws.free_bytes() == (lt::top_k_workspace<small_tiles, float>(300, 4, 5)));
  std::fill(index.values().begin(), index.values().end(), std::size_t{77});
  BOOST_CHECK_EXCEPTION(lt::top_k<small_tiles>(head, H.view(), index.view(), narrow.view(), ws), lt::shape_error,
                        oracle::says("top_k: columns of the log-probabilities: expected 5, got 4"));
  const auto wrong = integers<float>(2, 3, 1);
  BOOST_CHECK_EXCEPTION(static_cast<void>(lt::top_k(head, wrong, 1)), lt::shape_error,
                        oracle::says("hidden state: expected 4, got 3"));
  lt::workspace nothing;
  BOOST_CHECK_THROW(lt::top_k<small_tiles>(head, H.view(), index.view(), lp.view(), nothing), lt::capacity_error);
  BOOST_TEST(index(0, 0) == 77u);
}

BOOST_AUTO_TEST_CASE(scratch_does_not_grow_with_rows_or_vocabulary) {
  using lt::top_k_workspace;
  static_assert(top_k_workspace<lt::default_policy, float>(50257, 768, 50) ==
                top_k_workspace<lt::default_policy, float>(500000, 768, 50));
  BOOST_TEST((top_k_workspace<lt::default_policy, float>(50257, 768, 50) < std::size_t{1} << 20));
  const xt::xtensor<float, 2> W{{0, 1}, {1, 0}, {1, 1}}, H{{2, 1}};
  const auto top = lt::top_k(lt::dense_head(W), xt::eval(H), 2);
  BOOST_TEST((top.index(0, 0) == 2u && top.index(0, 1) == 1u));
}

BOOST_AUTO_TEST_SUITE_END()
