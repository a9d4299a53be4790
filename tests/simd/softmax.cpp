// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/softmax.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <type_traits>

#include "oracle/allocations.hpp"
#include "oracle/compare.hpp"
#include "oracle/softmax.hpp"

namespace lt = logitope;
using oracle::absolute;
using oracle::close;
using oracle::same;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

struct pinned_baseline : lt::default_policy {
  using arch = lt::baseline;
};
struct pinned_precise : lt::precise_policy {
  using arch = lt::baseline;
};

template <class T>
std::vector<T> random_row(std::size_t n, double scale, unsigned seed) {
  std::mt19937 g(seed);
  std::normal_distribution<double> d(0.0, scale);
  std::vector<T> z(n);
  for (T& x : z) x = static_cast<T>(d(g));
  return z;
}

#if defined(__SSE2__)
constexpr unsigned flush_modes = 0x8040u;  // FTZ, DAZ
/// call() under the caller's MXCSR `modes`, which must be there afterwards but for the exceptions raised.
template <class Call>
auto under(unsigned modes, Call call) {
  const unsigned saved = _mm_getcsr(), before = saved | modes;
  _mm_setcsr(before);
  auto result = call();
  const unsigned after = _mm_getcsr();
  _mm_setcsr(saved);
  BOOST_TEST((after & 0xffc0u) == (before & 0xffc0u), "control bits after the call");
  return result;
}
#else
constexpr unsigned flush_modes = 0;
template <class Call>
auto under(unsigned, Call call) {
  return call();
}
#endif

/// Every entry point for one row, through policy P: probabilities, log-probabilities, log-sum-exp.
template <lt::kernel_policy P, class T>
void agrees_with_the_oracle(const std::vector<T>& z, unsigned modes = 0) {
  constexpr bool precise = P::shift == lt::shift_rounding::two_sum;
  constexpr long double u = std::numeric_limits<T>::epsilon() / 2.0L;
  constexpr long double smallest = std::numeric_limits<T>::min();
  const auto want = oracle::softmax(z);
  const auto p = under(modes, [&] { return lt::softmax<P>(z); });
  const auto lp = under(modes, [&] { return lt::log_softmax<P>(z); });
  const T lse = under(modes, [&] { return lt::logsumexp<P>(z); });
  const long double log_n = std::log(static_cast<long double>(z.size()));
  long double total = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const long double d = want.max - static_cast<long double>(z[i]);
    const long double in_u = precise ? 8 : 12 + d + log_n;
    if (want.p[i] >= smallest * (1 + in_u * u))
      BOOST_TEST(close(p[i], want.p[i], oracle::relative{static_cast<double>(in_u * u)}),
                 "p " << i << " of " << z.size());
    else if (precise)
      BOOST_TEST(close(p[i], want.p[i],
                       absolute{static_cast<double>(8 * u * want.p[i] + std::numeric_limits<T>::denorm_min())}),
                 "subnormal p " << i);
    else BOOST_TEST(close(p[i], want.p[i], absolute{std::numeric_limits<T>::min()}), "small p " << i);
    if (std::isinf(z[i])) continue;
    const long double log_u = 6 + 2 * std::fabs(want.lp[i]) + (precise ? 0 : d + log_n);
    BOOST_TEST(close(lp[i], want.lp[i], absolute{static_cast<double>(log_u * u)}), "log p " << i << " of " << z.size());
    total += static_cast<long double>(p[i]);
  }
  BOOST_TEST(static_cast<double>(std::fabs(total - 1)) <= static_cast<double>((precise ? 8 : 16 + log_n) * u));
  // in double the rounded logarithm stays when the largest logit cancels it
  const long double of_log = precise && std::is_same_v<T, float> ? 0 : log_n;
  BOOST_TEST(close(lse, want.lse, absolute{static_cast<double>((4 + 2 * std::fabs(want.lse) + of_log) * u)}));
}

template <class T>
void agrees_under_every_policy(const std::vector<T>& z, unsigned modes = 0) {
  agrees_with_the_oracle<lt::default_policy>(z, modes);
  agrees_with_the_oracle<lt::precise_policy>(z, modes);
  agrees_with_the_oracle<pinned_baseline>(z, modes);
  agrees_with_the_oracle<pinned_precise>(z, modes);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simd_softmax)

