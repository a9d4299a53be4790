// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/io/llama2c.hpp"

#include "io/scratch.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {
/// dim 2, hidden 1, one layer, one head, 3 tokens, 1 position: 36 numbers, and 6 more where untied.
std::string checkpoint(std::int32_t vocabulary, std::size_t numbers) {
  const std::int32_t header[] = {2, 1, 1, 1, 1, vocabulary, 1};
  std::string file(reinterpret_cast<const char*>(header), sizeof header);
  for (std::size_t i = 0; i < numbers; ++i) {
    const auto x = static_cast<float>(i);
    file.append(reinterpret_cast<const char*>(&x), 4);
  }
  return file;
}
}  // namespace

BOOST_AUTO_TEST_SUITE(io_llama2c)

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

BOOST_AUTO_TEST_SUITE_END()
