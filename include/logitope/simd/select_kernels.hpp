// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_SELECT_KERNELS_HPP
#define LOGITOPE_SIMD_SELECT_KERNELS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "../core/concepts.hpp"
#include "../core/config.hpp"
#include "arch.hpp"
#include "exp.hpp"

/// @file
/// @brief The primitives of top-k and sampling, and their portable version over xsimd.
///
/// Lengths are whole blocks of 64 entries: who calls fills the last one up with -inf.

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail {

/// Entries that share one maximum, and one 64-bit mask of hits.
inline constexpr std::size_t select_block = 64;

/// What the maxima of some blocks have between them.
template <real T>
struct block_tops {
  T max;     ///< -inf of no block
  T min;     ///< smallest maximum; +inf of no block
  bool nan;  ///< a NaN stands somewhere in the blocks
};

/// Sum of exp((z - reference) scale) over some blocks; the sum means something where no entry is far above reference.
template <real T>
struct exp_block {
  double sum;
  T max;
  bool nan;
};

template <real T>
struct select_kernels {
  /// out[b] = largest of z[64 b] .. z[64 b + 63].
  block_tops<T> (*maxima)(const T* z, std::size_t blocks, T* out) noexcept;
  /// Number of entries >= bound, n a multiple of 64.
  std::size_t (*count)(const T* x, std::size_t n, T bound) noexcept;
  /// Bit i is set where x[i] >= bound, 64 entries.
  std::uint64_t (*hits)(const T* x, T bound) noexcept;
  /// Without and with a scale; n a multiple of 64.
  std::array<exp_block<T> (*)(const T* z, std::size_t n, T reference, T scale) noexcept, 2> sum_exp;
};

/// The primitives over xsimd, for the instruction set the compiler flags allow.
template <real T, class A>
struct portable_select {
  using B = simd::batch<T, A>;
  static constexpr std::size_t L = simd::lanes<T, A>;
  static constexpr T inf = std::numeric_limits<T>::infinity();
  static_assert(select_block % L == 0);

  static block_tops<T> maxima(const T* z, std::size_t blocks, T* out) noexcept {
    block_tops<T> tops{-inf, inf, false};
    simd::batch_bool<T, A> bad(false);
    for (std::size_t b = 0; b < blocks; ++b) {
      B m(-inf);
      for (std::size_t i = 0; i < select_block; i += L) {
        const B x = simd::load<A>(z + b * select_block + i);
        bad = bad | simd::is_nan(x);
        m = simd::larger(x, m);
      }
      out[b] = simd::hmax(m);
      tops.max = out[b] > tops.max ? out[b] : tops.max;
      tops.min = out[b] < tops.min ? out[b] : tops.min;
    }
    tops.nan = simd::any(bad);
    return tops;
  }

  static std::size_t count(const T* x, std::size_t n, T bound) noexcept {
    constexpr std::size_t chunk = std::size_t{1} << 22;  // lanes of float count exactly to 2^24
    const B b(bound), one(T{1}), zero(T{0});
    std::size_t total = 0;
    for (std::size_t first = 0; first < n; first += chunk) {
      const std::size_t last = n - first < chunk ? n : first + chunk;
      B c = zero;
      for (std::size_t i = first; i < last; i += L) c = c + simd::select(simd::load<A>(x + i) >= b, one, zero);
      total += static_cast<std::size_t>(simd::hsum(c));
    }
    return total;
  }

  static std::uint64_t hits(const T* x, T bound) noexcept {
    const B b(bound);
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < select_block; i += L) {
      if (!simd::any(simd::load<A>(x + i) >= b)) continue;
      for (std::size_t j = i; j < i + L; ++j) mask |= static_cast<std::uint64_t>(x[j] >= bound) << j;
    }
    return mask;
  }

  template <bool Scaled>
  static exp_block<T> sum_exp(const T* z, std::size_t n, T reference, T scale) noexcept {
    const B r(reference), s(scale), none(T{0});
    simd::batch_bool<T, A> bad(false);
    B m(-inf);
    std::array<B, 4> sum{none, none, none, none};
    for (std::size_t i = 0; i < n; i += 4 * L)
      for (std::size_t j = 0; j < 4; ++j) {
        const B x = simd::load<A>(z + i + j * L);
        bad = bad | simd::is_nan(x);
        m = simd::larger(x, m);
        B d = x - r;
        if constexpr (Scaled) d = d * s;
        sum[j] = sum[j] + exp_of<false, T, A>(d, none);
      }
    return {static_cast<double>(simd::hsum((sum[0] + sum[1]) + (sum[2] + sum[3]))), simd::hmax(m), simd::any(bad)};
  }

  static constexpr select_kernels<T> table() noexcept {
    return {&maxima, &count, &hits, {&sum_exp<false>, &sum_exp<true>}};
  }
};

}  // namespace detail
}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
