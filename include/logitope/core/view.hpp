// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_CORE_VIEW_HPP
#define LOGITOPE_CORE_VIEW_HPP

#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>

#include "config.hpp"
#include "error.hpp"

/// @file
/// @brief How kernels see matrices: a pointer, rows, columns, a stride; sizes fixed at compile time or not.

namespace logitope {
inline namespace v0 {

/// An extent that is known only at run time.
inline constexpr std::size_t dynamic = std::dynamic_extent;
/// The index that means "no class": of an empty row, or of one with a NaN.
inline constexpr std::size_t npos = (std::numeric_limits<std::size_t>::max)();

/// Two extents can describe the same axis: equal, or one of them known only at run time.
template <std::size_t A, std::size_t B>
concept compatible_extent = A == B || A == dynamic || B == dynamic;

}  // namespace v0

inline namespace LOGITOPE_ABI {

/// @brief Rows of equal length, `stride` elements apart; elements of a row are adjacent. Copies like a pointer.
/// @tparam T     element, const for read-only
/// @tparam Rows  number of rows or `dynamic`
/// @tparam Cols  number of columns or `dynamic`
template <class T, std::size_t Rows = dynamic, std::size_t Cols = dynamic>
class matrix_view {
 public:
  using value_type = std::remove_const_t<T>;

  /// Nothing: no rows, no columns.
  constexpr matrix_view() noexcept requires(compatible_extent<Rows, 0>&& compatible_extent<Cols, 0>) = default;

  /// Rows that follow one another without a gap.
  /// @throws shape_error if a fixed extent disagrees with the argument
  constexpr matrix_view(T* data, std::size_t rows, std::size_t cols) : matrix_view(data, rows, cols, cols) {}

  /// Rows `stride` elements apart, stride >= cols.
  /// @throws shape_error if a fixed extent disagrees with the argument, or the stride is shorter than a row
  constexpr matrix_view(T* data, std::size_t rows, std::size_t cols, std::size_t stride)
      : data_(data), rows_(rows), cols_(cols), stride_(stride) {
    if constexpr (Rows != dynamic) require_extent(rows, Rows, "matrix rows");
    if constexpr (Cols != dynamic) require_extent(cols, Cols, "matrix columns");
    if (rows > 1 && stride < cols) [[unlikely]]
      require_extent(stride, cols, "matrix row stride of at least the row length");
  }

  /// From a view with compatible extents; adds const, forgets or checks extents.
  template <class U, std::size_t R, std::size_t C>
  requires(std::is_convertible_v<U (*)[], T (*)[]>&& compatible_extent<R, Rows>&& compatible_extent<
           C, Cols>) constexpr matrix_view(const matrix_view<U, R, C>& other)  // NOLINT: a view is its own conversion
      : matrix_view(other.data(), other.rows(), other.cols(), other.stride()) {}

  [[nodiscard]] constexpr T* data() const noexcept { return data_; }
  [[nodiscard]] constexpr std::size_t rows() const noexcept { return Rows != dynamic ? Rows : rows_; }
  [[nodiscard]] constexpr std::size_t cols() const noexcept { return Cols != dynamic ? Cols : cols_; }
  [[nodiscard]] constexpr std::size_t stride() const noexcept { return stride_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return rows() == 0 || cols() == 0; }
  [[nodiscard]] constexpr T* row_data(std::size_t i) const noexcept { return data_ + i * stride_; }
  [[nodiscard]] constexpr std::span<T> row(std::size_t i) const noexcept { return {row_data(i), cols()}; }
  [[nodiscard]] constexpr T& operator()(std::size_t i, std::size_t j) const noexcept { return row_data(i)[j]; }

  /// Rows first .. first + count - 1.
  [[nodiscard]] constexpr matrix_view<T, dynamic, Cols> block(std::size_t first, std::size_t count) const {
    return {row_data(first), count, cols(), stride_};
  }

 private:
  T* data_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::size_t stride_ = 0;
};

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
