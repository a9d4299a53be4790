// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_IO_MAPPED_FILE_HPP
#define LOGITOPE_IO_MAPPED_FILE_HPP

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "../core/config.hpp"
#include "../core/error.hpp"

/// @file
/// @brief A file's bytes as a span, without a copy.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// @brief Owns a read-only mapping of a whole file; moves, does not copy. An empty file maps to an empty span.
class mapped_file {
 public:
  /// @param path  regular file to map
  /// @throws format_error "path: expected a readable file, found ..." if it is missing, a folder, or cannot be mapped
  explicit mapped_file(std::string path) : path_(std::move(path)) {
    const int file = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) refuse(std::strerror(errno));
    struct ::stat about {};
    if (::fstat(file, &about) != 0) {
      const int reason = errno;
      ::close(file);
      refuse(std::strerror(reason));
    }
    if (!S_ISREG(about.st_mode)) {
      ::close(file);
      refuse(S_ISDIR(about.st_mode) ? "a folder" : "neither a file nor a folder");
    }
    size_ = static_cast<std::size_t>(about.st_size);
    if (size_ > 0) {
      void* start = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
      if (start == MAP_FAILED) {
        const int reason = errno;
        ::close(file);
        refuse(std::strerror(reason));
      }
      data_ = static_cast<const std::byte*>(start);
    }
    ::close(file);
  }
  mapped_file(mapped_file&& other) noexcept
      : path_(std::move(other.path_)),
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  mapped_file& operator=(mapped_file&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;
  ~mapped_file() {
    if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
  }

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  [[noreturn]] void refuse(const std::string& found) const {
    detail::raise<format_error>(path_ + ": expected a readable file, found " + found);
  }

  std::string path_;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