BOOST_AUTO_TEST_CASE(known_values_come_out) {
  const std::vector<float> z{1, 2, 3, 4};
  BOOST_TEST(close(lt::softmax(z)[3], 0.64391425988797230L, oracle::ulps{2}));
  BOOST_TEST(close(lt::logsumexp(z), 4.4401896985611953L, oracle::ulps{1}));
  BOOST_TEST(close(lt::log_softmax(z)[0], -3.4401896985611953L, oracle::ulps{1}));
}

BOOST_AUTO_TEST_CASE(every_length_around_a_register_is_within_the_proved_bounds) {
  for (std::size_t n = 1; n <= 70; ++n) {
    agrees_under_every_policy(random_row<float>(n, 4, static_cast<unsigned>(n)));
    agrees_under_every_policy(random_row<double>(n, 4, static_cast<unsigned>(n)));
  }
}

BOOST_AUTO_TEST_CASE(long_rows_are_within_the_proved_bounds_at_every_scale) {
  for (const std::size_t n : {1000u, 1024u, 1025u, 50257u})
    for (const double scale : {0.01, 1.0, 10.0, 30.0}) {
      if (n > 2000 && scale != 10.0) continue;
      agrees_under_every_policy(random_row<float>(n, scale, 7));
      agrees_under_every_policy(random_row<double>(n, scale, 8));
    }
  // equal thirds: what a naive float sum gets wrong by 30000 u
  std::vector<float> z(131072, -1.0986123f);
  z[77] = 0;
  agrees_under_every_policy(z);
}

BOOST_AUTO_TEST_CASE(a_log_sum_that_the_largest_logit_cancels_is_within_the_proved_bounds) {
  for (const std::size_t n : {37u, 3000u, 3676u, 5000u})
    for (int draw = 0; draw < 60; ++draw) {
      const double c = -std::log(static_cast<double>(n)) + 0.01 * draw;
      agrees_under_every_policy(std::vector<float>(n, static_cast<float>(c)));
      agrees_under_every_policy(std::vector<double>(n, c));
    }
}

BOOST_AUTO_TEST_CASE(components_down_to_the_subnormals_follow_the_policy) {
  std::vector<float> z(200);
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = -0.55f * static_cast<float>(i);
  agrees_under_every_policy(z);
  BOOST_TEST(same(lt::softmax(z)[180], 0.0f));
  BOOST_TEST(lt::softmax<lt::precise_policy>(z)[180] > 0.0f);
}

BOOST_AUTO_TEST_CASE(a_row_is_shifted_without_a_trace) {
  const std::vector<float> z{0.5f, -1.25f, 2, 0.75f};
  std::vector<float> far = z;
  for (float& x : far) x += 4096.0f;
  const auto a = lt::log_softmax(z), b = lt::log_softmax(far);
  for (std::size_t i = 0; i < z.size(); ++i) BOOST_TEST(same(a[i], b[i]));
}

BOOST_AUTO_TEST_CASE(the_top_class_keeps_its_last_digits) {
  const std::vector<float> z{20.0f, 0.0f, -1.0f};
  const long double want = -std::log1p(std::exp(-20.0L) + std::exp(-21.0L));
  BOOST_TEST(close(lt::log_softmax<lt::precise_policy>(z)[0], want, oracle::relative{8 * 0x1p-24}));
  BOOST_TEST(close(lt::log_softmax<pinned_precise>(z)[0], want, oracle::relative{8 * 0x1p-24}));
}

