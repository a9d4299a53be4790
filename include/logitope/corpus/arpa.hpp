// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_CORPUS_ARPA_HPP
#define LOGITOPE_CORPUS_ARPA_HPP

#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../io/mapped_file.hpp"

/// @file
/// @brief A back-off language model in the ARPA format, read strictly.

namespace logitope {
inline namespace v0 {

/// One line of an n-gram section; both numbers are log10.
struct arpa_entry {
  double log10_probability = -std::numeric_limits<double>::infinity();  ///< -inf where the file says -99 or less
  double log10_backoff = 0;                                             ///< -inf where the file says +99.999
};

/// The model; orders[n - 1] maps the n words of an n-gram to its numbers, `unigrams` keeps the file's order.
struct arpa_model {
  std::vector<std::map<std::vector<std::string>, arpa_entry>> orders;
  std::vector<std::string> unigrams;
};

}  // namespace v0

inline namespace LOGITOPE_ABI {
namespace detail {

/// Lines of a text with their numbers, and the errors that name them.
class arpa_lines {
 public:
  arpa_lines(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

  /// The next line that is not blank, without line end; false at the end of the text.
  bool next(std::string_view& line) {
    while (!text_.empty()) {
      const std::size_t end = text_.find('\n');
      line = text_.substr(0, end);
      text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
      ++number_;
      while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
      if (!line.empty()) return true;
    }
    return false;
  }
  [[noreturn]] void refuse(const std::string& expected, std::string_view found) const {
    raise<format_error>(name_ + ": line " + std::to_string(number_) + ": expected " + expected + ", found " +
                        shown(found, 60));
  }
  std::string_view need(const std::string& expected) {
    std::string_view line;
    if (!next(line)) refuse(expected, "end of file");
    return line;
  }
  template <class T>
  T number(std::string_view text, const std::string& expected) const {
    T value{};
    const std::string_view digits = text.substr(!text.empty() && text.front() == '+' ? 1 : 0);
    if (digits.size() < text.size() && digits.starts_with('-')) refuse(expected, text);  // from_chars takes a minus
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) refuse(expected, text);
    if constexpr (std::is_floating_point_v<T>)
      if (!std::isfinite(value)) refuse(expected, text);
    return value;
  }

 private:
  std::string_view text_;
  std::string name_;
  std::size_t number_ = 0;
};

inline std::vector<std::string_view> arpa_fields(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t at = line.find_first_not_of(" \t"); at != std::string_view::npos;) {
    const std::size_t end = line.find_first_of(" \t", at);
    fields.push_back(line.substr(at, end - at));
    at = end == std::string_view::npos ? end : line.find_first_not_of(" \t", end);
  }
  return fields;
}

}  // namespace detail

/// @brief Reads ARPA text; counts must match sections, sections follow in order, no n-gram comes twice, and every word
/// of a longer n-gram is a unigram.
/// @param text  the whole file; text before \\data\\ is a comment
/// @param name  what errors call it
/// @throws format_error "name: line n: expected ..., found ..."
[[nodiscard]] inline arpa_model parse_arpa(std::string_view text, const std::string& name) {
  detail::arpa_lines lines(text, name);
  while (lines.need("\\data\\") != "\\data\\") {
  }
  std::vector<std::size_t> counts;
  std::string_view line = lines.need("ngram 1=<count>");
  for (; line.starts_with("ngram "); line = lines.need("\\1-grams:")) {
    const std::string prefix = "ngram " + std::to_string(counts.size() + 1) + "=";
    if (!line.starts_with(prefix)) lines.refuse(prefix + "<count>", line);
    counts.push_back(lines.number<std::size_t>(line.substr(prefix.size()), "a count"));
  }
  if (counts.empty()) lines.refuse("ngram 1=<count>", line);
  arpa_model model;
  for (std::size_t n = 1; n <= counts.size(); ++n) {
    const std::string title = "\\" + std::to_string(n) + "-grams:";
    if (line != title) lines.refuse(title, line);
    auto& section = model.orders.emplace_back();
    const std::string want = std::to_string(counts[n - 1]) + " " + std::to_string(n) + "-grams";
    for (line = lines.need(want); line.front() != '\\'; line = lines.need(want + " and a section end")) {
      const auto fields = detail::arpa_fields(line);
      if (fields.size() != n + 1 && (n == counts.size() || fields.size() != n + 2))
        lines.refuse("a probability, " + std::to_string(n) + " words and perhaps a back-off", line);
      arpa_entry entry;
      const auto p = lines.number<double>(fields[0], "a log10 probability");
      if (p > 0) lines.refuse("a log10 probability <= 0", fields[0]);
      if (p > -99) entry.log10_probability = p;
      if (fields.size() == n + 2) {
        const auto backoff = lines.number<double>(fields[n + 1], "a log10 back-off");
        // The toolkits' sign for "no mass left to back off with"; taken as a number it would swamp the rest.
        const bool none = backoff == 99.999;
        if (!none && backoff >= 99) lines.refuse("a log10 back-off below 99, or 99.999 for none", fields[n + 1]);
        entry.log10_backoff = none ? -std::numeric_limits<double>::infinity() : backoff;
      }
      std::vector<std::string> words(fields.begin() + 1, fields.begin() + 1 + static_cast<std::ptrdiff_t>(n));
      if (n == 1) model.unigrams.push_back(words[0]);
      else
        for (const std::string& word : words)
          if (!model.orders[0].contains({word})) lines.refuse("words among the 1-grams", word);
      if (!section.emplace(std::move(words), entry).second) lines.refuse("each n-gram once", line);
      if (section.size() > counts[n - 1]) lines.refuse(want, "one more");
    }
    if (section.size() != counts[n - 1]) lines.refuse(want, std::to_string(section.size()));
  }
  if (line != "\\end\\") lines.refuse("\\end\\", line);
  return model;
}

/// @brief The same from a file. @throws format_error as parse_arpa and mapped_file
[[nodiscard]] inline arpa_model read_arpa(const std::string& path) {
  const mapped_file file(path);
  return parse_arpa({reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()}, path);
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
