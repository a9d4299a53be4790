// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_EXAMPLES_SUPPORT_REPORT_TEXT_HPP
#define LOGITOPE_EXAMPLES_SUPPORT_REPORT_TEXT_HPP

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "logitope/audit/report.hpp"
#include "table.hpp"

/// @file
/// @brief A head report as a page for a terminal: what it can say, how ambiguous it is, what it will learn.

namespace support {

/// "3 tokens: 4 17 108"; long lists are cut and say so.
[[nodiscard]] inline std::string ids(const std::vector<std::size_t>& tokens) {
  if (tokens.empty()) return "none";
  std::string out = fmt::format("{}:", tokens.size());
  for (std::size_t i = 0; i < tokens.size() && i < 12; ++i) out += fmt::format(" {}", tokens[i]);
  if (tokens.size() > 12) out += " ... (all in the JSON)";
  return out;
}

[[nodiscard]] inline std::string rank_text(const logitope::rank_section& rank) {
  table t({"rank of", "rank", "at most", "tolerance"});
  t.add({"weights W", fmt::format("{}", rank.weights.rank), "", fmt::format("{:.1e}", rank.weights.tolerance)});
  if (rank.log_prob)
    t.add({fmt::format("log P over {} context{}", rank.log_prob->contexts, rank.log_prob->contexts == 1 ? "" : "s"),
           fmt::format("{}", rank.log_prob->rank), fmt::format("{}", rank.log_prob->bound),
           fmt::format("{:.1e}", rank.log_prob->tolerance)});
  if (rank.prob)
    t.add({"P itself", fmt::format("{}", rank.prob->rank), "no bound", fmt::format("{:.1e}", rank.prob->tolerance)});
  return t.text() + fmt::format("  condition of W  {:.4g}\n", rank.weights.condition);
}

[[nodiscard]] inline std::string argmaxable_text(const logitope::argmaxable_section& a, bool bias) {
  std::vector<std::pair<std::string, std::string>> lines{
      {"can win alone", fmt::format("{} of {} tokens ({} verdicts re-verified)", a.argmaxable, a.tokens, a.certified)},
      {"can never win alone", ids(a.unargmaxable)},
      {"of those, can tie", ids(a.boundary)},
      {"of those, may tie or not", ids(a.boundary_undecided)},
      {"groups of equal rows", fmt::format("{}", a.duplicates.size())},
      {"undecided", ids(a.undecided)}};
  if (a.boundary_undecided.empty()) lines.erase(lines.begin() + 3);
  if (!a.residual.empty()) {
    const auto [least, most] = std::minmax_element(a.residual.begin(), a.residual.end());
    lines.emplace_back("their distance to the hull of the others",
                       fmt::format("{:.3g} .. {:.3g} (found; inf: not searched)", *least, *most));
  }
  if (a.argmaxable > 0)
    lines.emplace_back("smallest margin", fmt::format("{:.4g} at token {} ({}{})", a.smallest_margin, a.margin_token,
                                                      a.margin_kind, bias ? "; of W without the bias" : ""));
  return listing(lines);
}

[[nodiscard]] inline std::string to_text(const logitope::head_report& report) {
  const auto& head = report.head;
  std::string out = fmt::format("Head audit: {}\n  {} tokens x dimension {}, {}{}{}\n", head.source, head.vocabulary,
                                head.dimension, head.dtype, head.bias ? ", bias" : "", head.tied ? ", tied" : "");
  out += "\nWhat rank has it?\n" + rank_text(report.rank);
  out += "\nWhich tokens can win?\n" + argmaxable_text(report.argmaxable, head.bias);
  const auto& n = report.neighborliness;
  out += "\nWhich sets of k tokens can share the mass in any proportion?\n";
  out += n.lower == n.upper
             ? fmt::format("  all of them up to k = {} ({})\n", n.lower, n.method)
             : fmt::format("  all of them up to some k between {} and {} ({})\n", n.lower, n.upper, n.method);
  if (!n.violating_set.empty()) out += fmt::format("  no face, proved  {}\n", ids(n.violating_set));
  out += fmt::format("  at most k = {}, because h >= min(2k, V - 1)\n", n.bound_2k);
  if (!report.sensing.empty()) {
    out += "\nWhich dimension do k tokens need, and when is one context learned?\n";
    table t({"k", "h necessary", "h Gaussian, typical", "half of the mass leaks until t", "late KL"});
    for (std::size_t i = 0; i < report.sensing.size(); ++i) {
      const auto& s = report.sensing[i];
      const auto& l = report.learning.at(i);
      t.add({fmt::format("{}", s.k), fmt::format("{:g}", s.necessary), fmt::format("{:.4f}", s.weak_gaussian),
             fmt::format("{:.5g}", l.half_leak_time), fmt::format("{:.5g} / t", l.late_prefactor)});
    }
    out += t.text();
  }
  if (report.ambiguity) {
    const auto& m = *report.ambiguity;
    out += fmt::format("\nHow ambiguous is it over {} context{}?\n", m.contexts, m.contexts == 1 ? "" : "s");
    std::string quantiles;
    for (const auto& [probability, support] : m.quantiles)
      quantiles += fmt::format("{}{:g}%: {:.2f}", quantiles.empty() ? "" : "   ", 100 * probability, support);
    out += listing({{"mean entropy", fmt::format("{:.4f} nats", m.mean_entropy)},
                    {"mean effective support exp(H)", fmt::format("{:.3f} tokens", m.mean_effective_support)},
                    {"its quantiles", quantiles}});
  }
  if (report.divergence) {
    const auto& d = *report.divergence;
    out += "\nHow far is it from the truth?\n";
    out += listing({{"mean KL", fmt::format("{:.5f} nats", d.mean_kl)},
                    {"mean over-entropy", fmt::format("{:.5f} nats (equals KL at an optimum)", d.mean_over_entropy)},
                    {"mean leaked mass", fmt::format("{:.3g}", d.mean_leaked_mass)}});
  }
  out += "\nSeconds:";
  for (const auto& [section, seconds] : report.timing) out += fmt::format("  {} {:.2f}", section, seconds);
  return out + "\n";
}

}  // namespace support

#endif