BOOST_AUTO_TEST_CASE(an_empty_row_is_zeros_and_its_neighbour_untouched_SM01_SM29) {
  const std::vector<float> alone{0, 1, 2, 3};
  const std::vector<float> Z{-inf, -inf, -inf, -inf, 0, 1, 2, 3};
  const auto check = [&]<class P>(P) {
    std::vector<float> p(8, 9.0f), lp(8, 9.0f), lse(2, 9.0f);
    const lt::matrix_view<const float> view(Z.data(), 2, 4);
    const lt::row_status one_empty{.empty = 1};
    BOOST_TEST((lt::softmax<P>(view, lt::matrix_view<float>(p.data(), 2, 4)) == one_empty));
    BOOST_TEST((lt::log_softmax<P>(view, lt::matrix_view<float>(lp.data(), 2, 4)) == one_empty));
    BOOST_TEST((lt::logsumexp<P>(view, std::span<float>(lse)) == one_empty));
    BOOST_TEST(same(lse[0], -inf));
    const auto q = lt::softmax<P>(alone), lq = lt::log_softmax<P>(alone);
    for (std::size_t i = 0; i < 4; ++i) {
      BOOST_TEST(same(p[i], 0.0f));
      BOOST_TEST(same(lp[i], -inf));
      BOOST_TEST(same(p[4 + i], q[i]));
      BOOST_TEST(same(lp[4 + i], lq[i]));
    }
  };
  check(lt::default_policy{});
  check(lt::precise_policy{});
  check(pinned_baseline{});
  check(pinned_precise{});
}

BOOST_AUTO_TEST_CASE(two_masks_that_hide_everything_together_make_an_empty_row_SM02) {
  const std::vector<float> scores{1, 2, 3, 4}, first{0, -inf, -inf, -inf}, last{-inf, -inf, -inf, 0};
  const auto masked = [&](bool by_first, bool by_last) {
    std::vector<float> z = scores;
    for (std::size_t i = 0; i < 4; ++i) z[i] += (by_first ? first[i] : 0.0f) + (by_last ? last[i] : 0.0f);
    return z;
  };
  const auto check = [&]<class P>(P) {
    BOOST_TEST((lt::softmax<P>(masked(true, false)) == std::vector<float>{1, 0, 0, 0}));
    BOOST_TEST((lt::softmax<P>(masked(false, true)) == std::vector<float>{0, 0, 0, 1}));
    lt::row_status status;
    for (const float p : lt::softmax<P>(masked(true, true), -1, &status)) BOOST_TEST(same(p, 0.0f));
    BOOST_TEST((status == lt::row_status{.empty = 1}));
    for (const float lp : lt::log_softmax<P>(masked(true, true))) BOOST_TEST(same(lp, -inf));
    BOOST_TEST(same(lt::logsumexp<P>(masked(true, true)), -inf));
    // nor does a mask applied twice make a NaN
    std::vector<float> twice = masked(true, false);
    for (std::size_t i = 0; i < 4; ++i) twice[i] += first[i];
    BOOST_TEST((lt::softmax<P>(twice) == std::vector<float>{1, 0, 0, 0}));
  };
  check(lt::default_policy{});
  check(lt::precise_policy{});
  check(pinned_baseline{});
  check(pinned_precise{});
}

BOOST_AUTO_TEST_CASE(very_negative_rows_are_rows_SM03) {
  const auto p = lt::softmax(std::vector<float>{-20000, -20001});
  BOOST_TEST(close(p[0], 0.73105857863000488L, oracle::ulps{2}));
  BOOST_TEST(close(p[1], 0.26894142136999512L, oracle::ulps{2}));
}

BOOST_AUTO_TEST_CASE(equal_huge_logits_share_SM07_SM08) {
  const auto check = [&]<class P>(P) {
    // the cross-entropy of target 1
    BOOST_TEST(close(-lt::log_softmax<P>(std::vector<float>{1e8f, 1e8f})[1], 0.69314718055994531L, absolute{1e-7}));
    BOOST_TEST(close(-lt::log_softmax<P>(std::vector<double>{1e8, 1e8})[1], 0.69314718055994531L, absolute{2e-16}));
    long double sum = 0;
    for (const float x : lt::log_softmax<P>(std::vector<float>(11, -1e10f))) {
      BOOST_TEST(close(x, -2.3978952727983705L, absolute{3e-7}));
      sum += std::exp(static_cast<long double>(x));
    }
    BOOST_TEST(close(static_cast<double>(sum), 1.0L, absolute{3e-7}));
  };
  check(lt::default_policy{});
  check(lt::precise_policy{});
  check(pinned_baseline{});
  check(pinned_precise{});
}

BOOST_AUTO_TEST_CASE(ordinary_logits_do_not_overflow_SM10) {
  const std::vector<float> want{0, 0, 0, 1, 0};
  const auto p = lt::softmax(std::vector<float>{-250, -424, -460, 378, -292});
  for (std::size_t i = 0; i < 5; ++i) BOOST_TEST(same(p[i], want[i]));
  const auto q = lt::softmax<lt::precise_policy>(std::vector<float>{3e38f, -3e38f, -inf});
  BOOST_TEST(same(q[0], 1.0f));
  BOOST_TEST(same(q[1], 0.0f));
  BOOST_TEST(same(q[2], 0.0f));
}

