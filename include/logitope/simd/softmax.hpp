// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_SOFTMAX_HPP
#define LOGITOPE_SIMD_SOFTMAX_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>

#include "../core/array.hpp"
#include "../core/error.hpp"
#include "../core/status.hpp"
#include "../core/view.hpp"
#include "along_axis.hpp"
#include "exp_sum.hpp"
#include "flush_mode.hpp"
#include "kernels.hpp"
#include "policy.hpp"

/// @file
/// @brief Softmax, log-softmax and log-sum-exp: of a row, of the rows of a matrix, of any axis of any array.
///
/// Masked classes (-inf) get probability exactly 0, an empty row zeros and log-sum-exp -inf, a row with a NaN or with
/// +inf (probabilities, log-probabilities) NaN; other rows are not touched by it. No epsilon is ever added.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// @brief Probabilities of one row of logits.
/// \f[ p_i = e^{z_i - m} / \sum_j e^{z_j - m}, \qquad m = \max_j z_j \f]
/// @param z [n]  logits
/// @param p [n]  probabilities; may be z itself, otherwise must not overlap it. z and p have one length.
/// @return counts of this one row
/// @par Cost n exponentials, three passes over the row, no allocation
/// @par Accuracy relative error of p_i, u = 2^-24 (float) or 2^-53 (double): default_policy <= (12 + |z_i - m| + log n)
/// u, below the smallest normal number 0; precise_policy <= 8 u, plus one spacing among the subnormals. Derived from
/// the error of exp; measured: tests/simd/softmax.cpp
/// @par Source Blanchard, Higham & Higham 2021, doi:10.1093/imanum/draa038, alg. 4.1 (the form with division)
template <kernel_policy P = default_policy, real T>
row_status softmax_row(std::span<const std::type_identity_t<T>> z, std::span<T> p) noexcept;

/// @brief Log-probabilities of one row, as (z - m) - log(sum), never z - (m + log(sum)).
/// @param z   [n]  logits
/// @param lp  [n]  log-probabilities in nats; may be z itself
/// @return counts of this one row
/// @par Cost n exponentials, z read twice, no allocation
/// @par Accuracy absolute: default_policy <= (6 + 2 |lp_i| + |z_i - m| + log n) u; precise_policy <= (6 + 2 |lp_i|) u.
/// The top class is -log1p(rest), relative error <= 8 u under precise_policy; measured: tests/simd/softmax.cpp
template <kernel_policy P = default_policy, real T>
row_status log_softmax_row(std::span<const std::type_identity_t<T>> z, std::span<T> lp) noexcept;

/// @brief log of the sum of exp of one row [nats]; -inf where nothing is unmasked, NaN after a NaN.
/// @param z [n]  logits
/// @par Cost n exponentials, z read once, no allocation
/// @par Accuracy absolute <= (4 + 2 |lse|) u for float under precise_policy; plus log n u otherwise, and for double,
/// whose logarithm is rounded before the largest logit may cancel it
template <kernel_policy P = default_policy, real T>
[[nodiscard]] T logsumexp_row(std::span<const T> z, row_status* status = nullptr) noexcept;

/// @brief Probabilities of every row of Z.
/// @param Z [N, V]  logits
/// @param out [N, V]  probabilities; may be Z itself (same address and stride), otherwise must not overlap it
/// @return counts of the rows that were not ordinary
/// @throws shape_error if the shapes differ, value_error if out overlaps Z without being Z; nothing is written before
/// @par Cost N V exponentials, no allocation
template <kernel_policy P = default_policy, real T, std::size_t R, std::size_t C>
row_status softmax(matrix_view<const std::type_identity_t<T>> Z, matrix_view<T, R, C> out);

/// @brief Log-probabilities of every row of Z [nats]. Parameters, errors and cost as for softmax.
template <kernel_policy P = default_policy, real T, std::size_t R, std::size_t C>
row_status log_softmax(matrix_view<const std::type_identity_t<T>> Z, matrix_view<T, R, C> out);

/// @brief Log-sum-exp of every row of Z [nats].
/// @param Z [N, V]  logits
/// @param out [N]  must lie outside the memory from the first logit to the last
/// @throws shape_error if out has another length than Z has rows, value_error if out lies within Z; nothing is written
/// before
template <kernel_policy P = default_policy, real T>
row_status logsumexp(matrix_view<const std::type_identity_t<T>> Z, std::span<T> out);

/// @brief Probabilities along one axis of any array (span, vector, matrix, and xtensor's through interop/xtensor.hpp).
/// @param Z       any shape, any strides; rows that are not adjacent in memory are packed one at a time. A lazy
///                expression is refused by the constraint: evaluate it first (`xt::eval`)
/// @param axis    the class axis; negative counts from the end
/// @param status  where given, the counts of the rows that were not ordinary
/// @return an owner of the shape of Z, row-major: xtensor for xtensor, matrix or vector otherwise
/// @throws value_error if there is no such axis
/// @par Cost one exponential per element; allocates the result, and one row where axis is not the last
template <kernel_policy P = default_policy, real_array A>
[[nodiscard]] auto softmax(const A& Z, std::ptrdiff_t axis = -1, row_status* status = nullptr);

