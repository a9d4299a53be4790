// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_EXAMPLES_MODELS_LLAMA_HPP
#define LOGITOPE_EXAMPLES_MODELS_LLAMA_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "logitope/core/error.hpp"
#include "logitope/core/matrix.hpp"
#include "logitope/io/llama2c.hpp"

/// @file
/// @brief A small llama run forward in plain float32, for the hidden states its head sees.

namespace models {

using row = std::span<const float>;

inline float dot(row a, row b) {
  float sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
inline void multiply(logitope::matrix_view<const float> W, row x, std::span<float> out) {
  for (std::size_t i = 0; i < W.rows(); ++i) out[i] = dot(W.row(i), x);
}
inline void rms_norm(row x, row weight, std::span<float> out) {
  const float scale = 1.0f / std::sqrt(dot(x, x) / static_cast<float>(x.size()) + 1e-5f);
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = weight[i] * (scale * x[i]);
}
inline void softmax(std::span<float> z) {
  const float top = *std::max_element(z.begin(), z.end());
  float sum = 0;
  for (float& v : z) sum += v = std::exp(v - top);
  for (float& v : z) v /= sum;
}

/// @brief RMSNorm, rotary positions, grouped-query attention and SwiGLU, one token at a time with a key-value cache.
/// @par Source Touvron et al. 2023, arXiv 2302.13971; Karpathy, llama2.c
class llama {
 public:
  /// The checkpoint must outlive the model.
  explicit llama(const logitope::llama2c_checkpoint& weights)
      : w_(weights),
        c_(weights.config()),
        keys_(c_.layers * c_.sequence, c_.kv_dim()),
        values_(c_.layers * c_.sequence, c_.kv_dim()) {}

  [[nodiscard]] const logitope::llama2c_config& config() const noexcept { return c_; }

  /// @brief The hidden state after `token` at `position`, final norm included: what the classifier multiplies.
  [[nodiscard]] std::vector<float> forward(std::size_t token, std::size_t position) {
    if (token >= c_.vocabulary || position >= c_.sequence)
      throw logitope::value_error("llama: expected a token and a position of the model, got " + std::to_string(token) +
                                  " and " + std::to_string(position));
    const auto start = w_.embedding.row(token);
    std::vector<float> x(start.begin(), start.end()), normed(c_.dim), mixed(c_.dim), q(c_.dim), out(c_.dim);
    std::vector<float> gate(c_.hidden), up(c_.hidden);
    for (std::size_t l = 0; l < c_.layers; ++l) {
      rms_norm(x, w_.attention_norm.row(l), normed);
      const auto k = keys_.row(l * c_.sequence + position);
      multiply(w_.wq.block(l * c_.dim, c_.dim), normed, q);
      multiply(w_.wk.block(l * c_.kv_dim(), c_.kv_dim()), normed, k);
      multiply(w_.wv.block(l * c_.kv_dim(), c_.kv_dim()), normed, values_.row(l * c_.sequence + position));
      rotate(q, position);
      rotate(k, position);
      attend(l, position, q, mixed);
      multiply(w_.wo.block(l * c_.dim, c_.dim), mixed, out);
      for (std::size_t i = 0; i < c_.dim; ++i) x[i] += out[i];

      rms_norm(x, w_.ffn_norm.row(l), normed);
      multiply(w_.w1.block(l * c_.hidden, c_.hidden), normed, gate);
      multiply(w_.w3.block(l * c_.hidden, c_.hidden), normed, up);
      for (std::size_t i = 0; i < c_.hidden; ++i) gate[i] *= up[i] / (1.0f + std::exp(-gate[i]));
      multiply(w_.w2.block(l * c_.dim, c_.dim), gate, out);
      for (std::size_t i = 0; i < c_.dim; ++i) x[i] += out[i];
    }
    rms_norm(x, w_.final_norm.row(0), normed);
    return normed;
  }

  /// The likeliest token after a hidden state; the first of equals.
  [[nodiscard]] std::size_t likeliest(row hidden) const {
    std::vector<float> logits(c_.vocabulary);
    multiply(w_.classifier, hidden, logits);
    return static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
  }

 private:
  /// Turns each pair of a head by position / 10000^(2i / head size).
  void rotate(std::span<float> v, std::size_t position) const {
    for (std::size_t i = 0; i < v.size(); i += 2) {
      const auto share = static_cast<float>(i % c_.head_size()) / static_cast<float>(c_.head_size());
      const float angle = static_cast<float>(position) / std::pow(10000.0f, share);
      const float a = v[i], b = v[i + 1];
      v[i] = a * std::cos(angle) - b * std::sin(angle);
      v[i + 1] = a * std::sin(angle) + b * std::cos(angle);
    }
  }
  void attend(std::size_t layer, std::size_t position, row q, std::span<float> mixed) const {
    const std::size_t size = c_.head_size();
    std::vector<float> share(position + 1);
    std::fill(mixed.begin(), mixed.end(), 0.0f);
    for (std::size_t head = 0; head < c_.heads; ++head) {
      const std::size_t from = head / (c_.heads / c_.kv_heads) * size;
      for (std::size_t t = 0; t <= position; ++t)
        share[t] = dot(q.subspan(head * size, size), keys_.row(layer * c_.sequence + t).subspan(from, size)) /
                   std::sqrt(static_cast<float>(size));
      softmax(share);
      for (std::size_t t = 0; t <= position; ++t)
        for (std::size_t i = 0; i < size; ++i)
          mixed[head * size + i] += share[t] * values_(layer * c_.sequence + t, from + i);
    }
  }

  const logitope::llama2c_checkpoint& w_;
  logitope::llama2c_config c_;
  logitope::matrix<float> keys_, values_;
};

/// Hidden states and the tokens read to reach them: H(i) is the state after reading tokens[i].
struct greedy_contexts {
  logitope::matrix<float> H;        ///< [n, dim]
  std::vector<std::size_t> tokens;  ///< [n]
};

/// @brief n contexts of greedy decoding from token 1, which starts again after a story's end (1 or 2) or a full window.
[[nodiscard]] inline greedy_contexts collect_contexts(llama& model, std::size_t n) {
  greedy_contexts found{logitope::matrix<float>(n, model.config().dim), {}};
  std::size_t token = 1, position = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto hidden = model.forward(token, position);
    std::copy(hidden.begin(), hidden.end(), found.H.row(i).begin());
    found.tokens.push_back(token);
    token = model.likeliest(hidden);
    if (++position == model.config().sequence || token == 1 || token == 2) token = 1, position = 0;
  }
  return found;
}

}  // namespace models

#endif