BOOST_AUTO_TEST_CASE(rows_without_classes_are_empty_rows_SM11) {
  const lt::matrix_view<const float> Z(nullptr, 10, 0);
  BOOST_TEST((lt::log_softmax(Z, lt::matrix_view<float>(nullptr, 10, 0)) == lt::row_status{.empty = 10}));
  std::vector<float> lse(10, 1.0f);
  lt::logsumexp(Z, std::span<float>(lse));
  for (const float x : lse) BOOST_TEST(same(x, -inf));
  BOOST_TEST((lt::softmax(lt::matrix_view<const float>(), lt::matrix_view<float>()) == lt::row_status{}));
}

BOOST_AUTO_TEST_CASE(a_single_class_is_certain_SM13_SM30) {
  for (const float x : {0.0f, -5.0f, 1e38f, -1e38f, 1e-44f, 3.0f}) {
    BOOST_TEST(same(lt::softmax(std::vector<float>{x})[0], 1.0f));
    BOOST_TEST(same(lt::softmax<lt::precise_policy>(std::vector<float>{x})[0], 1.0f));
    BOOST_TEST(lt::log_softmax(std::vector<float>{x})[0] == 0.0f);
    BOOST_TEST(same(lt::softmax(std::vector<float>{-inf, x, -inf})[1], 1.0f));
  }
  const auto half = lt::softmax(std::vector<float>{0, 0});
  BOOST_TEST(same(half[0], 0.5f));
  BOOST_TEST(same(half[1], 0.5f));
}

BOOST_AUTO_TEST_CASE(a_nan_or_an_infinity_anywhere_makes_its_row_nan_and_no_other) {
  for (const std::size_t n : {1u, 3u, 8u, 17u, 33u, 40u})
    for (std::size_t at = 0; at < n; ++at)
      for (const float bad : {not_a_number, inf}) {
        std::vector<float> Z(2 * n, 0.25f);
        Z[at] = bad;
        if (n > 1) Z[(at + 1) % n] = -inf;
        std::vector<float> P(2 * n), LP(2 * n), lse(2);
        const lt::matrix_view<const float> view(Z.data(), 2, n);
        const lt::row_status want = std::isnan(bad) ? lt::row_status{.nan = 1} : lt::row_status{.infinite = 1};
        BOOST_TEST((lt::softmax(view, lt::matrix_view<float>(P.data(), 2, n)) == want));
        BOOST_TEST((lt::log_softmax(view, lt::matrix_view<float>(LP.data(), 2, n)) == want));
        BOOST_TEST((lt::logsumexp(view, std::span<float>(lse)) == want));
        BOOST_TEST(same(lse[0], bad));
        const auto q = lt::softmax(std::vector<float>(n, 0.25f));
        for (std::size_t i = 0; i < n; ++i) {
          BOOST_TEST(std::isnan(P[i]));
          BOOST_TEST(std::isnan(LP[i]));
          BOOST_TEST(same(P[n + i], q[i]));
        }
      }
}

BOOST_AUTO_TEST_CASE(a_row_pitch_is_respected_for_reading_and_writing_SM15_SM17) {
  std::vector<float> Z(5 * 10), canary(5 * 10, 7.0f);
  std::iota(Z.begin(), Z.end(), 0.0f);
  for (float& x : Z) x = std::fmod(x * 0.37f, 3.0f);
  const lt::matrix_view<const float> in(Z.data() + 3, 5, 5, 10);
  lt::softmax(in, lt::matrix_view<float>(canary.data() + 2, 5, 5, 10));
  for (std::size_t i = 0; i < 5; ++i) {
    const auto want = lt::softmax(std::vector<float>(in.row(i).begin(), in.row(i).end()));
    for (std::size_t j = 0; j < 10; ++j) BOOST_TEST(same(canary[i * 10 + j], j >= 2 && j < 7 ? want[j - 2] : 7.0f));
  }
}

