// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_SENSING_PHASE_TRANSITION_HPP
#define LOGITOPE_SENSING_PHASE_TRANSITION_HPP

#include <cstddef>
#include <string>

#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../special/normal_tail.hpp"
#include "necessary.hpp"

/// @file
/// @brief Weak Donoho-Tanner thresholds: the dimension at which a typical k-subset of Gaussian rows becomes a face.

namespace logitope {
inline namespace v0 {

/// Criterion: a typical k-subset of V Gaussian rows is a face of their hull (simplex case; the one for softmax).
struct weak_gaussian {
  static constexpr double sides = 1;  ///< tails that a row off the support can fall in
  /// At h = V - 1 Gaussian rows are affinely independent: every subset is a face.
  static constexpr std::size_t enough(std::size_t V) { return V - 1; }
};
/// Criterion: the same for rows and their negatives (cross-polytope case: recovery of signed k-sparse vectors by l1).
struct weak_gaussian_signed {
  static constexpr double sides = 2;
  static constexpr std::size_t enough(std::size_t V) { return V; }
};

/// A weak threshold of Gaussian rows.
template <class C>
concept weak_criterion = requires(std::size_t V) {
  C::sides;
  C::enough(V);
};

}  // namespace v0

inline namespace LOGITOPE_ABI {
namespace detail {

struct value_and_slope {
  double value = 0;
  double slope = 0;
};
/// Root of a decreasing function in [low, high]: a few halvings, then Newton steps kept inside the bracket. Few
/// evaluations matter: clang allows a constant expression about a million steps.
template <class F>
[[nodiscard]] constexpr double decreasing_root(double low, double high, F at) {
  for (int i = 0; i < 9; ++i) {
    const double middle = 0.5 * (low + high);
    (at(middle).value > 0 ? low : high) = middle;
  }
  double z = 0.5 * (low + high);
  for (int i = 0; i < 60; ++i) {
    const value_and_slope f = at(z);
    (f.value > 0 ? low : high) = z;
    double next = f.slope < 0 ? z - f.value / f.slope : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double step = next < z ? z - next : next - z;
    z = next;
    if (step <= 2e-16 * z) break;
  }
  return z;
}

/// Tail beyond which a density is below every double that matters.
inline constexpr double last_tail = 38;

/// Undersampling h / V at the threshold whose tail parameter is z, and its slope.
template <weak_criterion C>
[[nodiscard]] constexpr value_and_slope undersampling(double z) {
  const normal_tail_moments tail = normal_tail(z);
  const double scale = C::sides * normal_density(z);
  const double below = z + scale * tail.first;
  return {scale * (tail.first * (1 + z * z) + z * tail.second) / below,
          -(1 + z * z - scale * tail.second) * scale / (below * below)};
}

[[noreturn]] inline void refuse_undersampling(double delta) {
  raise<value_error>("undersampling h / V: expected a number in (0, 1], got " + std::to_string(delta));
}

}  // namespace detail

/// @brief Weak threshold: sparsity k / h up to which a typical k-subset of Gaussian rows is a face.
///
/// With m(z) = phi(z) - z Q(z), G(z) = (1 + z^2) Q(z) - z phi(z) and kappa = C::sides, the curve is parametrised by z:
/// \f[ \varepsilon = \frac{\kappa m}{z + \kappa m},\quad \delta = \varepsilon(1+z^2) + (1-\varepsilon)\kappa G,\quad
///     \rho = \varepsilon/\delta = \frac{m}{m (1+z^2) + z G}. \f]
///
/// @tparam C    weak_gaussian or weak_gaussian_signed
/// @param delta undersampling h / V, in (0, 1]
/// @return rho = k / h in (0, 1]; 1 at delta = 1
/// @throws value_error if delta is outside (0, 1] or NaN
/// @par Cost about 20 evaluations of normal_tail
/// @par Accuracy measured: 1e-12 relative for delta in [0.05, 0.9] (15 digits of a reference), 1e-11 against the
/// 12-digit table from 1e-6 to 0.999: tests/sensing/phase_transition.cpp
/// @par Source Donoho & Tanner 2005, PNAS 102:9446 and 102:9452; as a statistical dimension: Amelunxen, Lotz, McCoy &
/// Tropp 2014, doi:10.1093/imaiai/iau005
template <weak_criterion C>
[[nodiscard]] constexpr double threshold(double delta, C) {
  if (!(delta > 0 && delta <= 1)) detail::refuse_undersampling(delta);
  if (delta == 1) return 1;
  const double z = detail::decreasing_root(0, detail::last_tail, [delta](double x) {
    const detail::value_and_slope d = detail::undersampling<C>(x);
    return detail::value_and_slope{d.value - delta, d.slope};
  });
  const normal_tail_moments tail = normal_tail(z);
  return tail.first / (tail.first * (1 + z * z) + z * tail.second);
}

/// @brief Dimension from which a typical k-subset of V Gaussian rows is a face, so that its distributions are
/// representable.
///
/// \f[ h^* = V \min_{z \ge 0}\{\varepsilon (1+z^2) + (1-\varepsilon)\kappa G(z)\}, \qquad \varepsilon = k/V, \f]
/// the statistical dimension per coordinate; never more than C::enough(V), where every subset is a face. For small
/// k / V it is about 2 k log(V / k).
///
/// @param V vocabulary, at least 1
/// @param k support size, 1 .. V
/// @return h* as a real number
/// @throws value_error if k is 0 or above V
/// @par Cost about 20 evaluations of normal_tail; usable in a constant expression
/// @par Accuracy measured: 1e-9 against ten printed digits, tests/sensing/phase_transition.cpp; the asymptotic formula
/// itself is off by O(sqrt(V / k)) for one finite V
/// @par Source as threshold(); the question for softmax heads: Zucchet et al. 2026, arXiv:2608.15448
template <weak_criterion C>
[[nodiscard]] constexpr double required(std::size_t V, std::size_t k, C) {
  detail::require_support(V, k);
  const auto all = static_cast<double>(C::enough(V));
  if (k == V) return all;
  const double on = static_cast<double>(k);
  const double off = static_cast<double>(V - k);
  const double z = detail::decreasing_root(0, detail::last_tail, [on, off](double x) {
    const normal_tail_moments tail = normal_tail(x);
    const double scale = C::sides * detail::normal_density(x);
    return detail::value_and_slope{off * scale * tail.first - on * x, -off * scale * tail.mills - on};
  });
  const double h = on * (1 + z * z) + off * C::sides * detail::normal_density(z) * normal_tail(z).second;
  return h < all ? h : all;
}

/// @brief Smallest whole dimension that meets the criterion: the ceiling of required().
/// @param V vocabulary
/// @param k support size, 1 .. V
/// @throws value_error if k is 0 or above V
template <weak_criterion C>
[[nodiscard]] constexpr std::size_t required_dimension(std::size_t V, std::size_t k, C criterion) {
  const double h = required(V, k, criterion);
  const auto whole = static_cast<std::size_t>(h);
  return static_cast<double>(whole) < h ? whole + 1 : whole;
}

/// @brief Largest support size whose typical subset is a face in dimension h.
/// @param V vocabulary, at least 1
/// @param h dimension of the hidden state
/// @return largest k with required(V, k, criterion) <= h; 0 if there is none, V from h = C::enough(V) on
/// @throws value_error if V is 0
template <weak_criterion C>
[[nodiscard]] constexpr std::size_t max_support(std::size_t V, std::size_t h, C criterion) {
  if (V == 0) detail::refuse_support(V, 0);
  if (h >= C::enough(V)) return V;
  if (h == 0) return 0;
  const auto dimension = static_cast<double>(h);
  auto k = static_cast<std::size_t>(dimension * threshold(dimension / static_cast<double>(V), criterion));
  // the threshold is the same curve read the other way: at most a rounding error from the answer
  while (k > 0 && required(V, k, criterion) > dimension) --k;
  while (k + 1 < V && required(V, k + 1, criterion) <= dimension) ++k;
  return k;
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
