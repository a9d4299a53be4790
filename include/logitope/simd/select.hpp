// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_SELECT_HPP
#define LOGITOPE_SIMD_SELECT_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>

#include "../core/array.hpp"
#include "../core/error.hpp"
#include "../core/status.hpp"
#include "../core/view.hpp"
#include "../core/workspace.hpp"
#include "along_axis.hpp"
#include "policy.hpp"
#include "select_kernels.hpp"
#include "softmax.hpp"

#if defined(__x86_64__)
#include "x86/select_avx2.hpp"
#include "x86/select_avx512.hpp"
#endif

/// @file
/// @brief The k largest classes of a row, in order, without sorting the row.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// @brief Bytes of scratch of one top_k call.
/// @param n  classes in a row
/// @param k  classes wanted
template <kernel_policy P = default_policy, real T>
[[nodiscard]] constexpr std::size_t top_k_workspace(std::size_t n, std::size_t k) noexcept;

/// @brief The k largest classes of a row: larger logits first, equal ones lowest index first.
///
/// One pass leaves the maxima of blocks of 64 classes. Where k blocks reach a bound, so do k classes, hence every class
/// that is wanted: a bound that few more than k maxima reach is found by bisection over the bits of the maxima, and
/// only blocks that reach it are looked at again. What reaches it is gathered in O(k) scratch, thinned to the best k
/// and the bound raised whenever that is full, so that ties cost no memory.
/// @tparam P    the instruction set is taken from it; the result does not depend on it
/// @param z     [n]  logits; -inf masks and is never chosen
/// @param index [k]  classes; npos behind the last unmasked one, and everywhere where z holds a NaN
/// @param ws    scratch, at least top_k_workspace<P, T>(n, k) bytes
/// @return counts of this one row; a row with +inf is counted and has its largest classes all the same
/// @throws value_error if a float row has 2^32 classes or more, capacity_error; nothing is written before
/// @par Cost z is read once, about k log k comparisons, n / 64 + O(k) scratch, no allocation. A k beyond n / 64 leaves
/// no bound to skip blocks by: then it is a selection among all n.
/// @par Accuracy exact, the same on every instruction set; the first k of top-(k+1) are top-k. -0 equals +0
/// @par Source the pruning by block maxima is our own
template <kernel_policy P = default_policy, real T>
row_status top_k(std::span<const T> z, std::span<std::size_t> index, workspace& ws);

/// @brief The k largest classes of every row of Z, for index [N, k]. Errors and cost as for a row.
/// @throws shape_error if index has another number of rows than Z
template <kernel_policy P = default_policy, class T, std::size_t R, std::size_t C>
requires real<std::remove_const_t<T>> row_status top_k(matrix_view<T, R, C> Z, matrix_view<std::size_t> index,
                                                       workspace& ws);

/// @brief The k largest classes along the last axis of any array.
/// @param Z       [..., V]  any shape, any strides; rows that are not adjacent in memory are packed one at a time
/// @param k       classes wanted; npos stands where there are fewer
/// @param status  where given, the counts of the rows that were not ordinary
/// @return [..., k]  classes, row-major: xtensor for xtensor, matrix or vector otherwise
/// @throws value_error if Z has no axis
/// @par Cost as for a row; allocates the result and the scratch of one row
template <kernel_policy P = default_policy, real_array A>
[[nodiscard]] auto top_k(const A& Z, std::size_t k, row_status* status = nullptr);

