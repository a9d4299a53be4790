// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_CORE_UNIFORM_SOURCE_HPP
#define LOGITOPE_CORE_UNIFORM_SOURCE_HPP

#include <concepts>
#include <cstdint>

#include "config.hpp"

/// @file
/// @brief What a sampler needs to know about randomness: 64 fresh bits, and the unit interval made from them.

namespace logitope {
inline namespace v0 {

/// @brief Gives 64 independent uniform bits a call. `random/philox.hpp` models it.
template <class R>
concept uniform_source = requires(R& r) {
  { r() } -> std::same_as<std::uint64_t>;
};

/// @brief A number in [0, 1), a multiple of 2^-53, from the upper bits of one draw.
template <uniform_source R>
[[nodiscard]] constexpr double uniform_unit(R& source) {
  return static_cast<double>(source() >> 11) * 0x1p-53;
}

}  // namespace v0
}  // namespace logitope

#endif
