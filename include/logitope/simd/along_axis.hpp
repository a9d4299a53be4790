// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_ALONG_AXIS_HPP
#define LOGITOPE_SIMD_ALONG_AXIS_HPP

#include <algorithm>
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
#include "transpose.hpp"

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

/// Lines along one axis, sixteen floats' worth at a time, wherever they lie: those that stand side by side in memory
/// are turned a cache line at a time, because walking them one by one reads every cache line of the array once a line.
template <class T>
class line_blocks {
 public:
  static constexpr std::size_t most = 64 / sizeof(T);

  /// @param rooms  whether room() and scatter() will be called
  line_blocks(const array_view<const T>& a, std::size_t axis, bool rooms)
      : a_(a), axis_(axis), n_(a.shape[axis]), pitch_(((n_ + 15) / 16 | 1) * 16) {
    for (std::size_t d = 0; d < a.rank; ++d)
      if (d != axis) across_ = d;
    if (rooms || !in_place()) tile_.resize((std::min)(most, run()) * pitch_);
  }

  /// visit(index of the first line, lines) in row-major order; line(j) is good during the call.
  template <class Visit>
  void for_each(Visit&& visit) {
    const std::size_t blocks = (run() + most - 1) / most;
    array_view<const T> coarse = a_;
    if (across_ != axis_) {
      coarse.shape[across_] = blocks;
      coarse.strides[across_] *= static_cast<std::ptrdiff_t>(most);
    }
    std::size_t i = 0;
    for_each_line(coarse, axis_, [&](const T* first) {
      const std::size_t block = i % blocks, m = (std::min)(most, run() - block * most);
      first_ = first;
      if (!in_place()) gather(m);
      visit(i / blocks * run() + block * most, m);
      ++i;
    });
  }

  /// The j-th line of the block.
  [[nodiscard]] std::span<const T> line(std::size_t j) const noexcept {
    if (in_place()) return {first_ + static_cast<std::ptrdiff_t>(j) * stride(), n_};
    return {tile_.data() + j * pitch_, n_};
  }
  /// Room for what becomes of it.
  [[nodiscard]] std::span<T> room(std::size_t j) noexcept { return {tile_.data() + j * pitch_, n_}; }
  /// The rooms of m lines side by side, `apart` elements from row to row.
  void scatter(std::size_t m, T* out, std::size_t apart) const noexcept {
    transpose(tile_.data(), static_cast<std::ptrdiff_t>(pitch_), m, n_, out, static_cast<std::ptrdiff_t>(apart));
  }

 private:
  /// Lines that follow each other at one distance.
  [[nodiscard]] std::size_t run() const noexcept { return across_ == axis_ ? 1 : a_.shape[across_]; }
  [[nodiscard]] bool in_place() const noexcept { return a_.strides[axis_] == 1 || n_ < 2; }
  [[nodiscard]] std::ptrdiff_t stride() const noexcept { return across_ == axis_ ? 0 : a_.strides[across_]; }
  void gather(std::size_t m) noexcept {
    const auto pitch = static_cast<std::ptrdiff_t>(pitch_);
    if (m == 1 || stride() == 1) return transpose(first_, a_.strides[axis_], n_, m, tile_.data(), pitch);
    for (std::size_t j = 0; j < m; ++j)
      transpose(first_ + static_cast<std::ptrdiff_t>(j) * stride(), a_.strides[axis_], n_, 1, tile_.data() + j * pitch_,
                pitch);
  }

  array_view<const T> a_;
  std::size_t axis_, across_ = axis_, n_, pitch_;
  std::vector<T> tile_;
  const T* first_ = nullptr;
};

/// A row kernel along one axis of any array, into an owner of the same shape.
template <array_like A, class Row>
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
  row_status total;
  T* out = result.data();
  if (in.size() > 0) {
    line_blocks<T> lines(in, a, inner != 1);
    lines.for_each([&](std::size_t i, std::size_t m) {
      for (std::size_t j = 0; j < m; ++j)
        total += row(lines.line(j), inner == 1 ? std::span<T>(out + (i + j) * n, n) : lines.room(j));
      if (inner != 1) lines.scatter(m, out + i / inner * inner * n + i % inner, inner);
    });
  }
  if (status != nullptr) *status = total;
  return result;
}

/// A number for every line along one axis of any array: of_line(line, status), into an owner without that axis.
template <class Number, array_like A, class Line>
auto reduced_axis(const A& Z, std::ptrdiff_t axis, row_status* status, const char* who, Line of_line) {
  using traits = array_traits<std::remove_cvref_t<A>>;
  using T = typename traits::value_type;
  const array_view<const T> in = traits::view(Z);
  const std::size_t a = axis_of(axis, in.rank, who);
  row_status total;
  line_blocks<T> lines(in, a, false);
  const auto numbers = [&](Number* out) {
    lines.for_each([&](std::size_t i, std::size_t m) {
      for (std::size_t j = 0; j < m; ++j) out[i + j] = of_line(lines.line(j), &total);
    });
    if (status != nullptr) *status = total;
  };
  if constexpr (traits::rank == 1) {
    Number number{};
    numbers(&number);
    return number;
  } else {
    constexpr std::size_t rank = traits::rank == dynamic ? dynamic : traits::rank - 1;
    std::array<std::size_t, max_rank> shape{};
    for (std::size_t d = 0, o = 0; d < in.rank; ++d)
      if (d != a) shape[o++] = in.shape[d];
    auto result = traits::template make<Number, rank>(std::span<const std::size_t>(shape.data(), in.rank - 1));
    numbers(result.data());
    return result;
  }
}

}  // namespace detail

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
