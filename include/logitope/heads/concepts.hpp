// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_HEADS_CONCEPTS_HPP
#define LOGITOPE_HEADS_CONCEPTS_HPP

#include <concepts>
#include <cstddef>
#include <span>

#include "../core/concepts.hpp"
#include "../core/config.hpp"
#include "../core/view.hpp"
#include "../core/workspace.hpp"
#include "../simd/policy.hpp"

/// @file
/// @brief What a loss asks of a head, in named parts, so that a compiler names the missing one.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// The type it computes in.
template <class H>
concept has_value_type = real<typename H::value_type>;

/// V and D.
template <class H>
concept has_head_sizes = requires(const H& head) {
  { head.vocabulary() } -> std::convertible_to<std::size_t>;
  { head.hidden_size() } -> std::convertible_to<std::size_t>;
};

/// Logits of any tile of the vocabulary: Z[i, j] is the logit of class first + j in row i.
template <class H>
concept has_logit_tiles = has_value_type<H> && requires(const H& head, matrix_view<const typename H::value_type> rows,
                                                        matrix_view<typename H::value_type> Z, workspace& ws) {
  head.template logits<default_policy>(rows, std::size_t{0}, Z, ws);
};

/// Adds the gradients of a tile: dH, dW (all V rows) and db (empty: not wanted).
template <class H>
concept has_pullback = has_value_type<H> &&
    requires(const H& head, matrix_view<const typename H::value_type> rows, matrix_view<typename H::value_type> G,
             std::span<typename H::value_type> db, workspace& ws) {
  head.template pullback<default_policy>(rows, std::size_t{0}, rows, G, G, db, ws);
};

/// A head that losses take.
template <class H>
concept logit_head = has_value_type<H> && has_head_sizes<H> && has_logit_tiles<H>;

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
