// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_AMBIGUITY_ROWS_HPP
#define LOGITOPE_AMBIGUITY_ROWS_HPP

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "../core/array.hpp"
#include "../core/config.hpp"
#include "../core/error.hpp"

/// @file
/// @brief How the measures of this room see an array: distributions along the last axis, one number each.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// @brief V numbers `stride` elements apart: one distribution, or the logits of one.
template <class T>
struct strided_row {
  const T* first;
  std::size_t size;
  std::ptrdiff_t stride = 1;

  /// Entry v; computed with in double whatever the storage.
  [[nodiscard]] double operator[](std::size_t v) const noexcept {
    return static_cast<double>(first[static_cast<std::ptrdiff_t>(v) * stride]);
  }
};

namespace detail {

/// An array as rows along its last axis, in row-major order of the other axes.
template <class T>
class last_axis_rows {
 public:
  template <real_array A>
  last_axis_rows(const A& a, const char* who) {
    const auto v = array_traits<A>::view(a);
    if (v.rank == 0) raise<shape_error>(std::string(who) + ": expected at least one axis, got none");
    view_ = {v.data, v.rank, v.shape, v.strides};
    for (std::size_t axis = 0; axis + 1 < v.rank; ++axis) count_ *= v.shape[axis];
  }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] std::span<const std::size_t> outer() const noexcept { return view_.extents().first(view_.rank - 1); }
  [[nodiscard]] std::span<const std::size_t> extents() const noexcept { return view_.extents(); }
  [[nodiscard]] strided_row<T> row(std::size_t index) const noexcept {
    const T* first = view_.data;
    for (std::size_t axis = view_.rank - 1; axis-- > 0; index /= view_.shape[axis])
      first += static_cast<std::ptrdiff_t>(index % view_.shape[axis]) * view_.strides[axis];
    return {first, view_.shape[view_.rank - 1], view_.strides[view_.rank - 1]};
  }

 private:
  array_view<const T> view_;
  std::size_t count_ = 1;
};

/// f(i) for every row i: a number for one axis, else the array's own owner of doubles without the last axis.
template <real_array A, class F>
[[nodiscard]] auto for_each_row(const last_axis_rows<element_of<A>>& rows, const F& f) {
  constexpr std::size_t rank = rank_of<A>;
  if constexpr (rank == 1) {
    return f(std::size_t{0});
  } else {
    constexpr std::size_t outer = rank == dynamic ? dynamic : rank - 1;
    auto out = array_traits<A>::template make<double, outer>(rows.outer());
    double* first = array_traits<decltype(out)>::view(out).data;  // owners are row-major and without gaps
    for (std::size_t i = 0; i < rows.count(); ++i) first[i] = f(i);
    return out;
  }
}

/// One measure of one distribution, for each row of an array.
template <real_array A, class F>
[[nodiscard]] auto measure_rows(const A& a, const char* who, const F& f) {
  const last_axis_rows<element_of<A>> rows(a, who);
  return for_each_row<A>(rows, [&](std::size_t i) { return f(rows.row(i)); });
}

/// One measure of two distributions, for each pair of rows of two arrays of one shape.
template <real_array A, real_array B, class F>
[[nodiscard]] auto measure_row_pairs(const A& a, const B& b, const char* who, const F& f) {
  const last_axis_rows<element_of<A>> left(a, who);
  const last_axis_rows<element_of<B>> right(b, who);
  require_extent(right.extents().size(), left.extents().size(), std::string(who) + ", axes of the second array");
  for (std::size_t axis = 0; axis < left.extents().size(); ++axis)
    require_extent(right.extents()[axis], left.extents()[axis],
                   std::string(who) + ", axis " + std::to_string(axis) + " of the second array");
  return for_each_row<A>(left, [&](std::size_t i) { return f(left.row(i), right.row(i)); });
}

}  // namespace detail

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
