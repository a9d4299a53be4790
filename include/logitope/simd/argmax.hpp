// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_ARGMAX_HPP
#define LOGITOPE_SIMD_ARGMAX_HPP

#include <cstddef>
#include <limits>
#include <span>

#include "../core/array.hpp"
#include "../core/status.hpp"
#include "../core/view.hpp"
#include "along_axis.hpp"
#include "flush_mode.hpp"
#include "policy.hpp"
#include "softmax.hpp"

/// @file
/// @brief The largest class of a row.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// @brief The lowest index of the largest logit.
/// @param z [n]  logits; -inf masks
/// @return a class; npos if nothing is unmasked or after a NaN; with +inf, the first that has it
/// @par Cost z is read once and again up to the answer, the second time from cache where it fits; no allocation
/// @par Accuracy exact, the same on every instruction set and under every flush mode; -0 equals +0
template <kernel_policy P = default_policy, real T>
[[nodiscard]] std::size_t argmax_row(std::span<const T> z, row_status* status = nullptr) noexcept;

/// @brief The lowest index of the largest logit along one axis of any array; that axis is gone from the result.
/// @param Z       any shape, any strides; rows that are not adjacent in memory are packed one at a time
/// @param axis    the class axis; negative counts from the end
/// @param status  where given, the counts of the rows that were not ordinary
/// @return an index for arrays of one axis, otherwise an owner of indices, row-major
/// @throws value_error if there is no such axis
/// @par Cost as for a row; allocates the result, and one row where rows are not adjacent
template <kernel_policy P = default_policy, real_array A>
[[nodiscard]] auto argmax(const A& Z, std::ptrdiff_t axis = -1, row_status* status = nullptr);

namespace detail {

/// The lowest index of the largest entry, of which a scan found `max`.
template <kernel_policy P, real T>
[[nodiscard]] std::size_t first_largest(std::span<const T> z, T max) noexcept {
  const auto& k = kernels_of<typename P::arch, T>();
  // under a caller's denormals-are-zero the scan took every subnormal number for a tie
  if (max < (std::numeric_limits<T>::min)() && max > -(std::numeric_limits<T>::min)()) {
    const keep_subnormals scope;
    if (scope.were_off()) max = k.scan(z.data(), z.size()).max;
    return k.find(z.data(), z.size(), max);
  }
  return k.find(z.data(), z.size(), max);
}

}  // namespace detail

template <kernel_policy P, real T>
std::size_t argmax_row(std::span<const T> z, row_status* status) noexcept {
  const auto& k = detail::kernels_of<typename P::arch, T>();
  const auto top = k.scan(z.data(), z.size());
  row_status one;
  static_cast<void>(detail::special_row<T>(top, {}, T{0}, one));
  if (status != nullptr) *status += one;
  return one.nan != 0 || one.empty != 0 ? npos : detail::first_largest<P, T>(z, top.max);
}

template <kernel_policy P, real_array A>
auto argmax(const A& Z, std::ptrdiff_t axis, row_status* status) {
  return detail::reduced_axis<std::size_t>(Z, axis, status, "argmax",
                                           [](auto z, row_status* s) { return argmax_row<P>(z, s); });
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
