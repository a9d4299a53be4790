// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_STORED_ROWS_HPP
#define LOGITOPE_SIMD_STORED_ROWS_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>

#include "../core/array.hpp"
#include "../core/config.hpp"
#include "../core/status.hpp"
#include "../core/view.hpp"
#include "along_axis.hpp"
#include "convert.hpp"
#include "exp_sum.hpp"
#include "kernels.hpp"
#include "policy.hpp"
#include "softmax.hpp"
#include "storage.hpp"

/// @file
/// @brief Softmax, log-softmax and log-sum-exp of rows stored in bf16 or f16: the float kernels on pieces of the row
/// that stay in the first-level cache, one rounding to the stored type at the end. Sums never see sixteen bits.

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail {

inline constexpr std::size_t stored_piece = 2048;  ///< floats on the stack: 8 KiB

/// Calls use(first, piece as floats) over a row of stored numbers.
template <kernel_policy P, half_stored S, class Use>
void for_each_piece(std::span<const S> z, std::span<float> buffer, Use&& use) noexcept {
  for (std::size_t first = 0; first < z.size(); first += buffer.size()) {
    const auto piece = z.subspan(first, (std::min)(buffer.size(), z.size() - first));
    widen<P, S>(piece, buffer);
    use(first, buffer.first(piece.size()));
  }
}

template <kernel_policy P, half_stored S>
exp_sum<float> stored_exp_sum(std::span<const S> z, std::span<float> buffer) noexcept {
  exp_sum<float> s;
  for_each_piece<P, S>(z, buffer, [&](std::size_t first, std::span<float> piece) {
    merge(s, exp_sum_of<P, float>(std::span<const float>(piece), first));
  });
  return s;
}

template <half_stored S>
bool special_stored_row(const exp_sum<float>& s, std::span<S> out, float if_empty, row_status& status) noexcept {
  if (!special_row<float>({s.max, s.nan}, {}, if_empty, status)) return false;
  std::fill(out.begin(), out.end(), status.empty != 0 ? S(if_empty) : std::numeric_limits<S>::quiet_NaN());
  return true;
}

}  // namespace detail

/// @brief Probabilities of one row of stored logits.
/// @param z [n]  logits in bf16 or f16
/// @param p [n]  probabilities in the same type; may be z itself, otherwise must not overlap it
/// @return counts of this one row
/// @par Special values as softmax_row of floats; a probability too small for the stored type is rounded to what it has
/// @par Cost one exponential per entry up to 2048, two beyond (instead of a float copy of the row); no allocation,
/// 8 KiB of stack
/// @par Accuracy that of softmax_row in float, then one rounding: relative 2^-8 (bf16), 2^-11 (f16), absolute 2^-25
/// among the subnormals of f16; measured: tests/simd/stored_rows.cpp
template <kernel_policy P = default_policy, half_stored S>
row_status softmax_row(std::span<const S> z, std::span<std::type_identity_t<S>> p) noexcept {
  alignas(64) std::array<float, detail::stored_piece> buffer;
  if (z.size() <= buffer.size()) {
    const std::span<float> row = std::span(buffer).first(z.size());
    widen<P, S>(z, row);
    const row_status of_row = softmax_row<P, float>(row, row);
    narrow<P, S>(row, p);
    return of_row;
  }
  [[maybe_unused]] const detail::subnormal_scope<P> scope;
  row_status status;
  const exp_sum<float> s = detail::stored_exp_sum<P, S>(z, buffer);
  if (detail::special_stored_row<S>(s, p, 0.0f, status)) return status;
  const auto& k = detail::kernels_of<typename P::arch, float>();
  const auto factor = static_cast<float>(1.0 / (1.0 + s.rest));
  detail::for_each_piece<P, S>(z, buffer, [&](std::size_t first, std::span<float> piece) {
    static_cast<void>(k.store_exp[detail::shift_index<P>](piece.data(), piece.data(), piece.size(), s.max));
    k.scale[detail::shift_index<P>](piece.data(), piece.size(), factor);
    narrow<P, S>(piece, p.subspan(first, piece.size()));
  });
  return status;
}

