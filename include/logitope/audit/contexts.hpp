// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_AUDIT_CONTEXTS_HPP
#define LOGITOPE_AUDIT_CONTEXTS_HPP

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../ambiguity/divergence.hpp"
#include "../ambiguity/entropy.hpp"
#include "../ambiguity/leakage.hpp"
#include "../core/config.hpp"
#include "../core/matrix.hpp"
#include "../core/view.hpp"
#include "../core/workspace.hpp"
#include "../heads/dense.hpp"
#include "../simd/softmax.hpp"
#include "../statistics/quantiles.hpp"
#include "report.hpp"

/// @file
/// @brief What an audit says of a head's own distributions: how ambiguous they are, how far from a known truth.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// Ambiguity, and divergence where the truth is known.
struct context_sections {
  ambiguity_section ambiguity;
  std::optional<divergence_section> divergence;
};

/// @brief Walks the contexts one by one; never more than one row of logits at a time.
///
/// @param head  V tokens, dimension D
/// @param H     [N, D] hidden states, N > 0
/// @param truth [N, V] the distribution that each context really has, or empty
/// @return means over contexts, weighted equally; the mean effective support is the mean of exp(H)
/// @throws shape_error if the truth has other sizes; value_error if a row of it is no distribution
/// @par Cost 2 N V D flops, 2 N V exponentials
template <class Head>
[[nodiscard]] context_sections survey_contexts(const Head& head, matrix_view<const double> H,
                                               matrix_view<const double> truth) {
  const std::size_t N = H.rows(), V = head.vocabulary();
  const bool known = truth.rows() > 0;
  if (known) {
    require_extent(truth.rows(), N, "contexts of the truth");
    require_extent(truth.cols(), V, "tokens of the truth");
  }
  matrix<double> logits(1, V);
  std::vector<double> q(V), support(N);
  workspace none;  // a dense head needs no scratch for its logits
  context_sections out;
  divergence_section far;
  for (std::size_t i = 0; i < N; ++i) {
    head.template logits<default_policy>(H.block(i, 1), 0, logits.view(), none);
    const std::span<const double> z = std::as_const(logits).row(0);
    const double entropy = entropy_from_logits(z);
    out.ambiguity.mean_entropy += entropy;
    support[i] = effective_support_from_logits(z);
    out.ambiguity.mean_effective_support += support[i];
    if (!known) continue;
    const std::span<const double> p = truth.row(i);
    softmax_row<precise_policy, double>(z, q);
    far.mean_kl += kl_from_logits(p, z);
    far.mean_over_entropy += entropy - logitope::entropy(p);
    far.mean_leaked_mass += leaked_mass(p, q);
  }
  const auto mean = [N](double& sum) { sum /= static_cast<double>(N); };
  mean(out.ambiguity.mean_entropy);
  mean(out.ambiguity.mean_effective_support);
  out.ambiguity.contexts = N;
  constexpr std::array<double, 5> probabilities{0, .25, .5, .75, 1};
  const std::vector<double> values = quantiles(support, probabilities);
  for (std::size_t i = 0; i < probabilities.size(); ++i)
    out.ambiguity.quantiles.emplace_back(probabilities[i], values[i]);
  if (known) {
    mean(far.mean_kl);
    mean(far.mean_over_entropy);
    mean(far.mean_leaked_mass);
    out.divergence = far;
  }
  return out;
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
