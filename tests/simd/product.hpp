// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_TESTS_SIMD_PRODUCT_HPP
#define LOGITOPE_TESTS_SIMD_PRODUCT_HPP

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "logitope/core/view.hpp"
#include "oracle/compare.hpp"

/// The schoolbook product in long double, and matrices that notice when a call strays from them.
namespace oracle {

/// rows x cols with a row pitch of cols + 3; what lies between the rows is `between`.
template <class T>
struct padded {
  std::size_t rows, cols, stride;
  T between;
  std::vector<T> values;

  padded(std::size_t r, std::size_t c, T gap, unsigned seed)
      : rows(r), cols(c), stride(c + 3), between(gap), values(r * (c + 3) + 3, gap) {
    std::mt19937 g(seed);
    std::uniform_real_distribution<double> mantissa(-1, 1);
    std::uniform_int_distribution<int> exponent(-3, 3);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < cols; ++j) at(i, j) = static_cast<T>(std::ldexp(mantissa(g), exponent(g)));
  }
  // the first row starts one element in, so that nothing is aligned
  T& at(std::size_t i, std::size_t j) { return values[1 + i * stride + j]; }
  const T& at(std::size_t i, std::size_t j) const { return values[1 + i * stride + j]; }
  [[nodiscard]] logitope::matrix_view<const T> view() const { return {values.data() + 1, rows, cols, stride}; }
  [[nodiscard]] logitope::matrix_view<T> view() { return {values.data() + 1, rows, cols, stride}; }

  [[nodiscard]] bool gaps_untouched() const {
    for (std::size_t x = 0; x < values.size(); ++x) {
      const bool inside = x >= 1 && (x - 1) / stride < rows && (x - 1) % stride < cols;
      if (!inside && !(values[x] == between)) return false;
    }
    return true;
  }
};

/// Largest |got - want| / (u (|c| + sum |a| |b|)), where want = c + sum_k A(i, k) B(k, j) and c is what was there.
template <class T, class A, class B>
[[nodiscard]] long double worst_in_u(const padded<T>& got, const padded<T>* before, std::size_t K, A a, B b) {
  constexpr long double u = std::numeric_limits<T>::epsilon() / 2.0L;
  long double worst = 0;
  for (std::size_t i = 0; i < got.rows; ++i)
    for (std::size_t j = 0; j < got.cols; ++j) {
      long double want = before == nullptr ? 0.0L : static_cast<long double>(before->at(i, j));
      long double size = std::fabs(want);
      for (std::size_t k = 0; k < K; ++k) {
        const long double term = static_cast<long double>(a(i, k)) * static_cast<long double>(b(k, j));
        want += term;
        size += std::fabs(term);
      }
      const long double off = std::fabs(static_cast<long double>(got.at(i, j)) - want);
      const long double in_u = size > 0 ? off / (u * size) : (off > 0 ? std::numeric_limits<long double>::max() : 0.0L);
      if (!(in_u <= worst)) worst = in_u;
    }
  return worst;
}

}  // namespace oracle

#endif
