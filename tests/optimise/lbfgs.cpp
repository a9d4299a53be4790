// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/optimise/lbfgs.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <stdexcept>
#include <vector>

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

BOOST_AUTO_TEST_SUITE_END()
