// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_IO_ATOMIC_WRITE_HPP
#define LOGITOPE_IO_ATOMIC_WRITE_HPP

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "../core/config.hpp"
#include "../core/error.hpp"

/// @file
/// @brief A file is written wholly or not at all.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// @brief Writes a neighbouring temporary file, syncs it and renames it to `path`; a failure leaves the old file.
/// @param path   file to create or replace
/// @param bytes  its whole content
/// @throws format_error "path: expected a writable file, found ..."; no temporary file is left behind
inline void atomic_write(const std::string& path, std::span<const std::byte> bytes) {
  std::string temporary = path + ".XXXXXX";
  const int file = ::mkstemp(temporary.data());
  int reason = file < 0 ? errno : 0;
  if (file >= 0) {
    while (!bytes.empty() && reason == 0) {
      const ssize_t written = ::write(file, bytes.data(), bytes.size());
      if (written >= 0) bytes = bytes.subspan(static_cast<std::size_t>(written));
      else if (errno != EINTR) reason = errno;
    }
    // mkstemp makes files for the owner alone; results are to be shared like any other output.
    if (reason == 0 && ::fchmod(file, 0644) != 0) reason = errno;
    if (reason == 0 && ::fsync(file) != 0) reason = errno;
    if (::close(file) != 0 && reason == 0) reason = errno;
    if (reason == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) reason = errno;
    if (reason != 0) ::unlink(temporary.c_str());
  }
  if (reason != 0) detail::raise<format_error>(path + ": expected a writable file, found " + std::strerror(reason));
}

/// @brief The same for text.
inline void atomic_write(const std::string& path, std::string_view text) {
  atomic_write(path, std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
