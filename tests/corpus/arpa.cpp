// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/corpus/arpa.hpp"

#include "corpus/tiny.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(corpus_arpa)

BOOST_AUTO_TEST_CASE(sentinels_are_log_zero_and_no_backoff) {
  const auto model = lt::parse_arpa(tiny_arpa, "tiny");
  BOOST_TEST(std::isinf(model.orders[0].at({"<s>"}).log10_probability));
  BOOST_TEST(std::isinf(model.orders[0].at({"b"}).log10_backoff));
  BOOST_TEST(model.orders[1].at({"a", "b"}).log10_backoff == -1.0);
}

BOOST_AUTO_TEST_CASE(carriage_returns_change_nothing) {
  std::string text;
  for (const char c : std::string(tiny_arpa)) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  BOOST_TEST(lt::parse_arpa(text, "tiny").orders[1].size() == 2u);
}

BOOST_AUTO_TEST_CASE(counts_that_disagree_and_bad_numbers_name_their_line) {
  const auto with = [](const std::string& old, const std::string& now) {
    std::string text = tiny_arpa;
    text.replace(text.find(old), old.size(), now);
    return text;
  };
  BOOST_CHECK_EXCEPTION((void)lt::parse_arpa(with("ngram 2=2", "ngram 2=3"), "t"), lt::format_error,
                        oracle::says("expected 3 2-grams, found '2'"));
  BOOST_CHECK_EXCEPTION((void)lt::parse_arpa(with("ngram 2=2", "ngram 2=1"), "t"), lt::format_error,
                        oracle::says("expected 1 2-grams"));
  BOOST_CHECK_EXCEPTION((void)lt::parse_arpa(with("-0.5\ta", "x\ta"), "t"), lt::format_error,
                        oracle::says("t: line 8: expected a log10 probability, found 'x'"));
}

BOOST_AUTO_TEST_CASE(every_proper_prefix_is_refused) {
  const std::string text = tiny_arpa;
  for (std::size_t n = 0; n + 1 < text.size(); ++n)
    BOOST_CHECK_THROW((void)lt::parse_arpa(text.substr(0, n), "t"), lt::format_error);
}

BOOST_AUTO_TEST_SUITE_END()
