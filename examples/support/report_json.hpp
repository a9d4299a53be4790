// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_EXAMPLES_SUPPORT_REPORT_JSON_HPP
#define LOGITOPE_EXAMPLES_SUPPORT_REPORT_JSON_HPP

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "logitope/audit/report.hpp"
#include "logitope/core/info.hpp"
#include "logitope/interop/xtensor.hpp"
#include "logitope/simd/arch.hpp"

/// @file
/// @brief A head report as JSON; the keys are an interface: more may be added, none renamed.

namespace support {

using json = nlohmann::ordered_json;

/// A number, or the strings "inf", "-inf", "nan", which JSON has no numbers for.
[[nodiscard]] inline json number(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  return x;
}

[[nodiscard]] inline std::string version_text(const std::array<int, 3>& v) {
  return fmt::format("{}.{}.{}", v[0], v[1], v[2]);
}

[[nodiscard]] inline json rank_json(const logitope::rank_section& rank) {
  json out;
  out["weights"] = {{"rank", rank.weights.rank},
                    {"tolerance", number(rank.weights.tolerance)},
                    {"condition", number(rank.weights.condition)}};
  if (rank.log_prob)
    out["log_prob"] = {{"rank", rank.log_prob->rank},
                       {"bound", rank.log_prob->bound},
                       {"contexts", rank.log_prob->contexts},
                       {"tolerance", number(rank.log_prob->tolerance)}};
  if (rank.prob) out["prob"] = {{"rank", rank.prob->rank}, {"tolerance", number(rank.prob->tolerance)}};
  return out;
}

[[nodiscard]] inline json to_json(const logitope::head_report& report) {
  json out;
  const logitope::instruction_set_info isa = logitope::instruction_set();
  out["logitope"] = {{"version", logitope::version},
                     {"isa", isa.name},
                     {"lanes", isa.lanes},
                     {"xtensor", version_text(logitope::xtensor_version)},
                     {"xsimd", version_text(logitope::xsimd_version)}};
  out["head"] = {
      {"vocabulary", report.head.vocabulary}, {"dimension", report.head.dimension}, {"bias", report.head.bias},
      {"dtype", report.head.dtype},           {"source", report.head.source},       {"tied", report.head.tied}};
  out["rank"] = rank_json(report.rank);
  const auto& a = report.argmaxable;
  json residual = json::array();
  for (const double distance : a.residual) residual.push_back(number(distance));
  out["argmaxable"] = {{"tokens", a.tokens},
                       {"argmaxable", a.argmaxable},
                       {"unargmaxable", a.unargmaxable},
                       {"boundary", a.boundary},
                       {"boundary_undecided", a.boundary_undecided},
                       {"duplicates", a.duplicates},
                       {"undecided", a.undecided},
                       {"residual", residual},
                       {"certified", a.certified},
                       {"smallest_margin", number(a.smallest_margin)},
                       {"margin_token", a.margin_token},
                       {"margin_kind", a.margin_kind}};
  out["neighborliness"] = {{"lower", report.neighborliness.lower},
                           {"upper", report.neighborliness.upper},
                           {"bound_2k", report.neighborliness.bound_2k},
                           {"method", report.neighborliness.method},
                           {"violating_set", report.neighborliness.violating_set}};
  out["sensing"] = json::array();
  for (const auto& row : report.sensing)
    out["sensing"].push_back(
        {{"k", row.k},
         {"required", {{"necessary", number(row.necessary)}, {"weak_gaussian", number(row.weak_gaussian)}}}});
  if (report.ambiguity) {
    json quantiles = json::array();
    for (const auto& [probability, support] : report.ambiguity->quantiles)
      quantiles.push_back({{"probability", probability}, {"effective_support", number(support)}});
    out["ambiguity"] = {{"contexts", report.ambiguity->contexts},
                        {"mean_entropy", number(report.ambiguity->mean_entropy)},
                        {"mean_effective_support", number(report.ambiguity->mean_effective_support)},
                        {"quantiles", quantiles}};
  }
  if (report.divergence)
    out["divergence"] = {{"mean_kl", number(report.divergence->mean_kl)},
                         {"mean_over_entropy", number(report.divergence->mean_over_entropy)},
                         {"mean_leaked_mass", number(report.divergence->mean_leaked_mass)}};
  out["learning"] = json::array();
  for (const auto& row : report.learning)
    out["learning"].push_back(
        {{"k", row.k}, {"half_leak_time", number(row.half_leak_time)}, {"late_prefactor", number(row.late_prefactor)}});
  for (const auto& [section, seconds] : report.timing) out["timing"][section] = seconds;
  return out;
}

}  // namespace support

#endif
