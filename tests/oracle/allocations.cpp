// SPDX-License-Identifier: BSD-3-Clause
// Replaces operator new in the suites that link this file.
#include "oracle/allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

std::atomic<std::size_t> count = 0, bytes = 0, peak = 0;
/// The size is kept in front, so that what is given back is known.
constexpr std::size_t front = alignof(std::max_align_t);

}  // namespace

oracle::allocations oracle::allocated() noexcept {
  return {count, bytes, peak};
}
void oracle::forget_peak() noexcept {
  peak = bytes.load();
}

[[gnu::noinline]] void* operator new(std::size_t n) {
  auto* p = n <= static_cast<std::size_t>(-1) - front ? static_cast<std::byte*>(std::malloc(n + front)) : nullptr;
  if (p == nullptr) throw std::bad_alloc();
  std::memcpy(p, &n, sizeof n);
  ++count;
  const std::size_t held = bytes += n;
  for (std::size_t seen = peak; seen < held && !peak.compare_exchange_weak(seen, held);) continue;
  return p + front;
}
// the library's own calls the above; a sanitizer's does not, yet its memory ends in the operator delete below
[[gnu::noinline]] void* operator new(std::size_t n, const std::nothrow_t&) noexcept {
  try {
    return operator new(n);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
[[gnu::noinline]] void operator delete(void* q) noexcept {
  if (q == nullptr) return;
  auto* p = static_cast<std::byte*>(q) - front;
  std::size_t n = 0;
  std::memcpy(&n, p, sizeof n);
  bytes -= n;
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* q, std::size_t) noexcept {
  operator delete(q);
}