namespace detail {

template <real T, class A>
inline constexpr select_kernels<T> portable_selection = portable_select<T, A>::table();

#if defined(__x86_64__)
/// Exponentials of double stay portable: no twin of them exists.
template <real T>
[[nodiscard]] constexpr select_kernels<T> x86_selection(isa chosen) noexcept {
  if constexpr (std::is_same_v<T, float>) {
    if (chosen == isa::avx512)
      return {&x86::avx512_maxima_float,
              &x86::avx512_count_float,
              &x86::avx512_hits_float,
              {&x86::avx512_sum_exp_float<false>, &x86::avx512_sum_exp_float<true>}};
    return {&x86::avx2_maxima_float,
            &x86::avx2_count_float,
            &x86::avx2_hits_float,
            {&x86::avx2_sum_exp_float<false>, &x86::avx2_sum_exp_float<true>}};
  } else {
    constexpr auto sum_exp = portable_selection<double, simd::default_arch>.sum_exp;
    if (chosen == isa::avx512)
      return {&x86::avx512_maxima_double, &x86::avx512_count_double, &x86::avx512_hits_double, sum_exp};
    return {&x86::avx2_maxima_double, &x86::avx2_count_double, &x86::avx2_hits_double, sum_exp};
  }
}
template <real T, isa I>
inline constexpr select_kernels<T> x86_kernels = x86_selection<T>(I);
#endif

/// Kernels of a policy's architecture for element T.
template <arch_tag Arch, real T>
[[nodiscard]] inline const select_kernels<T>& select_kernels_of() noexcept {
#if defined(__x86_64__)
  if constexpr (!std::is_same_v<Arch, baseline>) {
    const isa chosen = isa_of<Arch>();
    if (chosen == isa::avx512) return x86_kernels<T, isa::avx512>;
    if (chosen == isa::avx2) return x86_kernels<T, isa::avx2>;
  }
#endif
  return portable_selection<T, simd::default_arch>;
}

/// An integer that grows with x, one value for both zeros; x is no NaN.
template <real T>
[[nodiscard]] constexpr simd::uint_of<T> ordered(T x) noexcept {
  using U = simd::uint_of<T>;
  constexpr U sign = U{1} << (sizeof(U) * 8 - 1);
  U bits = std::bit_cast<U>(x);
  if (bits == sign) bits = 0;
  return (bits & sign) != 0 ? static_cast<U>(~bits) : static_cast<U>(bits | sign);
}
template <real T>
[[nodiscard]] constexpr T from_ordered(simd::uint_of<T> key) noexcept {
  using U = simd::uint_of<T>;
  constexpr U sign = U{1} << (sizeof(U) * 8 - 1);
  return std::bit_cast<T>((key & sign) != 0 ? static_cast<U>(key ^ sign) : static_cast<U>(~key));
}

/// A class that sorts before another where its logit is larger, or as large and its index lower.
template <real T>
struct ranked_class {
  std::uint64_t falling, index;
  ranked_class() = default;
  ranked_class(T x, std::size_t i) noexcept : falling(~ordered(x)), index(i) {}
  [[nodiscard]] std::size_t where() const noexcept { return index; }
  [[nodiscard]] std::uint64_t rank() const noexcept { return ~falling; }
  friend bool operator<(const ranked_class& a, const ranked_class& b) noexcept {
    return a.falling != b.falling ? a.falling < b.falling : a.index < b.index;
  }
};
/// In one word: sorting is twice as fast.
template <>
struct ranked_class<float> {
  std::uint64_t key;
  ranked_class() = default;
  ranked_class(float x, std::size_t i) noexcept : key(std::uint64_t{~ordered(x)} << 32 | i) {}
  [[nodiscard]] std::size_t where() const noexcept { return static_cast<std::uint32_t>(key); }
  [[nodiscard]] std::uint32_t rank() const noexcept { return ~static_cast<std::uint32_t>(key >> 32); }
  friend bool operator<(ranked_class a, ranked_class b) noexcept { return a.key < b.key; }
};

/// Blocks of n entries, in whole masks of 64.
[[nodiscard]] constexpr std::size_t padded_blocks(std::size_t n) noexcept {
  constexpr std::size_t in_mask = select_block * select_block;
  return (n + in_mask - 1) / in_mask * select_block;
}
/// Candidates held at once: k to keep, as many again before they are thinned, and one whole block.
[[nodiscard]] constexpr std::size_t candidate_room(std::size_t n, std::size_t k) noexcept {
  const std::size_t kept = (std::min)(n, k);
  return kept + (std::max)(kept, std::size_t{256}) + select_block;
}

/// A bound that at least k maxima reach, and not many more; the lowest finite number where no k blocks are unmasked.
template <real T>
[[nodiscard]] T bound_of_top(const select_kernels<T>& kernels, std::span<const T> maxima, const block_tops<T>& tops,
                             std::size_t k) noexcept {
  constexpr T lowest = std::numeric_limits<T>::lowest();
  const T start = tops.min < lowest ? lowest : tops.min;
  std::size_t reach = kernels.count(maxima.data(), maxima.size(), start);
  if (reach < k) return lowest;
  auto low = ordered(start);
  auto high = static_cast<simd::uint_of<T>>(ordered(tops.max) + 1);
  while (high - low > 1 && reach > k + k / 4 + 4) {
    const auto middle = static_cast<simd::uint_of<T>>(low + (high - low) / 2);
    const std::size_t n = kernels.count(maxima.data(), maxima.size(), from_ordered<T>(middle));
    if (n >= k) low = middle, reach = n;
    else high = middle;
  }
  return from_ordered<T>(low);
}

/// The row in blocks of 64, the last one filled up with -inf.
template <real T>
class row_blocks {
 public:
  explicit row_blocks(std::span<const T> z) noexcept : z_(z), whole_(z.size() / select_block) {
    last_.fill(-std::numeric_limits<T>::infinity());
    std::copy(z.begin() + static_cast<std::ptrdiff_t>(whole_ * select_block), z.end(), last_.begin());
  }
  [[nodiscard]] std::size_t size() const noexcept { return whole_ + (z_.size() % select_block != 0 ? 1 : 0); }
  [[nodiscard]] const T* operator[](std::size_t b) const noexcept {
    return b < whole_ ? z_.data() + b * select_block : last_.data();
  }
  /// maxima[b] of every block; -inf in the rest of `maxima`.
  block_tops<T> maxima(const select_kernels<T>& kernels, std::span<T> maxima) const noexcept {
    block_tops<T> tops = kernels.maxima(z_.data(), whole_, maxima.data());
    std::fill(maxima.begin() + static_cast<std::ptrdiff_t>(whole_), maxima.end(), -std::numeric_limits<T>::infinity());
    if (size() > whole_) {
      const auto end = kernels.maxima(last_.data(), 1, maxima.data() + whole_);
      tops = {end.max > tops.max ? end.max : tops.max, end.min < tops.min ? end.min : tops.min, tops.nan || end.nan};
    }
    return tops;
  }

