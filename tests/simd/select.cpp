// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/select.hpp"

#include <functional>
#include <numeric>
#include <random>
#include <tuple>
#if __has_include(<xtensor/views/xview.hpp>)
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xview.hpp>
#endif

#include "logitope/core/matrix.hpp"
#include "logitope/interop/xtensor.hpp"
#include "oracle/allocations.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {

struct pinned_baseline : lt::default_policy {
  using arch = lt::baseline;
};
struct pinned_avx2 : lt::default_policy {
  using arch = lt::avx2;
};
struct pinned_avx512 : lt::default_policy {
  using arch = lt::avx512;
};

using element_types = std::tuple<float, double>;

/// The first k of a stable sort, larger values first; npos where only masked classes are left, or with a NaN.
template <class T>
std::vector<std::size_t> sorted_top(const std::vector<T>& z, std::size_t k) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (std::isnan(z[i])) return std::vector<std::size_t>(k, lt::npos);
    if (z[i] != -std::numeric_limits<T>::infinity()) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return z[a] > z[b]; });
  order.resize(k, lt::npos);
  return order;
}

/// top_k in exactly the scratch it asks for, k classes and not one more written.
template <class P, class T>
std::vector<std::size_t> top_of(const std::vector<T>& z, std::size_t k, lt::row_status* status = nullptr) {
  lt::workspace_memory memory(lt::top_k_workspace<P, T>(z.size(), k));
  lt::workspace ws = memory.get();
  std::vector<std::size_t> index(k + 1, 77);
  const auto s = lt::top_k<P>(std::span<const T>(z), std::span<std::size_t>(index.data(), k), ws);
  if (status != nullptr) *status = s;
  BOOST_TEST(index[k] == 77u);
  BOOST_TEST(ws.free_bytes() == (lt::top_k_workspace<P, T>(z.size(), k)));
  index.pop_back();
  return index;
}

template <class T>
void every_path_sorts(const std::vector<T>& z, std::size_t k, const std::string& what) {
  const auto want = sorted_top(z, k);
  const std::string where = what + ", n " + std::to_string(z.size()) + ", k " + std::to_string(k);
  BOOST_TEST((top_of<lt::default_policy>(z, k) == want), where);
  BOOST_TEST((top_of<pinned_baseline>(z, k) == want), where << ", baseline");
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) BOOST_TEST((top_of<pinned_avx2>(z, k) == want), where << ", AVX2");
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    BOOST_TEST((top_of<pinned_avx512>(z, k) == want), where << ", AVX-512");
#endif
}

/// Rows that a selection gets wrong, by name.
template <class T>
std::vector<std::pair<std::string, std::function<std::vector<T>(std::size_t)>>> rows() {
  using L = std::numeric_limits<T>;
  const auto each = [](auto value) {
    return [value](std::size_t n) {
      std::mt19937_64 g(n);
      std::vector<T> z(n);
      for (std::size_t i = 0; i < n; ++i) z[i] = static_cast<T>(value(i, n, g));
      return z;
    };
  };
  const auto normal = [](std::mt19937_64& g) { return std::normal_distribution<double>(0, 3)(g); };
  return {
      {"random", each([=](auto, auto, auto& g) { return normal(g); })},
      {"tied", each([](auto, auto, auto& g) { return static_cast<double>(g() % 7) - 3; })},
      {"rising", each([](auto i, auto, auto&) { return static_cast<double>(i) - 20; })},
      {"falling", each([](auto i, auto, auto&) { return 20 - static_cast<double>(i); })},
      {"all equal", each([](auto, auto, auto&) { return -1.25; })},
      {"denormal",
       each([](auto, auto, auto& g) { return static_cast<T>(static_cast<int>(g() % 41) - 20) * L::denorm_min(); })},
      {"zeros of both signs", each([](auto, auto, auto& g) { return g() % 2 == 0 ? 0.0 : -0.0; })},
      {"huge", each([](auto, auto, auto& g) {
         return g() % 3 == 0 ? L::max() : g() % 2 == 0 ? L::lowest() : T{1e30f};
       })},
      {"every second masked",
       each([=](auto i, auto, auto& g) { return i % 2 == 0 ? -static_cast<double>(L::infinity()) : normal(g); })},
      {"all but a few masked",
       each([=](auto i, auto, auto& g) { return i % 97 == 5 ? normal(g) : -static_cast<double>(L::infinity()); })},
      {"all masked", each([](auto, auto, auto&) { return -static_cast<double>(L::infinity()); })},
      {"infinities",
       each([=](auto i, auto, auto& g) { return i % 11 == 3 ? static_cast<double>(L::infinity()) : normal(g); })},
      {"one block of large ones",
       each([=](auto i, auto n, auto& g) { return normal(g) + (i >= n / 2 && i < n / 2 + 64 ? 100 : 0); })},
  };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simd_select)

