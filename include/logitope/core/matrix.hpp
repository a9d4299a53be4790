// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_CORE_MATRIX_HPP
#define LOGITOPE_CORE_MATRIX_HPP

#include <cstddef>
#include <span>
#include <vector>

#include "config.hpp"
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
  matrix(std::size_t rows, std::size_t cols) : rows_(rows), cols_(cols), values_(rows * cols) {}

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
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::vector<T> values_;
};

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
