// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_OPTIMISE_LBFGS_HPP
#define LOGITOPE_OPTIMISE_LBFGS_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <span>
#include <string>

#include "../core/config.hpp"
#include "../core/error.hpp"
#include "../core/progress.hpp"
#include "../core/workspace.hpp"
#include "wolfe_search.hpp"

/// @file
/// @brief What trains a head to its optimum: limited-memory BFGS with a strong-Wolfe line search.

namespace logitope {
inline namespace v0 {

/// Knobs of `lbfgs`, with values that suit smooth losses in nats.
struct lbfgs_options {
  std::size_t memory = 20;            ///< pairs (step, gradient change) kept, >= 1; the scratch grows with it
  std::size_t max_iterations = 1000;  ///< accepted steps
  double gradient_tolerance = 1e-8;   ///< converged when no component of the gradient is larger
  double value_tolerance = 0;  ///< converged when 10 steps lower the value by no more than this part of it; 0: off
  double sufficient_decrease = 1e-4;  ///< c1 of the Wolfe conditions, 0 < c1 < c2
  double curvature = 0.9;             ///< c2 of the Wolfe conditions, c1 < c2 < 1; small: nearly exact line search
  double first_move = 1.0;            ///< Euclidean length of the first trial step
  std::size_t max_trials = 40;        ///< evaluations in one line search, >= 2
};

/// How a minimisation ended. Only `converged` says that the point is stationary to the tolerances.
enum class lbfgs_status : unsigned char {
  converged,           ///< gradient or value tolerance met
  iteration_limit,     ///< max_iterations steps taken
  line_search_failed,  ///< no lower value along steepest descent: rounding error of the objective, or a wrong gradient
  non_finite,          ///< the objective was not finite at the start, or at the trials that stopped the search
};

/// Where a minimisation ended.
struct lbfgs_result {
  lbfgs_status status = lbfgs_status::iteration_limit;
  double value = 0;             ///< objective at x
  double gradient_norm = 0;     ///< largest absolute component of the gradient at x
  std::size_t iterations = 0;   ///< accepted steps
  std::size_t evaluations = 0;  ///< calls of the objective
};

/// A function with its gradient: writes every component of `gradient`, returns the value.
template <class F>
concept differentiable_objective = requires(F& f, std::span<const double> x, std::span<double> gradient) {
  { f(x, gradient) } -> std::convertible_to<double>;
};

}  // namespace v0

inline namespace LOGITOPE_ABI {
namespace detail {

/// Sum of a_i b_i over eight partial sums in fixed order: the same bits on every call, and no chain of dependent adds.
[[nodiscard]] inline double ordered_dot(std::span<const double> a, std::span<const double> b) noexcept {
  std::array<double, 8> part{};
  std::size_t i = 0;
  for (; i + 8 <= a.size(); i += 8)
    for (std::size_t j = 0; j < 8; ++j) part[j] += a[i + j] * b[i + j];
  for (std::size_t j = 0; i < a.size(); ++i, ++j) part[j] += a[i] * b[i];
  return ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
}

/// Largest |g_i|; NaN if one is NaN.
[[nodiscard]] inline double largest_magnitude(std::span<const double> g) noexcept {
  double largest = 0;
  for (const double v : g) {
    if (std::isnan(v)) return v;
    largest = (std::max)(largest, std::fabs(v));
  }
  return largest;
}

inline void require_lbfgs_options(const lbfgs_options& o, std::size_t n) {
  if (o.memory == 0) raise<value_error>("lbfgs memory: expected at least 1, got 0");
  // 1 / 64 of the address space for each ring of doubles, so that no size below wraps around
  const std::size_t most = ((std::numeric_limits<std::size_t>::max)() >> 9) / (std::max)(n, std::size_t{1});
  if (o.memory > most)
    raise<value_error>("lbfgs memory: expected at most " + std::to_string(most) + " for " + std::to_string(n) +
                       " unknowns, got " + std::to_string(o.memory));
  if (o.max_trials < 2)
    raise<value_error>("lbfgs max_trials: expected at least 2, got " + std::to_string(o.max_trials));
  if (!(0 < o.sufficient_decrease && o.sufficient_decrease < o.curvature && o.curvature < 1))
    raise<value_error>("lbfgs Wolfe constants: expected 0 < sufficient_decrease < curvature < 1, got " +
                       std::to_string(o.sufficient_decrease) + " and " + std::to_string(o.curvature));
  if (!(o.gradient_tolerance >= 0) || !(o.value_tolerance >= 0))
    raise<value_error>("lbfgs tolerances: expected >= 0, got " + std::to_string(o.gradient_tolerance) + " and " +
                       std::to_string(o.value_tolerance));
  if (!(o.first_move > 0 && std::isfinite(o.first_move)))
    raise<value_error>("lbfgs first_move: expected > 0 and finite, got " + std::to_string(o.first_move));
}

/// The last steps s and gradient changes y, newest last, and the product of the inverse Hessian they imply.
class lbfgs_memory {
 public:
  lbfgs_memory(std::size_t n, std::size_t memory, workspace& ws)
      : n_(n),
        memory_(memory),
        s_(ws.take<double>(n * memory)),
        y_(ws.take<double>(n * memory)),
        rho_(ws.take<double>(memory)),
        alpha_(ws.take<double>(memory)) {}

  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  void clear() noexcept { count_ = 0; }

  /// Keeps the pair unless the curvature along it is not safely positive.
  void add(std::span<const double> x, std::span<const double> new_x, std::span<const double> g,
           std::span<const double> new_g) noexcept {
    const std::size_t slot = next_ % memory_;
    const std::span<double> s = s_.subspan(slot * n_, n_), y = y_.subspan(slot * n_, n_);
    for (std::size_t i = 0; i < n_; ++i) s[i] = new_x[i] - x[i];
    for (std::size_t i = 0; i < n_; ++i) y[i] = new_g[i] - g[i];
    const double sy = ordered_dot(s, y), yy = ordered_dot(y, y);
    if (!(sy > std::numeric_limits<double>::epsilon() * yy * 1e-4) || !std::isfinite(1 / sy) || !std::isfinite(yy)) {
      count_ = (std::min)(count_, memory_ - 1);  // the oldest pair of a full ring has been written over
      return;
    }
    rho_[slot] = 1 / sy;
    scale_ = sy / yy;
    ++next_;
    count_ = (std::min)(count_ + 1, memory_);
  }

  /// direction = -(inverse Hessian) g: the two-loop recursion, Nocedal 1980.
  void direction(std::span<const double> g, std::span<double> out) noexcept {
    for (std::size_t i = 0; i < n_; ++i) out[i] = -g[i];
    if (empty()) return;
    for (std::size_t j = 1; j <= count_; ++j) {
      const std::size_t slot = (next_ - j) % memory_;
      alpha_[slot] = rho_[slot] * ordered_dot(s_.subspan(slot * n_, n_), out);
      for (std::size_t i = 0; i < n_; ++i) out[i] -= alpha_[slot] * y_[slot * n_ + i];
    }
    for (double& v : out) v *= scale_;
    for (std::size_t j = count_; j >= 1; --j) {
      const std::size_t slot = (next_ - j) % memory_;
      const double beta = rho_[slot] * ordered_dot(y_.subspan(slot * n_, n_), out);
      for (std::size_t i = 0; i < n_; ++i) out[i] += (alpha_[slot] - beta) * s_[slot * n_ + i];
    }
  }

 private:
  std::size_t n_, memory_, next_ = 0, count_ = 0;
  double scale_ = 1;
  std::span<double> s_, y_, rho_, alpha_;
};

}  // namespace detail

/// Bytes of scratch that `lbfgs` takes for n unknowns.
[[nodiscard]] constexpr std::size_t lbfgs_workspace(std::size_t n, const lbfgs_options& options = {}) noexcept {
  return 4 * scratch_bytes<double>(n) + 2 * scratch_bytes<double>(n * options.memory) +
         2 * scratch_bytes<double>(options.memory);
}

/// @brief Moves x downhill to a point where the gradient vanishes; the value never rises.
///
/// \f[ x \leftarrow x - t\,B\,\nabla f(x), \f]
/// B the inverse Hessian implied by the last `memory` steps, t a strong-Wolfe step:
/// \f[ f(x + t d) \le f(x) + c_1 t\,d\cdot\nabla f(x), \quad |d\cdot\nabla f(x + t d)| \le c_2 |d\cdot\nabla f(x)|. \f]
/// If a search finds no such step within `max_trials`, the lowest trial with sufficient decrease is taken; if there is
/// none, the memory is dropped and steepest descent is tried once. The same calls in give the same bits out.
///
/// @param objective f(x [n], gradient [n]) -> value, deterministic; may be not finite away from the start: such trials
///                  are stepped back from
/// @param x         [n] in: start, out: the best point found, whatever the status (also if the objective throws)
/// @param options   tolerances and limits
/// @param progress  told "minimise", steps taken, max_iterations after every step
/// @param ws        scratch, at least lbfgs_workspace(n, options) bytes
/// @return how it ended, value and largest gradient component at x; n = 0: converged after one evaluation
/// @throws value_error (option named), capacity_error; x is untouched
/// @par Cost per step (4 memory + 12) n flops and one evaluation, seldom more; no allocation
/// @par Accuracy the gradient stops shrinking near sqrt(u |f| |f''|), where the values of f no longer resolve a step; a
///      tolerance below that ends in line_search_failed. Measured: tests/optimise/lbfgs.cpp (Wolfe conditions, minima)
/// @par Source Liu & Nocedal 1989, Math. Prog. 45, 503; Nocedal & Wright 2006, alg. 3.5, 3.6, 7.4, 7.5
template <differentiable_objective F, progress_sink P>
lbfgs_result lbfgs(F&& objective, std::span<double> x, const lbfgs_options& options, P&& progress, workspace& ws) {
  detail::require_lbfgs_options(options, x.size());
  const workspace::scope scratch(ws);
  const std::size_t n = x.size();
  const std::span<double> g = ws.take<double>(n), d = ws.take<double>(n);
  const std::span<double> new_x = ws.take<double>(n), new_g = ws.take<double>(n);
  detail::lbfgs_memory memory(n, options.memory, ws);

  lbfgs_result result;
  result.value = objective(std::span<const double>(x), g);
  result.evaluations = 1;
  result.gradient_norm = detail::largest_magnitude(g);
  const auto ended = [&](lbfgs_status status) {
    result.status = status;
    return result;
  };
  if (!std::isfinite(result.value) || !std::isfinite(result.gradient_norm)) return ended(lbfgs_status::non_finite);

  bool met_non_finite = false;
  const auto evaluate = [&](double step) {
    for (std::size_t i = 0; i < n; ++i) new_x[i] = x[i] + step * d[i];
    line_point at{step, static_cast<double>(objective(std::span<const double>(new_x), new_g)), 0};
    at.slope = std::isfinite(detail::largest_magnitude(new_g)) ? detail::ordered_dot(new_g, d)
                                                               : std::numeric_limits<double>::quiet_NaN();
    ++result.evaluations;
    met_non_finite = met_non_finite || !at.finite();
    return at;
  };
  using search = wolfe_search<decltype(evaluate)>;

  double value_ten_ago = std::numeric_limits<double>::infinity();
  while (result.gradient_norm > options.gradient_tolerance) {
    if (result.iterations == options.max_iterations) return ended(lbfgs_status::iteration_limit);
    memory.direction(g, d);
    double slope = detail::ordered_dot(g, d);
    if (!(slope < 0) || !std::isfinite(slope)) {  // rounding, or a memory that no longer fits
      memory.clear();
      memory.direction(g, d);
      slope = detail::ordered_dot(g, d);
    }
    met_non_finite = false;
    const double length = memory.empty() ? std::sqrt(detail::ordered_dot(d, d)) : 0;
    search line({options.sufficient_decrease, options.curvature, options.max_trials}, {0, result.value, slope},
                evaluate);
    if (line.run(memory.empty() && length > 0 ? options.first_move / length : 1.0) == line_outcome::failed) {
      if (memory.empty()) return ended(met_non_finite ? lbfgs_status::non_finite : lbfgs_status::line_search_failed);
      memory.clear();
      continue;
    }
    memory.add(x, new_x, g, new_g);
    std::copy(new_x.begin(), new_x.end(), x.begin());
    std::copy(new_g.begin(), new_g.end(), g.begin());
    result.value = line.at.value;
    result.gradient_norm = detail::largest_magnitude(g);
    ++result.iterations;
    progress(progress_report{"minimise", result.iterations, options.max_iterations});
    if (options.value_tolerance > 0 && result.iterations % 10 == 0) {
      if (value_ten_ago - result.value <= options.value_tolerance * std::fabs(result.value)) break;
      value_ten_ago = result.value;
    }
  }
  return ended(lbfgs_status::converged);
}

/// @brief As above with scratch of its own: one allocation, before the first evaluation.
template <differentiable_objective F, progress_sink P = no_progress>
lbfgs_result lbfgs(F&& objective, std::span<double> x, const lbfgs_options& options = {}, P&& progress = {}) {
  detail::require_lbfgs_options(options, x.size());
  workspace_memory memory(lbfgs_workspace(x.size(), options));
  workspace ws = memory.get();
  return lbfgs(objective, x, options, progress, ws);
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
