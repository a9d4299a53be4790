// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_LINALG_SPECTRUM_HPP
#define LOGITOPE_LINALG_SPECTRUM_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "../core/concepts.hpp"
#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../core/matrix.hpp"
#include "../core/view.hpp"
#include "lapack.hpp"

/// @file
/// @brief Singular values of a matrix, in double.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// @brief Every element is a finite number, or a value_error names row and column of the first that is not.
/// @param A   [m, n]
/// @param who what the matrix is, for the text
/// @throws value_error
template <class T, std::size_t Rows, std::size_t Cols>
void require_finite(const matrix_view<T, Rows, Cols>& A, std::string_view who) {
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j)
      if (!std::isfinite(A(i, j)))
        detail::raise<value_error>(std::string(who) + ": expected finite numbers, got " + std::to_string(A(i, j)) +
                                   " at row " + std::to_string(i) + ", column " + std::to_string(j));
}

namespace detail {

/// Singular values of the matrix whose rows are packed in A; destroys A.
[[nodiscard]] inline std::vector<double> singular_values_in_place(matrix<double>& A) {
  std::vector<double> values((std::min)(A.rows(), A.cols()));
  if (values.empty()) return values;
  // our rows are LAPACK's columns: the transpose has the same singular values
  const lapack_int m = lapack_size(A.cols());
  const lapack_int n = lapack_size(A.rows());
  const one_blas_thread quiet;
  double none = 0;
  // dgesdd goes through a QR (or LQ) factor by itself where one side is 11/6 of the other
  require_lapack(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', m, n, A.data(), m, values.data(), &none, 1, &none, 1), "dgesdd");
  return values;
}

}  // namespace detail

/// @brief Singular values of a matrix of floats or doubles, largest first, computed in double.
/// @param A [m, n]; either side may be 0
/// @return min(m, n) numbers >= 0 in descending order; empty for an empty matrix
/// @throws value_error naming row and column of the first NaN or infinity, or a side beyond LAPACK's integer;
///         solver_error if LAPACK does not converge
/// @par Cost 2 m n^2 + 2 n^3 flops for m >= n (one thread), a copy of A in double
/// @par Accuracy proved: each within p(m, n) 2^-53 of the largest, p a modest polynomial (LAPACK Users' Guide 4.9);
/// measured: tests/linalg/spectrum.cpp
/// @par Source LAPACK dgesdd: Gu & Eisenstat 1995, doi:10.1137/S0895479892242232
template <class T, std::size_t Rows, std::size_t Cols>
requires(real<std::remove_const_t<T>>)
    [[nodiscard]] std::vector<double> singular_values(const matrix_view<T, Rows, Cols>& A) {
  require_finite(A, "singular values");
  matrix<double> copy(A.rows(), A.cols());
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) copy(i, j) = static_cast<double>(A(i, j));
  return detail::singular_values_in_place(copy);
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
