// SPDX-License-Identifier: BSD-3-Clause
// KL divergence with gradient at the size of the known truth (1,472 contexts, 41 words, 16 dimensions), double, beside
// the textbook loops that answer is checked against.
#include "logitope/loss/kl.hpp"

#include <numeric>
#include <random>

#include "../pinned.hpp"
#include "../rounds.hpp"
#include "logitope/core/matrix.hpp"
#include "logitope/heads/dense.hpp"

namespace {

namespace lt = logitope;
using bench::on_avx2, bench::on_avx512, bench::on_baseline;

constexpr std::size_t N = 1472, V = 41, D = 16;

struct problem {
  lt::matrix<double> W{V, D}, H{N, D}, p{N, V}, dH{N, D}, dW{V, D};
  double value = 0;
  problem() {
    std::mt19937 g(1);
    std::normal_distribution<double> d;
    for (double& x : W.values()) x = d(g);
    for (double& x : H.values()) x = d(g);
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t v = 0; v < V; ++v) p(i, v) = std::exp(2 * d(g));
      const auto row = p.view().row(i);
      const double sum = std::accumulate(row.begin(), row.end(), 0.0);
      for (double& x : row) x /= sum;
    }
  }
};

void textbook(problem& x) {
  std::fill(x.dH.values().begin(), x.dH.values().end(), 0.0);
  std::fill(x.dW.values().begin(), x.dW.values().end(), 0.0);
  x.value = 0;
  double z[V];
  for (std::size_t i = 0; i < N; ++i) {
    double m = -INFINITY, sum = 0;
    for (std::size_t v = 0; v < V; ++v) {
      z[v] = 0;
      for (std::size_t d = 0; d < D; ++d) z[v] += x.W(v, d) * x.H(i, d);
      m = std::fmax(m, z[v]);
    }
    for (const double l : z) sum += std::exp(l - m);
    const double lse = m + std::log(sum);
    for (std::size_t v = 0; v < V; ++v) {
      x.value += x.p(i, v) * (std::log(x.p(i, v)) - (z[v] - lse));
      const double G = std::exp(z[v] - lse) - x.p(i, v);
      for (std::size_t d = 0; d < D; ++d) x.dH(i, d) += G * x.W(v, d);
      for (std::size_t d = 0; d < D; ++d) x.dW(v, d) += G * x.H(i, d);
    }
  }
}

template <class P>
void enter(std::vector<bench::contestant>& field, problem& x, const problem& want, const char* path,
           lt::workspace& ws) {
  const auto run = [&x, &ws] {
    const lt::dense_head<double> head(std::as_const(x.W).view());
    x.value = lt::kl_divergence_grad<P>(head, x.H, x.p, x.dH, x.dW, ws).sum;
  };
  run();
  double off = std::fabs(x.value - want.value) / want.value;
  for (std::size_t i = 0; i < N * D; ++i) off = std::fmax(off, std::fabs(x.dH.values()[i] - want.dH.values()[i]));
  for (std::size_t i = 0; i < V * D; ++i) off = std::fmax(off, std::fabs(x.dW.values()[i] - want.dW.values()[i]));
  bench::require_right(path, off, 1e-10);
  field.push_back({path, "1472 x 41 x 16", N, run});
}

}  // namespace

int main() {
  problem want, x;
  textbook(want);
  lt::workspace_memory memory(lt::kl_workspace<lt::default_policy, double>(N, V, D));
  lt::workspace ws = memory.get();
  std::vector<bench::contestant> field;
  field.push_back({"textbook loops", "1472 x 41 x 16", N, [&want] { textbook(want); }});
  enter<on_baseline>(field, x, want, "SSE2, pinned baseline", ws);
#if defined(__x86_64__)
  if (lt::detail::process_isa != lt::isa::baseline) enter<on_avx2>(field, x, want, "AVX2+FMA, pinned", ws);
  if (lt::detail::process_isa == lt::isa::avx512) enter<on_avx512>(field, x, want, "AVX-512, pinned", ws);
#endif
  enter<lt::default_policy>(field, x, want, "default_policy", ws);
  bench::race(field, 15, 5e-3);
  bench::print_table(field, "ms, KL and gradient", "%.3f", [](const auto& c) { return 1e3 * c.seconds; });
}
