// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_CORE_INFO_HPP
#define LOGITOPE_CORE_INFO_HPP

#include <string_view>

#include "config.hpp"

/// @file
/// @brief Which logitope this is; `simd/arch.hpp` adds which instruction set is in force.

namespace logitope {
inline namespace v0 {

/// Version of these headers, the same as Meson's (tests/meta/check_version.py).
inline constexpr std::string_view version = "0.1.0";

}  // namespace v0
inline namespace LOGITOPE_ABI {

/// Name of the ABI these headers were compiled into, e.g. "v0_avx2_fma".
inline constexpr std::string_view abi = LOGITOPE_DETAIL_QUOTE(LOGITOPE_ABI);

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
