// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_CORE_WORKSPACE_HPP
#define LOGITOPE_CORE_WORKSPACE_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <type_traits>

#include "config.hpp"
#include "error.hpp"

/// @file
/// @brief Scratch as an argument: the lower rooms never allocate.

namespace logitope {
inline namespace v0 {

/// Every piece of scratch starts on a cache line, which is also the widest vector.
inline constexpr std::size_t scratch_alignment = 64;

}  // namespace v0

inline namespace LOGITOPE_ABI {

/// Bytes that `workspace::take<T>(n)` uses: n elements, rounded up to whole cache lines; the largest number, which no
/// workspace has free, where that many cannot be addressed.
template <class T>
[[nodiscard]] constexpr std::size_t scratch_bytes(std::size_t n) noexcept {
  constexpr std::size_t most = (std::numeric_limits<std::size_t>::max)();
  if (n > (most - scratch_alignment) / sizeof(T)) [[unlikely]]
    return most;
  return (n * sizeof(T) + scratch_alignment - 1) / scratch_alignment * scratch_alignment;
}

/// @brief A stack of scratch over memory that somebody else owns. `take` pushes; `scope` pops what was taken since.
class workspace {
 public:
  workspace() = default;
  /// @param bytes memory aligned to `scratch_alignment`
  explicit workspace(std::span<std::byte> bytes) noexcept : bytes_(bytes) {}

  /// @brief n uninitialised elements on a cache line.
  /// @throws capacity_error naming the bytes needed and left
  template <class T>
  requires std::is_trivially_copyable_v<T>
  [[nodiscard]] std::span<T> take(std::size_t n) {
    const std::size_t size = scratch_bytes<T>(n);
    if (size > bytes_.size() - used_) [[unlikely]]
      detail::raise<capacity_error>("workspace: expected " + std::to_string(size) + " free bytes, got " +
                                    std::to_string(bytes_.size() - used_));
    T* first = reinterpret_cast<T*>(bytes_.data() + used_);
    used_ += size;
    return {first, n};
  }

  [[nodiscard]] std::size_t free_bytes() const noexcept { return bytes_.size() - used_; }

  /// Gives back, at its end, whatever was taken from `ws` since it began.
  class scope {
   public:
    explicit scope(workspace& ws) noexcept : ws_(ws), used_(ws.used_) {}
    ~scope() { ws_.used_ = used_; }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;

   private:
    workspace& ws_;
    std::size_t used_;
  };

  /// @brief The i-th of `parts` equal shares of what is free: one per worker.
  [[nodiscard]] workspace split(std::size_t i, std::size_t parts) const noexcept {
    const std::size_t share = free_bytes() / parts / scratch_alignment * scratch_alignment;
    return workspace(bytes_.subspan(used_ + i * share, share));
  }

 private:
  std::span<std::byte> bytes_;
  std::size_t used_ = 0;
};

/// @brief Owns aligned scratch; array calls and tests make one, kernels only see its `workspace`.
class workspace_memory {
 public:
  explicit workspace_memory(std::size_t bytes)
      : data_(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{scratch_alignment}))), size_(bytes) {}
  ~workspace_memory() { ::operator delete (data_, std::align_val_t{scratch_alignment}); }
  workspace_memory(const workspace_memory&) = delete;
  workspace_memory& operator=(const workspace_memory&) = delete;

  [[nodiscard]] workspace get() noexcept { return workspace({data_, size_}); }

 private:
  std::byte* data_;
  std::size_t size_;
};

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
