// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/optimise/lbfgs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "oracle/allocations.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;
using in = std::span<const double>;
using out = std::span<double>;

namespace {

double rosenbrock(in x, out g) {
  const double a = 1 - x[0], b = x[1] - x[0] * x[0];
  g[0] = -2 * a - 400 * x[0] * b;
  g[1] = 200 * b;
  return a * a + 100 * b * b;
}

/// 1/2 sum c_i (x_i - i)^2 with c from 1 to 1000.
double quadratic(in x, out g) {
  double f = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double c = std::pow(1000.0, double(i) / double(x.size() - 1)), r = x[i] - double(i);
    g[i] = c * r;
    f += c * r * r / 2;
  }
  return f;
}

/// Mean logistic loss of labels that the sign of the first feature nearly decides; features differ by 1e4 in scale.
double logistic(in x, out g) {
  double f = 0;
  std::fill(g.begin(), g.end(), 0.0);
  for (int i = 0; i < 40; ++i) {
    const double a[3] = {std::sin(1.0 + i), 100 * std::cos(2.0 * i), 0.01 * std::sin(3.0 * i * i)};
    const double sign = std::sin(1.0 + i) + 0.8 * std::cos(5.0 * i) > 0 ? 1 : -1;
    const double margin = sign * (a[0] * x[0] + a[1] * x[1] + a[2] * x[2]);
    f += (margin > 0 ? std::log1p(std::exp(-margin)) : std::log1p(std::exp(margin)) - margin) / 40;
    for (std::size_t j = 0; j < 3; ++j) g[j] -= sign * a[j] / (1 + std::exp(margin)) / 40;
  }
  return f;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(optimise_lbfgs)

BOOST_AUTO_TEST_CASE(a_quadratic_of_n_unknowns_takes_about_n_steps_with_a_nearly_exact_search) {
  std::vector<double> x(12, 0.0);
  const auto r = lt::lbfgs(quadratic, x, {.memory = 20, .gradient_tolerance = 1e-9, .curvature = 1e-3});
  BOOST_TEST((r.status == lt::lbfgs_status::converged));
  BOOST_TEST(r.iterations <= 12u + 6u);
  for (std::size_t i = 0; i < x.size(); ++i) BOOST_TEST(oracle::close(x[i], double(i), oracle::absolute{1e-9}));
}

BOOST_AUTO_TEST_CASE(rosenbrock_from_its_customary_start_ends_at_one_one) {
  std::vector<double> x{-1.2, 1.0};
  const auto r = lt::lbfgs(rosenbrock, x);
  BOOST_TEST((r.status == lt::lbfgs_status::converged));
  BOOST_TEST(oracle::close(x[0], 1.0L, oracle::absolute{1e-8}));
  BOOST_TEST(oracle::close(x[1], 1.0L, oracle::absolute{1e-8}));
  BOOST_TEST(r.iterations <= 45u);
  BOOST_TEST(r.gradient_norm <= 1e-8);
}

BOOST_AUTO_TEST_CASE(a_badly_scaled_logistic_loss_reaches_a_point_without_gradient) {
  std::vector<double> x(3, 0.0), g(3);
  const auto r = lt::lbfgs(logistic, x, {.gradient_tolerance = 1e-7});
  BOOST_TEST((r.status == lt::lbfgs_status::converged));
  BOOST_TEST(oracle::same(logistic(x, g), r.value));
  for (const double v : g) BOOST_TEST(std::fabs(v) <= 1e-7);
  // Convex: the gradient changes sign across the minimum in every coordinate.
  for (std::size_t j = 0; j < 3; ++j)
    for (const double side : {-1.0, 1.0}) {
      std::vector<double> beside = x;
      beside[j] += side * 1e-3 * (1 + std::fabs(x[j]));
      logistic(beside, g);
      BOOST_TEST(side * g[j] > 0);
    }
}

BOOST_AUTO_TEST_CASE(every_accepted_step_obeys_the_strong_wolfe_conditions_and_none_raises_the_value) {
  for (const double curvature : {0.9, 0.1}) {
    struct call {
      std::vector<double> x, g;
      double f;
    };
    std::vector<call> calls;
    std::vector<std::size_t> accepted{0};
    const auto watched = [&](in x, out g) {
      const double f = rosenbrock(x, g);
      calls.push_back({{x.begin(), x.end()}, {g.begin(), g.end()}, f});
      return f;
    };
    const auto note = [&](const lt::progress_report&) { accepted.push_back(calls.size() - 1); };
    std::vector<double> x{-1.2, 1.0};
    const lt::lbfgs_options options{.gradient_tolerance = 1e-5, .sufficient_decrease = 0.05, .curvature = curvature};
    const auto r = lt::lbfgs(watched, x, options, note);
    BOOST_TEST((r.status == lt::lbfgs_status::converged));
    BOOST_TEST(r.iterations + 1 == accepted.size());
    BOOST_TEST(r.evaluations == calls.size());
    for (std::size_t i = 1; i < accepted.size(); ++i) {
      const call &a = calls[accepted[i - 1]], &b = calls[accepted[i]];
      double before = 0, after = 0;  // slopes times the step length
      for (std::size_t j = 0; j < 2; ++j) before += a.g[j] * (b.x[j] - a.x[j]), after += b.g[j] * (b.x[j] - a.x[j]);
      BOOST_TEST(before < 0);
      BOOST_TEST(b.f < a.f);
      BOOST_TEST(b.f <= a.f + 0.05 * before * (1 - 1e-9));
      BOOST_TEST(std::fabs(after) <= -curvature * before * (1 + 1e-9));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_start_that_is_not_finite_is_left_as_it_is) {
  std::vector<double> x{3, 4};
  const auto r = lt::lbfgs([](in, out g) { return g[0] = g[1] = std::nan(""); }, x);
  BOOST_TEST((r.status == lt::lbfgs_status::non_finite));
  BOOST_TEST((x == std::vector<double>{3, 4}));
  BOOST_TEST(r.evaluations == 1u);
  const auto gradient_only = [](in, out g) {
    g[0] = 1;
    g[1] = std::nan("");
    return 0.0;
  };
  BOOST_TEST((lt::lbfgs(gradient_only, x).status == lt::lbfgs_status::non_finite));
}

BOOST_AUTO_TEST_CASE(a_wall_of_nan_is_stepped_back_from) {
  // x - ln x on x > 0, from so near 0 that the first steps leave the domain; minimum 1 at 1.
  const auto f = [](in x, out g) {
    g[0] = 1 - 1 / x[0];
    return x[0] > 0 ? x[0] - std::log(x[0]) : std::nan("");
  };
  for (const double start : {1e-4, 30.0}) {
    std::vector<double> x{start};
    const auto r = lt::lbfgs(f, x, {.first_move = 100});
    BOOST_TEST((r.status == lt::lbfgs_status::converged));
    BOOST_TEST(oracle::close(x[0], 1.0L, oracle::absolute{1e-7}));
  }
}

BOOST_AUTO_TEST_CASE(where_everything_else_is_nan_the_best_finite_point_is_kept) {
  int calls = 0;
  const auto f = [&](in x, out g) {
    g[0] = 2 * x[0];
    return ++calls > 1 ? std::nan("") : x[0] * x[0];
  };
  std::vector<double> x{5};
  const auto r = lt::lbfgs(f, x);
  BOOST_TEST((r.status == lt::lbfgs_status::non_finite));
  BOOST_TEST(x[0] == 5.0);
  BOOST_TEST(r.value == 25.0);
}

BOOST_AUTO_TEST_CASE(a_wrong_gradient_ends_in_a_failed_search_at_the_start) {
  const auto f = [](in x, out g) {
    g[0] = -2 * x[0];
    return x[0] * x[0];
  };
  std::vector<double> x{5};
  const auto r = lt::lbfgs(f, x);
  BOOST_TEST((r.status == lt::lbfgs_status::line_search_failed));
  BOOST_TEST(x[0] == 5.0);
  BOOST_TEST(r.iterations == 0u);
}

BOOST_AUTO_TEST_CASE(at_the_optimum_nothing_is_done) {
  std::vector<double> x{1, 1}, none;
  const auto r = lt::lbfgs(rosenbrock, x);
  BOOST_TEST((r.status == lt::lbfgs_status::converged));
  BOOST_TEST(r.iterations == 0u);
  BOOST_TEST(r.evaluations == 1u);
  const auto constant = [](in, out) { return 2.0; };
  BOOST_TEST((lt::lbfgs(constant, none).status == lt::lbfgs_status::converged));
}

BOOST_AUTO_TEST_CASE(one_unknown_far_away_is_found_and_the_first_move_sets_the_first_trial) {
  std::vector<double> seen;
  const auto f = [&](in x, out g) {
    seen.push_back(x[0]);
    g[0] = x[0] - 1e6;
    return (x[0] - 1e6) * (x[0] - 1e6) / 2;
  };
  std::vector<double> x{0};
  const auto r = lt::lbfgs(f, x, {.first_move = 0.25});
  BOOST_TEST((r.status == lt::lbfgs_status::converged));
  BOOST_TEST(oracle::close(x[0], 1e6L, oracle::absolute{1e-8}));
  BOOST_TEST(seen[1] == 0.25);
  BOOST_TEST(r.evaluations < 20u);
}

BOOST_AUTO_TEST_CASE(limits_and_tolerances_are_honoured) {
  std::vector<double> x{-1.2, 1.0};
  const auto limited = lt::lbfgs(rosenbrock, x, {.max_iterations = 3});
  BOOST_TEST((limited.status == lt::lbfgs_status::iteration_limit));
  BOOST_TEST(limited.iterations == 3u);
  std::vector<double> g(2);
  BOOST_TEST(oracle::same(rosenbrock(x, g), limited.value));
  const auto none = lt::lbfgs(rosenbrock, x, {.max_iterations = 0});
  BOOST_TEST((none.status == lt::lbfgs_status::iteration_limit));
  // Values fall like 1/t along e^-x: the gradient tolerance 0 is never met, the value tolerance is.
  const auto slow = [](in y, out dy) {
    dy[0] = -std::exp(-y[0]);
    return 1 + std::exp(-y[0]);
  };
  std::vector<double> y{0};
  const auto flat = lt::lbfgs(slow, y, {.max_iterations = 500, .gradient_tolerance = 0, .value_tolerance = 1e-3});
  BOOST_TEST((flat.status == lt::lbfgs_status::converged));
  BOOST_TEST(flat.iterations <= 20u);
}

BOOST_AUTO_TEST_CASE(a_longer_memory_takes_fewer_steps_on_many_scales) {
  std::vector<double> a(30, 0.0), b(30, 0.0);
  const auto one = lt::lbfgs(quadratic, a, {.memory = 1, .curvature = 0.1});
  const auto forty = lt::lbfgs(quadratic, b, {.memory = 40, .curvature = 0.1});
  BOOST_TEST((one.status == lt::lbfgs_status::converged && forty.status == lt::lbfgs_status::converged));
  BOOST_TEST(4 * forty.iterations < one.iterations);
  BOOST_TEST(forty.iterations <= 30u);  // with all of its steps it ends like conjugate gradients, after n
}

BOOST_AUTO_TEST_CASE(the_same_call_gives_the_same_bits_and_allocates_nothing) {
  const lt::lbfgs_options options{};
  lt::workspace_memory memory(lt::lbfgs_workspace(30, options));
  lt::workspace ws = memory.get();
  std::vector<double> a(30, 0.0), b(30, 0.0);
  const std::size_t before = oracle::allocated().count;
  const auto first = lt::lbfgs(quadratic, a, options, lt::no_progress{}, ws);
  const std::size_t after = oracle::allocated().count;
  const auto second = lt::lbfgs(quadratic, b, options, lt::no_progress{}, ws);
  BOOST_TEST(before == after);
  BOOST_TEST((a == b));
  BOOST_TEST(first.evaluations == second.evaluations);
  BOOST_TEST(ws.free_bytes() == lt::lbfgs_workspace(30, options));
  lt::workspace_memory small(lt::lbfgs_workspace(29, options));
  lt::workspace short_ws = small.get();
  BOOST_CHECK_THROW(lt::lbfgs(quadratic, b, options, lt::no_progress{}, short_ws), lt::capacity_error);
}

BOOST_AUTO_TEST_CASE(an_objective_that_throws_leaves_the_last_accepted_point) {
  int calls = 0;
  const auto f = [&](in x, out g) {
    if (++calls == 4) throw std::runtime_error("stop");
    return rosenbrock(x, g);
  };
  std::vector<double> x{-1.2, 1.0}, g(2);
  BOOST_CHECK_THROW(lt::lbfgs(f, x), std::runtime_error);
  BOOST_TEST(rosenbrock(x, g) <= 24.2 + 1e-12);  // value of the start
}

BOOST_AUTO_TEST_CASE(options_out_of_range_are_named) {
  std::vector<double> x{1, 1};
  const auto with = [&](lt::lbfgs_options o) { return lt::lbfgs(rosenbrock, x, o); };
  BOOST_CHECK_EXCEPTION(with({.memory = 0}), lt::value_error, oracle::says("memory"));
  BOOST_CHECK_EXCEPTION(with({.max_trials = 1}), lt::value_error,
                        oracle::says("max_trials: expected at least 2, got 1"));
  BOOST_CHECK_EXCEPTION(with({.curvature = 1}), lt::value_error, oracle::says("curvature"));
  BOOST_CHECK_EXCEPTION(with({.gradient_tolerance = std::nan("")}), lt::value_error, oracle::says("tolerances"));
  BOOST_CHECK_EXCEPTION(with({.first_move = 0}), lt::value_error, oracle::says("first_move"));
}

BOOST_AUTO_TEST_CASE(a_memory_whose_size_wraps_around_is_refused_before_the_first_evaluation) {
  std::vector<double> x{-1.2, 1.0};
  lt::workspace_memory memory(4096);
  for (const std::size_t pairs : {std::size_t{1} << 63, std::size_t{1} << 60}) {
    lt::workspace ws = memory.get();
    lt::lbfgs_options options;
    options.memory = pairs;
    BOOST_CHECK_EXCEPTION(lt::lbfgs(rosenbrock, std::span<double>(x), options, lt::no_progress{}, ws), lt::value_error,
                          oracle::says("lbfgs memory: expected at most"));
    BOOST_CHECK_THROW(lt::lbfgs(rosenbrock, std::span<double>(x), options), lt::value_error);
  }
  BOOST_TEST((x[0] == -1.2 && x[1] == 1.0));
}

BOOST_AUTO_TEST_SUITE_END()