 private:
  std::span<const T> z_;
  std::size_t whole_;
  alignas(64) std::array<T, select_block> last_;
};

/// The best k candidates or more of all unmasked ones, in no order; how many there are.
template <real T>
std::size_t gather_top(const select_kernels<T>& kernels, const row_blocks<T>& blocks, std::span<const T> maxima,
                       T bound, std::size_t k, std::span<ranked_class<T>> found) noexcept {
  std::size_t m = 0;
  for (std::size_t group = 0; group < maxima.size(); group += select_block)
    for (std::uint64_t left = kernels.hits(maxima.data() + group, bound); left != 0; left &= left - 1) {
      const std::size_t b = group + static_cast<std::size_t>(std::countr_zero(left));
      if (found.size() - m < select_block) {
        std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(k - 1),
                         found.begin() + static_cast<std::ptrdiff_t>(m));
        m = k;
        // what comes later must be larger than the last one kept: an equal one has a higher index
        const T worst = from_ordered<T>(static_cast<simd::uint_of<T>>(found[k - 1].rank()));
        if (worst == std::numeric_limits<T>::infinity()) return m;
        bound = from_ordered<T>(static_cast<simd::uint_of<T>>(ordered(worst) + 1));
      }
      if (!(maxima[b] >= bound)) continue;
      const T* block = blocks[b];
      for (std::uint64_t hit = kernels.hits(block, bound); hit != 0; hit &= hit - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(hit));
        found[m++] = ranked_class<T>(block[i], b * select_block + i);
      }
    }
  return m;
}

}  // namespace detail

