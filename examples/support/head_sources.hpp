// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_EXAMPLES_SUPPORT_HEAD_SOURCES_HPP
#define LOGITOPE_EXAMPLES_SUPPORT_HEAD_SOURCES_HPP

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "logitope/audit/fit_dense.hpp"
#include "logitope/audit/head_audit.hpp"
#include "logitope/corpus/arpa.hpp"
#include "logitope/corpus/ngram.hpp"
#include "logitope/corpus/zipf.hpp"
#include "logitope/io/llama2c.hpp"
#include "logitope/io/npy.hpp"
#include "logitope/random/normal.hpp"
#include "logitope/random/philox.hpp"
#include "models/llama.hpp"
#include "models/tokenizer.hpp"

/// @file
/// @brief Where a head comes from: files, a model run forward, a truth it is trained on, or chance.

namespace support {

/// What the command line asked for; an empty name means: not asked.
struct head_request {
  std::string arpa, weights, bias, hidden, llama2c, tokenizer;
  bool zipf = false;
  std::vector<std::size_t> random;  ///< V, D
  std::size_t dimension = 16;
  std::size_t contexts = 256;
  std::uint64_t seed = 1;
};

/// A head, and a few lines on how it came about.
struct loaded_head {
  logitope::head_input head;
  std::string story;
};

/// A head trained on a known truth, with its contexts.
template <class Progress>
[[nodiscard]] loaded_head trained_head(logitope::ngram_truth truth, const std::string& source,
                                       const head_request& request, Progress& watch) {
  logitope::fit_options options;
  options.seed = request.seed;
  logitope::fitted_head fit = logitope::fit_dense(truth.conditionals.view(), request.dimension, options, watch);
  std::string story = fmt::format(
      "Truth: {} contexts over {} symbols (rows summed to 1 within {:.1e} before normalising)\n"
      "Trained: mean KL {:.5f} nats after {} iterations of the best of {} starts (after screening:",
      truth.contexts.size(), truth.symbols.size(), truth.worst_sum_error, fit.mean_kl, fit.iterations, options.starts);
  for (const double kl : fit.screened) story += fmt::format(" {:.4f}", kl);
  loaded_head out;
  out.head.weights = std::move(fit.weights);
  out.head.hidden = std::move(fit.hidden);
  out.head.truth = std::move(truth.conditionals);
  out.head.source = source;
  out.story = story + ")\n";
  return out;
}

/// Every number of a file is finite.
inline void require_finite_file(const std::string& path, logitope::matrix_view<const double> A) {
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j)
      if (!std::isfinite(A(i, j)))
        throw logitope::value_error(
            fmt::format("{}: expected finite numbers, found {} at row {}, column {}", path, A(i, j), i, j));
}

/// A matrix of finite numbers from a .npy file of two axes.
[[nodiscard]] inline logitope::matrix<double> npy_matrix(const std::string& path, const char* axes) {
  const std::size_t found = logitope::npy_info(path).shape.size();
  if (found != 2) throw logitope::format_error(fmt::format("{}: expected 2 axes {}, found {}", path, axes, found));
  auto A = logitope::read_npy<double>(path, logitope::npy_types::convert);
  require_finite_file(path, A);
  return A;
}

/// Weights, and perhaps bias and hidden states, from .npy files.
[[nodiscard]] inline loaded_head npy_head(const head_request& request) {
  loaded_head out;
  out.head.source = request.weights;
  const std::string dtype = logitope::npy_info(request.weights).dtype;
  out.head.dtype = dtype.ends_with("f8") ? "float64" : dtype.ends_with("f4") ? "float32" : "float16";
  out.head.weights = npy_matrix(request.weights, "[V, h]");
  const std::size_t V = out.head.weights.rows(), D = out.head.weights.cols();
  if (!request.bias.empty()) {
    out.head.bias = logitope::read_npy_vector<double>(request.bias, logitope::npy_types::convert);
    const std::size_t n = out.head.bias.size();
    if (n != V) throw logitope::shape_error(fmt::format("{}: expected {} numbers, found {}", request.bias, V, n));
    require_finite_file(request.bias, {out.head.bias.data(), 1, n});
  }
  if (!request.hidden.empty()) {
    out.head.hidden = npy_matrix(request.hidden, "[N, h]");
    const auto& H = out.head.hidden;
    if (H.rows() == 0 || H.cols() != D)
      throw logitope::shape_error(fmt::format("{}: expected [N, h] with N >= 1 and h = {}, found [{}, {}]",
                                              request.hidden, D, H.rows(), H.cols()));
  }
  return out;
}

/// The float matrix as doubles, exactly.
[[nodiscard]] inline logitope::matrix<double> widened(logitope::matrix_view<const float> A) {
  logitope::matrix<double> out(A.rows(), A.cols());
  for (std::size_t i = 0; i < A.rows(); ++i) std::copy_n(A.row_data(i), A.cols(), out.row(i).begin());
  return out;
}

/// The head of a small language model and the hidden states of its own greedy text.
[[nodiscard]] inline loaded_head llama2c_head(const head_request& request) {
  const logitope::llama2c_checkpoint checkpoint(request.llama2c);
  models::llama model(checkpoint);
  const models::greedy_contexts contexts = models::collect_contexts(model, request.contexts);
  loaded_head out;
  out.head.source = request.llama2c;
  out.head.dtype = "float32";
  out.head.tied = checkpoint.config().tied;
  out.head.weights = widened(checkpoint.classifier);
  out.head.hidden = widened(contexts.H.view());
  if (!request.tokenizer.empty()) {
    const models::tokenizer pieces(request.tokenizer, checkpoint.config().vocabulary);
    const std::string text = pieces.decode(contexts.tokens);
    const std::size_t first = text.find_first_not_of(" \n");
    out.story = fmt::format("It writes: {} ...\n", first == std::string::npos ? "" : text.substr(first));
  }
  return out;
}

/// A head of independent standard normal weights.
[[nodiscard]] inline loaded_head gaussian_head(const head_request& request) {
  const std::size_t V = request.random.at(0), D = request.random.at(1);
  if (D != 0 && V > (std::size_t{1} << 34) / D)
    throw logitope::value_error(fmt::format("--random: expected V x h of at most 2^34 weights, found {} x {}", V, D));
  loaded_head out;
  out.head.source = fmt::format("Gaussian, seed {}", request.seed);
  out.head.weights = logitope::matrix<double>(V, D);
  logitope::philox draws(request.seed);
  logitope::standard_normal(draws, out.head.weights.values());
  return out;
}

/// A head trained on the contexts of an ARPA file; what is wrong with the model is told with the file's name.
template <class Progress>
[[nodiscard]] loaded_head arpa_head(const head_request& request, Progress& watch) {
  const logitope::arpa_model model = logitope::read_arpa(request.arpa);
  try {
    return trained_head(logitope::trigram_truth(model), request.arpa, request, watch);
  } catch (const logitope::error& error) {
    throw logitope::error(request.arpa + ": " + error.what());
  }
}

/// @throws logitope::error naming the file or the option, what was expected and what was found
template <class Progress>
[[nodiscard]] loaded_head load_head(const head_request& request, Progress& watch) {
  if (!request.arpa.empty()) return arpa_head(request, watch);
  if (request.zipf)
    return trained_head(logitope::zipf_truth(41, 400, request.seed),
                        fmt::format("Zipf 3-gram source, seed {}", request.seed), request, watch);
  if (!request.weights.empty()) return npy_head(request);
  if (!request.llama2c.empty()) return llama2c_head(request);
  return gaussian_head(request);
}

}  // namespace support

#endif
