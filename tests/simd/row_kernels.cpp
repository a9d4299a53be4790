// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/row_kernels.hpp"

#include <limits>
#include <tuple>
#include <vector>

#include "oracle/compare.hpp"

namespace lt = logitope;
using oracle::close;
using oracle::same;

namespace {

template <class T>
using portable = lt::detail::portable<T, lt::simd::default_arch>;
using element_types = std::tuple<float, double>;

template <class T>
constexpr T inf = std::numeric_limits<T>::infinity();

/// Distances from the maximum, reaching the subnormals of T, and masks.
template <class T>
std::vector<T> row(std::size_t n) {
  const T step = std::is_same_v<T, float> ? T(0.731) : T(4.931);
  std::vector<T> z(n);
  for (std::size_t i = 0; i < n; ++i) z[i] = i % 23 == 7 ? -inf<T> : 3 - step * static_cast<T>((i * 37) % 151);
  return z;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simd_row_kernels)

BOOST_AUTO_TEST_CASE_TEMPLATE(a_scan_sees_the_largest_and_a_nan_in_every_lane, T, element_types) {
  BOOST_TEST(same(portable<T>::scan(nullptr, 0).max, -inf<T>));
  for (std::size_t n = 1; n <= 70; ++n)
    for (std::size_t at = 0; at < n; ++at) {
      std::vector<T> z(n, T(-4));
      z[at] = T(-1.5);
      BOOST_TEST(same(portable<T>::scan(z.data(), n).max, T(-1.5)));
      BOOST_TEST(!portable<T>::scan(z.data(), n).nan);
      BOOST_TEST(portable<T>::find(z.data(), n, T(-1.5)) == at);
      BOOST_TEST(portable<T>::find(z.data(), n, T(8)) == n);
      z[at] = std::numeric_limits<T>::quiet_NaN();
      BOOST_TEST(portable<T>::scan(z.data(), n).nan);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(exponentials_and_their_sum_are_those_of_long_double, T, element_types) {
  const long double u = std::numeric_limits<T>::epsilon() / 2.0L;
  const long double smallest = std::numeric_limits<T>::min();
  const auto table = portable<T>::table();
  for (std::size_t n = 0; n <= 170; ++n) {
    const std::vector<T> z = row<T>(n);
    for (std::size_t exact = 0; exact < 2; ++exact) {
      std::vector<T> e(n + 1, T(5));
      const double sum = table.store_exp[exact](z.data(), e.data(), n, T(3));
      BOOST_TEST(table.sum_exp[exact](z.data(), n, T(3)) == sum);
      BOOST_TEST(e[n] == T(5));
      long double total = 0, allowed = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const long double d = static_cast<long double>(z[i]) - 3, want = std::exp(d);
        const long double off = std::isinf(d) ? 0 : want * u * (2 + (exact != 0 ? 0 : std::fabs(d)));
        total += want;
        allowed += off;
        if (exact == 0 && want < smallest * 0.9999L) BOOST_TEST(same(e[i], T(0)));
        else
          BOOST_TEST(close(e[i], want,
                           oracle::absolute{static_cast<double>(
                               off + (want < smallest * 1.0001L ? std::numeric_limits<T>::denorm_min() : T(0)))}));
      }
      // at most four terms meet in T: two additions
      BOOST_TEST(close(sum, total, oracle::absolute{static_cast<double>(allowed + 2 * u * total)}));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_long_sum_does_not_grow_its_error_with_length, T, element_types) {
  // 2^20 equal terms: a running float sum is off by 1e-3 of it
  const std::size_t n = std::size_t{1} << 20;
  const std::vector<T> z(n, T(-1.0986123));
  const long double want = static_cast<long double>(n) * std::exp(static_cast<long double>(z[0]));
  const double u = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
  BOOST_TEST(close(portable<T>::template sum_exp<true>(z.data(), n, T(0)), want, oracle::relative{4 * u}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(scaling_flushes_or_keeps_subnormals_as_asked, T, element_types) {
  const T smallest = std::numeric_limits<T>::min();
  const auto table = portable<T>::table();
  for (std::size_t n = 0; n <= 70; ++n)
    for (std::size_t exact = 0; exact < 2; ++exact) {
      std::vector<T> p(n + 1, T(5));
      for (std::size_t i = 0; i < n; ++i) p[i] = i % 3 == 0 ? smallest : T(0.75) + static_cast<T>(i);
      table.scale[exact](p.data(), n, T(0.5));
      for (std::size_t i = 0; i < n; ++i) {
        const T tiny = exact != 0 ? smallest / 2 : T(0);
        BOOST_TEST(same(p[i], i % 3 == 0 ? tiny : T(0.5) * (T(0.75) + static_cast<T>(i))));
      }
      BOOST_TEST(p[n] == T(5));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(shifts_keep_masks_and_are_rounded_once_where_exact, T, element_types) {
  const auto table = portable<T>::table();
  const T m = T(3.3);
  const double log_sum = 1.234567890123;
  for (std::size_t n = 0; n <= 70; ++n) {
    const std::vector<T> z = row<T>(n);
    for (std::size_t exact = 0; exact < 2; ++exact) {
      std::vector<T> lp(n + 1, T(5));
      table.shift[exact](z.data(), lp.data(), n, m, log_sum);
      for (std::size_t i = 0; i < n; ++i) {
        const long double want = (static_cast<long double>(z[i]) - static_cast<long double>(m)) - log_sum;
        // exact: float goes through double, double rounds high - log_sum and the sum with the lost part
        BOOST_TEST(close(lp[i], want, oracle::ulps{exact != 0 ? (std::is_same_v<T, float> ? 0.5000001 : 1.0) : 2.0}));
      }
      BOOST_TEST(lp[n] == T(5));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
