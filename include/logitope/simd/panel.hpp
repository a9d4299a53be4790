// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_PANEL_HPP
#define LOGITOPE_SIMD_PANEL_HPP

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "../core/concepts.hpp"
#include "../core/config.hpp"
#include "../core/view.hpp"
#include "arch.hpp"
#include "policy.hpp"

#if defined(__x86_64__)
#include "x86/panel_avx2.hpp"
#include "x86/panel_avx512.hpp"
#endif

/// @file
/// @brief Products of row-major matrices: what a dense head and its gradient are made of.
///
/// Every element is one chain of additions in the order of the summed index, so that its bits do not depend on which
/// rows are computed together. Accuracy, proved: K u sum |a_k| |b_k| for K summed products.

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail {

/// Four or one rows by `columns` of a product; the second factor is packed `columns` wide.
template <real T>
struct panel_kernels {
  using run = void (*)(const T* a, std::size_t ai, std::size_t ak, const T* b, std::size_t K, T* c,
                       std::size_t ldc) noexcept;
  std::size_t columns;
  run four;
  run one;
};

template <real T, class A, std::size_t Rows>
void portable_panel(const T* a, std::size_t ai, std::size_t ak, const T* b, std::size_t K, T* c,
                    std::size_t ldc) noexcept {
  using B = simd::batch<T, A>;
  constexpr std::size_t L = B::size;
  B s[Rows][2];
  for (std::size_t i = 0; i < Rows; ++i)
    for (std::size_t j = 0; j < 2; ++j) s[i][j] = simd::load<A>(c + i * ldc + j * L);
  for (std::size_t k = 0; k < K; ++k) {
    const B b0 = simd::load<A>(b + k * 2 * L), b1 = simd::load<A>(b + k * 2 * L + L);
    for (std::size_t i = 0; i < Rows; ++i) {
      const B x(a[i * ai + k * ak]);
      s[i][0] = simd::fma(x, b0, s[i][0]);
      s[i][1] = simd::fma(x, b1, s[i][1]);
    }
  }
  for (std::size_t i = 0; i < Rows; ++i)
    for (std::size_t j = 0; j < 2; ++j) simd::store(c + i * ldc + j * L, s[i][j]);
}

/// Kernels of a policy's architecture.
template <arch_tag Arch, real T>
[[nodiscard]] inline panel_kernels<T> panel_kernels_of() noexcept {
#if defined(__x86_64__)
  if constexpr (!std::is_same_v<Arch, baseline>) {
    const isa chosen = isa_of<Arch>();
    if constexpr (std::is_same_v<T, float>) {
      if (chosen == isa::avx512) return {32, x86::avx512_panel_float<4>, x86::avx512_panel_float<1>};
      if (chosen == isa::avx2) return {16, x86::avx2_panel_float<4>, x86::avx2_panel_float<1>};
    } else {
      if (chosen == isa::avx512) return {16, x86::avx512_panel_double<4>, x86::avx512_panel_double<1>};
      if (chosen == isa::avx2) return {8, x86::avx2_panel_double<4>, x86::avx2_panel_double<1>};
    }
  }
#endif
  using A = simd::default_arch;
  return {2 * simd::lanes<T>, portable_panel<T, A, 4>, portable_panel<T, A, 1>};
}

/// C[n, m] += sum_k a[i ai + k ak] b[k bk + j bj]: strips of B are packed on the stack, with zeros to full registers.
template <kernel_policy P, real T>
void panel(const T* a, std::size_t ai, std::size_t ak, const T* b, std::size_t bk, std::size_t bj, std::size_t K,
           matrix_view<T> C) noexcept {
  constexpr std::size_t depth = 256, widest = 2 * (std::max)(std::size_t{64} / sizeof(T), simd::lanes<T>);
  alignas(64) T packed[depth * widest];
  alignas(64) T edge[4 * widest];
  const auto kernels = panel_kernels_of<typename P::arch, T>();
  const std::size_t width = kernels.columns, n = C.rows(), m = C.cols();
  for (std::size_t j = 0; j < m; j += width) {
    const std::size_t cols = (std::min)(width, m - j);
    for (std::size_t k = 0; k < K; k += depth) {
      const std::size_t terms = (std::min)(depth, K - k);
      for (std::size_t t = 0; t < terms; ++t)
        for (std::size_t x = 0; x < width; ++x)
          packed[t * width + x] = x < cols ? b[(k + t) * bk + (j + x) * bj] : T{0};
      for (std::size_t i = 0; i < n;) {
        const std::size_t rows = n - i >= 4 ? 4 : 1;
        const auto run = rows == 4 ? kernels.four : kernels.one;
        const T* first = a + i * ai + k * ak;
        if (cols == width) {
          run(first, ai, ak, packed, terms, C.row_data(i) + j, C.stride());
        } else {
          std::fill_n(edge, rows * width, T{0});
          for (std::size_t r = 0; r < rows; ++r) std::copy_n(C.row_data(i + r) + j, cols, edge + r * width);
          run(first, ai, ak, packed, terms, edge, width);
          for (std::size_t r = 0; r < rows; ++r) std::copy_n(edge + r * width, cols, C.row_data(i + r) + j);
        }
        i += rows;
      }
    }
  }
}

template <real T>
void clear(matrix_view<T> C) noexcept {
  for (std::size_t i = 0; i < C.rows(); ++i) std::fill_n(C.row_data(i), C.cols(), T{0});
}

}  // namespace detail

/// @brief C = A B^T for A [n, K], B [m, K], C [n, m]. Sizes are the caller's to check.
/// @par Cost 2 n m K flops, no allocation
template <kernel_policy P = default_policy, real T>
void panel_nt(matrix_view<const std::type_identity_t<T>> A, matrix_view<const std::type_identity_t<T>> B,
              matrix_view<T> C) noexcept {
  detail::clear(C);
  detail::panel<P, T>(A.data(), A.stride(), 1, B.data(), 1, B.stride(), A.cols(), C);
}

/// @brief C += A B for A [n, K], B [K, m], C [n, m].
/// @par Cost 2 n m K flops, no allocation
template <kernel_policy P = default_policy, real T>
void panel_nn(matrix_view<const std::type_identity_t<T>> A, matrix_view<const std::type_identity_t<T>> B,
              matrix_view<T> C) noexcept {
  detail::panel<P, T>(A.data(), A.stride(), 1, B.data(), B.stride(), 1, A.cols(), C);
}

/// @brief C += A^T B for A [K, n], B [K, m], C [n, m].
/// @par Cost 2 n m K flops, no allocation
template <kernel_policy P = default_policy, real T>
void panel_tn(matrix_view<const std::type_identity_t<T>> A, matrix_view<const std::type_identity_t<T>> B,
              matrix_view<T> C) noexcept {
  detail::panel<P, T>(A.data(), 1, A.stride(), B.data(), B.stride(), 1, A.rows(), C);
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
