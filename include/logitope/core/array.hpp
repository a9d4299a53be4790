// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_CORE_ARRAY_HPP
#define LOGITOPE_CORE_ARRAY_HPP

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "concepts.hpp"
#include "config.hpp"
#include "error.hpp"
#include "matrix.hpp"
#include "view.hpp"

/// @file
/// @brief The door for other people's arrays: what a container must tell so that array calls take it and return it.
///
/// An array library is named in one header only (`interop/xtensor.hpp` for xtensor), which specialises `array_traits`.
/// Spans, vectors and our own matrices are specialised here.

namespace logitope {
inline namespace v0 {

/// The most axes an array call takes.
inline constexpr std::size_t max_rank = 8;

}  // namespace v0

inline namespace LOGITOPE_ABI {

/// @brief Any array as address, shape and strides (in elements, of any sign, 0 for a repeated axis). Owns nothing.
template <class T>
struct array_view {
  T* data = nullptr;
  std::size_t rank = 0;
  std::array<std::size_t, max_rank> shape{};
  std::array<std::ptrdiff_t, max_rank> strides{};

  [[nodiscard]] constexpr std::size_t size() const noexcept {
    std::size_t n = 1;
    for (std::size_t a = 0; a < rank; ++a) n *= shape[a];
    return n;
  }
  [[nodiscard]] constexpr std::span<const std::size_t> extents() const noexcept { return {shape.data(), rank}; }

  /// The same elements, read only.
  constexpr operator array_view<const T>() const noexcept  // NOLINT: a view is its own conversion
      requires(!std::is_const_v<T>) {
    return {data, rank, shape, strides};
  }

  /// Rank-1 view of adjacent elements.
  [[nodiscard]] static constexpr array_view of_span(std::span<T> s) noexcept { return {s.data(), 1, {s.size()}, {1}}; }
  /// Rank-2 view of rows.
  template <std::size_t R, std::size_t C>
  [[nodiscard]] static constexpr array_view of_matrix(matrix_view<T, R, C> m) noexcept {
    return {m.data(), 2, {m.rows(), m.cols()}, {static_cast<std::ptrdiff_t>(m.stride()), 1}};
  }
};

/// @brief Specialise for a container A (without const or reference):
///   - `value_type`: element;
///   - `static constexpr std::size_t rank`: number of axes, or `dynamic`;
///   - `view(const A&) -> array_view<const value_type>`; `view(A&) -> array_view<value_type>` where A is writable;
///   - `template <class T, std::size_t Rank> using owner`: the container of T with Rank axes that calls return;
///   - `template <class T, std::size_t Rank> make(std::span<const std::size_t> shape) -> owner<T, Rank>`, row-major.
template <class A>
struct array_traits;

/// @brief A container that array calls take: its traits know how to view it.
template <class A>
concept array_like = requires(const std::remove_cvref_t<A>& a) {
  typename array_traits<std::remove_cvref_t<A>>::value_type;
  { array_traits<std::remove_cvref_t<A>>::rank } -> std::convertible_to<std::size_t>;
  array_traits<std::remove_cvref_t<A>>::view(a);
};

/// @brief An array of float or double: what softmax and its kin are defined on.
template <class A>
concept real_array = array_like<A> && real<typename array_traits<std::remove_cvref_t<A>>::value_type>;

/// Element of an array A.
template <array_like A>
using element_of = typename array_traits<std::remove_cvref_t<A>>::value_type;

/// Number of axes of an array A, or `dynamic`.
template <array_like A>
inline constexpr std::size_t rank_of = array_traits<std::remove_cvref_t<A>>::rank;

namespace detail {

/// A temporary that takes its elements with it when it goes.
template <class A>
concept passing_owner =
    !std::is_reference_v<A> && array_like<A> &&
    std::same_as<std::remove_cv_t<A>,
                 typename array_traits<std::remove_cv_t<A>>::template owner<element_of<A>, rank_of<A>>>;

/// What spans, vectors and matrices return: a vector for one axis, a matrix for two.
struct standard_owner {
  template <class T, std::size_t Rank>
  requires(Rank == 1 || Rank == 2) using owner = std::conditional_t<Rank == 1, std::vector<T>, matrix<T>>;

  template <class T, std::size_t Rank>
  [[nodiscard]] static owner<T, Rank> make(std::span<const std::size_t> shape) {
    if constexpr (Rank == 1) return std::vector<T>(shape[0]);
    else return matrix<T>(shape[0], shape[1]);
  }
};

}  // namespace detail

template <class T, std::size_t N>
struct array_traits<std::span<T, N>> : detail::standard_owner {
  using value_type = std::remove_const_t<T>;
  static constexpr std::size_t rank = 1;
  [[nodiscard]] static constexpr array_view<T> view(std::span<T, N> a) noexcept { return array_view<T>::of_span(a); }
};

template <class T, class Allocator>
struct array_traits<std::vector<T, Allocator>> : detail::standard_owner {
  using value_type = T;
  static constexpr std::size_t rank = 1;
  [[nodiscard]] static array_view<T> view(std::vector<T, Allocator>& a) noexcept {
    return array_view<T>::of_span(std::span<T>(a));
  }
  [[nodiscard]] static array_view<const T> view(const std::vector<T, Allocator>& a) noexcept {
    return array_view<const T>::of_span(std::span<const T>(a));
  }
};

template <class T, std::size_t R, std::size_t C>
struct array_traits<matrix_view<T, R, C>> : detail::standard_owner {
  using value_type = std::remove_const_t<T>;
  static constexpr std::size_t rank = 2;
  [[nodiscard]] static constexpr array_view<T> view(matrix_view<T, R, C> a) noexcept {
    return array_view<T>::of_matrix(a);
  }
};

template <class T>
struct array_traits<matrix<T>> : detail::standard_owner {
  using value_type = T;
  static constexpr std::size_t rank = 2;
  [[nodiscard]] static array_view<T> view(matrix<T>& a) noexcept { return array_view<T>::of_matrix(a.view()); }
  [[nodiscard]] static array_view<const T> view(const matrix<T>& a) noexcept {
    return array_view<const T>::of_matrix(a.view());
  }
};

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
