// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_AUDIT_HEAD_AUDIT_HPP
#define LOGITOPE_AUDIT_HEAD_AUDIT_HPP

#include <chrono>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../core/matrix.hpp"
#include "../core/progress.hpp"
#include "../flow/free_logits.hpp"
#include "../heads/dense.hpp"
#include "../polytope/argmaxable.hpp"
#include "../polytope/neighborliness.hpp"
#include "../rank/bottleneck.hpp"
#include "../rank/spectra.hpp"
#include "../sensing/necessary.hpp"
#include "../sensing/phase_transition.hpp"
#include "contexts.hpp"
#include "report.hpp"

/// @file
/// @brief One question to every room: what can this head say, how ambiguous is it, what will it learn?

namespace logitope {
inline namespace v0 {

/// What an audit looks at besides the head.
struct audit_options {
  std::vector<std::size_t> supports{1, 2, 4};  ///< k for the sensing and learning sections, each in 1 .. V - 1
  double time_limit = 600;                     ///< for the search of certificates [s]; what is left is undecided
};

}  // namespace v0

inline namespace LOGITOPE_ABI {

/// @brief A head as read or trained. Weights of any storage are held as doubles, exactly.
struct head_input {
  matrix<double> weights;    ///< W [V, D]
  std::vector<double> bias;  ///< [V], or empty
  matrix<double> hidden;     ///< H [N, D], one per context, or empty
  matrix<double> truth;      ///< [N, V] what the contexts really say, or empty
  std::string dtype = "float64";
  std::string source;
  bool tied = false;
};

namespace detail {

/// Wall seconds since the last lap, noted under the section's name.
class section_clock {
 public:
  explicit section_clock(std::vector<std::pair<std::string, double>>& laps) : laps_(laps) {}
  void lap(const char* section) {
    const auto now = std::chrono::steady_clock::now();
    laps_.emplace_back(section, std::chrono::duration<double>(now - last_).count());
    last_ = now;
  }

 private:
  std::vector<std::pair<std::string, double>>& laps_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Sizes agree and the supports make sense, before any work.
inline void require_auditable(const head_input& head, const audit_options& options) {
  const std::size_t V = head.weights.rows(), D = head.weights.cols();
  if (V == 0 || D == 0) raise<value_error>("audit: expected at least one token and one dimension, got none");
  if (!head.bias.empty()) require_extent(head.bias.size(), V, "audit: bias");
  if (head.hidden.rows() > 0) require_extent(head.hidden.cols(), D, "audit: dimension of the hidden states");
  if (head.truth.rows() > 0) {
    require_extent(head.truth.rows(), head.hidden.rows(), "audit: contexts of the truth");
    require_extent(head.truth.cols(), V, "audit: tokens of the truth");
  }
  for (const std::size_t k : options.supports)
    if (k == 0 || k >= V)
      raise<value_error>("audit: support size k: expected 1 .. V - 1 = " + std::to_string(V - 1) + ", got " +
                         std::to_string(k));
}

}  // namespace detail

/// @brief Ranks of W, and of log P and P where hidden states are known. Tolerances follow the storage type.
/// @throws value_error naming the first number that is not finite; solver_error
/// @par Cost an SVD of [V, D], and with contexts two of [N, V]
[[nodiscard]] inline rank_section audit_rank(const head_input& head) {
  const bool single = head.dtype != "float64";
  rank_section out;
  rank_options options;
  const double eps = single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  options.relative = eps * static_cast<double>((std::max)(head.weights.rows(), head.weights.cols()));
  options.check_scaling = false;
  const rank_report weights = numerical_rank(head.weights.view(), options);
  out.weights = {weights.rank, weights.tolerance, weights.condition};
  if (head.hidden.rows() == 0) return out;
  const double tolerance = single ? bottleneck_tolerance<float> : bottleneck_tolerance<double>;
  const head_rank log_p = log_prob_rank(head.weights.view(), head.bias, head.hidden.view(), tolerance);
  out.log_prob = log_prob_rank_section{log_p.rank, log_p.bound, log_p.contexts, log_p.tolerance};
  const head_rank p = prob_rank(head.weights.view(), head.bias, head.hidden.view(), tolerance);
  out.prob = prob_rank_section{p.rank, p.tolerance};
  return out;
}

/// @brief Asks every room about one head.
///
/// Sections that need contexts (rank of log P and of P, ambiguity) are there if and only if hidden states are;
/// divergence if and only if the truth is too.
///
/// @param head    W [V, D], and what else is known
/// @param options support sizes, time limit
/// @param watch   progress sink
/// @return the report; undecided verdicts are listed in it
/// @throws shape_error, value_error before any work; solver_error
/// @par Cost dominated by the faces (see argmaxable) and, with contexts, two SVDs of [N, V]
template <progress_sink Progress = no_progress>
[[nodiscard]] head_report audit_head(const head_input& head, const audit_options& options = {}, Progress&& watch = {}) {
  detail::require_auditable(head, options);
  const std::size_t V = head.weights.rows();
  const matrix_view<const double> W = head.weights.view();
  head_report out;
  out.head = {V, head.weights.cols(), !head.bias.empty(), head.dtype, head.source, head.tied};
  detail::section_clock watch_time(out.timing);

  watch(progress_report{"ranks", 0, 0});
  out.rank = audit_rank(head);
  watch_time.lap("rank");

  argmaxable_options search;
  search.time_limit_seconds = options.time_limit;
  const argmaxable_report faces = argmaxable(W, std::span<const double>(head.bias), search, watch);
  out.argmaxable = {V,
                    faces.argmaxable,
                    faces.unargmaxable,
                    faces.boundary,
                    faces.boundary_undecided,
                    faces.duplicates,
                    faces.undecided,
                    faces.residual,
                    faces.certified,
                    faces.smallest_margin,
                    faces.margin_token,
                    faces.margin_kind};
  watch_time.lap("argmaxable");

  const auto bounds = neighborliness_bounds(W, faces);
  out.neighborliness = {bounds.lower, bounds.upper, bounds.bound_2k, bounds.method, bounds.violation.set};
  watch_time.lap("neighborliness");

  for (const std::size_t k : options.supports) {
    out.sensing.push_back({k, required(V, k, necessary{}), required(V, k, weak_gaussian{})});
    out.learning.push_back({k, half_leak_time(k, V), late_prefactor(k, V)});
  }
  watch_time.lap("bounds");

  if (head.hidden.rows() > 0) {
    watch(progress_report{"contexts", 0, head.hidden.rows()});
    const dense_head<double> model(W, std::span<const double>(head.bias));
    context_sections contexts = survey_contexts(model, head.hidden.view(), head.truth.view());
    out.ambiguity = std::move(contexts.ambiguity);
    out.divergence = contexts.divergence;
    watch_time.lap("contexts");
  }
  return out;
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
