// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_EXAMPLES_SUPPORT_TABLE_HPP
#define LOGITOPE_EXAMPLES_SUPPORT_TABLE_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

/// @file
/// @brief Aligned text tables: the first column to the left, numbers to the right.

namespace support {

class table {
 public:
  explicit table(std::vector<std::string> header) { rows_.push_back(std::move(header)); }

  void add(std::vector<std::string> row) {
    row.resize(rows_.front().size());
    rows_.push_back(std::move(row));
  }

  /// All lines, each indented by two blanks and ended by a newline.
  [[nodiscard]] std::string text() const {
    std::vector<std::size_t> width(rows_.front().size(), 0);
    for (const auto& row : rows_)
      for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
    std::string out;
    for (const auto& row : rows_) {
      std::string line = " ";
      for (std::size_t c = 0; c < row.size(); ++c) {
        const std::string pad(width[c] - row[c].size(), ' ');
        line += " " + (c == 0 ? row[c] + pad : pad + row[c]) + " ";
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
    return out;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// Name and value pairs under one another, values to the left.
[[nodiscard]] inline std::string listing(const std::vector<std::pair<std::string, std::string>>& lines) {
  std::size_t width = 0;
  for (const auto& line : lines) width = std::max(width, line.first.size());
  std::string out;
  for (const auto& [name, value] : lines) out += "  " + name + std::string(width - name.size() + 2, ' ') + value + "\n";
  return out;
}

}  // namespace support

#endif
