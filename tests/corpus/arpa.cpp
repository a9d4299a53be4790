// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/corpus/arpa.hpp"

#include "corpus/tiny.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {
/// The tiny model with one text replaced by another.
std::string with(const std::string& old, const std::string& now) {
  std::string text = tiny_arpa;
  return text.replace(text.find(old), old.size(), now);
}
}  // namespace

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
  BOOST_CHECK_EXCEPTION((void)lt::parse_arpa(with("ngram 2=2", "ngram 2=3"), "t"), lt::format_error,
                        oracle::says("expected 3 2-grams, found '2'"));
  BOOST_CHECK_EXCEPTION((void)lt::parse_arpa(with("ngram 2=2", "ngram 2=1"), "t"), lt::format_error,
                        oracle::says("expected 1 2-grams"));
  BOOST_CHECK_EXCEPTION((void)lt::parse_arpa(with("-0.5\ta", "x\ta"), "t"), lt::format_error,
                        oracle::says("t: line 8: expected a log10 probability, found 'x'"));
}

BOOST_AUTO_TEST_CASE(a_number_has_one_sign) {
  BOOST_TEST(lt::parse_arpa(with("ngram 2=2", "ngram 2=+2"), "t").orders[1].size() == 2u);
  for (const char* twice : {"+-0.5", "++0.5", "--0.5", "+", ""}) {
    const std::string line = std::string(twice) + "\ta";
    BOOST_CHECK_THROW((void)lt::parse_arpa(with("-0.5\ta", line.c_str()), "t"), lt::format_error);
  }
}

BOOST_AUTO_TEST_CASE(words_that_are_no_unigrams_are_refused_with_their_line) {
  BOOST_CHECK_EXCEPTION((void)lt::parse_arpa(with("-2\tb\ta", "-2\tc\ta"), "t"), lt::format_error,
                        oracle::says("t: line 13: expected words among the 1-grams, found 'c'"));
  BOOST_CHECK_EXCEPTION((void)lt::parse_arpa(with("-2\tb\ta", "-2\tb\td"), "t"), lt::format_error,
                        oracle::says("t: line 13: expected words among the 1-grams, found 'd'"));
  BOOST_CHECK_EXCEPTION((void)lt::parse_arpa(with("a\tb\tb", "a\tb\te"), "t"), lt::format_error,
                        oracle::says("t: line 16: expected words among the 1-grams, found 'e'"));
}

BOOST_AUTO_TEST_CASE(only_the_sentinel_means_no_backoff) {
  const auto backoff = [](const std::string& value) {
    return lt::parse_arpa(with("+99.999", value), "t").orders[0].at({"b"}).log10_backoff;
  };
  BOOST_TEST(std::isinf(backoff("99.9990")));
  BOOST_TEST(backoff("-99") == -99.0);
  BOOST_TEST(backoff("-120.5") == -120.5);
  BOOST_TEST(backoff("0.25") == 0.25);
  BOOST_CHECK_EXCEPTION((void)backoff("100"), lt::format_error, oracle::says("expected a log10 back-off below 99"));
}

BOOST_AUTO_TEST_CASE(every_proper_prefix_is_refused) {
  const std::string text = tiny_arpa;
  for (std::size_t n = 0; n + 1 < text.size(); ++n)
    BOOST_CHECK_THROW((void)lt::parse_arpa(text.substr(0, n), "t"), lt::format_error);
}

BOOST_AUTO_TEST_SUITE_END()