BOOST_AUTO_TEST_CASE(ties_keep_the_lowest_index_and_prefixes_agree_SA06_SA07_SA16) {
  const std::vector<float> x{1, 2, 5, 4, 5};
  const std::vector<std::size_t> order{2, 4, 3, 1, 0};
  for (std::size_t k = 1; k <= 5; ++k)
    BOOST_TEST((lt::top_k(x, k) == std::vector<std::size_t>(order.begin(), order.begin() + static_cast<long>(k))));
  const std::vector<std::size_t> first_two{0, 1};
  for (const auto& row : {std::vector<float>{2, 2, 2, 2}, {7, 7, 7, 7}, {3, 3, 2, 3}}) {
    BOOST_TEST((lt::top_k(row, 2) == first_two));
    BOOST_TEST((top_of<pinned_baseline>(row, 2) == first_two));
  }
  const float x1 = -0.2f;
  BOOST_TEST((lt::top_k(std::vector<float>{std::nextafter(x1, -1.0f), x1}, 1) == std::vector<std::size_t>{1}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_row_of_every_length_comes_out_as_a_stable_sort_orders_it, T, element_types) {
  for (const auto& [name, row] : rows<T>())
    for (const std::size_t n : {0u, 1u, 7u, 8u, 9u, 15u, 16u, 17u, 63u, 64u, 65u}) {
      const auto z = row(n);
      for (std::size_t k = 0; k <= n + 3; ++k) every_path_sorts(z, k, name);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(long_rows_come_out_as_a_stable_sort_orders_them, T, element_types) {
  for (const auto& [name, row] : rows<T>()) {
    const auto short_row = row(1000), long_row = row(50257);
    for (const std::size_t k : {1u, 2u, 14u, 15u, 16u, 17u, 50u, 257u, 999u, 1000u, 1003u})
      every_path_sorts(short_row, k, name);
    for (const std::size_t k : {1u, 8u, 50u, 256u, 785u, 786u, 787u, 5000u}) every_path_sorts(long_row, k, name);
  }
  every_path_sorts(rows<T>()[0].second(50257), 50260, "random");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_first_k_of_the_next_are_the_top_k, T, element_types) {
  const auto z = rows<T>()[1].second(3000);
  const auto all = top_of<lt::default_policy>(z, 200);
  for (std::size_t k = 0; k < 200; ++k) {
    const auto top = top_of<lt::default_policy>(z, k);
    BOOST_TEST(std::equal(top.begin(), top.end(), all.begin()));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_nan_anywhere_leaves_no_class, T, element_types) {
  for (const std::size_t n : {1u, 16u, 63u, 64u, 65u, 200u})
    for (std::size_t at = 0; at < n; ++at) {
      std::vector<T> z(n, T{1});
      z[at] = std::numeric_limits<T>::quiet_NaN();
      z[(at + 1) % n] = n > 1 ? std::numeric_limits<T>::infinity() : z[at];
      every_path_sorts(z, 3, "a NaN at " + std::to_string(at));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rows_that_are_not_ordinary_are_counted, T, element_types) {
  constexpr T inf = std::numeric_limits<T>::infinity();
  lt::row_status status;
  static_cast<void>(top_of<lt::default_policy>(std::vector<T>{1, 2}, 1, &status));
  BOOST_TEST((status == lt::row_status{}));
  static_cast<void>(top_of<lt::default_policy>(std::vector<T>{}, 1, &status));
  BOOST_TEST((status == lt::row_status{.empty = 1}));
  static_cast<void>(top_of<lt::default_policy>(std::vector<T>{-inf, -inf}, 0, &status));
  BOOST_TEST((status == lt::row_status{.empty = 1}));
  static_cast<void>(top_of<lt::default_policy>(std::vector<T>{inf, std::numeric_limits<T>::quiet_NaN()}, 1, &status));
  BOOST_TEST((status == lt::row_status{.nan = 1}));
  BOOST_TEST(
      (top_of<lt::default_policy>(std::vector<T>{0, inf, 3, inf}, 3, &status) == std::vector<std::size_t>{1, 3, 2}));
  BOOST_TEST((status == lt::row_status{.infinite = 1}));
}

BOOST_AUTO_TEST_CASE(arrays_of_any_shape_are_walked_along_their_last_axis) {
  xt::xtensor<float, 3> Z = xt::zeros<float>({2, 3, 130});
  std::mt19937 g(5);
  for (float& x : Z) x = static_cast<float>(g() % 50);
  Z(1, 1, 7) = std::numeric_limits<float>::quiet_NaN();
  lt::row_status status;
  const auto top = lt::top_k(Z, 5, &status);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(top(0, 0, 0))>, std::size_t>);
  BOOST_TEST((status == lt::row_status{.nan = 1}));
  BOOST_TEST((top.shape(0) == 2u && top.shape(1) == 3u && top.shape(2) == 5u));
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const std::vector<float> z(&Z(i, j, 0), &Z(i, j, 0) + 130);
      const auto want = sorted_top(z, 5);
      for (std::size_t r = 0; r < 5; ++r) BOOST_TEST(top(i, j, r) == want[r]);
    }
  // rows that are columns in memory
  const auto across = lt::top_k(xt::view(xt::transpose(Z), xt::all(), 0, 0), 2);
  BOOST_TEST((std::vector<std::size_t>{across(0), across(1)} ==
              sorted_top(std::vector<float>(&Z(0, 0, 0), &Z(0, 0, 0) + 130), 2)));
  BOOST_TEST(lt::top_k(std::vector<double>{}, 0).empty());
  BOOST_TEST(lt::top_k(lt::matrix<float>(0, 4), 2).size() == 0u);
}

BOOST_AUTO_TEST_CASE(rows_of_a_matrix_respect_its_pitch_and_shapes_are_checked) {
  const std::vector<float> Z{1, 9, 5, 100, 7, 2, 7, 100};
  std::vector<std::size_t> index(6, 77);
  lt::workspace_memory memory(lt::top_k_workspace<lt::default_policy, float>(3, 2));
  lt::workspace ws = memory.get();
  const lt::matrix_view<const float> in(Z.data(), 2, 3, 4);
  BOOST_TEST((lt::top_k(in, lt::matrix_view<std::size_t>(index.data(), 2, 2, 3), ws) == lt::row_status{}));
  BOOST_TEST((index == std::vector<std::size_t>{1, 2, 77, 0, 2, 77}));
  BOOST_CHECK_EXCEPTION(lt::top_k(in, lt::matrix_view<std::size_t>(index.data(), 3, 2), ws), lt::shape_error,
                        oracle::says("top_k: rows of the result: expected 2, got 3"));
  lt::workspace nothing;
  BOOST_CHECK_THROW(lt::top_k(in, lt::matrix_view<std::size_t>(index.data(), 2, 2), nothing), lt::capacity_error);
}

BOOST_AUTO_TEST_CASE(scratch_is_of_the_order_of_k_and_nothing_is_allocated) {
  static_assert(lt::top_k_workspace<lt::default_policy, float>(1u << 20, 50) < (1u << 20) / 64 * 4 + 8 * 500);
  const std::vector<float> z(50257, 1.0f);
  std::vector<std::size_t> index(50);
  lt::workspace_memory memory(lt::top_k_workspace<lt::default_policy, float>(z.size(), 50));
  lt::workspace ws = memory.get();
  const std::size_t before = oracle::allocated().count;
  lt::top_k(std::span<const float>(z), std::span<std::size_t>(index), ws);
  BOOST_TEST(oracle::allocated().count == before);
  for (std::size_t i = 0; i < 50; ++i) BOOST_TEST(index[i] == i);
}

#if defined(__SSE2__)
BOOST_AUTO_TEST_CASE_TEMPLATE(flush_modes_of_the_caller_change_no_index, T, element_types) {
  const auto z = rows<T>()[5].second(1000);
  const auto want = sorted_top(z, 100);
  const unsigned saved = _mm_getcsr();
  _mm_setcsr(saved | 0x8040u);
  const auto got = top_of<lt::default_policy>(z, 100), portable = top_of<pinned_baseline>(z, 100);
  _mm_setcsr(saved);
  BOOST_TEST(got == want);
  BOOST_TEST(portable == want);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