BOOST_AUTO_TEST_CASE(in_place_is_right_and_a_partial_overlap_refused_XT05) {
  std::vector<float> Z = random_row<float>(5 * 10, 2, 3), copy = Z, want(50);
  lt::softmax(lt::matrix_view<const float>(Z.data(), 5, 10), lt::matrix_view<float>(want.data(), 5, 10));
  lt::softmax(lt::matrix_view<const float>(Z.data(), 5, 10), lt::matrix_view<float>(Z.data(), 5, 10));
  BOOST_TEST(Z == want);
  const lt::matrix_view<const float> in(copy.data(), 4, 10);
  BOOST_CHECK_EXCEPTION(lt::softmax(in, lt::matrix_view<float>(copy.data() + 10, 4, 10)), lt::value_error,
                        oracle::says("softmax: expected the result to be the logits or apart from them"));
  BOOST_CHECK_THROW(lt::log_softmax(in, lt::matrix_view<float>(copy.data() + 1, 4, 10)), lt::value_error);
  // two groups of columns of one buffer are apart
  BOOST_CHECK_NO_THROW(lt::softmax(lt::matrix_view<const float>(copy.data(), 5, 4, 10),
                                   lt::matrix_view<float>(copy.data() + 4, 5, 4, 10)));
}

BOOST_AUTO_TEST_CASE(a_log_sum_exp_written_over_its_logits_is_refused_and_nothing_written) {
  std::vector<float> Z = random_row<float>(4 * 6 + 8, 2, 3);
  const std::vector<float> copy = Z;
  const lt::matrix_view<const float> in(Z.data() + 4, 4, 6);
  for (const std::size_t at : {1u, 4u, 10u, 27u})
    BOOST_CHECK_EXCEPTION(lt::logsumexp(in, std::span<float>(Z.data() + at, 4)), lt::value_error,
                          oracle::says("logsumexp: expected the result to be apart from the logits, got an overlap"));
  BOOST_TEST(Z == copy);
  for (const std::size_t at : {0u, 28u}) BOOST_CHECK_NO_THROW(lt::logsumexp(in, std::span<float>(Z.data() + at, 4)));
}

BOOST_AUTO_TEST_CASE(wrong_shapes_are_named) {
  std::vector<float> a(12), b(12);
  const lt::matrix_view<const float> Z(a.data(), 3, 4);
  BOOST_CHECK_EXCEPTION(lt::softmax(Z, lt::matrix_view<float>(b.data(), 2, 4)), lt::shape_error,
                        oracle::says("softmax: rows of the result: expected 3, got 2"));
  BOOST_CHECK_EXCEPTION(lt::logsumexp(Z, std::span<float>(b.data(), 4)), lt::shape_error,
                        oracle::says("logsumexp: length of the result: expected 3, got 4"));
  BOOST_CHECK_EXCEPTION(static_cast<void>(lt::softmax(a, 1)), lt::value_error,
                        oracle::says("expected an axis in [-1, 1), got 1"));
}

BOOST_AUTO_TEST_CASE(a_row_has_the_same_bits_in_any_batch_on_every_instruction_set) {
  const auto check = [](auto policy) {
    using P = decltype(policy);
    for (const std::size_t n : {1u, 7u, 8u, 16u, 31u, 64u, 100u, 128u, 129u, 300u})
      for (std::size_t bad = 0; bad <= 9; ++bad) {
        auto Z = random_row<float>(9 * n, 3, static_cast<unsigned>(n));
        if (bad < 9) Z[bad * n + n / 2] = bad % 2 == 0 ? std::numeric_limits<float>::quiet_NaN() : 1e30f;
        std::vector<float> P9(9 * n), alone(n);
        const auto status =
            lt::softmax<P>(lt::matrix_view<const float>(Z.data(), 9, n), lt::matrix_view<float>(P9.data(), 9, n));
        BOOST_TEST(status.nan == (bad < 9 && bad % 2 == 0 ? 1u : 0u));
        for (std::size_t i = 0; i < 9; ++i) {
          lt::softmax_row<P>(std::span<const float>(Z.data() + i * n, n), std::span<float>(alone));
          BOOST_TEST(std::equal(alone.begin(), alone.end(), P9.begin() + static_cast<long>(i * n),
                                [](float a, float b) { return oracle::same(a, b); }),
                     "row " << i << " of length " << n);
        }
      }
  };
  check(lt::default_policy{});
  check(lt::precise_policy{});
  check(pinned_baseline{});
#if defined(__x86_64__)
  struct pinned_avx2 : lt::default_policy {
    using arch = lt::avx2;
  };
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) check(pinned_avx2{});
#endif
}

