// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_AUDIT_REPORT_HPP
#define LOGITOPE_AUDIT_REPORT_HPP

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../core/config.hpp"

/// @file
/// @brief What an audit found, as plain data. A section that could not be made is absent, never empty.

namespace logitope {
inline namespace v0 {

/// The head that was audited.
struct head_section {
  std::size_t vocabulary = 0;  ///< V
  std::size_t dimension = 0;   ///< h
  bool bias = false;
  std::string dtype;   ///< storage of the weights: "float32" or "float64"
  std::string source;  ///< where they came from
  bool tied = false;   ///< the same matrix embeds the input tokens
};

/// Rank of W, by singular values above tolerance times the largest.
struct weights_rank {
  std::size_t rank = 0;
  double tolerance = 0;  ///< relative
  double condition = 0;  ///< largest over smallest singular value; inf if the smallest is 0
};

/// Rank of log P over contexts, at most h + 1 (h + 2 with a bias).
struct log_prob_rank_section {
  std::size_t rank = 0;
  std::size_t bound = 0;
  std::size_t contexts = 0;
  double tolerance = 0;
};

/// Rank of P itself: another matrix, without such a bound.
struct prob_rank_section {
  std::size_t rank = 0;
  double tolerance = 0;
};

struct rank_section {
  weights_rank weights;
  std::optional<log_prob_rank_section> log_prob;
  std::optional<prob_rank_section> prob;
};

/// Which tokens can be the unique argmax.
struct argmaxable_section {
  std::size_t tokens = 0;
  std::size_t argmaxable = 0;
  std::vector<std::size_t> unargmaxable;             ///< can never win alone
  std::vector<std::size_t> boundary;                 ///< those of them that can tie
  std::vector<std::size_t> boundary_undecided;       ///< those of them of which that is not known
  std::vector<std::vector<std::size_t>> duplicates;  ///< groups of equal rows
  std::vector<std::size_t> undecided;
  std::vector<double> residual;  ///< [undecided] how near to the hull of the others; +inf: not searched
  std::size_t certified = 0;     ///< verdicts whose certificate was re-verified
  double smallest_margin = 0;    ///< over argmaxable tokens
  std::size_t margin_token = 0;  ///< where it is
  std::string margin_kind;       ///< "exact" or "certified_lower"
};

/// The largest k such that every k tokens span a face.
struct neighborliness_section {
  std::size_t lower = 0;
  std::size_t upper = 0;
  std::size_t bound_2k = 0;  ///< the largest k that h >= min(2k, V - 1) allows
  std::string method;
  std::vector<std::size_t> violating_set;  ///< upper + 1 tokens that are no face, proved; empty where none is known
};

/// Dimensions that every distribution on k tokens needs; real values.
struct sensing_row {
  std::size_t k = 0;
  double necessary = 0;
  double weak_gaussian = 0;
};

/// How ambiguous the model's own distributions are, over the contexts.
struct ambiguity_section {
  std::size_t contexts = 0;
  double mean_entropy = 0;                           ///< [nats]
  double mean_effective_support = 0;                 ///< mean of exp(H)
  std::vector<std::pair<double, double>> quantiles;  ///< (probability, effective support)
};

/// How far the model is from a known truth.
struct divergence_section {
  double mean_kl = 0;            ///< [nats]
  double mean_over_entropy = 0;  ///< mean H(q) - H(p) [nats]
  double mean_leaked_mass = 0;   ///< mean q mass outside the support of p
};

/// When a single k-ambiguous context is learned by gradient flow.
struct learning_row {
  std::size_t k = 0;
  double half_leak_time = 0;  ///< flow time at which half the mass still leaks
  double late_prefactor = 0;  ///< KL ~ prefactor / t
};

/// @brief Everything one audit found.
struct head_report {
  head_section head;
  rank_section rank;
  argmaxable_section argmaxable;
  neighborliness_section neighborliness;
  std::vector<sensing_row> sensing;
  std::optional<ambiguity_section> ambiguity;
  std::optional<divergence_section> divergence;
  std::vector<learning_row> learning;
  std::vector<std::pair<std::string, double>> timing;  ///< section, wall seconds
};

}  // namespace v0
}  // namespace logitope

#endif
