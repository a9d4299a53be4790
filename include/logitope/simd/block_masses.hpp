// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_BLOCK_MASSES_HPP
#define LOGITOPE_SIMD_BLOCK_MASSES_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "../core/view.hpp"
#include "../core/workspace.hpp"
#include "select.hpp"

/// @file
/// @brief The mass of a row of logits in blocks, and the class at which the running mass passes a mark.

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail {

/// Entries that share one partial sum.
inline constexpr std::size_t sample_block = 8 * select_block;

[[nodiscard]] constexpr std::size_t sample_blocks(std::size_t n) noexcept {
  return (n + sample_block - 1) / sample_block;
}
/// Within the normal numbers: beyond their largest, logits that differ do so for good; below their smallest it is 0.
template <real T>
[[nodiscard]] T inverse_temperature(double temperature) noexcept {
  const double inverse = 1 / temperature;
  if (inverse < static_cast<double>((std::numeric_limits<T>::min)())) return 0;
  return static_cast<T>((std::min)(inverse, static_cast<double>((std::numeric_limits<T>::max)())));
}

/// Masses of blocks of 512 classes relative to exp(scale * max of all).
template <real T>
struct block_masses {
  std::span<double> mass;
  T max = -std::numeric_limits<T>::infinity();
  bool nan = false;
  double total = 0;
};

/// exp((z - max) scale); the halves of the logits have a difference, whatever they are.
template <real T>
[[nodiscard]] double weight_of(T z, T max, double scale) noexcept {
  return std::exp((0.5 * static_cast<double>(z) - 0.5 * static_cast<double>(max)) * scale * 2);
}

/// The sums of the kernels where a difference beyond the largest number may still have weight.
template <real T>
[[nodiscard]] exp_block<T> sum_exp_far(const T* z, std::size_t n, T reference, T scale) noexcept {
  exp_block<T> e{0, -std::numeric_limits<T>::infinity(), false};
  for (std::size_t i = 0; i < n; ++i) {
    e.nan = e.nan || std::isnan(z[i]);
    e.max = z[i] > e.max ? z[i] : e.max;
    e.sum += weight_of(z[i], reference, static_cast<double>(scale));
  }
  return e;
}
template <real T>
[[nodiscard]] auto sum_exp_of(const select_kernels<T>& k, T scale) noexcept {
  if (scale == T{1}) return k.sum_exp[0];
  return scale < T{1024} / (std::numeric_limits<T>::max)() ? &sum_exp_far<T> : k.sum_exp[1];
}

/// One pass: every block is summed against a reference that moves where the largest is far above it.
template <real T>
[[nodiscard]] block_masses<T> masses_of(const select_kernels<T>& k, std::span<const T> z, T scale, workspace& ws) {
  constexpr T inf = std::numeric_limits<T>::infinity();
  constexpr T reach = 4;  // a term above the reference carries the rounding of their difference: up to 2 reach u
  block_masses<T> all;
  all.mass = ws.take<double>(sample_blocks(z.size()));
  const auto against = ws.take<T>(all.mass.size());
  const auto sum_exp = sum_exp_of<T>(k, scale);
  alignas(64) std::array<T, sample_block> last;
  T reference = 0;
  bool referenced = false;
  for (std::size_t b = 0; b < all.mass.size(); ++b) {
    const T* block = z.data() + b * sample_block;
    const std::size_t n = (std::min)(sample_block, z.size() - b * sample_block);
    if (n < sample_block) {
      last.fill(-inf);
      std::copy(block, block + n, last.begin());
      block = last.data();
    }
    auto e = sum_exp(block, sample_block, reference, scale);
    if (e.nan) all.nan = true;
    if (e.max > all.max) all.max = e.max;
    if (!all.nan && (all.max < inf) && e.max > -inf && (!referenced || !((e.max - reference) * scale <= reach))) {
      if (e.max != reference) e = sum_exp(block, sample_block, reference = e.max, scale);
      referenced = true;
    }
    all.mass[b] = e.max > -inf ? e.sum : 0.0;
    against[b] = reference;
  }
  if (all.nan || !(all.max > -inf && (all.max < inf))) return all;
  for (std::size_t b = 0; b < all.mass.size(); ++b) {
    // a masked block stands against the first reference, which may be far above the largest logit
    if (all.mass[b] > 0 && against[b] != all.max)
      all.mass[b] *= weight_of(against[b], all.max, static_cast<double>(scale));
    all.total += all.mass[b];
  }
  return all;
}

/// The class in a block where the running mass passes `target`; the last one that has mass if rounding leaves it short.
template <real T>
[[nodiscard]] std::size_t class_at(const select_kernels<T>& k, std::span<const T> z, std::size_t first, double target,
                                   T max, T scale) noexcept {
  const std::size_t end = (std::min)(first + sample_block, z.size());
  std::size_t i = first;
  for (; i + select_block < end; i += select_block) {
    const double mass = sum_exp_of<T>(k, scale)(z.data() + i, select_block, max, scale).sum;
    if (mass > target) break;
    target -= mass;
  }
  for (; i < end; ++i) {
    const double w = weight_of(z[i], max, static_cast<double>(scale));
    if (w > target) return i;
    target -= w;
  }
  while (i > first + 1 && !(weight_of(z[i - 1], max, static_cast<double>(scale)) > 0)) --i;
  return i - 1;
}

/// The unmasked classes: how many, and the one that has `before` others before it.
template <real T>
struct unmasked_classes {
  const select_kernels<T>& kernels;
  row_blocks<T> blocks;
  [[nodiscard]] std::uint64_t in(std::size_t b) const noexcept {
    return kernels.hits(blocks[b], std::numeric_limits<T>::lowest());
  }
  [[nodiscard]] std::size_t count() const noexcept {
    std::size_t n = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) n += static_cast<std::size_t>(std::popcount(in(b)));
    return n;
  }
  [[nodiscard]] std::size_t at(std::size_t before) const noexcept {
    for (std::size_t b = 0;; ++b) {
      std::uint64_t hits = in(b);
      if (const auto n = static_cast<std::size_t>(std::popcount(hits)); n <= before) {
        before -= n;
        continue;
      }
      for (; before > 0; --before) hits &= hits - 1;
      return b * select_block + static_cast<std::size_t>(std::countr_zero(hits));
    }
  }
};

}  // namespace detail
}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
