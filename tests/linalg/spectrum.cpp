// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/linalg/spectrum.hpp"

#include <cmath>
#include <limits>

#include "oracle/compare.hpp"

namespace lt = logitope;
using oracle::close;
using oracle::relative;
using oracle::says;

BOOST_AUTO_TEST_SUITE(linalg_spectrum)

BOOST_AUTO_TEST_CASE(a_two_by_two_matrix_has_its_textbook_singular_values) {
  lt::matrix<double> A(2, 2);
  A(0, 0) = 3;
  A(1, 0) = 4;
  A(1, 1) = 5;
  const auto s = lt::singular_values(A.view());  // A A^T has eigenvalues 45 and 5
  BOOST_TEST(s.size() == 2u);
  BOOST_TEST(close(s[0], std::sqrt(45.0L), relative{1e-15}));
  BOOST_TEST(close(s[1], std::sqrt(5.0L), relative{2e-15}));
}

BOOST_AUTO_TEST_CASE(the_second_difference_matrix_has_its_sines_tall_wide_and_square) {
  // n x n second differences: eigenvalues 4 sin^2(j pi / (2 (n + 1))); as float the entries are exact
  const std::size_t n = 9;
  for (const std::size_t copies : {1u, 4u}) {
    lt::matrix<float> tall(n * copies, n);
    lt::matrix<float> wide(n, n * copies);
    for (std::size_t c = 0; c < copies; ++c)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          tall(c * n + i, j) = wide(i, c * n + j) = i == j ? 2.0f : i + 1 == j || j + 1 == i ? -1.0f : 0.0f;
    const auto of_tall = lt::singular_values(tall.view());
    const auto of_wide = lt::singular_values(wide.view());
    BOOST_TEST(of_tall.size() == n);
    BOOST_TEST(of_wide.size() == n);
    for (std::size_t i = 0; i < n; ++i) {
      const long double sine = std::sin(static_cast<long double>(n - i) * 3.14159265358979323846L / (2.0L * (n + 1)));
      const long double want = 4 * sine * sine * std::sqrt(static_cast<long double>(copies));
      BOOST_TEST(close(of_tall[i], want, relative{5e-14}));
      BOOST_TEST(close(of_wide[i], want, relative{5e-14}));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_stride_is_not_data) {
  const double buffer[] = {3, 0, 99, 0, 4, 99};
  const auto s = lt::singular_values(lt::matrix_view<const double>(buffer, 2, 2, 3));
  BOOST_TEST(close(s[0], 4.0L, relative{1e-15}));
  BOOST_TEST(close(s[1], 3.0L, relative{1e-15}));
}

BOOST_AUTO_TEST_CASE(extreme_scales_neither_overflow_nor_underflow) {
  for (const double scale : {1e-300, 1e300}) {
    const double buffer[] = {3 * scale, 0, 4 * scale, 5 * scale};
    const auto s = lt::singular_values(lt::matrix_view<const double>(buffer, 2, 2));
    BOOST_TEST(close(s[0] / scale, std::sqrt(45.0L), relative{1e-14}));
    BOOST_TEST(close(s[1] / scale, std::sqrt(5.0L), relative{1e-14}));
  }
}

BOOST_AUTO_TEST_CASE(an_empty_matrix_has_no_singular_values) {
  BOOST_TEST(lt::singular_values(lt::matrix_view<const float>()).empty());
  BOOST_TEST(lt::singular_values(lt::matrix_view<const double>(nullptr, 0, 7)).empty());
  BOOST_TEST(lt::singular_values(lt::matrix_view<const double>(nullptr, 7, 0)).empty());
}

BOOST_AUTO_TEST_CASE(a_number_that_is_not_finite_is_named_with_its_place) {
  lt::matrix<float> A(3, 4);
  A(2, 1) = std::numeric_limits<float>::infinity();
  BOOST_CHECK_EXCEPTION((void)lt::singular_values(A.view()), lt::value_error, says("got inf at row 2, column 1"));
  A(1, 3) = std::numeric_limits<float>::quiet_NaN();
  BOOST_CHECK_EXCEPTION((void)lt::singular_values(A.view()), lt::value_error, says("at row 1, column 3"));
}

BOOST_AUTO_TEST_SUITE_END()
