// SPDX-License-Identifier: BSD-3-Clause
// Softmax along the first axis, where lines do not lie along memory, beside a scalar loop over columns, xtensor's own
// expression, and the same array along its last axis.
#include <random>
#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include "../rounds.hpp"
#include "logitope/interop/xtensor.hpp"
#include "logitope/simd/softmax.hpp"

namespace {

namespace lt = logitope;
using array = xt::xtensor<float, 2>;

struct data {
  array Z, P;
  std::vector<double> want;
  data(std::size_t n, std::size_t m) : Z(array::from_shape({n, m})), P(Z), want(n * m) {
    std::mt19937 g(1);
    std::normal_distribution<float> d(0, 3);
    for (float& x : Z) x = d(g);
    for (std::size_t j = 0; j < m; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += want[i * m + j] = std::exp(static_cast<double>(Z(i, j)));
      for (std::size_t i = 0; i < n; ++i) want[i * m + j] /= sum;
    }
  }
};

void scalar(const array& Z, array& P) {
  for (std::size_t j = 0; j < Z.shape(1); ++j) {
    float m = Z(0, j), s = 0;
    for (std::size_t i = 1; i < Z.shape(0); ++i) m = (std::max)(m, Z(i, j));
    for (std::size_t i = 0; i < Z.shape(0); ++i) s += P(i, j) = std::exp(Z(i, j) - m);
    for (std::size_t i = 0; i < Z.shape(0); ++i) P(i, j) /= s;
  }
}

void enter(std::vector<bench::contestant>& field, data& d, const char* path, bool checked, std::function<void()> run) {
  const std::string shape = std::to_string(d.Z.shape(0)) + "x" + std::to_string(d.Z.shape(1));
  run();
  double off = 0;
  for (std::size_t i = 0; checked && i < d.want.size(); ++i)
    off = std::fmax(off, std::fabs(static_cast<double>(d.P.data()[i]) / d.want[i] - 1));
  bench::require_right(path + (" " + shape), off, 1e-4);
  field.push_back({path, shape, static_cast<double>(d.want.size()), std::move(run)});
}

}  // namespace

int main() {
  std::vector<bench::contestant> field;
  data sizes[] = {data(1000, 64), data(32, 1024), data(1024, 1024)};
  for (data& d : sizes) {
    enter(field, d, "scalar loop", true, [&d] { scalar(d.Z, d.P); });
    enter(field, d, "xtensor expression", true, [&d] {
      d.P = xt::exp(d.Z - xt::amax(d.Z, {0}));
      d.P /= xt::eval(xt::sum(d.P, {0}));
    });
    enter(field, d, "softmax(Z, 0)", true, [&d] { d.P = lt::softmax(d.Z, 0); });
    enter(field, d, "softmax(Z, 1)", false, [&d] { d.P = lt::softmax(d.Z, 1); });
  }
  bench::race(field, 9);
  bench::print_table(field, "ns per element, axis 0", "%.3f", [](const auto& c) { return 1e9 * c.seconds / c.work; });
}
