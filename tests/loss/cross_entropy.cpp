// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/loss/cross_entropy.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "logitope/core/matrix.hpp"
#include "logitope/heads/dense.hpp"
#include "logitope/interop/xtensor.hpp"
#include "oracle/compare.hpp"
#include "oracle/loss.hpp"

#if __has_include(<xtensor/views/xview.hpp>)
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xview.hpp>
#endif

namespace lt = logitope;
using oracle::close, oracle::same, oracle::says;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), nan_value = std::numeric_limits<double>::quiet_NaN();

struct small_tiles : lt::default_policy {
  static constexpr std::size_t vocabulary_tile = 7;
};

struct two : lt::default_policy {
  static constexpr std::size_t vocabulary_tile = 2;
};

template <class T>
lt::matrix<T> waves(std::size_t n, std::size_t m, double phase) {
  lt::matrix<T> a(n, m);
  for (std::size_t i = 0; i < a.size(); ++i) a.values()[i] = static_cast<T>(2 * std::sin(1.7 * double(i) + phase));
  return a;
}

/// Logits given one by one: a single state of 1.
template <class T>
lt::matrix<T> column(std::vector<T> z) {
  lt::matrix<T> W(z.size(), 1);
  std::copy(z.begin(), z.end(), W.values().begin());
  return W;
}
template <class T>
lt::matrix<T> ones(std::size_t n) {
  lt::matrix<T> H(n, 1);
  for (T& x : H.values()) x = 1;
  return H;
}

