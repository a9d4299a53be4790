// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_IO_NPY_HPP
#define LOGITOPE_IO_NPY_HPP

#include <bit>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../core/matrix.hpp"
#include "../core/view.hpp"
#include "atomic_write.hpp"
#include "mapped_file.hpp"

/// @file
/// @brief Arrays in NumPy's .npy format, versions 1 to 3, read strictly.

namespace logitope {
inline namespace v0 {

/// What the header of a .npy file says.
struct npy_header {
  std::string dtype;  ///< e.g. "<f4"
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::size_t data_offset = 0;
};

/// Whether a reader may change the element type.
enum class npy_types { same, convert };

}  // namespace v0

inline namespace LOGITOPE_ABI {
namespace detail {

class npy_parser {
 public:
  npy_parser(std::span<const std::byte> bytes, const std::string& name)
      : text_(reinterpret_cast<const char*>(bytes.data()), bytes.size()), name_(name) {}

  npy_header parse() {
    const std::string_view file = text_;
    if (!file.starts_with("\x93NUMPY")) refuse("the magic bytes of .npy", "other bytes or a truncated header");
    if (file.size() < 10) refuse("a version and a header length", "a truncated header");
    const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(file[i])); };
    const std::size_t version = byte(6);
    if (version < 1 || version > 3 || byte(7) != 0)
      refuse("version 1.0, 2.0 or 3.0", std::to_string(version) + "." + std::to_string(byte(7)));
    const std::size_t start = version == 1 ? 10 : 12;
    if (file.size() < start) refuse("a header length", "a truncated header");
    std::size_t length = byte(8) | byte(9) << 8;
    if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
    if (length > file.size() - start)
      refuse("a header of " + std::to_string(length) + " bytes",
             "a truncated header of " + std::to_string(file.size() - start));
    npy_header header;
    header.data_offset = start + length;
    text_ = file.substr(start, length);
    dictionary(header);
    return header;
  }
  [[noreturn]] void refuse(const std::string& expected, const std::string& found) const {
    raise<format_error>(name_ + ": expected " + expected + ", found " + found);
  }

 private:
  void dictionary(npy_header& header) {
    bool descr = false, order = false, shape = false;
    need('{');
    while (!take('}')) {
      const std::string_view key = quoted();
      need(':');
      bool& seen = key == "descr" ? descr : key == "fortran_order" ? order : shape;
      if (key != "descr" && key != "fortran_order" && key != "shape")
        refuse("the keys descr, fortran_order, shape", shown(key));
      if (seen) refuse("each key once", shown(key) + " twice");
      seen = true;
      if (key == "descr") {
        blanks();
        if (text_.starts_with('['))
          refuse("a plain number type", "the structured type " + shown(text_.substr(0, text_.find(']') + 1)));
        const std::string_view type = quoted();
        if (type.size() > 40) refuse("a plain number type", shown(type));
        header.dtype = type;
      } else if (key == "fortran_order") {
        blanks();
        header.fortran_order = text_.starts_with("True");
        if (!header.fortran_order && !text_.starts_with("False")) refuse("fortran_order True or False", shown(text_));
        text_.remove_prefix(header.fortran_order ? 4 : 5);
      } else {
        tuple(header.shape);
      }
      if (!take(',')) {
        need('}');
        break;
      }
    }
    if (!descr || !order || !shape) refuse("the keys descr, fortran_order, shape", "fewer");
    blanks();
    if (!text_.empty()) refuse("the end of the header", shown(text_));
  }
  void tuple(std::vector<std::size_t>& shape) {
    need('(');
    while (!take(')')) {
      blanks();
      std::size_t extent = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), extent);
      if (error != std::errc()) refuse("a shape of sizes", shown(text_));
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      if (text_.starts_with('L')) text_.remove_prefix(1);  // a long of Python 2
      shape.push_back(extent);
      if (shape.size() > 64) refuse("at most 64 axes", "more");
      if (!take(',')) {
        if (!take(')')) refuse("',' or ')' after a size", shown(text_));
        if (shape.size() == 1) refuse("a comma after the only size", "none");
        break;
      }
    }
  }
  void blanks() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n')) text_.remove_prefix(1);
  }
  bool take(char c) {
    blanks();
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  void need(char c) {
    if (!take(c)) refuse(std::string("'") + c + "' in the header", shown(text_));
  }
  std::string_view quoted() {
    blanks();
    const char quote = text_.empty() ? ' ' : text_.front();
    const std::size_t end = quote == '\'' || quote == '"' ? text_.find(quote, 1) : std::string_view::npos;
    if (end == std::string_view::npos) refuse("a quoted word in the header", shown(text_));
    const std::string_view word = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return word;
  }

  std::string_view text_;
  const std::string& name_;
};

/// Element of `width` bytes at `from` as a double; every type we read fits one.
inline double npy_number(const std::byte* from, std::size_t width, bool big) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < width; ++i)
    bits |= std::to_integer<std::uint64_t>(from[i]) << 8 * (big ? width - 1 - i : i);
  if (width == 8) return std::bit_cast<double>(bits);
  if (width == 4) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  if (width == 1) return static_cast<double>(bits);
  const auto exponent = static_cast<std::uint32_t>(bits >> 10 & 31), fraction = static_cast<std::uint32_t>(bits & 1023);
  const std::uint32_t sign = static_cast<std::uint32_t>(bits >> 15) << 31;
  if (exponent == 0) return (sign != 0 ? -1.0 : 1.0) * static_cast<double>(fraction) * 0x1p-24;
  const std::uint32_t wide = exponent == 31 ? 255 : exponent + 112;
  return static_cast<double>(std::bit_cast<float>(sign | wide << 23 | fraction << 13));
}

}  // namespace detail

