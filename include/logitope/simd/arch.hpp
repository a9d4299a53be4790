// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_ARCH_HPP
#define LOGITOPE_SIMD_ARCH_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <xsimd/xsimd.hpp>

#include "../core/concepts.hpp"
#include "../core/config.hpp"
#include "../core/info.hpp"
#include "policy.hpp"

/// @file
/// @brief The one file that knows which xsimd it stands on (8.1 here, 10 and later by the same names), and which
/// instruction set this process runs.

namespace logitope {
inline namespace v0 {

/// Instruction sets with kernels of their own.
enum class isa : unsigned char { baseline, avx2, avx512 };

/// What the kernels of a call run on.
struct instruction_set_info {
  std::string_view name;  ///< e.g. "avx2+fma"; for the baseline, xsimd's name of the flags
  std::size_t lanes = 1;  ///< floats in one register
};

/// Release of the xsimd headers compiled against: major, minor, patch.
inline constexpr std::array<int, 3> xsimd_version{XSIMD_VERSION_MAJOR, XSIMD_VERSION_MINOR, XSIMD_VERSION_PATCH};

}  // namespace v0

inline namespace LOGITOPE_ABI {
namespace simd {

/// xsimd's architecture for the flags of this file.
using default_arch = xsimd::default_arch;

/// A register of T. Portable kernels are templates on A, so that files with different flags share none.
template <class T, class A = default_arch>
using batch = xsimd::batch<T, A>;
template <class T, class A = default_arch>
using batch_bool = xsimd::batch_bool<T, A>;

/// Elements in a register.
template <class T, class A = default_arch>
inline constexpr std::size_t lanes = batch<T, A>::size;

/// Signed integer as wide as T.
template <real T>
using int_of = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

template <real T>
using uint_of = std::make_unsigned_t<int_of<T>>;

template <class A = default_arch, real T>
[[nodiscard]] inline batch<T, A> load(const T* p) noexcept {
  return batch<T, A>::load_unaligned(p);
}
template <real T, class A>
inline void store(T* p, const batch<T, A>& x) noexcept {
  x.store_unaligned(p);
}

/// Sum of the lanes, the same tree for every release of xsimd.
template <real T, class A>
[[nodiscard]] inline T hsum(const batch<T, A>& x) noexcept {
  alignas(64) std::array<T, lanes<T, A>> v;
  x.store_aligned(v.data());
  for (std::size_t half = v.size() / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) v[i] += v[i + half];
  return v[0];
}
/// Largest lane; NaN lanes are for `is_nan` to see first.
template <real T, class A>
[[nodiscard]] inline T hmax(const batch<T, A>& x) noexcept {
  alignas(64) std::array<T, lanes<T, A>> v;
  x.store_aligned(v.data());
  T m = v[0];
  for (const T y : v) m = m < y ? y : m;
  return m;
}
/// Explicit mask of NaN lanes: what max(x, NaN) gives depends on the release and the operand order.
template <real T, class A>
[[nodiscard]] inline batch_bool<T, A> is_nan(const batch<T, A>& x) noexcept {
  return ~(x == x);  // xsimd 8.1 compares != ordered under AVX, where NaN != NaN is false
}
/// x where x > y, otherwise y, by comparison and blend: one meaning on every release.
template <real T, class A>
[[nodiscard]] inline batch<T, A> larger(const batch<T, A>& x, const batch<T, A>& y) noexcept {
  return xsimd::select(x > y, x, y);
}
/// a b + c, fused where the flags of this file have FMA.
template <real T, class A>
[[nodiscard]] inline batch<T, A> fma(const batch<T, A>& a, const batch<T, A>& b, const batch<T, A>& c) noexcept {
#if defined(__AVX512F__)
  // xsimd before 11 multiplies, then adds, under AVX-512: fused only where the compiler happens to contract
  if constexpr (sizeof(batch<T, A>) == 64) {
    if constexpr (std::is_same_v<T, float>) return _mm512_fmadd_ps(a, b, c);
    else return _mm512_fmadd_pd(a, b, c);
  }
#endif
  return xsimd::fma(a, b, c);
}
template <real T, class A>
[[nodiscard]] inline batch<T, A> select(const batch_bool<T, A>& where, const batch<T, A>& yes,
                                        const batch<T, A>& no) noexcept {
  return xsimd::select(where, yes, no);
}
template <real T, class A>
[[nodiscard]] inline bool any(const batch_bool<T, A>& m) noexcept {
  return xsimd::any(m);
}
/// The bits of x as integers, and back.
template <real T, class A>
[[nodiscard]] inline batch<int_of<T>, A> as_int(const batch<T, A>& x) noexcept {
#if XSIMD_VERSION_MAJOR >= 10
  return xsimd::bitwise_cast<int_of<T>>(x);
#else
  return xsimd::bitwise_cast<batch<int_of<T>, A>>(x);
#endif
}
template <real T, class A>
[[nodiscard]] inline batch<T, A> as_real(const batch<int_of<T>, A>& x) noexcept {
#if XSIMD_VERSION_MAJOR >= 10
  return xsimd::bitwise_cast<T>(x);
#else
  return xsimd::bitwise_cast<batch<T, A>>(x);
#endif
}

/// The bits of x as unsigned integers, whose right shift every instruction set has, and back.
template <real T, class A>
[[nodiscard]] inline batch<uint_of<T>, A> as_uint(const batch<T, A>& x) noexcept {
#if XSIMD_VERSION_MAJOR >= 10
  return xsimd::bitwise_cast<uint_of<T>>(x);
#else
  return xsimd::bitwise_cast<batch<uint_of<T>, A>>(x);
#endif
}
template <real T, class A>
[[nodiscard]] inline batch<T, A> as_real(const batch<uint_of<T>, A>& x) noexcept {
#if XSIMD_VERSION_MAJOR >= 10
  return xsimd::bitwise_cast<T>(x);
#else
  return xsimd::bitwise_cast<batch<T, A>>(x);
#endif
}

}  // namespace simd

namespace detail {

// The token of the namespace and the registers xsimd would use must come from the same flags.
#if defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512CD__)
static_assert(sizeof(simd::batch<float>) == 64,
              "logitope: LOGITOPE_ABI says AVX-512, xsimd's default architecture not");
#elif defined(__AVX__) && !defined(__AVX512F__)
static_assert(sizeof(simd::batch<float>) == 32, "logitope: LOGITOPE_ABI says AVX, xsimd's default architecture not");
#elif defined(__SSE2__) && !defined(__AVX__)
static_assert(sizeof(simd::batch<float>) == 16, "logitope: LOGITOPE_ABI says SSE, xsimd's default architecture not");
#endif

/// Best instruction set of this CPU and operating system that has kernels; asks the CPU once per process.
[[nodiscard]] inline isa detect_isa() noexcept {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return isa::avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return isa::avx2;
#endif
  return isa::baseline;
}
inline const isa process_isa = detect_isa();

/// The instruction set a policy's architecture stands for.
template <arch_tag A>
[[nodiscard]] inline isa isa_of() noexcept {
  if constexpr (std::is_same_v<A, best_available>) return process_isa;
  else if constexpr (std::is_same_v<A, avx512>) return isa::avx512;
  else if constexpr (std::is_same_v<A, avx2>) return isa::avx2;
  else return isa::baseline;
}

}  // namespace detail

/// @brief Name and width of the instruction set that calls under a policy run on.
template <kernel_policy P = default_policy>
[[nodiscard]] inline instruction_set_info instruction_set() noexcept {
  switch (detail::isa_of<typename P::arch>()) {
    case isa::avx512:
      return {"avx512bw", 16};
    case isa::avx2:
      return {"avx2+fma", 8};
    case isa::baseline:
      break;
  }
  return {simd::default_arch::name(), simd::lanes<float>};
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
