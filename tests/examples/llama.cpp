// SPDX-License-Identifier: BSD-3-Clause
#include "models/llama.hpp"

#include "models/tokenizer.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(examples_llama)

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
