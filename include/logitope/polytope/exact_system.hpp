// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_POLYTOPE_EXACT_SYSTEM_HPP
#define LOGITOPE_POLYTOPE_EXACT_SYSTEM_HPP

#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "../core/config.hpp"

/// @file
/// @brief Small systems A x = r, x >= 0 decided in rational arithmetic: a solution, or a proof that there is none.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// Every double is one exactly.
using rational = boost::multiprecision::cpp_rational;

/// @brief What exact arithmetic may still cost, counted in products of 64-bit words: the same on every machine.
class exact_work {
 public:
  static constexpr std::uint64_t unlimited = (std::numeric_limits<std::uint64_t>::max)();
  explicit exact_work(std::uint64_t limit = unlimited) : left_(limit) {}
  /// Takes an operation of so many word products, and the price of touching two numbers.
  /// @return false once nothing is left; the operation must not be done then
  [[nodiscard]] bool spend(std::uint64_t products) noexcept {
    constexpr std::uint64_t touch =
        32;  // measured: an operation on one-word integers costs as much as so many products
    left_ = left_ > products + touch ? left_ - products - touch : 0;
    return left_ > 0;
  }
  [[nodiscard]] std::uint64_t left() const noexcept { return left_; }

 private:
  std::uint64_t left_;
};

/// @brief What is known about A x = r, x >= 0.
struct exact_outcome {
  enum class status { feasible, infeasible, stopped } answer = status::stopped;
  std::vector<rational> x;  ///< [n] a solution, if feasible
  std::vector<rational> y;  ///< [m] y^T A <= 0 and y^T r > 0, if infeasible
};

namespace detail {
using integer = boost::multiprecision::cpp_int;

/// Length in 64-bit words.
[[nodiscard]] inline std::uint64_t words(const integer& v) {
  return (v.backend().size() * sizeof(boost::multiprecision::limb_type) + 7) / 8;
}

/// The least positive integer that makes every entry an integer.
[[nodiscard]] inline integer common_denominator(const std::vector<rational>& values) {
  integer q = 1;
  for (const rational& v : values) q = boost::multiprecision::lcm(q, integer(denominator(v)));
  return q;
}

/// Edmonds' step: row `own` cleared at `column` by the pivot row, all over one common denominator, exactly divisible.
/// False, and the row is spoilt, if the work ran out.
[[nodiscard]] inline bool clear_column(std::vector<integer>& own, const std::vector<integer>& pivot_row,
                                       std::size_t column, const integer& denominator, exact_work& work) {
  const integer factor = own[column];
  const integer& pivot = pivot_row[column];
  for (std::size_t j = 0; j < own.size(); ++j) {
    const bool other = factor != 0 && pivot_row[j] != 0;
    if (own[j] == 0 && !other) continue;
    if (!work.spend(words(own[j]) * words(pivot) + (other ? words(factor) * words(pivot_row[j]) : 0))) return false;
    own[j] *= pivot;
    if (other) own[j] -= factor * pivot_row[j];
    if (denominator != 1) own[j] /= denominator;
  }
  return true;
}

}  // namespace detail

/// @brief Decides A x = r, x >= 0 exactly: first phase of the simplex method in integers, the largest coefficient
/// first, and Bland's rule while steps gain nothing, so it ends.
/// @param columns [n][m] the columns of A
/// @param r       [m]
/// @param pivots  stop after so many pivots
/// @param work    what the pivots may cost; `stopped` once it is spent, after the same pivots on every machine
/// @param stop    asked before every row operation; true: `stopped`
/// @return a solution, or Farkas' y, or `stopped`; the caller re-checks either
/// @par Cost (n + m) m products of integers a pivot, of up to m times the digits of an entry
/// @par Accuracy proved: no rounding
/// @par Source Edmonds 1967, J. Res. NBS 71B:241 (integer pivots); Bland 1977, Math. Oper. Res. 2:103
[[nodiscard]] inline exact_outcome solve_nonnegative(const std::vector<std::vector<rational>>& columns,
                                                     const std::vector<rational>& r, std::size_t pivots,
                                                     exact_work& work, const std::function<bool()>& stop = {}) {
  using detail::integer;
  const std::size_t m = r.size(), n = columns.size(), width = n + m + 1;
  std::vector<std::vector<integer>> rows(m + 1, std::vector<integer>(width));
  std::vector<integer>& cost = rows[m];
  std::vector<integer> scale;
  for (const auto& column : columns) scale.push_back(detail::common_denominator(column));
  scale.push_back(detail::common_denominator(r));
  const auto whole = [](const rational& v, const integer& q) -> integer { return numerator(v) * (q / denominator(v)); };
  std::vector<bool> flipped(m);
  std::vector<std::size_t> basis(m);
  for (std::size_t k = 0; k < m; ++k) {
    flipped[k] = r[k] < 0;
    for (std::size_t j = 0; j <= n; ++j) {
      integer v = whole(j < n ? columns[j][k] : r[k], scale[j]);
      if (flipped[k]) v = -v;
      cost[j < n ? j : n + m] -= v;
      rows[k][j < n ? j : n + m] = std::move(v);
    }
    rows[k][n + k] = 1;
    basis[k] = n + k;
  }
  exact_outcome out;
  integer over = 1;  // every entry of the tableau is divided by it
  std::size_t idle = 0;
  for (std::size_t step = 0; cost[n + m] != 0; ++step) {
    std::size_t enter = n;
    for (std::size_t j = 0; j < n; ++j) {
      if (cost[j] >= 0 || (enter < n && cost[j] >= cost[enter])) continue;
      enter = j;
      if (idle > m) break;
    }
    if (enter == n) {
      out.answer = exact_outcome::status::infeasible;
      for (std::size_t k = 0; k < m; ++k)
        out.y.emplace_back(flipped[k] ? integer(cost[n + k] - over) : integer(over - cost[n + k]));
      return out;
    }
    if (step >= pivots) return out;
    std::size_t leave = m;
    for (std::size_t k = 0; k < m; ++k) {
      if (rows[k][enter] <= 0) continue;
      if (leave < m) {
        const integer here = rows[k][n + m] * rows[leave][enter], best = rows[leave][n + m] * rows[k][enter];
        if (here > best || (here == best && basis[k] > basis[leave])) continue;
      }
      leave = k;
    }
    if (leave == m) return out;  // cannot be: the sum of the artificial variables is bounded below
    idle = rows[leave][n + m] == 0 ? idle + 1 : 0;
    for (std::size_t k = 0; k <= m; ++k) {
      if (k == leave) continue;
      if (stop && stop()) return out;
      if (!detail::clear_column(rows[k], rows[leave], enter, over, work)) return out;
    }
    over = rows[leave][enter];
    basis[leave] = enter;
  }
  out.answer = exact_outcome::status::feasible;
  out.x.resize(n);
  for (std::size_t k = 0; k < m; ++k)
    if (basis[k] < n) out.x[basis[k]] = rational(rows[k][n + m] * scale[basis[k]], over * scale[n]);
  return out;
}

/// The same without a limit of work.
[[nodiscard]] inline exact_outcome solve_nonnegative(const std::vector<std::vector<rational>>& columns,
                                                     const std::vector<rational>& r, std::size_t pivots = 5000) {
  exact_work work;
  return solve_nonnegative(columns, r, pivots, work);
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
