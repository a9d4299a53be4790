// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_IO_ATOMIC_WRITE_HPP
#define LOGITOPE_IO_ATOMIC_WRITE_HPP

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
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

namespace detail {

/// errno, or 0: all bytes to an open file, whatever signals say.
[[nodiscard]] inline int write_all(int file, std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const ::ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written >= 0) bytes = bytes.subspan(static_cast<std::size_t>(written));
    else if (errno != EINTR) return errno;
  }
  return 0;
}

/// A new file beside `path`, of the mode the process gives its files (mkstemp's are for the owner alone); its name
/// goes to `name`, -1 and errno if there is none.
[[nodiscard]] inline int open_beside(const std::string& path, std::string& name) {
  static std::atomic<unsigned> serial{0};
  const std::string stem = path + "." + std::to_string(::getpid()) + ".";
  for (int attempt = 0; attempt < 1000; ++attempt) {
    name = stem + std::to_string(serial.fetch_add(1, std::memory_order_relaxed));
    const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

/// errno, or 0. A device or a pipe cannot be replaced, and must not be: its bytes go through it.
[[nodiscard]] inline int write_through(const std::string& path, std::span<const std::byte> bytes) noexcept {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return errno;
  const int reason = write_all(file, bytes);
  return ::close(file) != 0 && reason == 0 ? errno : reason;
}

}  // namespace detail

/// @brief Writes a neighbouring temporary file, syncs it and renames it to `path`; a failure leaves the old file.
/// A link is followed and stays; an old file keeps its mode, a new one has what the process's mask allows. Devices and
/// pipes are written to directly.
/// @param path   file to create or replace
/// @param bytes  its whole content
/// @throws format_error "path: expected a writable file, found ..."; no temporary file is left behind
inline void atomic_write(const std::string& path, std::span<const std::byte> bytes) {
  struct ::stat old {};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  int reason = 0;
  if (exists && S_ISDIR(old.st_mode)) {
    reason = EISDIR;
  } else if (exists && !S_ISREG(old.st_mode)) {
    reason = detail::write_through(path, bytes);
  } else {
    std::string target = path, temporary;
    if (char* followed = exists ? ::realpath(path.c_str(), nullptr) : nullptr; followed != nullptr) {
      target = followed;
      std::free(followed);
    }
    const int file = detail::open_beside(target, temporary);
    if (file < 0) {
      reason = errno;
    } else {
      reason = detail::write_all(file, bytes);
      if (reason == 0 && exists && ::fchmod(file, old.st_mode & 07777) != 0) reason = errno;
      if (reason == 0 && ::fsync(file) != 0) reason = errno;
      if (::close(file) != 0 && reason == 0) reason = errno;
      if (reason == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) reason = errno;
      if (reason != 0) ::unlink(temporary.c_str());
    }
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
