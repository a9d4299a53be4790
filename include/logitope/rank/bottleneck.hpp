// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_RANK_BOTTLENECK_HPP
#define LOGITOPE_RANK_BOTTLENECK_HPP

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../core/concepts.hpp"
#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../core/matrix.hpp"
#include "../core/view.hpp"
#include "spectra.hpp"

/// @file
/// @brief The softmax bottleneck measured: ranks of the probabilities a dense head gives over many contexts.

namespace logitope {
inline namespace v0 {

/// Rank of a matrix of N contexts by V tokens, beside the bound that the head's size proves.
struct head_rank {
  std::size_t rank = 0;
  std::size_t bound = 0;                ///< rank <= bound in exact arithmetic
  std::size_t contexts = 0;             ///< N
  double tolerance = 0;                 ///< relative, as used
  double gap = 0;                       ///< last singular value counted / first not counted
  std::vector<double> singular_values;  ///< descending, min(N, V)
};

/// Relative tolerance of the ranks below unless one is given: far above the rounding of the weights and states.
template <real T>
inline constexpr double bottleneck_tolerance = std::same_as<T, float> ? 1e-5 : 1e-10;

}  // namespace v0

inline namespace LOGITOPE_ABI {
namespace detail {

/// The type of the hidden states decides; weights and bias convert.
template <class T>
using const_view = std::type_identity_t<matrix_view<const T>>;
template <class T>
using const_span = std::type_identity_t<std::span<const T>>;

/// Which matrix of a head's answers.
enum class answer { log_prob, centred_log_prob, prob };

[[nodiscard]] inline double dot_in_double(const double* a, const double* b, std::size_t n) noexcept {
  double sums[8] = {};  // independent chains, so that the additions do not wait for one another
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (std::size_t j = 0; j < 8; ++j) sums[j] += a[i + j] * b[i + j];
  double sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  for (; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// A row of logits becomes log-probabilities, row-centred ones, or probabilities.
inline void answer_from_logits(std::span<double> row, answer kind) {
  if (row.empty()) return;
  double shift = 0;
  if (kind == answer::centred_log_prob) {
    for (const double z : row) shift += z;
    shift /= static_cast<double>(row.size());
  } else {
    const double largest = *std::max_element(row.begin(), row.end());
    double sum = 0;
    for (const double z : row) sum += std::exp(z - largest);
    shift = largest + std::log(sum);
  }
  for (double& z : row) z = kind == answer::prob ? std::exp(z - shift) : z - shift;
}

template <class T>
[[nodiscard]] matrix<double> in_double(matrix_view<const T> A) {
  matrix<double> copy(A.rows(), A.cols());
  for (std::size_t i = 0; i < A.rows(); ++i) std::copy_n(A.row_data(i), A.cols(), copy.row(i).begin());
  return copy;
}

template <real T>
[[nodiscard]] head_rank rank_of_answers(matrix_view<const T> W, std::span<const T> b, matrix_view<const T> H,
                                        std::optional<double> tolerance, answer kind, std::size_t bound) {
  require_extent(H.cols(), W.cols(), "hidden states, columns");
  if (!b.empty()) require_extent(b.size(), W.rows(), "bias");
  const double relative = tolerance.value_or(bottleneck_tolerance<T>);
  require_tolerance(relative, "relative");
  require_finite(W, "weights");
  require_finite(H, "hidden states");
  require_finite(matrix_view<const T>(b.data(), b.empty() ? 0 : 1, b.size()), "bias");

  const matrix<double> weights = in_double(W);
  const matrix<double> states = in_double(H);
  matrix<double> answers(H.rows(), W.rows());
  for (std::size_t v = 0; v < W.rows(); ++v) {  // tokens outside: each row of W is read once
    const double bias = b.empty() ? 0.0 : static_cast<double>(b[v]);
    for (std::size_t n = 0; n < H.rows(); ++n)
      answers(n, v) = bias + dot_in_double(weights.row(v).data(), states.row(n).data(), W.cols());
  }
  for (std::size_t n = 0; n < H.rows(); ++n) answer_from_logits(answers.row(n), kind);

  rank_report report = rank_of_spectrum(singular_values_in_place(answers), relative, 0);
  head_rank found;
  found.rank = report.rank;
  found.bound = (std::min)({bound, H.rows(), W.rows()});
  found.contexts = H.rows();
  found.tolerance = relative;
  found.gap = report.gap;
  found.singular_values = std::move(report.singular_values);
  return found;
}

}  // namespace detail

/// @brief Rank of log P over N contexts, which a dense head cannot lift above D + 1 (D + 2 with a bias).
///
/// \f[ \log P = H W^\top + 1 b^\top - \ell 1^\top, \qquad \mathrm{rank} \le \min(N, V, D + 1 + [b \ne 0]) \f]
/// with l [N] the log-sum-exps.
///
/// @param W         [V, D] weights
/// @param b         [V] bias, or empty: none
/// @param H         [N, D] hidden states, one per context
/// @param tolerance relative to the largest singular value; default 1e-5 for float, 1e-10 for double
/// @return rank and bound; 0 for an empty matrix
/// @throws shape_error; value_error naming the first NaN or infinity, or a negative tolerance; solver_error from LAPACK
/// @par Cost 2 N V D flops, N V exponentials and an SVD of [N, V], all in double; holds [N, V]
/// @par Accuracy measured: the planted ranks 7 and 8 at N = 200, V = 150, D = 6: tests/rank/bottleneck.cpp
/// @par Source Yang et al. 2018, arXiv:1711.03953, for d + 1; with a bias: own
template <class T, std::size_t Rows, std::size_t Cols>
requires(real<std::remove_const_t<T>>) [[nodiscard]] head_rank
    log_prob_rank(detail::const_view<T> W, detail::const_span<T> b, const matrix_view<T, Rows, Cols>& H,
                  std::optional<double> tolerance = std::nullopt) {
  return detail::rank_of_answers<std::remove_const_t<T>>(W, b, H, tolerance, detail::answer::log_prob,
                                                         W.cols() + (b.empty() ? 1 : 2));
}

/// @brief Rank of log P after each context's mean is taken off, at most D (D + 1 with a bias).
/// \f[ \mathrm{rank}\bigl(\log P\,(I - 1 1^\top / V)\bigr) \le \min(N, V, D + [b \ne 0]) \f]
/// A softmax without bias of dimension D can represent P exactly if and only if this rank is at most D.
/// Parameters, errors and cost as log_prob_rank().
template <class T, std::size_t Rows, std::size_t Cols>
requires(real<std::remove_const_t<T>>) [[nodiscard]] head_rank
    centred_log_prob_rank(detail::const_view<T> W, detail::const_span<T> b, const matrix_view<T, Rows, Cols>& H,
                          std::optional<double> tolerance = std::nullopt) {
  return detail::rank_of_answers<std::remove_const_t<T>>(W, b, H, tolerance, detail::answer::centred_log_prob,
                                                         W.cols() + (b.empty() ? 0 : 1));
}

/// @brief Rank of P itself, which the head's dimension does not bound: only min(N, V) does.
/// Parameters, errors and cost as log_prob_rank().
template <class T, std::size_t Rows, std::size_t Cols>
requires(real<std::remove_const_t<T>>) [[nodiscard]] head_rank
    prob_rank(detail::const_view<T> W, detail::const_span<T> b, const matrix_view<T, Rows, Cols>& H,
              std::optional<double> tolerance = std::nullopt) {
  return detail::rank_of_answers<std::remove_const_t<T>>(W, b, H, tolerance, detail::answer::prob,
                                                         (std::numeric_limits<std::size_t>::max)());
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
