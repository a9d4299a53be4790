// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_AMBIGUITY_DIVERGENCE_HPP
#define LOGITOPE_AMBIGUITY_DIVERGENCE_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "../core/array.hpp"
#include "../core/config.hpp"
#include "../core/error.hpp"
#include "entropy.hpp"
#include "rows.hpp"

/// @file
/// @brief How far a model is from the truth: Kullback-Leibler divergence, total variation, over-entropy, perplexity.
///
/// Arrays of one shape in, distributions along the last axis, a number (one axis) or an array of double out.

namespace logitope {
inline namespace v0 {

/// How far the sum of a distribution may be from 1 before it is refused. Wide enough for 50257 probabilities rounded to
/// float one by one, and far from the sums of counts, logits or log-probabilities passed by mistake.
inline constexpr double normalisation_tolerance = 1e-4;

/// A perplexity that may not fit a double, beside its logarithm, which does.
struct perplexity_value {
  double log_perplexity = 0;  ///< mean loss a token [nats]
  double perplexity = 0;      ///< exp of it, +inf above 709.78
};

}  // namespace v0

inline namespace LOGITOPE_ABI {
namespace detail {

/// (1 + r) ln(1 + r) - r for r >= -1: what one class adds to a divergence, never below 0.
[[nodiscard]] inline double relative_excess(double r) noexcept {
  if (std::fabs(r) < 0.0625) {  // the closed form loses u / r here; sum of (-r)^n / (n (n - 1)), n = 2 .. 15
    double sum = 0;
    for (int n = 15; n >= 2; --n) sum = 1.0 / (n * (n - 1)) - r * sum;
    return r * r * sum;
  }
  return r == -1 ? 1.0 : (std::max)((1 + r) * std::log1p(r) - r, 0.0);
}

/// p ln(p / q) - p + q for p, q > 0.
[[nodiscard]] inline double class_divergence(double p, double q) noexcept {
  const double r = (p - q) / q;
  if (std::fabs(r) < 1e300) return q * relative_excess(r);
  return p * (std::log(p) - std::log(q)) - p + q;  // p / q overflows: q is tiny
}

/// p (t - 1 + e^-t), the same where t = ln(p / q) is what is known.
[[nodiscard]] inline double class_divergence_from_log(double p, double t) noexcept {
  if (std::fabs(t) < 0.0625) {  // sum of (-t)^n / n!, n = 2 .. 11
    double sum = 0;
    for (int n = 11; n >= 2; --n) sum = (1.0 - t * sum) / n;
    return p * t * t * sum;
  }
  if (t < -700) return p * (t - 1) + std::exp(std::log(p) - t);  // e^-t may overflow where p e^-t does not
  return (std::max)(p * (t + std::expm1(-t)), 0.0);
}

/// The divergence of p / sp from q / sq, given sum (p ln(p / q) - p + q): what is taken off is of second order.
[[nodiscard]] inline double normalised_divergence(double sum, double sp, double sq) noexcept {
  return (std::max)((sum - sq * relative_excess((sp - sq) / sq)) / sp, 0.0);
}

/// Sum of the probabilities; NaN where one is NaN.
/// @throws value_error if one is negative, or the sum is further than `tolerance` from 1 (0 too, where allowed)
template <class T>
[[nodiscard]] double normalised_sum(strided_row<T> p, double tolerance, bool may_be_empty, const char* who) {
  double sum = 0;
  bool nan = false;
  for (std::size_t v = 0; v < p.size; ++v) {
    const double pv = p[v];
    if (std::isnan(pv)) nan = true;
    else if (pv < 0)
      raise<value_error>(std::string(who) + ": expected probabilities >= 0, got " + std::to_string(pv) + " at class " +
                         std::to_string(v));
    else sum += pv;
  }
  if (nan) return not_a_number;
  if (!(std::fabs(sum - 1) <= tolerance) && !(may_be_empty && sum == 0))
    raise<value_error>(std::string(who) + ": expected probabilities that sum to 1 within " + std::to_string(tolerance) +
                       ", got sum " + std::to_string(sum));
  return sum;
}

template <class T, class U>
[[nodiscard]] double kl_of(strided_row<T> p, strided_row<U> q, double tolerance) {
  const double sp = normalised_sum(p, tolerance, false, "kl target p");
  const double sq = normalised_sum(q, tolerance, true, "kl model q");
  if (std::isnan(sp) || std::isnan(sq)) return not_a_number;
  double sum = 0;
  for (std::size_t v = 0; v < p.size; ++v) {
    if (p[v] == 0) sum += q[v];
    else if (q[v] == 0) return infinity;
    else sum += class_divergence(p[v], q[v]);
  }
  return normalised_divergence(sum, sp, sq);
}

template <class T, class U>
[[nodiscard]] double kl_logits_of(strided_row<T> p, strided_row<U> z, double tolerance) {
  const double sp = normalised_sum(p, tolerance, false, "kl_from_logits target p");
  const logit_sums s = logit_sums_of(z);
  if (std::isnan(sp) || s.nan) return not_a_number;
  const double log_sum = s.log_sum();
  double sum = 0;
  for (std::size_t v = 0; v < p.size; ++v) {
    if (z[v] == -infinity) {
      if (p[v] > 0) return infinity;
      continue;
    }
    const double log_q = (z[v] - s.max) - log_sum;
    sum += p[v] == 0 ? std::exp(log_q) : class_divergence_from_log(p[v], std::log(p[v]) - log_q);
  }
  return normalised_divergence(sum, sp, 1.0);
}

}  // namespace detail

/// @brief Kullback-Leibler divergence of a model q from the truth p; 0 log 0 = 0.
///
/// \f[ KL(p \| q) = \sum_v p_v \ln \frac{p_v}{q_v} = \sum_v \left(p_v \ln \frac{p_v}{q_v} - p_v + q_v\right), \f]
/// summed in the second form, of which no term is negative. Sums that differ from 1 by rounding are divided out.
///
/// @param p [..., V] target probabilities
/// @param q [..., V] model probabilities; an empty row (all 0) puts no mass anywhere: +inf
/// @param tolerance  how far a sum may be from 1
/// @return [...] nats, never below +0, +0 exactly for p = q, +inf where q = 0 < p; NaN where an entry is NaN
/// @throws shape_error if the shapes differ; value_error naming the sum of a row that is not normalised, or the class
/// of
///         a negative entry. Nothing is clamped silently
/// @par Cost V divisions and logarithms a row
/// @par Accuracy measured: a few u relative even where p and q nearly agree; tests/ambiguity/divergence.cpp
template <real_array A, real_array B>
[[nodiscard]] auto kl(const A& p, const B& q, double tolerance = normalisation_tolerance) {
  return detail::measure_row_pairs(p, q, "kl",
                                   [tolerance](auto pr, auto qr) { return detail::kl_of(pr, qr, tolerance); });
}

/// @brief KL(p || softmax(z)), without forming the softmax: finite where a probability would underflow to 0.
/// @param p [..., V] target probabilities
/// @param z [..., V] logits; -inf masks a class
/// @param tolerance  how far the sum of p may be from 1
/// @return [...] nats, never below +0; +inf where a class with p > 0 is masked; NaN where a logit is NaN or +inf
/// @throws as `kl`
/// @par Accuracy measured: absolute, (2 + largest |z - max|) u per unit of p; tests/ambiguity/divergence.cpp
template <real_array A, real_array B>
[[nodiscard]] auto kl_from_logits(const A& p, const B& z, double tolerance = normalisation_tolerance) {
  return detail::measure_row_pairs(p, z, "kl_from_logits",
                                   [tolerance](auto pr, auto zr) { return detail::kl_logits_of(pr, zr, tolerance); });
}

/// @brief Largest difference between the probabilities that p and q give to one event.
///
/// \f[ TV = \tfrac12 \sum_v |p_v - q_v| \f]
///
/// @param p [..., V] @param q [..., V] probabilities @param tolerance how far a sum may be from 1
/// @return [...] in [0, 1] to rounding, at least the leaked mass; NaN where an entry is NaN
/// @throws as `kl`; an empty row is refused
template <real_array A, real_array B>
[[nodiscard]] auto total_variation(const A& p, const B& q, double tolerance = normalisation_tolerance) {
  return detail::measure_row_pairs(p, q, "total_variation", [tolerance](auto pr, auto qr) {
    const double sp = detail::normalised_sum(pr, tolerance, false, "total_variation p");
    const double sq = detail::normalised_sum(qr, tolerance, false, "total_variation q");
    if (std::isnan(sp) || std::isnan(sq)) return detail::not_a_number;
    double sum = 0;
    for (std::size_t v = 0; v < pr.size; ++v) sum += std::fabs(pr[v] - qr[v]);
    return sum / 2;
  });
}

/// @brief How much more ambiguous the model is than the truth, H(q) - H(p).
///
/// Equals KL(p || q) on average over contexts at an optimum of a log-linear head without bias; larger while the fit is
/// unfinished, negative at a floor of sampling noise.
///
/// @param p [..., V] target probabilities @param q [..., V] model probabilities
/// @return [...] nats, of any sign
/// @throws shape_error if the shapes differ
template <real_array A, real_array B>
[[nodiscard]] auto over_entropy(const A& p, const B& q) {
  return detail::measure_row_pairs(p, q, "over_entropy", [](auto pr, auto qr) {
    return detail::measures_of(qr).entropy - detail::measures_of(pr).entropy;
  });
}

/// @brief Perplexity of a text: overflow is +inf, never an error, and the logarithm is always there.
/// @param total_log_prob sum of the log-probabilities of its tokens [nats]
/// @param tokens         how many
/// @return both numbers; NaN for no tokens
[[nodiscard]] inline perplexity_value perplexity(double total_log_prob, std::size_t tokens) noexcept {
  if (tokens == 0) return {detail::not_a_number, detail::not_a_number};
  const double mean = (0.0 - total_log_prob) / static_cast<double>(tokens);
  return {mean, std::exp(mean)};
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
