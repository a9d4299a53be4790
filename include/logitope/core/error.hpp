// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_CORE_ERROR_HPP
#define LOGITOPE_CORE_ERROR_HPP

#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "config.hpp"

/// @file
/// @brief The errors a public call may raise, each text naming who, what was expected and what was found.

namespace logitope {
inline namespace v0 {

/// Base of every error of the library, so that one catch takes them all.
struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// A size disagrees with another size.
struct shape_error : error {
  using error::error;
};
/// A number is outside its documented range (a target class, a temperature, a tolerance).
struct value_error : error {
  using error::error;
};
/// Scratch or an output is too small.
struct capacity_error : error {
  using error::error;
};
/// A file cannot be read, or its bytes are not what its format promises.
struct format_error : error {
  using error::error;
};
/// A linked solver reported a failure.
struct solver_error : error {
  using error::error;
};

/// What builds without exceptions call instead of throwing; it must not return.
using error_handler = void (*)(const char* message);

/// The handler in force; replace it before the first call. Default: abort.
inline error_handler on_error = [](const char*) { std::abort(); };

}  // namespace v0

inline namespace LOGITOPE_ABI {
namespace detail {

/// Throws E, or calls the handler where exceptions are off. Cold and out of line, so that callers stay small.
template <class E>
[[noreturn, gnu::cold, gnu::noinline]] void raise(const std::string& message) {
#if defined(__cpp_exceptions)
  throw E(message);
#else
  on_error(message.c_str());
  std::abort();
#endif
}

/// The start of a text found in a file, in quotes and on one line: a control byte is shown as \xNN, so that no file can
/// write to the terminal of who reads the error, nor fill memory through it.
[[nodiscard]] inline std::string shown(std::string_view text, std::size_t most = 40) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string line = "'";
  for (const char c : text.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) line += c;
    else line.append("\\x") += {digits[byte >> 4], digits[byte & 15]};
  }
  return line += '\'';
}

}  // namespace detail

/// @brief Two sizes agree, or a shape_error says who wanted what.
/// @param got    size found
/// @param want   size expected
/// @param who    what the size belongs to, e.g. "hidden state"
/// @throws shape_error "who: expected want, got got"
inline void require_extent(std::size_t got, std::size_t want, std::string_view who) {
  if (got != want) [[unlikely]]
    detail::raise<shape_error>(std::string(who) + ": expected " + std::to_string(want) + ", got " +
                               std::to_string(got));
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
