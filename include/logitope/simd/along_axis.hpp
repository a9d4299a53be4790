// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_ALONG_AXIS_HPP
#define LOGITOPE_SIMD_ALONG_AXIS_HPP

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../core/array.hpp"
#include "../core/error.hpp"
#include "../core/status.hpp"
#include "../core/view.hpp"

/// @file
/// @brief What works on one row, along any axis of any array.

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail {

[[nodiscard]] inline std::size_t axis_of(std::ptrdiff_t axis, std::size_t rank, const char* who) {
  const auto r = static_cast<std::ptrdiff_t>(rank);
  if (axis < -r || axis >= r)
    raise<value_error>(std::string(who) + ": expected an axis in [-" + std::to_string(rank) + ", " +
                       std::to_string(rank) + "), got " + std::to_string(axis));
  return static_cast<std::size_t>(axis < 0 ? axis + r : axis);
}

/// Calls visit(address of the first element of a line along `axis`) for every line, in row-major order.
template <class T, class Visit>
void for_each_line(const array_view<T>& a, std::size_t axis, Visit&& visit) {
  for (std::size_t d = 0; d < a.rank; ++d)
    if (d != axis && a.shape[d] == 0) return;
  std::array<std::size_t, max_rank> index{};
  T* line = a.data;
  for (;;) {
    visit(line);
    std::size_t d = a.rank;
    for (;;) {
      if (d == 0) return;
      --d;
      if (d == axis) continue;
      line += a.strides[d];
      if (++index[d] < a.shape[d]) break;
      line -= a.strides[d] * static_cast<std::ptrdiff_t>(a.shape[d]);
      index[d] = 0;
    }
  }
}

template <class T>
std::span<const T> packed(const T* line, std::size_t n, std::ptrdiff_t stride, std::span<T> into) {
  if (stride == 1 || n == 0) return {line, n};
  for (std::size_t i = 0; i < n; ++i) into[i] = line[static_cast<std::ptrdiff_t>(i) * stride];
  return into;
}

/// A row kernel along one axis of any array, into an owner of the same shape.
template <real_array A, class Row>
auto along_axis(const A& Z, std::ptrdiff_t axis, row_status* status, const char* who, Row row) {
  using traits = array_traits<std::remove_cvref_t<A>>;
  using T = typename traits::value_type;
  const array_view<const T> in = traits::view(Z);
  const std::size_t a = axis_of(axis, in.rank, who);
  auto result = traits::template make<T, traits::rank>(in.extents());
  const std::size_t n = in.shape[a], inner = [&] {
    std::size_t s = 1;
    for (std::size_t d = a + 1; d < in.rank; ++d) s *= in.shape[d];
    return s;
  }();
  std::vector<T> line(inner == 1 ? 0 : n);
  row_status total;
  T* out = result.data();
  std::size_t i = 0;
  if (in.size() > 0)
    for_each_line(in, a, [&](const T* z) {
      // lines come in row-major order of the other axes: the i-th starts here in the row-major result
      T* first = out + (i / inner) * inner * n + i % inner;
      ++i;
      if (inner == 1) {
        total += row(packed<T>(z, n, in.strides[a], {first, n}), std::span<T>(first, n));
      } else {
        total += row(packed<T>(z, n, in.strides[a], line), std::span<T>(line));
        for (std::size_t j = 0; j < n; ++j) first[j * inner] = line[j];
      }
    });
  if (status != nullptr) *status = total;
  return result;
}

/// A number for every line along one axis of any array: of_line(line, status), into an owner without that axis.
template <class Number, real_array A, class Line>
auto reduced_axis(const A& Z, std::ptrdiff_t axis, row_status* status, const char* who, Line of_line) {
  using traits = array_traits<std::remove_cvref_t<A>>;
  using T = typename traits::value_type;
  const array_view<const T> in = traits::view(Z);
  const std::size_t a = axis_of(axis, in.rank, who);
  std::array<std::size_t, max_rank> shape{};
  for (std::size_t d = 0, o = 0; d < in.rank; ++d)
    if (d != a) shape[o++] = in.shape[d];
  std::vector<T> line(in.strides[a] == 1 ? 0 : in.shape[a]);
  row_status total;
  const auto number = [&](const T* z) { return of_line(packed<T>(z, in.shape[a], in.strides[a], line), &total); };
  const auto finish = [&](auto value) {
    if (status != nullptr) *status = total;
    return value;
  };
  if constexpr (traits::rank == 1) {
    return finish(number(in.data));
  } else {
    constexpr std::size_t rank = traits::rank == dynamic ? dynamic : traits::rank - 1;
    auto result = traits::template make<Number, rank>(std::span<const std::size_t>(shape.data(), in.rank - 1));
    Number* out = result.data();
    for_each_line(in, a, [&](const T* z) { *out++ = number(z); });
    return finish(std::move(result));
  }
}

}  // namespace detail

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
