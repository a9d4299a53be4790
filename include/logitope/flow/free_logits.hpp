// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_FLOW_FREE_LOGITS_HPP
#define LOGITOPE_FLOW_FREE_LOGITS_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "../core/config.hpp"
#include "../core/error.hpp"

/// @file
/// @brief How one context with free logits learns a uniform distribution on k of V tokens, in closed form.

namespace logitope {
inline namespace v0 {

/// Where the flow of one context stands at time t.
struct free_logits_state {
  double t = 0;      ///< flow time (learning rate times steps)
  double u = 0;      ///< gap between a logit on the support and one off it
  double z_on = 0;   ///< logit on the support
  double z_off = 0;  ///< logit off the support
  double leak = 0;   ///< probability off the support
  double kl = 0;     ///< KL(p || q) in nats
};

}  // namespace v0

inline namespace LOGITOPE_ABI {
namespace detail {

inline void require_learnable_support(std::size_t k, std::size_t V) {
  if (k == 0 || k > V)
    raise<value_error>("free logits, support size: expected 1 .. V = " + std::to_string(V) + ", got " +
                       std::to_string(k));
}

}  // namespace detail

/// @brief State of the gradient flow z' = p - softmax(z) from z = 0, with p uniform on k of V tokens.
///
/// The gap u = z_on - z_off solves, with m = V - k,
/// \f[ k (e^u - 1) + m u = \frac{V}{k} t, \qquad q_{\mathrm{off}} = \frac{m}{k e^u + m}, \qquad
///     \mathrm{KL} = \log\bigl(1 + \tfrac{m}{k} e^{-u}\bigr), \f]
/// by Newton steps on this convex increasing equation from above, where they descend to the root. (The explicit form
/// with Lambert's W overflows for large V / k.)
///
/// @param k support size, 1 .. V; at k = V nothing is to be learnt: every number but t is 0
/// @param V vocabulary
/// @param t flow time, >= 0; +inf is the limit (u, z_on = +inf, z_off = -inf, leak = kl = 0). A context of frequency f
///          and squared embedding norm e2 under the weight flow: pass f * e2 * t
/// @return the state
/// @throws value_error if k is outside 1 .. V, or t is negative or NaN
/// @par Cost about 6 exponentials
/// @par Accuracy measured: 1e-13 relative in u, leak and KL against 25-digit values up to t = 1e6, and against a
/// long double root up to t = 1e12: tests/flow/free_logits.cpp
/// @par Source own closed form; the question: Zucchet et al. 2026, arXiv:2608.15448
[[nodiscard]] inline free_logits_state free_logits(std::size_t k, std::size_t V, double t) {
  detail::require_learnable_support(k, V);
  if (!(t >= 0)) detail::raise<value_error>("free logits, flow time: expected a number >= 0, got " + std::to_string(t));
  free_logits_state state;
  state.t = t;
  if (k == V) return state;
  const auto on = static_cast<double>(k);
  const auto off = static_cast<double>(V - k);
  const auto all = static_cast<double>(V);
  if (std::isinf(t)) {
    state.u = state.z_on = t;
    state.z_off = -t;
    return state;
  }
  // k expm1(u) >= k u and m u >= 0 bound the root from above
  const double scaled = t / on;
  double u = (std::min)(scaled, std::log1p(all / on * scaled));
  for (int i = 0; i < 100 && u > 0; ++i) {
    const double rise = std::expm1(u);
    const double excess = (on * rise + off * u) - all * scaled;
    const double next = u - excess / (on * rise + all);
    const bool settled = std::fabs(next - u) <= 2e-16 * u;
    u = next;
    if (settled) break;
  }
  state.u = u;
  state.z_on = off / all * u;
  state.z_off = -on / all * u;
  const double odds = off / on * std::exp(-u);
  state.leak = odds / (1 + odds);
  state.kl = std::log1p(odds);
  return state;
}

/// @brief First time at which at most `leak` of the probability is off the support.
///
/// \f[ t(L) = \frac{k}{V}\Bigl[k (x - 1) + m \log x\Bigr],\qquad x = e^u = \frac{m (1-L)}{k L},\qquad
///     x - 1 = \frac{m - V L}{k L} \f]
///
/// @param k    support size, 1 .. V
/// @param V    vocabulary
/// @param leak probability off the support, in [0, 1]
/// @return flow time; 0 if the leak is no larger at the start ((V - k) / V <= leak), +inf for leak = 0
/// @throws value_error if k is outside 1 .. V, or leak outside [0, 1] or NaN
/// @par Accuracy measured: 1e-13 relative against 20-digit values, tests/flow/free_logits.cpp
/// @par Source as free_logits()
[[nodiscard]] inline double time_to_leak(std::size_t k, std::size_t V, double leak) {
  detail::require_learnable_support(k, V);
  if (!(leak >= 0 && leak <= 1))
    detail::raise<value_error>("free logits, leaked mass: expected a number in [0, 1], got " + std::to_string(leak));
  const auto on = static_cast<double>(k);
  const auto off = static_cast<double>(V - k);
  const auto all = static_cast<double>(V);
  const double missing = std::fma(-all, leak, off);  // m - V L, exact but for one rounding
  if (missing <= 0) return 0;
  if (leak == 0) return std::numeric_limits<double>::infinity();
  const double rise = missing / (on * leak);
  return on / all * (on * rise + off * std::log1p(rise));
}

/// @brief Time at which half of the mass still leaks: about k (1 + log(V / k)) for k << V.
/// @return flow time; 0 for k >= V / 2, where less than half leaks from the start
/// @throws value_error if k is outside 1 .. V
[[nodiscard]] inline double half_leak_time(std::size_t k, std::size_t V) {
  return time_to_leak(k, V, 0.5);
}

/// @brief Late loss times time: KL -> late_prefactor / t as t -> inf.
/// \f[ \lim_{t \to \infty} t\,\mathrm{KL}(t) = k (1 - k / V) \f]
/// @throws value_error if k is outside 1 .. V
[[nodiscard]] inline double late_prefactor(std::size_t k, std::size_t V) {
  detail::require_learnable_support(k, V);
  return static_cast<double>(k) * (static_cast<double>(V - k) / static_cast<double>(V));
}

/// @brief Speed at which the loss falls at the start: -dKL/dt at t = 0, which is |p - q|^2.
/// \f[ -\dot{\mathrm{KL}}(0) = 1/k - 1/V \f]
/// @throws value_error if k is outside 1 .. V
[[nodiscard]] inline double early_rate(std::size_t k, std::size_t V) {
  detail::require_learnable_support(k, V);
  return static_cast<double>(V - k) / static_cast<double>(V) / static_cast<double>(k);
}

/// @brief Learning curve of one context: free_logits() at every time asked for.
/// @param k     support size, 1 .. V
/// @param V     vocabulary
/// @param times flow times, each >= 0, in any order
/// @return one state per time, in the order given; allocates
/// @throws value_error as free_logits()
[[nodiscard]] inline std::vector<free_logits_state> learning_curve(std::size_t k, std::size_t V,
                                                                   std::span<const double> times) {
  detail::require_learnable_support(k, V);
  std::vector<free_logits_state> curve;
  curve.reserve(times.size());
  for (const double t : times) curve.push_back(free_logits(k, V, t));
  return curve;
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
