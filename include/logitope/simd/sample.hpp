// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_SAMPLE_HPP
#define LOGITOPE_SIMD_SAMPLE_HPP

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>

#include "../core/array.hpp"
#include "../core/error.hpp"
#include "../core/status.hpp"
#include "../core/uniform_source.hpp"
#include "../core/view.hpp"
#include "../core/workspace.hpp"
#include "along_axis.hpp"
#include "argmax.hpp"
#include "block_masses.hpp"
#include "policy.hpp"
#include "select.hpp"

/// @file
/// @brief One class drawn from a row of logits, without storing a probability.

namespace logitope {
inline namespace v0 {

/// @brief Which classes may be drawn, and how sharply. They apply in this order, each to what the former ones left.
struct sampling_options {
  double temperature = 1;  ///< weights are exp(z / temperature); 0: the largest logit, +inf: all unmasked ones alike
  std::size_t top_k = 0;   ///< only the k largest, ties lowest index first; 0: all
  double top_p = 1;        ///< only the fewest of the largest that hold this share of the mass, at least one
  double min_p = 0;        ///< only those with at least this share of the largest probability
};

}  // namespace v0

inline namespace LOGITOPE_ABI {

/// @brief Bytes of scratch of one sample_row call.
/// @param n  classes in a row
template <kernel_policy P = default_policy, real T>
[[nodiscard]] constexpr std::size_t sample_workspace(std::size_t n, const sampling_options& options = {}) noexcept;

/// @brief The class whose piece of the unit interval holds u: inverse of the cumulative distribution.
/// \f[ \min \{ i : \sum_{j \le i} w_j > u \sum_j w_j \}, \qquad w_j = e^{z_j / \mathrm{temperature}} \f]
/// in the order of the indices, or of falling logits where top_k, top_p or min_p choose.
/// @param z   [n]  logits; -inf masks and is never drawn
/// @param u   in [0, 1)
/// @param ws  scratch, at least sample_workspace<P, T>(n, options) bytes
/// @return a class; npos if nothing is unmasked or after a NaN, the lowest index at +inf where there is one
/// A temperature above 2^126 (float) or 2^1022 (double) counts as +inf.
/// @throws value_error for u outside [0, 1), a negative or NaN temperature, top_p or min_p outside [0, 1];
/// capacity_error
/// @par Cost n exponentials and one pass over z for temperature alone, sums of blocks of 512 kept; with top_k one
/// top_k and k exponentials; with top_p or min_p and no top_k as many classes are sorted as are kept, times up to 8
/// @par Accuracy the ends of the pieces are off by at most (32 + x) u_T (u_T = 2^-24 or 2^-53) of the mass before them,
/// x the largest |z_i - max z| / temperature among it, and by 2^-53 for each class that is sorted: a u nearer to an end
/// than that may give the neighbour, and instruction sets may differ there.
/// A share of top_p counts as held when 16 u_T of it are missing
/// @par Source Devroye 1986, Non-Uniform Random Variate Generation, ch. III.2; nucleus: Holtzman et al. 2020,
/// arXiv:1904.09751
template <kernel_policy P = default_policy, real T>
[[nodiscard]] std::size_t sample_row(std::span<const T> z, double u, const sampling_options& options, workspace& ws,
                                     row_status* status = nullptr);

/// @brief One class of every row of Z, from one draw a row, whatever stands in it.
/// @param source  64 random bits a call
/// @param index   [N]  classes
/// @return counts of the rows that were not ordinary
/// @throws shape_error if index has another length than Z has rows; the others as for a row
template <kernel_policy P = default_policy, class T, std::size_t R, std::size_t C, uniform_source Source>
requires real<std::remove_const_t<T>> row_status sample(matrix_view<T, R, C> Z, Source& source,
                                                        const sampling_options& options, std::span<std::size_t> index,
                                                        workspace& ws);

/// @brief One class for every line along the last axis of any array; that axis is gone from the result.
/// @param Z       [..., V]  any shape, any strides
/// @param source  64 random bits a call; one draw a line, in row-major order
/// @return an index for arrays of one axis, otherwise an owner of indices. Allocates it and the scratch of one row
template <kernel_policy P = default_policy, real_array A, uniform_source Source>
[[nodiscard]] auto sample(const A& Z, Source& source, const sampling_options& options = {},
                          row_status* status = nullptr);

namespace detail {

inline void require_samplable(const sampling_options& o, double u) {
  const auto refuse = [](const char* what, double got) {
    raise<value_error>(std::string("sample: expected ") + what + ", got " + std::to_string(got));
  };
  if (!(o.temperature >= 0)) refuse("a temperature >= 0", o.temperature);
  if (!(o.top_p >= 0 && o.top_p <= 1)) refuse("top_p in [0, 1]", o.top_p);
  if (!(o.min_p >= 0 && o.min_p <= 1)) refuse("min_p in [0, 1]", o.min_p);
  if (!(u >= 0 && u < 1)) refuse("u in [0, 1)", u);
}

/// Classes that may have to be sorted.
[[nodiscard]] constexpr std::size_t most_sorted(std::size_t n, const sampling_options& o) noexcept {
  if (o.temperature == 0) return 0;
  if (o.top_k > 0 && o.top_k < n) return o.top_k;
  return o.top_p < 1 || o.min_p > 0 ? n : 0;
}

/// How many of the classes `order`, largest first, are kept, and their mass; 0 where more must be looked at.
struct kept_classes {
  std::size_t count = 0;
  double mass = 0;
};
template <real T>
[[nodiscard]] kept_classes kept_of(std::span<const T> z, std::span<const std::size_t> order, double scale, double total,
                                   const sampling_options& o, bool complete) noexcept {
  constexpr double slack = 8 * static_cast<double>(std::numeric_limits<T>::epsilon());
  kept_classes kept;
  for (const std::size_t i : order) {
    if (i == npos) return kept;
    const double w = weight_of(z[i], z[order[0]], scale);
    if (kept.count > 0 && (w < o.min_p * (1 - slack) || (o.top_p < 1 && kept.mass >= o.top_p * total * (1 - slack))))
      return kept;
    ++kept.count;
    kept.mass += w;
  }
  if (o.top_p < 1 && kept.mass >= o.top_p * total * (1 - slack)) return kept;
  return complete ? kept : kept_classes{};
}

/// Draws among the largest classes, which are sorted; `total` is the mass of the row, or of the k that top_k leaves.
template <kernel_policy P, real T>
[[nodiscard]] std::size_t sample_sorted(std::span<const T> z, double u, double scale, double total,
                                        const sampling_options& o, workspace& ws) {
  const std::size_t most = most_sorted(z.size(), o);
  const bool all_at_once = most < z.size();
  for (std::size_t k = all_at_once ? most : (std::min)(most, std::size_t{64});; k = (std::min)(most, 8 * k)) {
    const workspace::scope scratch(ws);
    const auto order = ws.take<std::size_t>(k);
    static_cast<void>(top_k<P>(z, order, ws));
    const std::size_t best = order[0];
    if (all_at_once) {
      total = 0;
      for (std::size_t j = 0; j < k && order[j] != npos; ++j) total += weight_of(z[order[j]], z[best], scale);
    }
    const auto kept = kept_of<T>(z, order, scale, total, o, k == most);
    if (kept.count == 0) continue;
    double target = u * kept.mass;
    std::size_t last = best;
    for (std::size_t j = 0; j < kept.count; ++j) {
      const double w = weight_of(z[order[j]], z[best], scale);
      if (w > 0) last = order[j];
      if (w > target) break;
      target -= w;
    }
    return last;
  }
}

}  // namespace detail

template <kernel_policy P, real T>
constexpr std::size_t sample_workspace(std::size_t n, const sampling_options& options) noexcept {
  const std::size_t sorted = detail::most_sorted(n, options), blocks = detail::sample_blocks(n);
  return scratch_bytes<double>(blocks) + scratch_bytes<T>(blocks) +
         (sorted > 0 ? scratch_bytes<std::size_t>(sorted) + top_k_workspace<P, T>(n, sorted) : 0);
}

template <kernel_policy P, real T>
std::size_t sample_row(std::span<const T> z, double u, const sampling_options& options, workspace& ws,
                       row_status* status) {
  detail::require_samplable(options, u);
  const workspace::scope scratch(ws);
  const auto& rows = detail::kernels_of<typename P::arch, T>();
  const auto& kernels = detail::select_kernels_of<typename P::arch, T>();
  const T scale = detail::inverse_temperature<T>(options.temperature);
  const std::size_t sorted = detail::most_sorted(z.size(), options);
  detail::block_masses<T> all;
  // nobody asks for the mass of all where top_k or min_p alone choose, or every unmasked class weighs the same
  const bool weighed = sorted == 0 || (sorted == z.size() && options.top_p < 1);
  if (weighed && options.temperature > 0 && scale > 0) {
    all = detail::masses_of<T>(kernels, z, scale, ws);
  } else {
    const auto top = rows.scan(z.data(), z.size());
    all.max = top.max;
    all.nan = top.nan;
  }
  row_status one;
  const bool special = detail::special_row<T>({all.max, all.nan}, {}, T{0}, one);
  if (status != nullptr) *status += one;
  if (one.nan != 0 || one.empty != 0) return npos;
  if (special || options.temperature == 0) return detail::first_largest<P, T>(z, all.max);
  const detail::unmasked_classes<T> unmasked{kernels, detail::row_blocks<T>(z)};
  if (scale == 0) all.total = static_cast<double>(unmasked.count());
  if (sorted > 0) return detail::sample_sorted<P, T>(z, u, static_cast<double>(scale), all.total, options, ws);
  double target = u * all.total;
  if (scale == 0) return unmasked.at(static_cast<std::size_t>(target));
  // where rounding leaves the sums short of u, it is the end of the last block that has mass
  std::size_t heavy = 0;
  double within = 0;
  for (std::size_t b = 0; b < all.mass.size() && target >= 0; ++b) {
    if (!(all.mass[b] > 0)) continue;
    heavy = b;
    within = target;
    target = all.mass[b] > target ? -1 : target - all.mass[b];
  }
  return detail::class_at<T>(kernels, z, heavy * detail::sample_block, within, all.max, scale);
}

template <kernel_policy P, class T, std::size_t R, std::size_t C, uniform_source Source>
requires real<std::remove_const_t<T>> row_status sample(matrix_view<T, R, C> Z, Source& source,
                                                        const sampling_options& options, std::span<std::size_t> index,
                                                        workspace& ws) {
  require_extent(index.size(), Z.rows(), "sample: length of the result");
  detail::require_samplable(options, 0);
  row_status status;
  for (std::size_t i = 0; i < Z.rows(); ++i)
    index[i] =
        sample_row<P>(std::span<const std::remove_const_t<T>>(Z.row(i)), uniform_unit(source), options, ws, &status);
  return status;
}

template <kernel_policy P, real_array A, uniform_source Source>
auto sample(const A& Z, Source& source, const sampling_options& options, row_status* status) {
  using T = typename array_traits<std::remove_cvref_t<A>>::value_type;
  detail::require_samplable(options, 0);
  const auto in = array_traits<std::remove_cvref_t<A>>::view(Z);
  workspace_memory scratch(sample_workspace<P, T>(in.rank > 0 ? in.shape[in.rank - 1] : 0, options));
  workspace ws = scratch.get();
  return detail::reduced_axis<std::size_t>(Z, -1, status, "sample", [&](auto z, row_status* s) {
    return sample_row<P, T>(z, uniform_unit(source), options, ws, s);
  });
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
