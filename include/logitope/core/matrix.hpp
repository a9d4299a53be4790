// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_CORE_MATRIX_HPP
#define LOGITOPE_CORE_MATRIX_HPP

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "config.hpp"
#include "error.hpp"
#include "view.hpp"

/// @file
/// @brief The owner behind our views, where no array library is at hand: readers, solvers and the audit use it.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// @brief Owns rows x cols numbers in row-major order, zero at first.
template <class T>
class matrix {
 public:
  using value_type = T;

  matrix() = default;
  /// @throws shape_error if rows x cols elements cannot be addressed
  matrix(std::size_t rows, std::size_t cols) : rows_(rows), cols_(cols), values_(addressable(rows, cols)) {}
  matrix(const matrix&) = default;
  matrix& operator=(const matrix&) = default;
  /// What was moved from has no rows and no columns.
  matrix(matrix&& other) noexcept
      : rows_(std::exchange(other.rows_, 0)),
        cols_(std::exchange(other.cols_, 0)),
        values_(std::exchange(other.values_, {})) {}
  matrix& operator=(matrix&& other) noexcept {
    if (this != &other) {
      rows_ = std::exchange(other.rows_, 0);
      cols_ = std::exchange(other.cols_, 0);
      values_ = std::exchange(other.values_, {});
    }
    return *this;
  }
  ~matrix() = default;

  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::size_t cols() const noexcept { return cols_; }
  [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }
  [[nodiscard]] bool empty() const noexcept { return values_.empty(); }
  [[nodiscard]] T* data() noexcept { return values_.data(); }
  [[nodiscard]] const T* data() const noexcept { return values_.data(); }
  [[nodiscard]] std::span<T> row(std::size_t i) noexcept { return {data() + i * cols_, cols_}; }
  [[nodiscard]] std::span<const T> row(std::size_t i) const noexcept { return {data() + i * cols_, cols_}; }
  [[nodiscard]] T& operator()(std::size_t i, std::size_t j) noexcept { return values_[i * cols_ + j]; }
  [[nodiscard]] const T& operator()(std::size_t i, std::size_t j) const noexcept { return values_[i * cols_ + j]; }
  /// All elements, row after row.
  [[nodiscard]] std::span<T> values() noexcept { return values_; }
  [[nodiscard]] std::span<const T> values() const noexcept { return values_; }
  [[nodiscard]] matrix_view<T> view() noexcept { return {data(), rows_, cols_}; }
  [[nodiscard]] matrix_view<const T> view() const noexcept { return {data(), rows_, cols_}; }
  operator matrix_view<T>() noexcept { return view(); }              // NOLINT: an owner is its view
  operator matrix_view<const T>() const noexcept { return view(); }  // NOLINT

 private:
  /// rows * cols, which must not wrap around: the elements would lie outside.
  [[nodiscard]] static std::size_t addressable(std::size_t rows, std::size_t cols) {
    constexpr auto most = static_cast<std::size_t>((std::numeric_limits<std::ptrdiff_t>::max)()) / sizeof(T);
    if (cols != 0 && rows > most / cols) [[unlikely]]
      detail::raise<shape_error>("matrix: expected rows x columns that fit memory, got " + std::to_string(rows) +
                                 " x " + std::to_string(cols));
    return rows * cols;
  }

  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::vector<T> values_;
};

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
