// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SIMD_ROW_KERNELS_HPP
#define LOGITOPE_SIMD_ROW_KERNELS_HPP

#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "../core/concepts.hpp"
#include "../core/config.hpp"
#include "arch.hpp"
#include "exp.hpp"

/// @file
/// @brief The primitives every row call is made of, and their portable version over xsimd.
///
/// Rows come in with finite maximum and without NaN everywhere but in `scan` and `find`. Index 0 of a pair is
/// shift_rounding::plain (results below the smallest normal number are 0), index 1 two_sum (they are kept).

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail {

template <real T>
struct row_top {
  T max;
  bool nan;
};

template <real T>
struct row_kernels {
  /// Largest entry (-inf of none), and whether there is a NaN.
  row_top<T> (*scan)(const T* z, std::size_t n) noexcept;
  /// Lowest index of `what`, n if absent.
  std::size_t (*find)(const T* z, std::size_t n, T what) noexcept;
  /// Sum of exp(z - m).
  std::array<double (*)(const T* z, std::size_t n, T m) noexcept, 2> sum_exp;
  /// The same, leaving exp(z - m) in out, which may be z.
  std::array<double (*)(const T* z, T* out, std::size_t n, T m) noexcept, 2> store_exp;
  /// out *= factor.
  std::array<void (*)(T* out, std::size_t n, T factor) noexcept, 2> scale;
  /// out = (z - m) - log_sum, in one rounding where two_sum.
  std::array<void (*)(const T* z, T* out, std::size_t n, T m, double log_sum) noexcept, 2> shift;
  /// Plain softmax of adjacent rows, z and out `z_pitch` and `out_pitch` apart, without a call a pass: as many rows as
  /// come before one whose maximum is not finite or that has a NaN. Null where no twin gains by it.
  std::size_t (*softmax_rows)(const T* z, std::size_t z_pitch, T* out, std::size_t out_pitch, std::size_t rows,
                              std::size_t n) noexcept;
};

/// Sum of registers: four meet in T, then float goes on in double and double in twice the digits (Neumaier).
template <real T, class A>
class long_sum {
 public:
  using B = simd::batch<T, A>;

  void add(const B& x) noexcept {
    if constexpr (std::is_same_v<T, double>) {
      const B s = high_ + x;
      const B back = s - high_;
      low_ += (high_ - (s - back)) + (x - back);
      high_ = s;
    } else {
      alignas(64) std::array<float, simd::lanes<T, A>> v;
      x.store_aligned(v.data());
      for (std::size_t i = 0; i < v.size(); ++i) wide_[i] += static_cast<double>(v[i]);
    }
  }
  [[nodiscard]] double total() const noexcept {
    if constexpr (std::is_same_v<T, double>) {
      alignas(64) std::array<double, simd::lanes<T, A>> h, l;
      high_.store_aligned(h.data());
      low_.store_aligned(l.data());
      double sum = 0, lost = 0;
      for (std::size_t i = 0; i < h.size(); ++i) {
        const double s = sum + h[i], back = s - sum;
        lost += (sum - (s - back)) + (h[i] - back) + l[i];
        sum = s;
      }
      return sum + lost;
    } else {
      double sum = 0;
      for (const double w : wide_) sum += w;
      return sum;
    }
  }

 private:
  // parentheses: in braces xsimd takes a list of lanes
  B high_ = B(T{0}), low_ = B(T{0});
  std::array<double, simd::lanes<T, A>> wide_{};
};

/// The primitives over xsimd, for the instruction set the compiler flags allow.
template <real T, class A>
struct portable {
  using B = simd::batch<T, A>;
  static constexpr std::size_t L = simd::lanes<T, A>;
  static constexpr T inf = std::numeric_limits<T>::infinity();
  using buffer = std::array<T, L>;

  /// The last n < L entries, -inf behind them: exp makes them 0.
  static B load_tail(const T* z, std::size_t n) noexcept {
    alignas(64) buffer v;
    v.fill(-inf);
    for (std::size_t i = 0; i < n; ++i) v[i] = z[i];
    return B::load_aligned(v.data());
  }
  static void store_tail(T* out, std::size_t n, const B& x) noexcept {
    alignas(64) buffer v;
    x.store_aligned(v.data());
    for (std::size_t i = 0; i < n; ++i) out[i] = v[i];
  }

  static row_top<T> scan(const T* z, std::size_t n) noexcept {
    B m0(-inf), m1(-inf);
    simd::batch_bool<T, A> bad(false);
    std::size_t i = 0;
    for (; i + 2 * L <= n; i += 2 * L) {
      const B a = simd::load<A>(z + i), b = simd::load<A>(z + i + L);
      bad = bad | simd::is_nan(a) | simd::is_nan(b);
      m0 = simd::larger(a, m0);
      m1 = simd::larger(b, m1);
    }
    for (; i < n; i += L) {
      const B a = n - i >= L ? simd::load<A>(z + i) : load_tail(z + i, n - i);
      bad = bad | simd::is_nan(a);
      m0 = simd::larger(a, m0);
    }
    return {simd::hmax(simd::larger(m0, m1)), simd::any(bad)};
  }

  static std::size_t find(const T* z, std::size_t n, T what) noexcept {
    const B w(what);
    std::size_t i = 0;
    for (; i + L <= n; i += L)
      if (simd::any(simd::load<A>(z + i) == w)) break;
    while (i < n && z[i] != what) ++i;
    return i;
  }

  template <bool TwoSum>
  static B term(const B& z, const B& m) noexcept {
    if constexpr (TwoSum) {
      const shifted<T, A> d(z, m);
      return exp_of<true, T, A>(d.high, d.low);
    } else {
      return exp_of<false, T, A>(z - m, B(T{0}));
    }
  }

  template <bool TwoSum, bool Store>
  static double run(const T* z, T* out, std::size_t n, T max) noexcept {
    const B m(max);
    long_sum<T, A> sum;
    std::size_t i = 0;
    for (; i + 4 * L <= n; i += 4 * L) {
      std::array<B, 4> e;
      for (std::size_t j = 0; j < 4; ++j) e[j] = term<TwoSum>(simd::load<A>(z + i + j * L), m);
      if constexpr (Store)
        for (std::size_t j = 0; j < 4; ++j) simd::store(out + i + j * L, e[j]);
      sum.add((e[0] + e[1]) + (e[2] + e[3]));
    }
    for (; i + L <= n; i += L) {
      const B e = term<TwoSum>(simd::load<A>(z + i), m);
      if constexpr (Store) simd::store(out + i, e);
      sum.add(e);
    }
    if (i < n) {
      const B e = term<TwoSum>(load_tail(z + i, n - i), m);
      if constexpr (Store) store_tail(out + i, n - i, e);
      sum.add(e);
    }
    return sum.total();
  }

  template <bool TwoSum>
  static double sum_exp(const T* z, std::size_t n, T m) noexcept {
    return run<TwoSum, false>(z, nullptr, n, m);
  }
  template <bool TwoSum>
  static double store_exp(const T* z, T* out, std::size_t n, T m) noexcept {
    return run<TwoSum, true>(z, out, n, m);
  }

  template <bool Subnormals>
  static void scale(T* out, std::size_t n, T factor) noexcept {
    const B f(factor), tiny((std::numeric_limits<T>::min)()), zero(T{0});
    const auto scaled = [&](const B& x) {
      const B y = x * f;
      if constexpr (Subnormals) return y;
      else return simd::select(y < tiny, zero, y);
    };
    std::size_t i = 0;
    for (; i + L <= n; i += L) simd::store(out + i, scaled(simd::load<A>(out + i)));
    if (i < n) store_tail(out + i, n - i, scaled(load_tail(out + i, n - i)));
  }

  static void shift_plain(const T* z, T* out, std::size_t n, T max, double log_sum) noexcept {
    const B m(max), l(static_cast<T>(log_sum));
    std::size_t i = 0;
    for (; i + L <= n; i += L) simd::store(out + i, (simd::load<A>(z + i) - m) - l);
    if (i < n) store_tail(out + i, n - i, (load_tail(z + i, n - i) - m) - l);
  }
  static void shift_exact(const T* z, T* out, std::size_t n, T max, double log_sum) noexcept {
    for (std::size_t i = 0; i < n; ++i) {
      if constexpr (std::is_same_v<T, float>) {
        out[i] = static_cast<float>((static_cast<double>(z[i]) - static_cast<double>(max)) - log_sum);
      } else {
        const double high = z[i] - max, back = high - z[i];
        const double low = (z[i] - (high - back)) - (max + back);
        const double y = high - log_sum;
        out[i] = y > -std::numeric_limits<double>::infinity() ? y + low : y;
      }
    }
  }

  static constexpr row_kernels<T> table() noexcept {
    return {&scan,
            &find,
            {&sum_exp<false>, &sum_exp<true>},
            {&store_exp<false>, &store_exp<true>},
            {&scale<false>, &scale<true>},
            {&shift_plain, &shift_exact},
            nullptr};
  }
};

}  // namespace detail
}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
