// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/sample.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "logitope/core/matrix.hpp"
#include "logitope/interop/xtensor.hpp"
#include "oracle/allocations.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {

struct pinned_baseline : lt::default_policy {
  using arch = lt::baseline;
};

using element_types = std::tuple<float, double>;
constexpr double below_one = 1 - 0x1p-53;

template <class P = lt::default_policy, class T>
std::size_t drawn(const std::vector<T>& z, double u, const lt::sampling_options& o = {},
                  lt::row_status* status = nullptr) {
  lt::workspace_memory memory(lt::sample_workspace<P, T>(z.size(), o));
  lt::workspace ws = memory.get();
  const std::size_t i = lt::sample_row<P>(std::span<const T>(z), u, o, ws, status);
  BOOST_TEST(ws.free_bytes() == (lt::sample_workspace<P, T>(z.size(), o)));
  return i;
}

/// The classes that may be drawn, in the order of their pieces, and the mass of each, summing to 1.
struct pieces {
  std::vector<std::size_t> order;
  std::vector<long double> mass;
};

/// The textbook: divide by the temperature, sort, cut thrice, share out again.
template <class T>
pieces cut(const std::vector<T>& z, const lt::sampling_options& o) {
  pieces p;
  for (std::size_t i = 0; i < z.size(); ++i)
    if (z[i] != -std::numeric_limits<T>::infinity()) p.order.push_back(i);
  const bool sorts = (o.top_k > 0 && o.top_k < z.size()) || o.top_p < 1 || o.min_p > 0;
  if (sorts) std::stable_sort(p.order.begin(), p.order.end(), [&](auto a, auto b) { return z[a] > z[b]; });
  const auto weigh = [&] {
    p.mass.clear();
    long double max = -std::numeric_limits<long double>::infinity(), total = 0;
    for (const auto i : p.order) max = (std::max)(max, static_cast<long double>(z[i]));
    for (const auto i : p.order)
      p.mass.push_back(std::exp((static_cast<long double>(z[i]) - max) / static_cast<long double>(o.temperature)));
    for (const auto m : p.mass) total += m;
    for (auto& m : p.mass) m /= total;
  };
  if (o.top_k > 0 && o.top_k < p.order.size()) p.order.resize(o.top_k);
  weigh();
  if (o.top_p < 1) {
    long double sum = 0;
    std::size_t k = 0;
    do sum += p.mass[k++];
    while (k < p.order.size() && sum < static_cast<long double>(o.top_p) - 1e-6L);
    p.order.resize(k);
    weigh();
  }
  if (o.min_p > 0) {
    std::size_t k = 1;
    while (k < p.order.size() && p.mass[k] >= static_cast<long double>(o.min_p) * p.mass[0] * (1 - 1e-6L)) ++k;
    p.order.resize(k);
    weigh();
  }
  return p;
}

/// The drawn class holds u in its piece, up to the accuracy that is documented.
template <class T>
void is_the_inverse(const std::vector<T>& z, const lt::sampling_options& o, const std::string& what) {
  const auto p = cut(z, o);
  const long double off = 64 * static_cast<long double>(std::numeric_limits<T>::epsilon());
  std::vector<long double> begin(z.size(), 2), end(z.size(), -1);
  long double sum = 0;
  for (std::size_t j = 0; j < p.order.size(); ++j) {
    begin[p.order[j]] = sum;
    end[p.order[j]] = sum += p.mass[j];
  }
  std::vector<double> us{0, 0x1p-53, 0.5, 1 - 0x1p-24, below_one};
  for (int i = 0; i < 100; ++i) us.push_back((i + 0.3) / 100);
  for (const double u : us) {
    for (const std::size_t i : {drawn(z, u, o), drawn<pinned_baseline>(z, u, o)}) {
      BOOST_REQUIRE_MESSAGE(i < z.size(), what << ", u " << u << ": " << i);
      BOOST_TEST((begin[i] - off <= static_cast<long double>(u) && static_cast<long double>(u) <= end[i] + off),
                 what << ", u " << u << ": class " << i << " has [" << begin[i] << ", " << end[i] << ")");
    }
  }
}

template <class T>
std::vector<T> random_row(std::size_t n, double sigma, unsigned seed, bool masks = false) {
  std::mt19937 g(seed);
  std::normal_distribution<double> d(0, sigma);
  std::vector<T> z(n);
  for (T& x : z) x = masks && g() % 3 == 0 ? -std::numeric_limits<T>::infinity() : static_cast<T>(d(g));
  return z;
}

struct counting_source {
  std::uint64_t bits = 0, draws = 0;
  std::uint64_t operator()() {
    ++draws;
    return bits += 0x9E3779B97F4A7C15u;
  }
};

