// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/io/llama2c.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "io/scratch.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {
/// A header and the numbers 0, 1, 2, ...
std::string checkpoint(const std::array<std::int32_t, 7>& header, std::size_t numbers) {
  std::string file(reinterpret_cast<const char*>(header.data()), sizeof header);
  for (std::size_t i = 0; i < numbers; ++i) {
    const auto x = static_cast<float>(i);
    file.append(reinterpret_cast<const char*>(&x), 4);
  }
  return file;
}
/// dim 2, hidden 1, one layer, one head, 3 tokens, 1 position: 36 numbers, and 6 more where untied.
std::string checkpoint(std::int32_t vocabulary, std::size_t numbers) {
  return checkpoint({2, 1, 1, 1, 1, vocabulary, 1}, numbers);
}
}  // namespace

BOOST_AUTO_TEST_SUITE(io_llama2c)

BOOST_AUTO_TEST_CASE(every_layer_of_every_weight_lies_where_the_format_puts_it) {
  const scratch s;
  // dim 4, hidden 3, two layers, two heads on one key-value head, 3 tokens of their own classifier, 2 positions.
  const lt::llama2c_checkpoint w(s.file(checkpoint({4, 3, 2, 2, 1, -3, 2}, 216)));
  BOOST_TEST(w.config().head_size() == 2u);
  BOOST_TEST(w.config().kv_dim() == 2u);
  BOOST_TEST((w.config().dim == 4 && w.config().hidden == 3 && w.config().layers == 2 && w.config().heads == 2 &&
              w.config().kv_heads == 1 && w.config().vocabulary == 3 && w.config().sequence == 2));
  const auto at = [](const char* name, const lt::llama2c_checkpoint::weights& m, std::size_t rows, std::size_t cols,
                     float first) {
    BOOST_TEST_CONTEXT(name) {
      BOOST_TEST(m.rows() == rows);
      BOOST_TEST(m.cols() == cols);
      BOOST_TEST(m(0, 0) == first);
      BOOST_TEST(m(rows - 1, cols - 1) == first + static_cast<float>(rows * cols - 1));
    }
  };
  at("embedding", w.embedding, 3, 4, 0);
  at("attention norms", w.attention_norm, 2, 4, 12);
  at("wq", w.wq, 8, 4, 20);
  at("wk", w.wk, 4, 4, 52);
  at("wv", w.wv, 4, 4, 68);
  at("wo", w.wo, 8, 4, 84);
  at("feed-forward norms", w.ffn_norm, 2, 4, 116);
  at("w1", w.w1, 6, 4, 124);
  at("w2", w.w2, 8, 3, 148);
  at("w3", w.w3, 6, 4, 172);
  at("final norm", w.final_norm, 1, 4, 196);
  at("classifier", w.classifier, 3, 4, 204);  // after 2 x 2 rotary numbers
}

BOOST_AUTO_TEST_CASE(views_outlive_a_move_of_the_checkpoint) {
  const scratch s;
  lt::llama2c_checkpoint first(s.file(checkpoint(3, 36)));
  const lt::llama2c_checkpoint second(std::move(first));
  BOOST_TEST(second.wq(1, 1) == 11.0f);
}

BOOST_AUTO_TEST_CASE(weights_lie_in_the_order_of_the_format) {
  const scratch s;
  const lt::llama2c_checkpoint tied(s.file(checkpoint(3, 36)));
  BOOST_TEST((tied.config().tied && tied.classifier.data() == tied.embedding.data()));
  BOOST_TEST(tied.attention_norm(0, 0) == 6.0f);
  BOOST_TEST(tied.wq(0, 0) == 8.0f);
  BOOST_TEST(tied.ffn_norm(0, 0) == 24.0f);
  BOOST_TEST(tied.w1(0, 0) == 26.0f);
  BOOST_TEST(tied.w3(0, 0) == 30.0f);
  BOOST_TEST(tied.final_norm(0, 1) == 33.0f);
}

BOOST_AUTO_TEST_CASE(a_negative_vocabulary_means_a_classifier_of_its_own) {
  const scratch s;
  const lt::llama2c_checkpoint untied(s.file(checkpoint(-3, 42)));
  BOOST_TEST(!untied.config().tied);
  BOOST_TEST(untied.classifier(0, 0) == 36.0f);
}

BOOST_AUTO_TEST_CASE(every_proper_prefix_a_longer_file_and_hostile_sizes_are_refused) {
  const scratch s;
  const auto whole = checkpoint(-3, 42);
  for (std::size_t n = 0; n < whole.size(); ++n)
    BOOST_CHECK_THROW(lt::llama2c_checkpoint(s.file(whole.substr(0, n))), lt::format_error);
  BOOST_CHECK_THROW(lt::llama2c_checkpoint(s.file(whole + "x")), lt::format_error);
  for (std::size_t field = 0; field < 7; ++field) {
    auto bad = whole;
    bad.replace(4 * field, 4, std::string("\xFF\xFF\xFF\x7F", 4));
    BOOST_CHECK_EXCEPTION(lt::llama2c_checkpoint(s.file(bad)), lt::format_error,
                          oracle::says("2^24, found 2147483647"));
  }
}

BOOST_AUTO_TEST_CASE(hostile_headers_are_named) {
  const scratch s;
  const auto refused = [&](const std::array<std::int32_t, 7>& header, const std::string& text) {
    BOOST_CHECK_EXCEPTION(lt::llama2c_checkpoint(s.file(checkpoint(header, 42))), lt::format_error,
                          oracle::says("file: expected " + text));
  };
  constexpr std::array names{"dim", "hidden", "layers", "heads", "kv_heads", "vocabulary", "sequence"};
  const std::int32_t lowest = std::numeric_limits<std::int32_t>::min();
  for (std::size_t field = 0; field < 7; ++field)
    for (const std::int32_t value : {0, -1, lowest, (1 << 24) + 1}) {
      if (field == 5 && value == -1) continue;  // one token with a classifier of its own
      std::array<std::int32_t, 7> header{2, 1, 1, 1, 1, 3, 1};
      header[field] = value;
      refused(header,
              "a llama2.c file, with " + std::string(names[field]) + " in 1 .. 2^24, found " + std::to_string(value));
    }
  refused({2, 1, 1, 3, 1, 3, 1}, "heads that divide dim into even parts, found 3 heads of 2");
  refused({2, 1, 1, 2, 1, 3, 1}, "heads that divide dim into even parts, found 2 heads of 2");
  refused({4, 1, 1, 2, 4, 3, 1}, "kv_heads that divide heads, found 4 of 2");
  // 2^48 numbers where the file has 42.
  const std::int32_t top = 1 << 24;
  refused({top, top, top, 1, 1, top, top}, "all of the embedding, found a file of 196 bytes, too short");
  refused({2, top, top, 1, 1, 3, top}, "all of attention norms, found a file of 196 bytes, too short");
  refused({2, 1, 1, 1, 1, 4, 1}, "a file of 180 bytes, found 196");
}

BOOST_AUTO_TEST_SUITE_END()
