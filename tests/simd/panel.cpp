// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/panel.hpp"

#include <array>
#include <tuple>

#include "simd/product.hpp"

namespace lt = logitope;
using oracle::padded;

namespace {

struct pinned_baseline : lt::default_policy {
  using arch = lt::baseline;
};

/// The three products of one size against long double: bound, gaps, and what was in C before.
template <class P, class T>
void every_product(std::size_t n, std::size_t m, std::size_t K) {
  // a read outside the factors is a NaN in the product
  const T out_of_bounds = std::numeric_limits<T>::quiet_NaN();
  const T canary = 77;
  const std::string size = std::to_string(n) + " x " + std::to_string(m) + " x " + std::to_string(K);
  const auto seed = static_cast<unsigned>(n * 1000003 + m * 1009 + K);
  // K roundings a term, and one more for what was there before
  const long double bound = static_cast<long double>(K) * (1 + 2e-4L);
  const long double bound_on_top = static_cast<long double>(K + 1) * (1 + 2e-4L);
  const padded<T> A(n, K, out_of_bounds, seed), At(K, n, out_of_bounds, seed + 1);
  const padded<T> B(K, m, out_of_bounds, seed + 2), Bt(m, K, out_of_bounds, seed + 3);
  const auto a = [&](std::size_t i, std::size_t k) { return A.at(i, k); };
  const auto at = [&](std::size_t i, std::size_t k) { return At.at(k, i); };
  const auto b = [&](std::size_t k, std::size_t j) { return B.at(k, j); };
  const auto bt = [&](std::size_t k, std::size_t j) { return Bt.at(j, k); };

  const padded<T> before(n, m, canary, seed + 4);
  padded<T> C = before;
  lt::panel_nt<P>(A.view(), Bt.view(), C.view());
  BOOST_TEST(oracle::worst_in_u<T>(C, nullptr, K, a, bt) <= bound, "nt " << size);
  BOOST_TEST(C.gaps_untouched(), "nt " << size);

  C = before;
  lt::panel_nn<P>(A.view(), B.view(), C.view());
  BOOST_TEST(oracle::worst_in_u<T>(C, &before, K, a, b) <= bound_on_top, "nn " << size);
  BOOST_TEST(C.gaps_untouched(), "nn " << size);

  C = before;
  lt::panel_tn<P>(At.view(), B.view(), C.view());
  BOOST_TEST(oracle::worst_in_u<T>(C, &before, K, at, b) <= bound_on_top, "tn " << size);
  BOOST_TEST(C.gaps_untouched(), "tn " << size);
}

template <class T>
void every_product_of_every_kernel(std::size_t n, std::size_t m, std::size_t K) {
  every_product<lt::default_policy, T>(n, m, K);
  every_product<pinned_baseline, T>(n, m, K);
}

using element_types = std::tuple<float, double>;

}  // namespace

BOOST_AUTO_TEST_SUITE(simd_panel)

BOOST_AUTO_TEST_CASE_TEMPLATE(every_remainder_of_rows_columns_and_depth_is_within_the_proved_bound, T, element_types) {
  for (std::size_t n = 1; n <= 17; ++n)
    for (std::size_t m = 1; m <= 17; ++m)
      for (std::size_t K = 1; K <= 17; ++K) every_product_of_every_kernel<T>(n, m, K);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sizes_around_the_blocks_are_within_the_proved_bound, T, element_types) {
  for (const std::size_t K : {1u, 255u, 256u, 257u, 511u, 513u})
    for (const std::size_t n : {1u, 4u, 7u})
      for (const std::size_t m : {1u, 8u, 31u, 32u, 33u, 65u}) every_product_of_every_kernel<T>(n, m, K);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(whole_numbers_come_out_exactly, T, element_types) {
  const std::array<T, 6> a{1, 2, 3, 4, 5, 6}, b{7, 8, 9, 10, 11, 12};
  const lt::matrix_view<const T> A(a.data(), 2, 3), B(b.data(), 3, 2), Bt(b.data(), 2, 3);
  std::array<T, 4> c{100, 200, 300, 400};
  lt::panel_nn(A, B, lt::matrix_view<T>(c.data(), 2, 2));
  BOOST_TEST((c == std::array<T, 4>{158, 264, 439, 554}));
  lt::panel_nt(A, Bt, lt::matrix_view<T>(c.data(), 2, 2));
  BOOST_TEST((c == std::array<T, 4>{50, 68, 122, 167}));
  std::array<T, 9> d{1, 1, 1, 1, 1, 1, 1, 1, 1};
  lt::panel_tn(A, Bt, lt::matrix_view<T>(d.data(), 3, 3));
  BOOST_TEST((d == std::array<T, 9>{48, 53, 58, 65, 72, 79, 82, 91, 100}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(no_terms_are_zeros_for_nt_and_nothing_for_the_others, T, element_types) {
  std::array<T, 4> c{1, 2, 3, 4};
  const lt::matrix_view<T> C(c.data(), 2, 2);
  lt::panel_nn(lt::matrix_view<const T>(c.data(), 2, 0), lt::matrix_view<const T>(nullptr, 0, 2), C);
  lt::panel_tn(lt::matrix_view<const T>(nullptr, 0, 2), lt::matrix_view<const T>(nullptr, 0, 2), C);
  BOOST_TEST((c == std::array<T, 4>{1, 2, 3, 4}));
  lt::panel_nt(lt::matrix_view<const T>(c.data(), 2, 0), lt::matrix_view<const T>(c.data(), 2, 0), C);
  BOOST_TEST((c == std::array<T, 4>{0, 0, 0, 0}));
  const lt::matrix_view<const T> none(nullptr, 0, 3);
  lt::panel_nt(none, none, lt::matrix_view<T>(nullptr, 0, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_bits_of_a_row_do_not_depend_on_its_neighbours, T, element_types) {
  const std::size_t n = 11, m = 37, K = 300;
  const padded<T> A(n, K, T{0}, 1), B(m, K, T{0}, 2);
  padded<T> together(n, m, T{0}, 3), alone(1, m, T{0}, 3);
  lt::panel_nt(A.view(), B.view(), together.view());
  for (std::size_t i = 0; i < n; ++i) {
    lt::panel_nt(A.view().block(i, 1), B.view(), alone.view());
    for (std::size_t j = 0; j < m; ++j) BOOST_TEST(oracle::same(together.at(i, j), alone.at(0, j)));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_nan_stays_in_its_row, T, element_types) {
  padded<T> A(5, 9, T{0}, 1);
  const padded<T> B(19, 9, T{0}, 2);
  A.at(2, 4) = std::numeric_limits<T>::quiet_NaN();
  padded<T> C(5, 19, T{0}, 3);
  lt::panel_nt(A.view(), B.view(), C.view());
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 19; ++j) BOOST_TEST(std::isnan(C.at(i, j)) == (i == 2));
}

BOOST_AUTO_TEST_SUITE_END()