template <class P, class T>
void losses_match(std::size_t N, std::size_t V, std::size_t D, double eps, bool biased) {
  const auto W = waves<T>(V, D, 0.3), H = waves<T>(N, D, 0.9);
  auto b = waves<T>(1, V, 0.1);
  if (V > 2) b(0, V / 2) = -std::numeric_limits<T>::infinity();
  std::vector<long> y(N);
  for (std::size_t i = 0; i < N; ++i) y[i] = i % 4 == 2 ? -100 : static_cast<long>((i * 5) % V);
  for (long& t : y)
    if (biased && V > 2 && t == static_cast<long>(V / 2)) t = 0;
  oracle::linear_model m{oracle::as_numbers(W), oracle::as_numbers(H),
                         biased ? oracle::as_numbers(b)[0] : oracle::numbers{}};
  const lt::dense_head<T> head(W.view(), biased ? b.row(0) : std::span<T>());
  lt::workspace_memory memory(lt::cross_entropy_workspace<P, T>(V, D));
  lt::workspace ws = memory.get();
  std::vector<double> losses(N, 9.0);
  const lt::loss_sum got = lt::cross_entropy<P>(head, H, y, ws, {.label_smoothing = eps}, losses);
  const double unit = std::is_same_v<T, float> ? 2e-6 : 1e-14;
  std::size_t count = 0;
  double sum = 0;
  for (std::size_t i = 0; i < N; ++i) {
    const long double want = y[i] == -100 ? 0 : oracle::target_loss(m.logits(i), static_cast<std::size_t>(y[i]), eps);
    BOOST_TEST(close(losses[i], want, oracle::absolute{unit * (1 + double(want))}));
    count += y[i] != -100;
    sum += losses[i];
  }
  BOOST_TEST(got.count == count);
  BOOST_TEST(got.status.ignored == N - count);
  BOOST_TEST(close(got.sum, sum, oracle::relative{1e-14}));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(loss_cross_entropy)

BOOST_AUTO_TEST_CASE(losses_are_those_of_the_long_double_oracle_around_tiles_lanes_and_blocks) {
  for (double eps : {0.0, 0.1, 1.0})
    for (bool biased : {false, true})
      for (std::size_t V : std::vector<std::size_t>{1, 2, 6, 7, 8, 9, 13, 14, 15, 33})
        for (std::size_t D : std::vector<std::size_t>{1, 3, 8, 9}) {
          losses_match<small_tiles, float>(5, V, D, eps, biased);
          losses_match<small_tiles, double>(5, V, D, eps, biased);
          losses_match<lt::default_policy, float>(5, V, D, eps, biased);
          losses_match<lt::precise_policy, double>(5, V, D, eps, biased);
        }
  for (std::size_t N : std::vector<std::size_t>{1, 63, 64, 65, 86, 131})
    losses_match<small_tiles, double>(N, 9, 3, 0.1, true);
  losses_match<lt::default_policy, float>(3, 1023, 2, 0.1, true);
  losses_match<lt::default_policy, float>(3, 1025, 2, 0.1, true);
}

BOOST_AUTO_TEST_CASE(equal_huge_logits_cost_log_two_SM07) {
  const auto W = column<float>({1e8f, 1e8f});
  const auto got = lt::cross_entropy(lt::dense_head(W), ones<float>(1), std::vector<int>{1});
  BOOST_TEST(close(got.mean(), std::log(2.0L), oracle::ulps{2}));
}

BOOST_AUTO_TEST_CASE(a_sure_target_costs_exp_of_minus_the_gap_to_full_relative_accuracy) {
  const auto W = column<double>({40.0, 0.0});
  const auto got = lt::cross_entropy(lt::dense_head(W), ones<double>(1), std::vector<int>{0});
  BOOST_TEST(close(got.sum, std::log1p(std::exp(-40.0L)), oracle::ulps{4}));
}

BOOST_AUTO_TEST_CASE(a_negative_target_that_is_not_the_ignored_one_is_named_before_anything_is_written_CE03) {
  const auto W = waves<double>(5, 1, 0), H = waves<double>(3, 1, 1);
  lt::workspace_memory memory(lt::cross_entropy_workspace<lt::default_policy, double>(5, 1));
  lt::workspace ws = memory.get();
  std::vector<double> losses(3, 7.0);
  BOOST_CHECK_EXCEPTION(static_cast<void>(lt::cross_entropy(lt::dense_head(W), H, std::vector<int>{1, 2, -4}, ws,
                                                            {.ignore_index = -1}, losses)),
                        lt::value_error, says("got -4 in row 2"));
  for (double l : losses) BOOST_TEST(l == 7.0);
  BOOST_CHECK_THROW(static_cast<void>(lt::cross_entropy(lt::dense_head(W), H, std::vector<int>{1, 5, 0})),
                    lt::value_error);
  BOOST_CHECK_THROW(static_cast<void>(lt::cross_entropy(lt::dense_head(W), H, std::vector<int>{1, 4})),
                    lt::shape_error);
  BOOST_CHECK_THROW(
      static_cast<void>(lt::cross_entropy(lt::dense_head(W), waves<double>(3, 2, 1), std::vector<int>{1, 4, 0})),
      lt::shape_error);
  BOOST_CHECK_THROW(
      static_cast<void>(lt::cross_entropy(lt::dense_head(W), H, std::vector<int>{1, 4, 0}, {.label_smoothing = 1.5})),
      lt::value_error);
}

BOOST_AUTO_TEST_CASE(an_ignored_class_stays_in_the_denominator_and_a_masked_one_does_not_CE04) {
  const auto W = column<double>({0, 1, 1});
  const auto H = ones<double>(2);
  const std::vector<int> y{1, 2};
  BOOST_TEST(close(lt::cross_entropy(lt::dense_head(W), H, y, {.ignore_index = 0}).mean(), 0.86199480L,
                   oracle::absolute{1e-8}));
  const std::vector<double> b{-inf, 0, 0};
  BOOST_TEST(close(lt::cross_entropy(lt::dense_head(W, b), H, y).mean(), std::log(2.0L), oracle::ulps{2}));
}

BOOST_AUTO_TEST_CASE(smoothing_goes_to_unmasked_classes_only_CE06) {
  const auto W = column<double>({5, 0, 1});
  const std::vector<double> b{-inf, 0, 0};
  const lt::dense_head head(W, b);
  const auto H = ones<double>(1);
  const std::vector<int> y{2};
  BOOST_TEST(close(lt::cross_entropy(head, H, y).sum, 0.31326169L, oracle::absolute{1e-8}));
  BOOST_TEST(close(lt::cross_entropy(head, H, y, {.label_smoothing = 0.1}).sum, 0.36326169L, oracle::absolute{1e-8}));
}

BOOST_AUTO_TEST_CASE(ignored_rows_cost_nothing_in_any_tile_CE10) {
  const auto W = waves<double>(6, 2, 0.4);
  auto H = waves<double>(4, 2, 0.2);
  for (std::size_t d = 0; d < 2; ++d) H(1, d) = nan_value, H(3, d) = inf;
  lt::workspace_memory memory(lt::cross_entropy_workspace<two, double>(6, 2));
  lt::workspace ws = memory.get();
  std::vector<double> losses(4, 7.0);
  const auto got = lt::cross_entropy<two>(lt::dense_head(W), H, std::vector<int>{0, -100, 5, -100}, ws, {}, losses);
  BOOST_TEST(got.count == 2u);
  BOOST_TEST(same(losses[1], 0.0));
  BOOST_TEST(same(losses[3], 0.0));
  BOOST_TEST(got.sum == losses[0] + losses[2]);
  BOOST_TEST(got.status.ignored == 2u);
  BOOST_TEST(got.status.nan == 0u);
}

BOOST_AUTO_TEST_CASE(no_rows_and_only_ignored_rows_have_sum_zero_and_mean_nan_CE12_CE14) {
  const auto W = waves<double>(10, 2, 0);
  for (std::size_t N : std::vector<std::size_t>{0, 3}) {
    const auto got = lt::cross_entropy(lt::dense_head(W), lt::matrix<double>(N, 2), std::vector<int>(N, -100));
    BOOST_TEST(same(got.sum, 0.0));
    BOOST_TEST(got.count == 0u);
    BOOST_TEST(std::isnan(got.mean()));
  }
  const lt::matrix<double> none(0, 2);
  const auto got = lt::cross_entropy(lt::dense_head(none), lt::matrix<double>(3, 2), std::vector<int>(3, -100));
  BOOST_TEST(got.count == 0u);
  BOOST_CHECK_THROW(
      static_cast<void>(lt::cross_entropy(lt::dense_head(none), lt::matrix<double>(1, 2), std::vector<int>{0})),
      lt::value_error);
}

BOOST_AUTO_TEST_CASE(special_rows_give_the_documented_losses_and_leave_the_others_bitwise_alone) {
  const auto W = waves<double>(9, 3, 0.4), H = waves<double>(70, 3, 0.2);
  const lt::dense_head head(W);
  lt::workspace_memory memory(lt::cross_entropy_workspace<small_tiles, double>(9, 3));
  lt::workspace ws = memory.get();
  std::vector<int> y(70, 3);
  std::vector<double> before(70), after(70);
  static_cast<void>(lt::cross_entropy<small_tiles>(head, H, y, ws, {}, before));
  auto bad = H;
  bad(5, 1) = nan_value;
  const auto got = lt::cross_entropy<small_tiles>(head, bad, y, ws, {}, after);
  for (std::size_t i = 0; i < 70; ++i) BOOST_TEST(same(after[i], i == 5 ? nan_value : before[i]));
  BOOST_TEST(std::isnan(got.sum));
  BOOST_TEST(got.status.nan == 1u);

  const auto one = ones<double>(1);
  const std::vector<int> first{0};
  for (double eps : {0.0, 0.1}) {
    const lt::loss_options o{.label_smoothing = eps};
    const auto loss_of = [&](const lt::matrix<double>& weights) {
      return lt::cross_entropy(lt::dense_head(weights), one, first, o);
    };
    const auto top = loss_of(column<double>({0, inf}));
    BOOST_TEST(std::isnan(top.sum));
    BOOST_TEST(top.status.infinite == 1u);
    const auto masked = loss_of(column<double>({-inf, 0}));
    BOOST_TEST(masked.sum == inf);
    BOOST_TEST(masked.count == 1u);
    const auto empty = loss_of(column<double>({-inf, -inf}));
    BOOST_TEST(empty.sum == inf);
    BOOST_TEST(empty.status.empty == 1u);
    BOOST_TEST(same(loss_of(column<double>({1e5, -inf})).sum, 0.0));
  }
}

BOOST_AUTO_TEST_CASE(a_row_has_the_same_bits_wherever_it_stands_in_a_batch) {
  const auto W = waves<float>(15, 5, 0.4), H = waves<float>(130, 5, 0.2);
  const lt::dense_head head(W);
  lt::workspace_memory memory(lt::cross_entropy_workspace<small_tiles, float>(15, 5));
  lt::workspace ws = memory.get();
  std::vector<double> all(130), one(1);
  static_cast<void>(lt::cross_entropy<small_tiles>(head, H, std::vector<int>(130, 4), ws, {}, all));
  for (std::size_t i = 0; i < 130; ++i) {
    static_cast<void>(lt::cross_entropy<small_tiles>(head, H.view().block(i, 1), std::vector<int>{4}, ws, {}, one));
    BOOST_TEST(same(one[0], all[i]));
  }
}

BOOST_AUTO_TEST_CASE(strided_states_and_arrays_of_targets_give_the_same_loss) {
  xt::xtensor<double, 2> W = {{0.5, 1.0}, {1.0, -0.5}, {0.25, 0.0}}, H = {{2, 0}, {0, 3}, {1, 1}};
  xt::xtensor<long, 1> y = {1, 0, 2};
  const lt::dense_head head(W);
  const double want = lt::cross_entropy(head, H, y).sum;
  const xt::xtensor<double, 2> across = xt::transpose(H);
  BOOST_TEST(same(lt::cross_entropy(head, xt::transpose(across), y).sum, want));
  const xt::xtensor<double, 2> wide = {{2, 9, 0}, {0, 9, 3}, {1, 9, 1}};
  BOOST_TEST(same(lt::cross_entropy(head, xt::view(wide, xt::all(), xt::range(0, 3, 2)), y).sum, want));
  const xt::xtensor<long, 1> spread = {1, 7, 0, 7, 2};
  BOOST_TEST(same(lt::cross_entropy(head, H, xt::view(spread, xt::range(0, 5, 2))).sum, want));
  const xt::xarray<double> cube = xt::zeros<double>({1, 3, 2});
  BOOST_CHECK_EXCEPTION(static_cast<void>(lt::cross_entropy(head, cube, y)), lt::shape_error,
                        says("expected 2, got 3"));
}

BOOST_AUTO_TEST_CASE(spans_and_matrices_of_mutable_numbers_give_the_same_bits) {
  lt::matrix<double> W(3, 2), H(3, 2);
  for (std::size_t i = 0; i < W.size(); ++i) W.values()[i] = H.values()[i] = std::sin(1.3 * double(i));
  std::vector<double> b{0.5, 0, -0.5};
  std::vector<int> y{2, 0, 1};
  const double want = lt::cross_entropy(lt::dense_head(std::as_const(W), std::as_const(b)), std::as_const(H), y).sum;
  const lt::dense_head mutable_head(W.view(), std::span<double>(b));
  BOOST_TEST(same(lt::cross_entropy(mutable_head, H.view(), std::span<int>(y)).sum, want));
  BOOST_TEST(same(lt::cross_entropy(mutable_head, std::as_const(H).view(), std::span<const int>(y)).sum, want));
}

BOOST_AUTO_TEST_CASE(targets_of_two_axes_are_refused_even_where_their_number_fits) {
  const lt::matrix<double> W(5, 1), H(6, 1);
  const lt::dense_head head(W);
  const xt::xtensor<int, 2> fixed = {{0, 1, 2}, {3, 4, 0}};
  const xt::xarray<int> free = fixed;
  BOOST_CHECK_EXCEPTION(static_cast<void>(lt::cross_entropy(head, H, fixed)), lt::shape_error,
                        says("axes of the targets: expected 1, got 2"));
  BOOST_CHECK_EXCEPTION(static_cast<void>(lt::cross_entropy(head, H, free)), lt::shape_error,
                        says("axes of the targets: expected 1, got 2"));
  lt::workspace_memory memory(lt::cross_entropy_workspace<lt::default_policy, double>(5, 1));
  lt::workspace ws = memory.get();
  BOOST_CHECK_THROW(static_cast<void>(lt::cross_entropy(head, H.view(), fixed, ws)), lt::shape_error);
}

BOOST_AUTO_TEST_CASE(a_difference_of_logits_beyond_all_doubles_costs_infinity_not_nan) {
  lt::matrix<double> W(2, 1), H(1, 1);
  H(0, 0) = 1;
  W(0, 0) = 1.7e308;
  W(1, 0) = -1.7e308;
  for (const double eps : {0.0, 0.5, 1.0})
    BOOST_TEST(lt::cross_entropy(lt::dense_head(W), H, std::vector<int>{1}, {.label_smoothing = eps}).sum == inf);
}

BOOST_AUTO_TEST_SUITE_END()
