// SPDX-License-Identifier: BSD-3-Clause
#include "models/tokenizer.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "io/scratch.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {
std::string number(std::int32_t value) {
  return {reinterpret_cast<const char*>(&value), 4};
}
std::string file_of(std::int32_t longest, const std::vector<std::string>& pieces) {
  std::string file = number(longest);
  for (const auto& piece : pieces) file += number(0) + number(static_cast<std::int32_t>(piece.size())) + piece;
  return file;
}
const std::vector<std::string> few{"<unk>", "\n<s>\n", "\n</s>\n", "<0x0A>", "<0xe2>",
                                   " cat",  "s",       "<0xZZ>",   "<0x1>",  ""};
}  // namespace

BOOST_AUTO_TEST_SUITE(examples_tokenizer)

BOOST_AUTO_TEST_CASE(a_piece_in_hexadecimal_is_that_byte) {
  const scratch s;
  const models::tokenizer pieces(s.file(file_of(7, few)), few.size());
  BOOST_TEST(pieces.size() == 10u);
  BOOST_TEST(pieces.piece(5, 3) == "\n");
  BOOST_TEST(pieces.piece(5, 4) == "\xE2");
  BOOST_TEST(pieces.piece(5, 7) == "<0xZZ>");
  BOOST_TEST(pieces.piece(5, 8) == "<0x1>");
  BOOST_TEST(pieces.piece(5, 9) == "");
  BOOST_CHECK_EXCEPTION((void)pieces.piece(5, 10), lt::value_error, oracle::says("expected a token below 10, got 10"));
}

BOOST_AUTO_TEST_CASE(only_the_start_token_swallows_one_leading_space) {
  const scratch s;
  const models::tokenizer pieces(s.file(file_of(7, few)), few.size());
  BOOST_TEST(pieces.piece(1, 5) == "cat");
  BOOST_TEST(pieces.piece(2, 5) == " cat");
  BOOST_TEST(pieces.piece(1, 6) == "s");
  const std::size_t story[] = {1, 5, 6, 5, 3, 2, 1, 5};
  BOOST_TEST(pieces.decode(story) == "cats cat\ncat");
  const std::size_t middle[] = {5, 6};
  BOOST_TEST(pieces.decode(middle) == " cats");
}

BOOST_AUTO_TEST_CASE(every_proper_prefix_a_longer_file_and_hostile_lengths_are_refused) {
  const scratch s;
  const auto whole = file_of(7, few);
  for (std::size_t n = 0; n < whole.size(); ++n)
    BOOST_CHECK_THROW(models::tokenizer(s.file(whole.substr(0, n)), few.size()), lt::format_error);
  BOOST_CHECK_EXCEPTION(models::tokenizer(s.file(whole + "xy"), few.size()), lt::format_error,
                        oracle::says("expected the end after 10 pieces, found 2 bytes more"));
  BOOST_CHECK_EXCEPTION(models::tokenizer(s.file(whole), few.size() + 1), lt::format_error,
                        oracle::says("expected 11 pieces, found the end after 10"));
  for (const std::int32_t length : {-1, 8, 2147483647}) {
    const std::string bad = number(7) + number(0) + number(length) + std::string(64, 'x');
    BOOST_CHECK_EXCEPTION(models::tokenizer(s.file(bad), 1), lt::format_error,
                          oracle::says("no longer than 7, found " + std::to_string(length)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
