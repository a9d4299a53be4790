// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/argmax.hpp"

#include <limits>
#include <random>
#include <tuple>
#include <vector>

#include "logitope/core/matrix.hpp"
#include "logitope/interop/xtensor.hpp"
#include "logitope/simd/sample.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {

struct pinned_baseline : lt::default_policy {
  using arch = lt::baseline;
};
using element_types = std::tuple<float, double>;

template <class T>
std::size_t first_largest(const std::vector<T>& z) {
  std::size_t a = 0;
  for (std::size_t i = 1; i < z.size(); ++i)
    if (z[i] > z[a]) a = i;
  return a;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simd_argmax)

BOOST_AUTO_TEST_CASE_TEMPLATE(the_first_of_the_largest_is_found_wherever_it_stands, T, element_types) {
  std::mt19937 g(1);
  for (const std::size_t n : {1u, 2u, 15u, 16u, 17u, 31u, 32u, 33u, 100u, 1000u})
    for (int draw = 0; draw < 50; ++draw) {
      std::vector<T> z(n);
      for (T& x : z) x = static_cast<T>(static_cast<int>(g() % 20) - 30);  // ties in nearly every row
      BOOST_TEST(lt::argmax(z) == first_largest(z));
      BOOST_TEST(lt::argmax<pinned_baseline>(z) == first_largest(z));
    }
  const std::vector<T> zeros{T{-1}, T{-0.0}, T{0.0}};
  BOOST_TEST(lt::argmax(zeros) == 1u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rows_that_are_not_ordinary_have_their_answer, T, element_types) {
  constexpr T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  lt::row_status status;
  BOOST_TEST(lt::argmax(std::vector<T>{}, -1, &status) == lt::npos);
  BOOST_TEST((status == lt::row_status{.empty = 1}));
  BOOST_TEST(lt::argmax(std::vector<T>{-inf, -inf}, -1, &status) == lt::npos);
  BOOST_TEST((status == lt::row_status{.empty = 1}));
  BOOST_TEST(lt::argmax(std::vector<T>{0, inf, nan}, -1, &status) == lt::npos);
  BOOST_TEST((status == lt::row_status{.nan = 1}));
  BOOST_TEST(lt::argmax(std::vector<T>{0, inf, inf}, -1, &status) == 1u);
  BOOST_TEST((status == lt::row_status{.infinite = 1}));
  BOOST_TEST(lt::argmax(std::vector<T>{-inf, std::numeric_limits<T>::lowest(), -inf}, -1, &status) == 1u);
  BOOST_TEST((status == lt::row_status{}));
}

#if defined(__SSE2__)
BOOST_AUTO_TEST_CASE_TEMPLATE(subnormal_logits_differ_whatever_flush_modes_the_caller_has, T, element_types) {
  constexpr T tiny = std::numeric_limits<T>::denorm_min();
  std::vector<std::vector<T>> rows{{-tiny, tiny, 2 * tiny, 0}, {-3 * tiny, -2 * tiny, -tiny, -2 * tiny}};
  rows.emplace_back(1000, -tiny);
  rows.back()[2] = rows.back()[900] = 0;
  const unsigned before = _mm_getcsr();
  for (const auto& z : rows)
    for (const unsigned modes : {0x0040u, 0x8040u}) {
      _mm_setcsr((before & ~0x8040u) | modes);
      const std::size_t best = lt::argmax_row(std::span<const T>(z));
      const std::size_t portable = lt::argmax_row<pinned_baseline>(std::span<const T>(z));
      const lt::sampling_options greedy{.temperature = 0};
      lt::workspace_memory memory(lt::sample_workspace<lt::default_policy, T>(z.size(), greedy));
      lt::workspace ws = memory.get();
      const std::size_t drawn = lt::sample_row(std::span<const T>(z), 0.5, greedy, ws);
      const unsigned after = _mm_getcsr();
      _mm_setcsr(before);
      BOOST_TEST((after & 0xffc0u) == (((before & ~0x8040u) | modes) & 0xffc0u));
      BOOST_TEST((best == 2u && portable == 2u && drawn == 2u), best << ' ' << portable << ' ' << drawn);
    }
}
#endif

BOOST_AUTO_TEST_CASE(any_axis_of_any_array_can_be_the_class_axis) {
  const xt::xtensor<float, 2> Z{{1, 9, 9}, {4, 2, 3}};
  const auto by_row = lt::argmax(Z), by_column = lt::argmax(Z, 0);
  BOOST_TEST((by_row(0) == 1u && by_row(1) == 0u));
  BOOST_TEST((by_column(0) == 1u && by_column(1) == 0u && by_column(2) == 0u));
  BOOST_TEST(lt::argmax(lt::matrix<double>(0, 3)).size() == 0u);
  BOOST_CHECK_EXCEPTION(static_cast<void>(lt::argmax(Z, 2)), lt::value_error,
                        oracle::says("argmax: expected an axis in [-2, 2), got 2"));
}

BOOST_AUTO_TEST_SUITE_END()