BOOST_AUTO_TEST_CASE(matrix_calls_do_not_allocate) {
  std::vector<float> Z = random_row<float>(4 * 1000, 2, 3), P(4000), lse(4);
  const lt::matrix_view<const float> in(Z.data(), 4, 1000);
  const lt::matrix_view<float> out(P.data(), 4, 1000);
  const std::size_t before = oracle::allocated().count;
  lt::softmax(in, out);
  lt::log_softmax<lt::precise_policy>(in, out);
  lt::logsumexp(in, std::span<float>(lse));
  BOOST_TEST(oracle::allocated().count == before);
  const auto owner = lt::softmax(Z);
  BOOST_TEST(oracle::allocated().count > before);  // the counter counts
}

BOOST_AUTO_TEST_CASE(what_is_documented_holds_under_flush_modes_and_they_are_left_alone_BU05) {
  if (flush_modes == 0) return oracle::skipped("no MXCSR here");
  std::vector<float> deep(200);
  std::vector<double> deeper(200);
  for (std::size_t i = 0; i < 200; ++i) {
    deep[i] = -0.55f * static_cast<float>(i);
    deeper[i] = -3.9 * static_cast<double>(i);
  }
  agrees_under_every_policy(deep, flush_modes);
  agrees_under_every_policy(deeper, flush_modes);
  // subnormal logits are as good as zero
  agrees_under_every_policy(std::vector<float>{1e-41f, -1e-41f, 0.0f, 3e-45f}, flush_modes);
  for (std::size_t n = 1; n <= 40; ++n) agrees_under_every_policy(random_row<float>(n, 30, 5), flush_modes);
  agrees_under_every_policy(random_row<float>(50257, 10, 6), flush_modes);
  agrees_under_every_policy(random_row<double>(1025, 100, 6), flush_modes);
}

BOOST_AUTO_TEST_CASE(flush_modes_change_no_bit_BU05) {
  std::vector<float> z(200);
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = -0.55f * static_cast<float>(i);
  const auto check = [&]<class P>(P) {
    BOOST_TEST((under(flush_modes, [&] { return lt::softmax<P>(z); }) == lt::softmax<P>(z)));
    BOOST_TEST((under(flush_modes, [&] { return lt::log_softmax<P>(z); }) == lt::log_softmax<P>(z)));
    BOOST_TEST(same(under(flush_modes, [&] { return lt::logsumexp<P>(z); }), lt::logsumexp<P>(z)));
  };
  check(lt::default_policy{});
  check(lt::precise_policy{});
  check(pinned_baseline{});
  check(pinned_precise{});
  BOOST_TEST(lt::softmax<lt::precise_policy>(z)[180] > 0.0f);
}

BOOST_AUTO_TEST_CASE(spans_and_matrices_of_mutable_numbers_give_the_same_bits) {
  auto z = random_row<float>(66, 4, 1);
  const auto const_z = z;
  const std::span<float> span(z);
  lt::matrix<float> Z(3, 22);
  std::copy(z.begin(), z.end(), Z.values().begin());
  const lt::matrix_view<float> view = Z.view();
  const lt::matrix_view<const float> const_view = std::as_const(Z).view();
  BOOST_TEST((lt::softmax(span) == lt::softmax(const_z)));
  BOOST_TEST((lt::log_softmax(span) == lt::log_softmax(const_z)));
  BOOST_TEST(same(lt::logsumexp(span), lt::logsumexp(const_z)));
  BOOST_TEST((lt::logsumexp(view) == lt::logsumexp(const_view)));
  const auto values = [](const lt::matrix<float>& A) { return std::vector(A.values().begin(), A.values().end()); };
  BOOST_TEST((values(lt::softmax(view)) == values(lt::softmax(const_view))));
  BOOST_TEST((values(lt::log_softmax(view)) == values(lt::log_softmax(const_view))));
  BOOST_TEST((z == const_z));
}

BOOST_AUTO_TEST_SUITE_END()
