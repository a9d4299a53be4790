// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_IO_LLAMA2C_HPP
#define LOGITOPE_IO_LLAMA2C_HPP

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../core/view.hpp"
#include "mapped_file.hpp"

/// @file
/// @brief A llama2.c checkpoint (version 0, float32) as views into the mapped file.

namespace logitope {
inline namespace v0 {

/// Sizes of the model, as the seven integers of the header give them.
struct llama2c_config {
  std::size_t dim = 0, hidden = 0, layers = 0, heads = 0, kv_heads = 0, vocabulary = 0, sequence = 0;
  bool tied = true;  ///< the classifier is the embedding
  [[nodiscard]] std::size_t head_size() const noexcept { return dim / heads; }
  [[nodiscard]] std::size_t kv_dim() const noexcept { return head_size() * kv_heads; }
};

}  // namespace v0

inline namespace LOGITOPE_ABI {

/// @brief A checkpoint whose every size was checked against the file's length before any weight is seen.
/// Matrices of all layers follow one another: those of layer l are `wq.block(l * dim, dim)` and so on.
/// @par Source Karpathy, llama2.c, `run.c` memory_map_weights
class llama2c_checkpoint {
 public:
  using weights = matrix_view<const float>;

  /// @param path  the .bin file
  /// @throws format_error "path: expected ..., found ..." if the header or the length is wrong
  explicit llama2c_checkpoint(std::string path) : file_(std::move(path)) {
    static_assert(std::endian::native == std::endian::little, "llama2.c files are little-endian");
    std::array<std::int32_t, 7> header{};
    if (file_.bytes().size() < sizeof header)
      refuse("a header of 28 bytes", std::to_string(file_.bytes().size()) + " bytes");
    std::memcpy(header.data(), file_.bytes().data(), sizeof header);
    config_.tied = header[5] > 0;
    constexpr std::array names{"dim", "hidden", "layers", "heads", "kv_heads", "vocabulary", "sequence"};
    std::array<std::size_t, 7> sizes{};
    for (std::size_t i = 0; i < 7; ++i) {
      const std::int64_t value = i == 5 && header[i] < 0 ? -std::int64_t{header[i]} : std::int64_t{header[i]};
      // Far above any model, and low enough that a product of two sizes cannot overflow; `take` checks the third.
      if (value < 1 || value > (1 << 24))
        refuse("a llama2.c file, with " + std::string(names[i]) + " in 1 .. 2^24", std::to_string(header[i]));
      sizes[i] = static_cast<std::size_t>(value);
    }
    config_ = {sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5], sizes[6], config_.tied};
    if (config_.dim % config_.heads != 0 || config_.head_size() % 2 != 0)
      refuse("heads that divide dim into even parts",
             std::to_string(config_.heads) + " heads of " + std::to_string(config_.dim));
    if (config_.heads % config_.kv_heads != 0)
      refuse("kv_heads that divide heads", std::to_string(config_.kv_heads) + " of " + std::to_string(config_.heads));

    left_ = (file_.bytes().size() - sizeof header) / sizeof(float);
    next_ = reinterpret_cast<const float*>(file_.bytes().data() + sizeof header);
    const auto& c = config_;
    embedding = take(1, c.vocabulary, c.dim, "the embedding");
    attention_norm = take(1, c.layers, c.dim, "attention norms");
    wq = take(c.layers, c.dim, c.dim, "wq");
    wk = take(c.layers, c.kv_dim(), c.dim, "wk");
    wv = take(c.layers, c.kv_dim(), c.dim, "wv");
    wo = take(c.layers, c.dim, c.dim, "wo");
    ffn_norm = take(1, c.layers, c.dim, "feed-forward norms");
    w1 = take(c.layers, c.hidden, c.dim, "w1");
    w2 = take(c.layers, c.dim, c.hidden, "w2");
    w3 = take(c.layers, c.hidden, c.dim, "w3");
    final_norm = take(1, 1, c.dim, "the final norm");
    // Rotary tables of older versions: present in the file, computed anew by every reader.
    static_cast<void>(take(1, c.sequence, c.head_size(), "rotary tables"));
    classifier = c.tied ? embedding : take(1, c.vocabulary, c.dim, "the classifier");
    const std::size_t used = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(next_) - file_.bytes().data());
    if (used != file_.bytes().size())
      refuse("a file of " + std::to_string(used) + " bytes", std::to_string(file_.bytes().size()));
  }

  [[nodiscard]] const llama2c_config& config() const noexcept { return config_; }

  weights embedding, attention_norm, wq, wk, wv, wo, ffn_norm, w1, w2, w3, final_norm, classifier;

 private:
  [[noreturn]] void refuse(const std::string& expected, const std::string& found) const {
    detail::raise<format_error>(file_.path() + ": expected " + expected + ", found " + found);
  }
  weights take(std::size_t blocks, std::size_t rows, std::size_t cols, const char* what) {
    std::size_t count = 0;
    if (__builtin_mul_overflow(blocks, rows, &rows) || __builtin_mul_overflow(rows, cols, &count) || count > left_)
      refuse(std::string("all of ") + what, "a file of " + std::to_string(file_.bytes().size()) + " bytes, too short");
    const weights view(next_, rows, cols);
    next_ += count;
    left_ -= count;
    return view;
  }

  mapped_file file_;
  llama2c_config config_;
  const float* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