/// @brief Log-probabilities along one axis of any array [nats]. Parameters, errors and cost as for softmax.
template <kernel_policy P = default_policy, real_array A>
[[nodiscard]] auto log_softmax(const A& Z, std::ptrdiff_t axis = -1, row_status* status = nullptr);

/// @brief Log-sum-exp along one axis of any array [nats]; that axis is gone from the result.
/// @return a number for arrays of one axis, otherwise an owner. Parameters, errors and cost as for softmax.
template <kernel_policy P = default_policy, real_array A>
[[nodiscard]] auto logsumexp(const A& Z, std::ptrdiff_t axis = -1, row_status* status = nullptr);

// ---- rows

namespace detail {

/// Subnormals are kept under two_sum only; other policies leave the caller's flush modes alone.
template <kernel_policy P>
struct subnormal_scope {};
template <kernel_policy P>
requires(P::shift == shift_rounding::two_sum) struct subnormal_scope<P> : keep_subnormals {
};

template <kernel_policy P>
inline constexpr std::size_t shift_index = P::shift == shift_rounding::two_sum ? 1 : 0;

/// Writes the whole row where it is not ordinary and counts it; false where there is work to do.
template <real T>
bool special_row(const row_top<T>& top, std::span<T> out, T if_empty, row_status& status) noexcept {
  constexpr T inf = std::numeric_limits<T>::infinity();
  if (!top.nan && top.max > -inf && top.max < inf) return false;
  status.nan = top.nan ? 1 : 0;
  status.infinite = !top.nan && top.max == inf ? 1 : 0;
  status.empty = !top.nan && top.max == -inf ? 1 : 0;
  std::fill(out.begin(), out.end(), status.empty != 0 ? if_empty : std::numeric_limits<T>::quiet_NaN());
  return true;
}

/// The largest logit and, where it is finite, log of the sum of exp(z - max); 0 otherwise.
template <real T>
struct row_log_sum {
  row_top<T> top;
  double log_sum;
};
template <kernel_policy P, real T>
[[nodiscard]] row_log_sum<T> log_sum_of(std::span<const T> z) noexcept {
  if constexpr (P::shift == shift_rounding::two_sum) {
    const exp_sum<T> s = exp_sum_of<P, T>(z);
    return {{s.max, s.nan}, std::log1p(s.rest)};
  } else {
    // memory is read once: a block is still in the first cache when its exponentials are summed
    constexpr std::size_t block = 16384 / sizeof(T);
    constexpr T inf = std::numeric_limits<T>::infinity();
    const auto& k = kernels_of<typename P::arch, T>();
    row_top<T> top{-inf, false};
    double sum = 0;
    for (std::size_t first = 0; first < z.size() && !top.nan; first += block) {
      const std::size_t n = (std::min)(block, z.size() - first);
      const auto in_block = k.scan(z.data() + first, n);
      top.nan = in_block.nan;
      if (in_block.max > top.max) {
        sum *= std::exp(static_cast<double>(top.max) - static_cast<double>(in_block.max));
        top.max = in_block.max;
      }
      if (!top.nan && top.max > -inf && top.max < inf) sum += k.sum_exp[0](z.data() + first, n, top.max);
    }
    return {top, top.max > -inf && top.max < inf ? std::log(sum) : 0.0};
  }
}

}  // namespace detail

template <kernel_policy P, real T>
row_status softmax_row(std::span<const std::type_identity_t<T>> z, std::span<T> p) noexcept {
  [[maybe_unused]] const detail::subnormal_scope<P> scope;
  const auto& k = detail::kernels_of<typename P::arch, T>();
  row_status status;
  if (P::shift == shift_rounding::plain && k.softmax_rows != nullptr &&
      k.softmax_rows(z.data(), 0, p.data(), 0, 1, z.size()) == 1)
    return status;
  const auto top = k.scan(z.data(), z.size());
  if (detail::special_row<T>(top, p, T{0}, status)) return status;
  const double sum = k.store_exp[detail::shift_index<P>](z.data(), p.data(), z.size(), top.max);
  k.scale[detail::shift_index<P>](p.data(), p.size(), static_cast<T>(1.0 / sum));
  return status;
}

template <kernel_policy P, real T>
row_status log_softmax_row(std::span<const std::type_identity_t<T>> z, std::span<T> lp) noexcept {
  [[maybe_unused]] const detail::subnormal_scope<P> scope;
  row_status status;
  const auto s = detail::log_sum_of<P, T>(z);
  if (detail::special_row<T>(s.top, lp, -std::numeric_limits<T>::infinity(), status)) return status;
  const auto& k = detail::kernels_of<typename P::arch, T>();
  k.shift[detail::shift_index<P>](z.data(), lp.data(), z.size(), s.top.max, s.log_sum);
  return status;
}

