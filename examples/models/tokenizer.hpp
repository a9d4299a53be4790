// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_EXAMPLES_MODELS_TOKENIZER_HPP
#define LOGITOPE_EXAMPLES_MODELS_TOKENIZER_HPP

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "logitope/core/error.hpp"
#include "logitope/io/mapped_file.hpp"

/// @file
/// @brief The pieces of a llama2.c tokenizer, for showing what a model writes.

namespace models {

/// Pieces of the vocabulary; reads int32 longest, then (float32 score, int32 length, bytes) for each piece.
class tokenizer {
 public:
  /// @throws logitope::format_error "path: expected ..., found ..."
  tokenizer(const std::string& path, std::size_t vocabulary) {
    const logitope::mapped_file file(path);
    auto left = file.bytes();
    const auto refuse = [&](const std::string& expected, const std::string& found) {
      throw logitope::format_error(path + ": expected " + expected + ", found " + found);
    };
    const auto integer = [&] {
      if (left.size() < 4)
        refuse(std::to_string(vocabulary) + " pieces", "the end after " + std::to_string(pieces_.size()));
      std::int32_t value = 0;
      std::memcpy(&value, left.data(), 4);
      left = left.subspan(4);
      return value;
    };
    const std::int32_t longest = integer();
    for (std::size_t i = 0; i < vocabulary; ++i) {
      static_cast<void>(integer());  // the score, which only encoding needs
      const std::int32_t length = integer();
      if (length < 0 || length > longest || static_cast<std::size_t>(length) > left.size())
        refuse("a piece within the file and no longer than " + std::to_string(longest), std::to_string(length));
      const auto n = static_cast<std::size_t>(length);
      pieces_.emplace_back(reinterpret_cast<const char*>(left.data()), n);
      left = left.subspan(n);
    }
    if (!left.empty())
      refuse("the end after " + std::to_string(vocabulary) + " pieces", std::to_string(left.size()) + " bytes more");
  }

  [[nodiscard]] std::size_t size() const noexcept { return pieces_.size(); }

  /// Text of `token` after `previous`: the start token swallows one space, <0xXX> is a byte.
  /// @throws logitope::value_error if there is no such token
  [[nodiscard]] std::string piece(std::size_t previous, std::size_t token) const {
    if (token >= size())
      throw logitope::value_error("tokenizer: expected a token below " + std::to_string(size()) + ", got " +
                                  std::to_string(token));
    const std::string& text = pieces_[token];
    if (previous == 1 && text.starts_with(' ')) return text.substr(1);
    if (text.size() == 6 && text.starts_with("<0x") && text.back() == '>') {
      unsigned byte = 0;
      const auto [end, error] = std::from_chars(text.data() + 3, text.data() + 5, byte, 16);
      if (error == std::errc() && end == text.data() + 5) return std::string(1, static_cast<char>(byte));
    }
    return text;
  }

  /// Text of a run of tokens; 1 and 2 start and end a story and have no text of their own.
  [[nodiscard]] std::string decode(std::span<const std::size_t> tokens) const {
    std::string text;
    std::size_t previous = 0;
    for (const std::size_t token : tokens) {
      if (token > 2) text += piece(previous, token);
      previous = token;
    }
    return text;
  }

 private:
  std::vector<std::string> pieces_;
};

}  // namespace models

#endif
