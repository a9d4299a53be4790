// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_POLICY_HPP
#define LOGITOPE_SIMD_POLICY_HPP

#include <concepts>
#include <cstddef>

#include "../core/config.hpp"

/// @file
/// @brief One bundle of knobs per call, changed by deriving: `struct mine : default_policy { ... }`.

namespace logitope {
inline namespace v0 {

/// Instruction set chosen once per process: the best this CPU and its operating system run.
struct best_available {};
/// Pinned: what the compiler flags of the calling file allow, through xsimd.
struct baseline {};
/// Pinned: AVX2 with FMA, whatever the flags. The caller vouches for the CPU.
struct avx2 {};
/// Pinned: AVX-512 F, BW, DQ, VL, whatever the flags. The caller vouches for the CPU.
struct avx512 {};

/// A type that names an instruction set, or leaves the choice to the process.
template <class A>
concept arch_tag =
    std::same_as<A, best_available> || std::same_as<A, baseline> || std::same_as<A, avx2> || std::same_as<A, avx512>;

/// How sums of many terms are kept.
enum class summation : unsigned char {
  flushed_to_double  ///< at most four terms meet in the working type, then double (compensated for double)
};

/// What happens to the rounding error of x - max(x).
enum class shift_rounding : unsigned char {
  plain,   ///< left in: relative error |x - max| u in every term
  two_sum  ///< computed exactly and fed to the exponential
};

/// Every knob a kernel reads, with the value most callers want.
struct default_policy {
  using arch = best_available;                                     ///< instruction set
  static constexpr summation sums = summation::flushed_to_double;  ///< denominators
  static constexpr shift_rounding shift = shift_rounding::plain;   ///< x - max
  static constexpr std::size_t vocabulary_tile = 1024;             ///< logits held in cache at once [elements]
};

/// @brief For measurements: every softmax component within 8 u, subnormal probabilities kept, the caller's flush
/// modes set aside and restored.
struct precise_policy : default_policy {
  static constexpr shift_rounding shift = shift_rounding::two_sum;
};

/// @brief A bundle that kernels can read. Derive from default_policy and override what differs.
template <class P>
concept kernel_policy = arch_tag<typename P::arch> && requires {
  requires std::same_as<decltype(P::sums), const summation>;
  requires std::same_as<decltype(P::shift), const shift_rounding>;
  requires std::convertible_to<decltype(P::vocabulary_tile), std::size_t>;
  requires(P::vocabulary_tile > 0);
};

}  // namespace v0
}  // namespace logitope

#endif
