// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_RANK_SPECTRA_HPP
#define LOGITOPE_RANK_SPECTRA_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../core/concepts.hpp"
#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../core/matrix.hpp"
#include "../core/view.hpp"
#include "../linalg/spectrum.hpp"

/// @file
/// @brief Numerical rank with what it rests on: the tolerance, the spectrum, the gap.

namespace logitope {
inline namespace v0 {

/// What counts as zero: singular values <= max(relative * largest, absolute).
struct rank_options {
  std::optional<double> relative = std::nullopt;  ///< default: max(m, n) eps of the stored type
  double absolute = 0;
  bool check_scaling = true;  ///< where the rank is not full, look again with columns of norm 1 (a second SVD)
};

/// A rank and its evidence.
struct rank_report {
  std::size_t rank = 0;
  double tolerance = 0;         ///< relative tolerance used
  double largest = 0;           ///< largest singular value; 0 for an empty matrix
  double condition = 0;         ///< largest / smallest of min(m, n); +inf if the smallest is 0; 0 for an empty matrix
  double gap = 0;               ///< last singular value counted / first not counted; +inf if that is 0 or there is none
  std::size_t scaled_rank = 0;  ///< rank after scaling each column to norm 1; = rank where that was not looked at
  bool ill_conditioned = false;         ///< the rank depends on the units of the columns: scaled_rank != rank
  std::vector<double> singular_values;  ///< descending
};

}  // namespace v0

inline namespace LOGITOPE_ABI {
namespace detail {

inline void require_tolerance(double value, const char* which) {
  if (!(value >= 0))
    raise<value_error>(std::string("rank, ") + which + " tolerance: expected a number >= 0, got " +
                       std::to_string(value));
}

/// Rank of a spectrum in descending order.
[[nodiscard]] inline rank_report rank_of_spectrum(std::vector<double> values, double relative, double absolute) {
  rank_report report;
  report.tolerance = relative;
  report.gap = std::numeric_limits<double>::infinity();
  if (!values.empty()) {
    report.largest = values.front();
    report.condition = values.back() > 0 ? values.front() / values.back() : std::numeric_limits<double>::infinity();
    const double zero = (std::max)(relative * report.largest, absolute);
    while (report.rank < values.size() && values[report.rank] > zero) ++report.rank;
    if (report.rank > 0 && report.rank < values.size() && values[report.rank] > 0)
      report.gap = values[report.rank - 1] / values[report.rank];
  }
  report.scaled_rank = report.rank;
  report.singular_values = std::move(values);
  return report;
}

}  // namespace detail

/// @brief Number of singular values above the tolerance, with the evidence to judge it.
///
/// \f[ \mathrm{rank} = \#\{i : \sigma_i > \max(\mathrm{relative}\cdot\sigma_1, \mathrm{absolute})\} \f]
/// The default relative tolerance is max(m, n) eps with eps of the *stored* type (2^-23 for float, 2^-52 for double):
/// what rounding the entries can feign. Libraries differ: some take min(m, n), some the computing type.
/// A few huge rows push honest directions below any tolerance that is relative to the largest singular value; such a
/// rank is flagged, and scaled_rank tells what columns of equal norm would give.
///
/// @param A       [m, n]; vectors (1 x n, n x 1) obey the tolerance like any matrix; a zero matrix has rank 0
/// @param options tolerances
/// @return the report
/// @throws value_error if a tolerance is negative or NaN, or A has a NaN or infinity; solver_error from LAPACK
/// @par Cost one SVD without vectors in double, a second one where the rank is not full and check_scaling is on
/// @par Source Golub & Van Loan, Matrix Computations, 4th ed., 5.4.1
template <class T, std::size_t Rows, std::size_t Cols>
requires(real<std::remove_const_t<T>>) [[nodiscard]] rank_report
    numerical_rank(const matrix_view<T, Rows, Cols>& A, const rank_options& options = {}) {
  const auto longest = static_cast<double>((std::max)(A.rows(), A.cols()));
  const double relative =
      options.relative.value_or(longest * static_cast<double>(std::numeric_limits<std::remove_const_t<T>>::epsilon()));
  detail::require_tolerance(relative, "relative");
  detail::require_tolerance(options.absolute, "absolute");
  rank_report report = detail::rank_of_spectrum(singular_values(A), relative, options.absolute);
  if (!options.check_scaling || report.rank == report.singular_values.size() || report.rank == 0) return report;

  std::vector<double> norms(A.cols(), 0.0);
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) norms[j] = std::hypot(norms[j], static_cast<double>(A(i, j)));
  matrix<double> scaled(A.rows(), A.cols());
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j)
      if (norms[j] > options.absolute) scaled(i, j) = static_cast<double>(A(i, j)) / norms[j];
  report.scaled_rank = detail::rank_of_spectrum(detail::singular_values_in_place(scaled), relative, 0).rank;
  report.ill_conditioned = report.scaled_rank != report.rank;
  return report;
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
