// SPDX-License-Identifier: BSD-3-Clause
// softmax of one float row: ours beside a scalar loop and xtensor's own expression. Right first: an answer off by more
// than 1e-3 of a double reference is an error, not a time.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>

#include "logitope/logitope.hpp"

namespace {

xt::xtensor<float, 1> logits(std::size_t n) {
  std::mt19937 g(1);
  std::normal_distribution<float> d(0, 3);
  auto z = xt::xtensor<float, 1>::from_shape({n});
  for (float& x : z) x = d(g);
  return z;
}

bool right(const xt::xtensor<float, 1>& z, const xt::xtensor<float, 1>& p) {
  double sum = 0, worst = 0;
  for (const float x : z) sum += std::exp(static_cast<double>(x));
  for (std::size_t i = 0; i < z.size(); ++i)
    worst = std::fmax(worst, std::fabs(static_cast<double>(p(i)) / (std::exp(static_cast<double>(z(i))) / sum) - 1));
  return worst < 1e-3;
}

void scalar_loop(const xt::xtensor<float, 1>& z, xt::xtensor<float, 1>& p) {
  float m = z(0), s = 0;
  for (std::size_t i = 1; i < z.size(); ++i) m = z(i) > m ? z(i) : m;
  for (std::size_t i = 0; i < z.size(); ++i) s += p(i) = std::exp(z(i) - m);
  for (std::size_t i = 0; i < z.size(); ++i) p(i) /= s;
}
void xtensor_expression(const xt::xtensor<float, 1>& z, xt::xtensor<float, 1>& p) {
  const float m = xt::amax(z)();
  xt::noalias(p) = xt::exp(z - m);
  const float s = xt::sum(p)();
  p /= s;
}
template <class P>
void logitope_row(const xt::xtensor<float, 1>& z, xt::xtensor<float, 1>& p) {
  logitope::softmax_row<P>(std::span<const float>(z.data(), z.size()), std::span<float>(p.data(), p.size()));
}
struct pinned_baseline : logitope::default_policy {
  using arch = logitope::baseline;
};

using contestant = void (*)(const xt::xtensor<float, 1>&, xt::xtensor<float, 1>&);

void run(benchmark::State& state, contestant f) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const auto z = logits(n);
  auto p = xt::xtensor<float, 1>::from_shape({n});
  f(z, p);
  if (!right(z, p)) {
    state.SkipWithError("the answer is wrong");
    return;
  }
  for (auto _ : state) {
    f(z, p);
    benchmark::DoNotOptimize(p.data());
    benchmark::ClobberMemory();
  }
  const auto elements = static_cast<double>(state.iterations()) * static_cast<double>(n);
  state.counters["s/element"] = benchmark::Counter(elements, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.SetBytesProcessed(state.iterations() * state.range(0) * 8);
  state.SetLabel(std::string(logitope::instruction_set().name));
}

}  // namespace

BENCHMARK_CAPTURE(run, softmax / scalar_loop, &scalar_loop)->Arg(128)->Arg(50257);
BENCHMARK_CAPTURE(run, softmax / xtensor, &xtensor_expression)->Arg(128)->Arg(50257);
BENCHMARK_CAPTURE(run, softmax / logitope, &logitope_row<logitope::default_policy>)->Arg(128)->Arg(1024)->Arg(50257);
BENCHMARK_CAPTURE(run, softmax / logitope_precise, &logitope_row<logitope::precise_policy>)->Arg(128)->Arg(50257);
BENCHMARK_CAPTURE(run, softmax / logitope_portable, &logitope_row<pinned_baseline>)->Arg(128)->Arg(50257);

BENCHMARK_MAIN();
