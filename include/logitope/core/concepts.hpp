// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_CORE_CONCEPTS_HPP
#define LOGITOPE_CORE_CONCEPTS_HPP

#include <concepts>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

#include "config.hpp"

/// @file
/// @brief The few words that signatures of every room share.

namespace logitope {
inline namespace v0 {

/// The types arithmetic is done in.
template <class T>
concept real = std::same_as<T, float> || std::same_as<T, double>;

/// Class indices: any signed integral, because -100 ("ignore") is a value.
template <class Y>
concept target_index = std::signed_integral<std::remove_cvref_t<Y>>;

/// N class indices, one after the other.
template <class Y>
concept target_range = std::contiguous_iterator<decltype(std::begin(std::declval<Y&>()))> && requires(Y& y) {
  { std::size(y) } -> std::convertible_to<std::size_t>;
  { *std::data(y) } -> target_index;
};

}  // namespace v0
}  // namespace logitope

#endif