template <kernel_policy P, real T>
T logsumexp_row(std::span<const T> z, row_status* status) noexcept {
  [[maybe_unused]] const detail::subnormal_scope<P> scope;
  const auto s = detail::log_sum_of<P, T>(z);
  row_status one;
  static_cast<void>(detail::special_row<T>(s.top, {}, T{0}, one));
  if (status != nullptr) *status += one;
  if (s.top.nan) return std::numeric_limits<T>::quiet_NaN();
  return static_cast<T>(static_cast<double>(s.top.max) + s.log_sum);
}

// ---- matrices

namespace detail {

inline constexpr auto first_byte = [](auto m) { return reinterpret_cast<std::uintptr_t>(m.data()); };
inline constexpr auto past_last_byte = [](auto m) {
  return reinterpret_cast<std::uintptr_t>(m.row_data(m.rows() - 1) + m.cols());
};

template <real T>
void require_outside(matrix_view<const T> Z, std::span<T> out) {
  if (Z.empty()) return;
  if (past_last_byte(Z) <= first_byte(out) || first_byte(out) + out.size_bytes() <= first_byte(Z)) return;
  raise<value_error>("logsumexp: expected the result to be apart from the logits, got an overlap");
}

/// out is Z, or shares no element with it.
template <class T>
void require_apart(matrix_view<const T> Z, matrix_view<T> out, const char* who) {
  // texts are made only when they are needed: this call must not allocate
  if (out.rows() != Z.rows()) require_extent(out.rows(), Z.rows(), std::string(who) + ": rows of the result");
  if (out.cols() != Z.cols()) require_extent(out.cols(), Z.cols(), std::string(who) + ": columns of the result");
  if (Z.empty()) return;
  if (past_last_byte(Z) <= first_byte(out) || past_last_byte(out) <= first_byte(Z)) return;
  if (Z.rows() == 1 || Z.stride() == out.stride()) {
    if (first_byte(Z) == first_byte(out)) return;
    // two groups of columns of one buffer
    const std::uintptr_t pitch = Z.stride() * sizeof(T), width = Z.cols() * sizeof(T);
    const std::uintptr_t apart =
        (first_byte(Z) > first_byte(out) ? first_byte(Z) - first_byte(out) : first_byte(out) - first_byte(Z)) % pitch;
    if (Z.rows() > 1 && apart >= width && pitch - apart >= width) return;
  }
  raise<value_error>(std::string(who) + ": expected the result to be the logits or apart from them, got an overlap");
}

}  // namespace detail

template <kernel_policy P, real T, std::size_t R, std::size_t C>
row_status softmax(matrix_view<const std::type_identity_t<T>> Z, matrix_view<T, R, C> out) {
  detail::require_apart<T>(Z, out, "softmax");
  row_status status;
  const auto rows = detail::kernels_of<typename P::arch, T>().softmax_rows;
  for (std::size_t i = 0; i < Z.rows(); ++i) {
    if (P::shift == shift_rounding::plain && rows != nullptr)
      i += rows(Z.row_data(i), Z.stride(), out.row_data(i), out.stride(), Z.rows() - i, Z.cols());
    if (i < Z.rows()) status += softmax_row<P, T>(Z.row(i), out.row(i));
  }
  return status;
}

template <kernel_policy P, real T, std::size_t R, std::size_t C>
row_status log_softmax(matrix_view<const std::type_identity_t<T>> Z, matrix_view<T, R, C> out) {
  detail::require_apart<T>(Z, out, "log_softmax");
  row_status status;
  for (std::size_t i = 0; i < Z.rows(); ++i) status += log_softmax_row<P, T>(Z.row(i), out.row(i));
  return status;
}

template <kernel_policy P, real T>
row_status logsumexp(matrix_view<const std::type_identity_t<T>> Z, std::span<T> out) {
  require_extent(out.size(), Z.rows(), "logsumexp: length of the result");
  detail::require_outside<T>(Z, out);
  row_status status;
  for (std::size_t i = 0; i < Z.rows(); ++i) out[i] = logsumexp_row<P, T>(Z.row(i), &status);
  return status;
}

// ---- arrays

template <kernel_policy P, real_array A>
auto softmax(const A& Z, std::ptrdiff_t axis, row_status* status) {
  return detail::along_axis(Z, axis, status, "softmax", [](auto z, auto p) { return softmax_row<P>(z, p); });
}

template <kernel_policy P, real_array A>
auto log_softmax(const A& Z, std::ptrdiff_t axis, row_status* status) {
  return detail::along_axis(Z, axis, status, "log_softmax", [](auto z, auto lp) { return log_softmax_row<P>(z, lp); });
}

template <kernel_policy P, real_array A>
auto logsumexp(const A& Z, std::ptrdiff_t axis, row_status* status) {
  using T = typename array_traits<std::remove_cvref_t<A>>::value_type;
  return detail::reduced_axis<T>(Z, axis, status, "logsumexp",
                                 [](auto z, row_status* s) { return logsumexp_row<P, T>(z, s); });
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