template <class T>
std::vector<T> logs(std::initializer_list<double> p) {
  std::vector<T> z;
  for (const double x : p) z.push_back(static_cast<T>(std::log(x)));
  return z;
}

/// Classes that any u draws.
template <class T>
std::vector<std::size_t> support(const std::vector<T>& z, const lt::sampling_options& o) {
  std::vector<std::size_t> s;
  for (int i = 0; i <= 4096; ++i) {
    const std::size_t c = drawn(z, (std::min)(i / 4096.0, below_one), o);
    if (std::find(s.begin(), s.end(), c) == s.end()) s.push_back(c);
  }
  return s;
}

using indices = std::vector<std::size_t>;

}  // namespace

BOOST_AUTO_TEST_SUITE(simd_sample)

BOOST_AUTO_TEST_CASE_TEMPLATE(equal_weights_are_drawn_by_where_u_stands, T, element_types) {
  for (const std::size_t n : {1u, 3u, 64u, 65u, 513u, 2000u}) {
    const std::vector<T> z(n, T{-7});
    for (std::size_t i = 0; i < n; ++i)
      BOOST_TEST(drawn(z, (static_cast<double>(i) + 0.5) / static_cast<double>(n)) == i);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_smallest_set_that_holds_top_p_is_kept_SA01_SA03_SA04_SA05, T, element_types) {
  BOOST_TEST((support(logs<T>({0.25, 0.125, 0.125, 0.5}), {.top_p = 0.75}) == indices{3, 0}));
  BOOST_TEST((support(logs<T>({0.6, 0.4}), {.top_p = 0.5}) == indices{0}));
  BOOST_TEST((support(logs<T>({0.6, 0.4}), {.top_p = 0.7}) == indices{0, 1}));
  for (const double p : {0.5, 0.0}) BOOST_TEST((support(logs<T>({0.9, 0.1}), {.top_p = p}) == indices{0}));
  for (const std::size_t n : {49u, 151936u}) {
    const std::vector<T> z(n, T{0});
    BOOST_TEST(drawn(z, below_one, {.top_p = 0.99999994}) == n - 1);
    BOOST_TEST(drawn(z, 0.0, {.top_p = 0.99999994}) == 0u);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(classes_without_weight_are_never_drawn_SA09_SA12, T, element_types) {
  constexpr T inf = std::numeric_limits<T>::infinity();
  std::vector<T> z(300, -inf);
  std::fill(z.begin(), z.begin() + 30, T{0});
  for (const double u : {below_one, 1 - 0x1p-24}) BOOST_TEST(drawn(z, u) == 29u);
  for (int i = 0; i < 100000; ++i) BOOST_TEST_REQUIRE(drawn(z, i / 100000.0) < 30u);
  BOOST_TEST(drawn(std::vector<T>{0, -inf}, below_one) == 0u);
  BOOST_TEST(drawn(std::vector<T>{-inf, 0, -inf}, 0.0) == 1u);
  BOOST_TEST(drawn(std::vector<T>{T{0}, T{-30000}}, below_one) == 0u);
  BOOST_TEST(drawn(std::vector<T>{T{-30000}, T{0}}, 0.0) == 1u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_masked_first_block_has_no_mass_however_far_below_zero_the_others_are, T,
                              element_types) {
  std::vector<T> z(1300, -std::numeric_limits<T>::infinity());
  for (const T x : {T{-700}, T{-800}, T{-1e30f}, (std::numeric_limits<T>::lowest)()}) {
    z[700] = z[1200] = x;
    for (const double u : {0.0, 0.3, 0.7, below_one}) BOOST_TEST(drawn(z, u) == (u < 0.5 ? 700u : 1200u));
    BOOST_TEST(drawn(z, 0.7, {.top_p = 0.99}) == 1200u);
  }
  z[700] = z[1200] = T{-0.75};
  BOOST_TEST(drawn(z, 0.7, {.temperature = 1e-30}) == 1200u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_difference_beyond_the_largest_number_keeps_its_weight, T, element_types) {
  constexpr double big = static_cast<double>((std::numeric_limits<T>::max)());
  const std::vector<T> z{static_cast<T>(big), static_cast<T>(-big), 0};
  for (const double share : {0.125, 0.1875, 0.25}) {  // weights 1, e^-2/share, e^-1/share
    const double second = std::exp(-2 / share), third = std::exp(-1 / share), all = 1 + second + third;
    const lt::sampling_options hot{.temperature = share * big};
    BOOST_TEST(drawn(z, 0.999 / all, hot) == 0u, share);
    BOOST_TEST(drawn(z, (1 + 0.01 * second) / all, hot) == 1u, share);
    BOOST_TEST(drawn(z, (1 + 0.99 * second) / all, hot) == 1u, share);
    BOOST_TEST(drawn(z, (1 + second + 0.01 * third) / all, hot) == 2u, share);
    auto sorted = hot;
    sorted.min_p = 1e-30;
    BOOST_TEST(drawn(z, (1 + third + 0.01 * second) / all, sorted) == 1u, share);
  }
  const lt::sampling_options alike{.temperature = std::numeric_limits<double>::infinity(), .top_k = 3};
  std::vector<T> four = z;
  four.push_back(z[1]);
  BOOST_TEST(drawn(four, 0.1, alike) == 0u);
  BOOST_TEST(drawn(four, 0.5, alike) == 2u);
  BOOST_TEST(drawn(four, 0.9, alike) == 1u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_vanishing_temperature_is_greedy_SA14, T, element_types) {
  const std::vector<T> z{0, -1, T{0.5}};
  for (const double t : {0.0, 1e-40, 1e-300, 5e-324})
    for (const double u : {0.0, 0.5, below_one}) BOOST_TEST(drawn(z, u, {.temperature = t}) == 2u);
  BOOST_TEST(drawn(std::vector<T>{1, 3, 3}, below_one, {.temperature = 0}) == 1u);
  BOOST_TEST(drawn(std::vector<T>{1, 3, 3}, below_one, {.temperature = 1e-30}) == 2u);  // ties share at any other
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_infinite_temperature_draws_all_unmasked_classes_alike, T, element_types) {
  constexpr T inf = std::numeric_limits<T>::infinity();
  constexpr T big = (std::numeric_limits<T>::max)();
  const std::vector<T> z{-inf, 3, -big, -inf, big, 0};
  const lt::sampling_options hot{.temperature = std::numeric_limits<double>::infinity()};
  const indices open{1, 2, 4, 5};
  for (std::size_t i = 0; i < 4; ++i)
    for (const double within : {0.0, 0.24}) BOOST_TEST(drawn(z, static_cast<double>(i) / 4 + within, hot) == open[i]);
  auto nucleus = hot;
  nucleus.top_p = 0.5;
  BOOST_TEST((support(z, nucleus) == indices{4, 1}));
  nucleus = hot;
  nucleus.top_k = 3;
  BOOST_TEST((support(z, nucleus) == indices{4, 1, 5}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_class_has_its_piece_of_the_unit_interval, T, element_types) {
  std::vector<lt::sampling_options> all{{},
                                        {.top_k = 1},
                                        {.top_k = 5},
                                        {.top_p = 0.3},
                                        {.top_p = 0.95},
                                        {.min_p = 0.05},
                                        {.top_k = 40, .top_p = 0.9},
                                        {.top_k = 200, .top_p = 0.8, .min_p = 0.1},
                                        {.top_k = 100000},
                                        {.top_p = 0.999, .min_p = 1e-4}};
  for (const double temperature : {0.2, 1.0, 0.7, 30.0})
    for (auto o : all) {
      o.temperature = temperature;
      for (const std::size_t n : {1u, 2u, 16u, 63u, 64u, 65u, 511u, 512u, 513u, 3000u}) {
        const std::string what = "n " + std::to_string(n) + ", temperature " + std::to_string(temperature) +
                                 ", top_k " + std::to_string(o.top_k) + ", top_p " + std::to_string(o.top_p) +
                                 ", min_p " + std::to_string(o.min_p);
        is_the_inverse(random_row<T>(n, 3, static_cast<unsigned>(n)), o, what);
        if (n > 16) is_the_inverse(random_row<T>(n, 20, static_cast<unsigned>(n), true), o, what + ", masked");
      }
    }
}

BOOST_AUTO_TEST_CASE(frequencies_are_the_probabilities) {
  const auto z = random_row<float>(700, 2, 9);
  const auto p = cut(z, {});
  std::mt19937_64 g(1);
  const int draws = 200000;
  std::vector<double> count(z.size());
  for (int i = 0; i < draws; ++i) count[drawn(z, lt::uniform_unit(g))] += 1;
  double chi2 = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double want = static_cast<double>(p.mass[i]) * draws;
    chi2 += (count[i] - want) * (count[i] - want) / want;
  }
  // 699 degrees of freedom: mean 699, standard deviation 37
  BOOST_TEST(chi2 < 699 + 6 * 37.4);
  BOOST_TEST(chi2 > 699 - 6 * 37.4);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rows_that_are_not_ordinary_have_their_answer, T, element_types) {
  constexpr T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  for (const auto& o : std::vector<lt::sampling_options>{{},
                                                         {.temperature = 0},
                                                         {.temperature = 2},
                                                         {.top_k = 2},
                                                         {.top_p = 0.5},
                                                         {.min_p = 0.5},
                                                         {.temperature = std::numeric_limits<double>::infinity()}}) {
    lt::row_status status;
    BOOST_TEST(drawn(std::vector<T>{}, 0.5, o, &status) == lt::npos);
    BOOST_TEST(drawn(std::vector<T>{-inf, -inf, -inf}, 0.5, o, &status) == lt::npos);
    BOOST_TEST((status == lt::row_status{.empty = 2}));
    BOOST_TEST(drawn(std::vector<T>{1, nan, inf}, 0.5, o, &status) == lt::npos);
    BOOST_TEST((status == lt::row_status{.empty = 2, .nan = 1}));
    BOOST_TEST(drawn(std::vector<T>{1, inf, 2, inf}, 0.99, o, &status) == 1u);
    BOOST_TEST((status == lt::row_status{.empty = 2, .nan = 1, .infinite = 1}));
    std::vector<T> late(2000, T{1});
    late[1700] = nan;
    BOOST_TEST(drawn(late, 0.5, o) == lt::npos);
    late[1700] = inf;
    BOOST_TEST(drawn(late, 0.5, o) == 1700u);
  }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_sampled_is_refused) {
  const std::vector<float> z{1, 2};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double t : {-1.0, nan, -0x1p-1074})
    BOOST_CHECK_EXCEPTION(drawn(z, 0.5, {.temperature = t}), lt::value_error,
                          oracle::says("expected a temperature >= 0"));
  for (const double p : {-0.1, 1.1, nan}) {
    BOOST_CHECK_EXCEPTION(drawn(z, 0.5, {.top_p = p}), lt::value_error, oracle::says("expected top_p in [0, 1]"));
    BOOST_CHECK_EXCEPTION(drawn(z, 0.5, {.min_p = p}), lt::value_error, oracle::says("expected min_p in [0, 1]"));
  }
  for (const double u : {-0.1, 1.0, nan})
    BOOST_CHECK_EXCEPTION(drawn(z, u), lt::value_error, oracle::says("expected u in [0, 1)"));
  counting_source source;
  lt::workspace nothing;
  std::vector<std::size_t> index(3, 77);
  BOOST_CHECK_EXCEPTION(
      lt::sample(lt::matrix_view<const float>(z.data(), 1, 2), source, {}, std::span<std::size_t>(index), nothing),
      lt::shape_error, oracle::says("sample: length of the result: expected 1, got 3"));
  BOOST_CHECK_THROW(lt::sample(lt::matrix_view<const float>(z.data(), 1, 2), source, {},
                               std::span<std::size_t>(index.data(), 1), nothing),
                    lt::capacity_error);
  BOOST_TEST((index == indices{77, 77, 77}));
}

BOOST_AUTO_TEST_CASE(every_row_takes_one_draw_and_its_answer_depends_on_no_other) {
  auto Z = random_row<float>(5 * 900, 3, 2);
  const lt::sampling_options o{.temperature = 0.8, .top_k = 30};
  lt::workspace_memory memory(lt::sample_workspace<lt::default_policy, float>(900, o));
  lt::workspace ws = memory.get();
  const auto rows = [&] {
    counting_source source;
    std::vector<std::size_t> index(5);
    const std::size_t before = oracle::allocated().count;
    lt::sample(lt::matrix_view<const float>(Z.data(), 5, 900), source, o, std::span<std::size_t>(index), ws);
    BOOST_TEST(oracle::allocated().count == before);
    BOOST_TEST(source.draws == 5u);
    return index;
  };
  const auto first = rows();
  std::fill(Z.begin() + 900, Z.begin() + 1800, std::numeric_limits<float>::quiet_NaN());
  const auto second = rows();
  for (std::size_t i = 0; i < 5; ++i) BOOST_TEST(second[i] == (i == 1 ? lt::npos : first[i]));
}

BOOST_AUTO_TEST_CASE(arrays_lose_their_last_axis) {
  xt::xtensor<double, 3> Z = xt::zeros<double>({2, 3, 4});
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 3; ++j) Z(i, j, (i + j) % 4) = 1000;
  counting_source source;
  const auto index = lt::sample(Z, source);
  BOOST_TEST((index.shape(0) == 2u && index.shape(1) == 3u));
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 3; ++j) BOOST_TEST(index(i, j) == (i + j) % 4);
  BOOST_TEST(source.draws == 6u);
  BOOST_TEST(lt::sample(std::vector<float>{0, 99, 0}, source, {.temperature = 0}) == 1u);
  BOOST_TEST(lt::sample(xt::xtensor<double, 2>(xt::transpose(xt::xtensor<double, 2>{{9, 0}, {0, 0}})), source,
                        {.temperature = 0})(0) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