template <kernel_policy P, real T>
constexpr std::size_t top_k_workspace(std::size_t n, std::size_t k) noexcept {
  return scratch_bytes<T>(detail::padded_blocks(n)) +
         scratch_bytes<detail::ranked_class<T>>(detail::candidate_room(n, k));
}

template <kernel_policy P, real T>
row_status top_k(std::span<const T> z, std::span<std::size_t> index, workspace& ws) {
  if constexpr (std::is_same_v<T, float>)
    if (z.size() >> 32 != 0)
      detail::raise<value_error>("top_k: expected fewer than 2^32 classes of float, got " + std::to_string(z.size()));
  const workspace::scope scratch(ws);
  const auto maxima = ws.take<T>(detail::padded_blocks(z.size()));
  const auto found = ws.take<detail::ranked_class<T>>(detail::candidate_room(z.size(), index.size()));
  const auto& kernels = detail::select_kernels_of<typename P::arch, T>();
  const detail::row_blocks<T> blocks(z);
  const auto tops = blocks.maxima(kernels, maxima);
  row_status status;
  const bool special = detail::special_row<T>({tops.max, tops.nan}, {}, T{0}, status);
  std::size_t n = 0;
  if (!(special && status.infinite == 0) && !index.empty()) {
    const std::size_t k = (std::min)(index.size(), z.size());
    const T bound = detail::bound_of_top<T>(kernels, maxima, tops, k);
    const std::size_t m = detail::gather_top<T>(kernels, blocks, maxima, bound, k, found);
    n = (std::min)(k, m);
    const auto end = found.begin() + static_cast<std::ptrdiff_t>(n);
    if (m > n + n / 2) std::nth_element(found.begin(), end, found.begin() + static_cast<std::ptrdiff_t>(m));
    std::sort(found.begin(), m > n + n / 2 ? end : found.begin() + static_cast<std::ptrdiff_t>(m));
    for (std::size_t i = 0; i < n; ++i) index[i] = found[i].where();
  }
  std::fill(index.begin() + static_cast<std::ptrdiff_t>(n), index.end(), npos);
  return status;
}

template <kernel_policy P, class T, std::size_t R, std::size_t C>
requires real<std::remove_const_t<T>> row_status top_k(matrix_view<T, R, C> Z, matrix_view<std::size_t> index,
                                                       workspace& ws) {
  require_extent(index.rows(), Z.rows(), "top_k: rows of the result");
  row_status status;
  for (std::size_t i = 0; i < Z.rows(); ++i)
    status += top_k<P>(std::span<const std::remove_const_t<T>>(Z.row(i)), index.row(i), ws);
  return status;
}

template <kernel_policy P, real_array A>
auto top_k(const A& Z, std::size_t k, row_status* status) {
  using traits = array_traits<std::remove_cvref_t<A>>;
  using T = typename traits::value_type;
  const array_view<const T> in = traits::view(Z);
  const std::size_t axis = detail::axis_of(-1, in.rank, "top_k"), n = in.shape[axis];
  auto shape = in.shape;
  shape[axis] = k;
  auto result = traits::template make<std::size_t, traits::rank>(std::span<const std::size_t>(shape.data(), in.rank));
  workspace_memory scratch(top_k_workspace<P, T>(n, k));
  workspace ws = scratch.get();
  row_status total;
  detail::line_blocks<T> lines(in, axis, false);
  lines.for_each([&](std::size_t i, std::size_t m) {
    for (std::size_t j = 0; j < m; ++j)
      total += top_k<P, T>(lines.line(j), std::span<std::size_t>(result.data() + (i + j) * k, k), ws);
  });
  if (status != nullptr) *status = total;
  return result;
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
