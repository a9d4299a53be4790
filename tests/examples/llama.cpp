// SPDX-License-Identifier: BSD-3-Clause
#include "models/llama.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "io/scratch.hpp"
#include "models/tokenizer.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {
/// Runs of letters and apostrophes, in lower case.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalpha(letter) || c == '\'') words.back() += static_cast<char>(std::tolower(letter));
    else if (!words.back().empty()) words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// dim 6, one head, 5 tokens: token v has embedding e_v, attention and feed-forward add nothing, and `next[v]` is what
/// the classifier gives after v, being its only row with a number above 0 at e_v.
std::string chain(const std::array<std::size_t, 5>& next, std::int32_t sequence) {
  const std::int32_t header[] = {6, 1, 1, 1, 1, -5, sequence};
  std::vector<float> w;
  for (std::size_t v = 0; v < 5; ++v)
    for (std::size_t d = 0; d < 6; ++d) w.push_back(d == v ? 1.0f : 0.0f);
  w.resize(w.size() + 6 + 4 * 36 + 6 + 3 * 6, 0.0f);                  // norms, attention, feed-forward
  w.resize(w.size() + 6, 1.0f);                                       // the final norm
  w.resize(w.size() + 6 * static_cast<std::size_t>(sequence), 0.0f);  // rotary numbers
  for (std::size_t v = 0; v < 5; ++v)
    for (std::size_t d = 0; d < 6; ++d) w.push_back(d < 5 && next[d] == v ? 1.0f : 0.0f);
  std::string file(reinterpret_cast<const char*>(header), sizeof header);
  return file.append(reinterpret_cast<const char*>(w.data()), 4 * w.size());
}
}  // namespace

BOOST_AUTO_TEST_SUITE(examples_llama)

BOOST_AUTO_TEST_CASE(a_story_starts_again_after_its_end_or_a_full_window) {
  const scratch s;
  const auto tokens = [&](const std::array<std::size_t, 5>& next, std::int32_t sequence) {
    const lt::llama2c_checkpoint weights(s.file(chain(next, sequence)));
    models::llama model(weights);
    return models::collect_contexts(model, 7).tokens;
  };
  const std::vector<std::size_t> ended{1, 3, 4, 1, 3, 4, 1}, full{1, 3, 1, 3, 1, 3, 1}, endless{1, 3, 4, 3, 4, 3, 4};
  BOOST_TEST(tokens({0, 3, 0, 4, 2}, 16) == ended, boost::test_tools::per_element());
  BOOST_TEST(tokens({0, 3, 0, 4, 1}, 16) == ended, boost::test_tools::per_element());
  BOOST_TEST(tokens({0, 3, 0, 4, 3}, 2) == full, boost::test_tools::per_element());
  BOOST_TEST(tokens({0, 3, 0, 4, 3}, 16) == endless, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(without_layers_that_add_a_state_is_the_normed_embedding) {
  const scratch s;
  const lt::llama2c_checkpoint weights(s.file(chain({0, 3, 0, 4, 2}, 4)));
  models::llama model(weights);
  const auto h = model.forward(3, 2);
  BOOST_TEST_REQUIRE(h.size() == 6u);
  // 1 / sqrt(mean square + 1e-5) with a mean square of 1/6.
  for (std::size_t d = 0; d < 6; ++d)
    BOOST_TEST(oracle::close(h[d], d == 3 ? 1 / std::sqrt(1.0L / 6 + 1e-5L) : 0.0L, oracle::relative{1e-6}));
  BOOST_CHECK_EXCEPTION((void)model.forward(5, 0), lt::value_error, oracle::says("got 5 and 0"));
  BOOST_CHECK_EXCEPTION((void)model.forward(0, 4), lt::value_error, oracle::says("got 0 and 4"));
}

BOOST_AUTO_TEST_CASE(nine_words_of_ten_among_the_first_200_tokens_are_those_of_the_stories) {
  const auto folder = oracle::data_folder();
  if (folder.empty()) return oracle::skipped("LOGITOPE_DATA is not set");
  std::ifstream in(folder + "/tinystories.txt", std::ios::binary);
  const auto known_list = words_of(std::string(std::istreambuf_iterator<char>(in), {}));
  const std::set<std::string> known(known_list.begin(), known_list.end());
  const lt::llama2c_checkpoint weights(folder + "/stories260K.bin");
  models::llama model(weights);
  const models::tokenizer pieces(folder + "/tok512.bin", weights.config().vocabulary);
  const auto words = words_of(pieces.decode(models::collect_contexts(model, 200).tokens));
  const auto met = std::count_if(words.begin(), words.end(), [&](const std::string& w) { return known.contains(w); });
  BOOST_TEST(words.size() > 80u);
  BOOST_TEST(std::set<std::string>(words.begin(), words.end()).size() > 30u);
  BOOST_TEST(10 * met >= 9 * static_cast<std::ptrdiff_t>(words.size()));
}

BOOST_AUTO_TEST_CASE(a_second_story_of_the_real_model_repeats_the_states_of_the_first) {
  const auto folder = oracle::data_folder();
  if (folder.empty()) return oracle::skipped("LOGITOPE_DATA is not set");
  const lt::llama2c_checkpoint weights(folder + "/stories260K.bin");
  models::llama model(weights);
  const auto found = models::collect_contexts(model, weights.config().sequence + 8);
  const auto again = std::find(found.tokens.begin() + 1, found.tokens.end(), std::size_t{1});
  BOOST_TEST_REQUIRE((again != found.tokens.end()));
  const auto at = static_cast<std::size_t>(again - found.tokens.begin());
  BOOST_TEST(at > 50u);
  for (std::size_t i = 0; i < 8; ++i) {
    BOOST_TEST(found.tokens[at + i] == found.tokens[i]);
    const auto first = found.H.row(i), second = found.H.row(at + i);
    BOOST_TEST(std::equal(first.begin(), first.end(), second.begin()));
  }
}

BOOST_AUTO_TEST_CASE(greedy_decoding_writes_a_story) {
  const auto folder = oracle::data_folder();
  if (folder.empty()) return oracle::skipped("LOGITOPE_DATA is not set");
  const lt::llama2c_checkpoint weights(folder + "/stories260K.bin");
  models::llama model(weights);
  const auto found = models::collect_contexts(model, 256);
  const models::tokenizer pieces(folder + "/tok512.bin", weights.config().vocabulary);
  const std::string text = pieces.decode(found.tokens);
  BOOST_TEST(found.tokens[0] == 1u);
  BOOST_TEST(text.starts_with("Once upon a time, there was a little girl named Lily. She loved to play outside"));
  BOOST_CHECK_THROW((void)model.forward(512, 0), lt::value_error);
}

BOOST_AUTO_TEST_SUITE_END()