/// @brief Type, order and shape of a .npy file.
/// @throws format_error "path: expected ..., found ..."
[[nodiscard]] inline npy_header npy_info(const std::string& path) {
  const mapped_file file(path);
  return detail::npy_parser(file.bytes(), path).parse();
}

namespace detail {

/// A file whose header was read and whose length was checked against it, before anything is allocated.
template <std::floating_point T>
class npy_numbers {
 public:
  npy_numbers(const std::string& path, npy_types types) : file_(path) {
    npy_parser parser(file_.bytes(), path);
    header_ = parser.parse();
    const std::string& type = header_.dtype;
    const bool known = type == "<f2" || type == "<f4" || type == "<f8" || type == ">f2" || type == ">f4" ||
                       type == ">f8" || type == "<u1" || type == "|u1";
    if (!known) parser.refuse("a type among f2, f4, f8, u1", shown(type));
    if (types == npy_types::same && type.substr(1) != own().substr(1))
      parser.refuse("type " + shown(own()), shown(type));
    if (axes() > 2) parser.refuse("at most 2 axes", std::to_string(axes()));
    if (axes() == 2) rows = header_.shape[0];
    if (axes() != 0) cols = header_.shape.back();
    width_ = static_cast<std::size_t>(type[2] - '0');
    std::size_t count = 0, bytes = 0;
    if (__builtin_mul_overflow(rows, cols, &count) || __builtin_mul_overflow(count, width_, &bytes))
      parser.refuse("a shape that fits memory", std::to_string(rows) + " x " + std::to_string(cols));
    data_ = file_.bytes().subspan(header_.data_offset);
    if (data_.size() != bytes) parser.refuse(std::to_string(bytes) + " bytes of data", std::to_string(data_.size()));
  }
  [[nodiscard]] std::size_t axes() const noexcept { return header_.shape.size(); }

  /// Writes rows * cols numbers in C order.
  void copy_to(std::span<T> out) const {
    static_assert(std::endian::native == std::endian::little);
    if (out.empty()) return;
    if (header_.dtype == own() && !header_.fortran_order) {
      std::memcpy(out.data(), data_.data(), data_.size());  // bit for bit: even a signalling NaN stays one
      return;
    }
    for (std::size_t k = 0; k < out.size(); ++k) {
      const std::size_t from = header_.fortran_order ? k % cols * rows + k / cols : k;
      out[k] = static_cast<T>(npy_number(data_.data() + from * width_, width_, header_.dtype[0] == '>'));
    }
  }

  std::size_t rows = 1, cols = 1;

 private:
  static std::string own() { return sizeof(T) == 4 ? "<f4" : "<f8"; }

  mapped_file file_;
  npy_header header_;
  std::span<const std::byte> data_;
  std::size_t width_ = 0;
};

}  // namespace detail

/// @brief A matrix [rows, cols] from a .npy file; one axis makes one row, no axis one number.
/// @param path   file of type f2, f4, f8 (either byte order) or u1, in C or Fortran order
/// @param types  `same`: the file's numbers must be T (either byte order); `convert`: rounded to T
/// @throws format_error "path: expected ..., found ...", before anything of the promised size is allocated
/// @par Cost allocates the result; of a file it refuses, no more than the header's size
template <std::floating_point T>
[[nodiscard]] matrix<T> read_npy(const std::string& path, npy_types types = npy_types::same) {
  const detail::npy_numbers<T> numbers(path, types);
  matrix<T> out(numbers.rows, numbers.cols);
  numbers.copy_to(out.values());
  return out;
}

/// @brief Numbers of a one-dimensional .npy file. @throws format_error as read_npy, and for any other rank
template <std::floating_point T>
[[nodiscard]] std::vector<T> read_npy_vector(const std::string& path, npy_types types = npy_types::same) {
  const detail::npy_numbers<T> numbers(path, types);
  if (numbers.axes() != 1)
    detail::raise<format_error>(path + ": expected 1 axis, found " + std::to_string(numbers.axes()));
  std::vector<T> out(numbers.cols);
  numbers.copy_to(out);
  return out;
}

/// @brief Writes [rows, cols] in C order as version 1, wholly or not at all.
/// @throws format_error if the file cannot be written
template <std::floating_point T>
void write_npy(const std::string& path, matrix_view<const T> values) {
  static_assert(std::endian::native == std::endian::little);
  std::string header = std::string("{'descr': '<f") + (sizeof(T) == 4 ? "4" : "8") +
                       "', 'fortran_order': False, 'shape': (" + std::to_string(values.rows()) + ", " +
                       std::to_string(values.cols()) + "), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string file("\x93NUMPY\x01\0", 8);
  file += static_cast<char>(header.size() & 255);
  file += static_cast<char>(header.size() >> 8);
  file.reserve(10 + header.size() + values.rows() * values.cols() * sizeof(T));
  file += header;
  for (std::size_t i = 0; i < values.rows(); ++i)
    file.append(reinterpret_cast<const char*>(values.row_data(i)), values.cols() * sizeof(T));
  atomic_write(path, file);
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