/// @brief Log-probabilities of one row of stored logits [nats]. Parameters and special values as for softmax_row.
/// @par Cost one exponential per entry, no allocation, 8 KiB of stack
/// @par Accuracy that of log_softmax_row in float, then one rounding to the stored type
template <kernel_policy P = default_policy, half_stored S>
row_status log_softmax_row(std::span<const S> z, std::span<std::type_identity_t<S>> lp) noexcept {
  alignas(64) std::array<float, detail::stored_piece> buffer;
  [[maybe_unused]] const detail::subnormal_scope<P> scope;
  row_status status;
  const exp_sum<float> s = detail::stored_exp_sum<P, S>(z, buffer);
  if (detail::special_stored_row<S>(s, lp, -std::numeric_limits<float>::infinity(), status)) return status;
  const auto& k = detail::kernels_of<typename P::arch, float>();
  detail::for_each_piece<P, S>(z, buffer, [&](std::size_t first, std::span<float> piece) {
    k.shift[detail::shift_index<P>](piece.data(), piece.data(), piece.size(), s.max, std::log1p(s.rest));
    narrow<P, S>(piece, lp.subspan(first, piece.size()));
  });
  return status;
}

/// @brief log of the sum of exp of one row of stored logits [nats], in float. Special values as for floats.
template <kernel_policy P = default_policy, half_stored S>
[[nodiscard]] float logsumexp_row(std::span<const S> z, row_status* status = nullptr) noexcept {
  alignas(64) std::array<float, detail::stored_piece> buffer;
  [[maybe_unused]] const detail::subnormal_scope<P> scope;
  const exp_sum<float> s = detail::stored_exp_sum<P, S>(z, buffer);
  if (status != nullptr) {
    row_status one;
    static_cast<void>(detail::special_row<float>({s.max, s.nan}, {}, 0.0f, one));
    *status += one;
  }
  return static_cast<float>(log_sum(s));
}

/// @brief Probabilities of every row of Z, stored in bf16 or f16. Parameters, errors and cost as for floats.
template <kernel_policy P = default_policy, half_stored S>
row_status softmax(matrix_view<const S> Z, matrix_view<std::type_identity_t<S>> out) {
  detail::require_apart<S>(Z, out, "softmax");
  row_status status;
  for (std::size_t i = 0; i < Z.rows(); ++i) status += softmax_row<P, S>(Z.row(i), out.row(i));
  return status;
}

/// @brief An array of bf16 or f16.
template <class A>
concept stored_array = array_like<A> && half_stored<element_of<A>>;

/// @brief Probabilities along one axis of any array of stored logits, in its type. Parameters, errors and cost as for
/// arrays of floats.
template <kernel_policy P = default_policy, stored_array A>
[[nodiscard]] auto softmax(const A& Z, std::ptrdiff_t axis = -1, row_status* status = nullptr) {
  using S = element_of<A>;
  return detail::along_axis(Z, axis, status, "softmax",
                            [](std::span<const S> z, std::span<S> p) { return softmax_row<P, S>(z, p); });
}

/// @brief Log-probabilities along one axis of any array of stored logits [nats], in its type.
template <kernel_policy P = default_policy, stored_array A>
[[nodiscard]] auto log_softmax(const A& Z, std::ptrdiff_t axis = -1, row_status* status = nullptr) {
  using S = element_of<A>;
  return detail::along_axis(Z, axis, status, "log_softmax",
                            [](std::span<const S> z, std::span<S> lp) { return log_softmax_row<P, S>(z, lp); });
}

/// @brief Log-sum-exp along one axis of any array of stored logits [nats], in float; that axis is gone.
template <kernel_policy P = default_policy, stored_array A>
[[nodiscard]] auto logsumexp(const A& Z, std::ptrdiff_t axis = -1, row_status* status = nullptr) {
  using S = element_of<A>;
  return detail::reduced_axis<float>(Z, axis, status, "logsumexp",
                                     [](std::span<const S> z, row_status* s) { return logsumexp_row<P, S>(z, s); });
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
