// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_AUDIT_FIT_DENSE_HPP
#define LOGITOPE_AUDIT_FIT_DENSE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../core/executor.hpp"
#include "../core/matrix.hpp"
#include "../core/progress.hpp"
#include "../core/workspace.hpp"
#include "../heads/dense.hpp"
#include "../loss/kl.hpp"
#include "../optimise/lbfgs.hpp"
#include "../random/normal.hpp"
#include "../random/philox.hpp"

/// @file
/// @brief The best dense head of a given dimension for a known truth: what an audit of a trained head starts from.

namespace logitope {
inline namespace v0 {

/// How long `fit_dense` searches.
struct fit_options {
  std::size_t starts = 4;             ///< seeded starts, each run for `screening` iterations
  std::size_t screening = 300;        ///< iterations of each start
  std::size_t max_iterations = 2500;  ///< further iterations of the best start
  double gradient_tolerance = 1e-7;   ///< on the largest component of the gradient of the mean KL
  double initial_scale = 0.5;         ///< standard deviation of the entries of W and H at the start
  std::uint64_t seed = 1;
};

}  // namespace v0

inline namespace LOGITOPE_ABI {

/// A head, the hidden state of every context, and how far their distributions are from the truth.
struct fitted_head {
  matrix<double> weights;        ///< W [V, D]
  matrix<double> hidden;         ///< H [N, D]
  double mean_kl = 0;            ///< [nats], contexts weighted equally
  double gradient_norm = 0;      ///< largest component of the gradient of the mean KL at the end
  std::size_t iterations = 0;    ///< of the best start
  std::vector<double> screened;  ///< mean KL of every start after its screening
};

/// @brief Trains W and one hidden state per context to the smallest mean KL that several seeded starts find.
///
/// \f[ \min_{W, H} \frac1N \sum_{i=1}^{N} \mathrm{KL}\bigl(p_i \,\|\, \mathrm{softmax}(W h_i)\bigr) \f]
/// by L-BFGS on the exact gradient. Not convex: every start ends in its own optimum, the best one goes on.
///
/// @param truth   [N, V] rows of probabilities
/// @param D       dimension of the head, at least 1
/// @param options starts, iterations, seed
/// @param watch   progress sink
/// @return the best head found
/// @throws shape_error, value_error for an empty truth, D = 0, or a row that is no distribution
/// @par Cost about 6 N V D flops an iteration; memory 2 (memory + 4) (N + V) D doubles
/// @par Accuracy no optimality claim; phone 3-gram, D = 16: mean KL <= .062 nats (tests/audit/fit_dense.cpp)
/// @par Source joint factorisation of log P under the softmax bottleneck: Yang et al. 2018, arXiv:1711.03953
template <progress_sink Progress = no_progress>
[[nodiscard]] fitted_head fit_dense(matrix_view<const double> truth, std::size_t D, const fit_options& options = {},
                                    Progress&& watch = {}) {
  const std::size_t N = truth.rows(), V = truth.cols();
  if (truth.empty()) detail::raise<value_error>("fit_dense: expected at least one context and one token, got none");
  if (D == 0) detail::raise<value_error>("fit_dense: expected a dimension of at least 1, got 0");
  if (options.starts == 0) detail::raise<value_error>("fit_dense: expected at least 1 start, got 0");

  workspace_memory memory(kl_workspace<default_policy, double>(N, V, D, 1));
  const auto mean_kl = [&](std::span<const double> x, std::span<double> gradient) {
    const matrix_view<const double> H(x.data(), N, D), W(x.data() + N * D, V, D);
    const matrix_view<double> dH(gradient.data(), N, D), dW(gradient.data() + N * D, V, D);
    workspace ws = memory.get();
    const double sum = kl_divergence_grad<default_policy>(dense_head<double>(W), H, truth, dH, dW, ws);
    const double scale = 1.0 / static_cast<double>(N);
    for (double& g : gradient) g *= scale;
    return sum * scale;
  };

  fitted_head best;
  std::vector<double> x((N + V) * D), best_x;
  const auto descend = [&](const std::string& stage, std::size_t iterations) {
    lbfgs_options search;
    search.max_iterations = iterations;
    search.gradient_tolerance = options.gradient_tolerance;
    return lbfgs(mean_kl, std::span<double>(x), search, [&](const progress_report& report) {
      watch(progress_report{stage.c_str(), report.done, report.total});
    });
  };
  for (std::size_t start = 0; start < options.starts; ++start) {
    philox draws(options.seed, start);
    standard_normal(draws, std::span<double>(x));
    for (double& value : x) value *= options.initial_scale;
    const std::string stage = "training, start " + std::to_string(start + 1) + " of " + std::to_string(options.starts);
    best.screened.push_back(descend(stage, options.screening).value);
    if (best.screened.back() == *std::min_element(best.screened.begin(), best.screened.end())) best_x = x;
  }
  x = std::move(best_x);
  const lbfgs_result end = descend("training, best start", options.max_iterations);
  best.mean_kl = end.value;
  best.gradient_norm = end.gradient_norm;
  best.iterations = end.iterations;
  best.hidden = matrix<double>(N, D);
  best.weights = matrix<double>(V, D);
  std::copy_n(x.begin(), N * D, best.hidden.values().begin());
  std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(N * D), V * D, best.weights.values().begin());
  return best;
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
