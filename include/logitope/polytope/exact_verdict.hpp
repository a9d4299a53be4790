// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_POLYTOPE_EXACT_VERDICT_HPP
#define LOGITOPE_POLYTOPE_EXACT_VERDICT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "../core/config.hpp"
#include "../core/view.hpp"
#include "certificate.hpp"
#include "exact_system.hpp"
#include "radon.hpp"

/// @file
/// @brief The verdict of one row where rounding cannot tell: rational arithmetic on as few rows as will do.

namespace logitope {
inline namespace v0 {

/// Can the token be the one largest logit, for some hidden state?
enum class token_verdict : unsigned char { undecided, argmaxable, unargmaxable };
/// Can a token that never wins alone tie at the top, while some other token is below?
enum class tie_verdict : unsigned char { undecided, never, possible };

}  // namespace v0

inline namespace LOGITOPE_ABI {

/// Verdict and tie of a row; anything but `undecided` has been re-checked.
struct exact_decision {
  token_verdict verdict = token_verdict::undecided;
  tie_verdict tie = tie_verdict::undecided;
  radon_certificate inside{};  ///< of an `unargmaxable` row: the others whose combination it is
};

namespace detail {

/// Systems about row i over a growing set of rows.
template <class T>
class row_systems {
 public:
  row_systems(matrix_view<const T> W, std::span<const T> b, std::size_t i, std::vector<std::size_t> rows,
              exact_work& work, const std::function<bool()>& stop)
      : W_(W), b_(b), i_(i), rows_(std::move(rows)), work_(work), stop_(stop) {}

  enum class kind { wins, ties_with_bias, ties };
  /// Farkas or a solution for the rows so far; then all rows are asked and those that disagree join.
  /// @return status, with y valid for every row if infeasible
  exact_outcome decide(kind what, std::size_t rounds) {
    for (std::size_t round = 0; round < rounds; ++round) {
      exact_outcome out = solve(what);
      if (what == kind::ties && out.answer == exact_outcome::status::feasible && !complete()) {
        if (rows_.size() > 512) return {};
        grow();  // no tie among the rows so far says nothing about the others
        continue;
      }
      if (out.answer != exact_outcome::status::infeasible) return out;
      if (!extend(out, what == kind::wins)) return out;
      if (stopped_) return {};
    }
    return {};
  }
  [[nodiscard]] const std::vector<std::size_t>& rows() const { return rows_; }
  [[nodiscard]] bool complete() const { return rows_.size() + 1 == W_.rows(); }
  [[nodiscard]] rational lead(const std::vector<rational>& y, std::size_t j) const {
    rational sum = 0;
    for (std::size_t d = 0; d < W_.cols(); ++d)
      if (y[d] != 0) sum += y[d] * (value(W_(i_, d)) - value(W_(j, d)));
    if (!b_.empty()) sum += y[W_.cols()] * (value(b_[i_]) - value(b_[j]));
    return sum;
  }

 private:
  static rational value(T v) { return rational(static_cast<double>(v)); }

  exact_outcome solve(kind what) {
    const std::size_t h = W_.cols(), own = h + (b_.empty() ? 0 : 1);
    const bool unit = what == kind::wins;
    std::vector<std::vector<rational>> columns;
    std::vector<rational> r(own + (unit ? 1 : 0));
    for (const std::size_t j : rows_) {
      std::vector<rational> column(r.size());
      for (std::size_t d = 0; d < h; ++d) column[d] = value(W_(j, d)) - value(W_(i_, d));
      if (!b_.empty()) column[h] = value(b_[j]) - value(b_[i_]);
      if (unit) column[own] = 1;
      if (what == kind::ties)
        for (std::size_t d = 0; d < own; ++d) r[d] -= column[d];
      columns.push_back(std::move(column));
    }
    if (unit) r[own] = 1;
    if (what == kind::ties_with_bias) r[h] = 1;
    if (!b_.empty() && what != kind::ties_with_bias) {
      columns.emplace_back(r.size());
      columns.back()[h] = -1;
    }
    return solve_nonnegative(columns, r, 5000, work_, stop_);
  }

  /// Twice the rows, the first that are not there yet.
  void grow() {
    const std::size_t wanted = 2 * rows_.size() + 1;
    for (std::size_t j = 0; j < W_.rows() && rows_.size() < wanted; ++j)
      if (j != i_ && std::find(rows_.begin(), rows_.end(), j) == rows_.end()) rows_.push_back(j);
  }

  /// The h + 1 rows that disagree most join; false if none does.
  bool extend(const exact_outcome& out, bool strict) {
    std::vector<std::pair<rational, std::size_t>> missing;
    std::uint64_t products = 0;  // of one row's lead; each of its rational sums is reduced by a gcd
    for (const rational& v : out.y) products += 8 * detail::words(numerator(v)) + 64;
    for (std::size_t j = 0; j < W_.rows(); ++j) {
      if (j == i_) continue;
      if (!work_.spend(products) || (stop_ && stop_())) return stopped_ = true;
      rational ahead = lead(out.y, j);
      if (ahead > 0 || (!strict && ahead == 0)) continue;
      if (std::find(rows_.begin(), rows_.end(), j) == rows_.end()) missing.emplace_back(std::move(ahead), j);
    }
    const std::size_t added = (std::min)(missing.size(), W_.cols() + 1);
    std::partial_sort(missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(added), missing.end());
    for (std::size_t k = 0; k < added; ++k) rows_.push_back(missing[k].second);
    return added > 0;
  }

  matrix_view<const T> W_;
  std::span<const T> b_;
  std::size_t i_;
  std::vector<std::size_t> rows_;
  exact_work& work_;
  std::function<bool()> stop_;
  bool stopped_ = false;
};

}  // namespace detail

/// @brief Decides row i in rational arithmetic, every answer re-checked by certificate.hpp.
///
/// Never the one maximum: a combination with no less bias. Tie: c, t >= 0 with c.w_i + t b_i >= c.w_j + t b_j and some
/// row below; with a bias, t > 0.
///
/// @param seed   rows to start from, e.g. the support of a search
/// @param rounds at most so many enlargements; 1: only the seed is tried, which can prove `unargmaxable`
/// @param work   what the systems may cost; once it is spent, what is not proved yet stays undecided
/// @param stop   asked inside every loop; once true, the same
/// @par Cost a few exact systems of h + 2 equations; meant for h up to about 25, or for a small seed with rounds = 1
/// @par Accuracy proved: no rounding
/// @par Source Farkas and Stiemke alternatives; the bias row: own
template <class T>
[[nodiscard]] exact_decision decide_exactly(matrix_view<const T> W, std::span<const T> b, std::size_t i,
                                            std::vector<std::size_t> seed, std::size_t rounds, exact_work& work,
                                            const std::function<bool()>& stop = {}) {
  using systems = detail::row_systems<T>;
  using status = exact_outcome::status;
  const std::size_t h = W.cols();
  exact_decision out;
  const auto top = [&](const exact_outcome& o) {
    const rational t = b.empty() ? rational(0) : o.y[h];
    return check_support(W, b, i, std::span<const rational>(o.y).first(h), t);
  };
  systems rows(W, b, i, std::move(seed), work, stop);
  const exact_outcome wins = rows.decide(systems::kind::wins, rounds);
  if (wins.answer == status::infeasible && top(wins) == W.rows() - 1) out.verdict = token_verdict::argmaxable;
  if (wins.answer != status::feasible) return out;
  const auto& T_rows = rows.rows();
  if (check_combination(W, b, i, std::span<const std::size_t>(T_rows),
                        std::span<const rational>(wins.x).first(T_rows.size())) < 0)
    return out;
  out.verdict = token_verdict::unargmaxable;
  rational total = 0;
  for (std::size_t n = 0; n < T_rows.size(); ++n) {
    if (wins.x[n] == 0) continue;
    total += wins.x[n];
    out.inside.rows.push_back(T_rows[n]);
    out.inside.row_weight.push_back(wins.x[n]);
  }
  out.inside.set = {i};
  out.inside.set_weight = {total};
  if (rounds < 2) return out;

  exact_outcome biased;
  if (!b.empty()) {
    biased = rows.decide(systems::kind::ties_with_bias, rounds);
    if (biased.answer == status::stopped) return out;
    if (biased.answer == status::feasible) {
      const auto now = std::span<const std::size_t>(rows.rows());
      if (check_combination(W, b, i, now, std::span<const rational>(biased.x)) == 1) out.tie = tie_verdict::never;
      return out;
    }
  }
  exact_outcome tie = rows.decide(systems::kind::ties, rounds);
  if (tie.answer == status::feasible && rows.complete()) {
    std::vector<rational> weight(tie.x.begin(), tie.x.begin() + static_cast<std::ptrdiff_t>(rows.rows().size()));
    for (rational& w : weight) w += 1;  // every row takes part, so every tie is a tie of all
    if (check_combination(W, b, i, std::span<const std::size_t>(rows.rows()), std::span<const rational>(weight)) >= 0)
      out.tie = tie_verdict::never;
  }
  if (tie.answer == status::infeasible) {
    if (!b.empty())
      for (std::size_t d = 0; d < tie.y.size(); ++d) tie.y[d] += biased.y[d];
    const std::size_t losers = top(tie);
    if (losers != npos && losers > 0 && (b.empty() || tie.y[h] > 0)) out.tie = tie_verdict::possible;
  }
  return out;
}

/// The same without a limit of work.
template <class T>
[[nodiscard]] exact_decision decide_exactly(matrix_view<const T> W, std::span<const T> b, std::size_t i,
                                            std::vector<std::size_t> seed, std::size_t rounds = 200) {
  exact_work work;
  return decide_exactly(W, b, i, std::move(seed), rounds, work);
}

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
