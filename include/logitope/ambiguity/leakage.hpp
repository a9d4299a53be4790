// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_AMBIGUITY_LEAKAGE_HPP
#define LOGITOPE_AMBIGUITY_LEAKAGE_HPP

#include <cmath>
#include <cstddef>
#include <string>

#include "../core/array.hpp"
#include "../core/config.hpp"
#include "../core/error.hpp"
#include "entropy.hpp"
#include "rows.hpp"

/// @file
/// @brief Probability that a model puts where the truth puts none, and what it costs at least.

namespace logitope {
inline namespace LOGITOPE_ABI {
namespace detail {

inline void require_leak(double leak, const char* who) {
  if (!(leak >= 0 && leak <= 1))
    raise<value_error>(std::string(who) + " leaked mass: expected in [0, 1], got " + std::to_string(leak));
}

}  // namespace detail

/// @brief Mass of q outside the support of p.
///
/// \f[ L = \sum_{v : p_v = 0} q_v \f]
///
/// @param p [..., V] target probabilities, 0 exactly off the support
/// @param q [..., V] model probabilities
/// @return [...] in [0, 1] for a normalised q; NaN where p or q is NaN
/// @throws shape_error if the shapes differ
template <real_array A, real_array B>
[[nodiscard]] auto leaked_mass(const A& p, const B& q) {
  return detail::measure_row_pairs(p, q, "leaked_mass", [](auto pr, auto qr) {
    double leak = 0;
    for (std::size_t v = 0; v < pr.size; ++v) {
      if (std::isnan(pr[v]) || std::isnan(qr[v])) return detail::not_a_number;
      if (pr[v] == 0) leak += qr[v];
    }
    return leak;
  });
}

/// @brief The least divergence that goes with a leak; equality when q is proportional to p on its support.
///
/// \f[ KL(p \| q) \ge -\ln(1 - L) \ge L \f]
///
/// @param leak leaked mass, in [0, 1]
/// @return nats; +inf at 1
/// @throws value_error if leak is outside [0, 1] or NaN
[[nodiscard]] inline double least_divergence(double leak) {
  detail::require_leak(leak, "least_divergence");
  if (leak == 1) return detail::infinity;
  return leak == 0 ? 0.0 : -std::log1p(-leak);
}

/// @brief Entropy of a coin: h_b(L) = -L ln L - (1 - L) ln(1 - L), in nats.
/// @throws value_error if leak is outside [0, 1] or NaN
[[nodiscard]] inline double binary_entropy(double leak) {
  detail::require_leak(leak, "binary_entropy");
  if (leak == 0 || leak == 1) return 0;
  return -leak * std::log(leak) - (1 - leak) * std::log1p(-leak);
}

/// @brief A target uniform on k classes, a model uniform on them and uniform on the m others, of mass L together.
///
/// Everything in closed form (theory of leaks, equal to the sums over all k + m classes):
/// \f[ KL = -\ln(1-L), \quad H(q) - \ln k = h_b(L) + L \ln(m/k), \quad PPL = e^{\ln k + KL} = k/(1-L). \f]
class uniform_leak {
 public:
  /// @param k    classes of the support, >= 1
  /// @param m    classes off it; 0 only where leak is 0
  /// @param leak leaked mass, in [0, 1]
  /// @throws value_error naming the argument
  uniform_leak(std::size_t k, std::size_t m, double leak)
      : k_(static_cast<double>(k)), m_(static_cast<double>(m)), leak_(leak) {
    detail::require_leak(leak, "uniform_leak");
    if (k == 0) detail::raise<value_error>("uniform_leak support: expected at least 1 class, got 0");
    if (m == 0 && leak > 0)
      detail::raise<value_error>("uniform_leak: expected leaked mass 0 where there is no class off the support, got " +
                                 std::to_string(leak));
  }

  /// KL(p || q) [nats]
  [[nodiscard]] double divergence() const { return least_divergence(leak_); }
  /// H(q) - H(p) [nats]; negative where the leak is so large that q is the sharper one
  [[nodiscard]] double over_entropy() const {
    return leak_ == 0 ? 0.0 : binary_entropy(leak_) + leak_ * std::log(m_ / k_);
  }
  /// H(q) [nats]
  [[nodiscard]] double entropy() const { return std::log(k_) + over_entropy(); }
  /// exp(H(q)) [classes]
  [[nodiscard]] double effective_support() const { return k_ * std::exp(over_entropy()); }
  /// exp of the cross-entropy [classes]; +inf when all mass leaks
  [[nodiscard]] double perplexity() const { return leak_ == 1 ? detail::infinity : k_ / (1 - leak_); }

 private:
  double k_, m_, leak_;
};

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
