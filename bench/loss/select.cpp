// SPDX-License-Identifier: BSD-3-Clause
// The 50 most probable of 50257 classes and their log-probabilities for a few hidden states, beside computing all
// logits and sorting them, and beside the loss alone.
#include "logitope/loss/select.hpp"

#include <numeric>
#include <random>

#include "../pinned.hpp"
#include "../rounds.hpp"
#include "logitope/heads/dense.hpp"
#include "logitope/simd/panel.hpp"
#include "logitope/simd/softmax.hpp"

namespace {

namespace lt = logitope;
constexpr std::size_t V = 50257, D = 256, N = 8, k = 50;

struct problem {
  lt::matrix<float> W{V, D}, H{N, D}, Z{N, V}, log_prob{N, k};
  lt::matrix<std::size_t> index{N, k};
  std::vector<std::size_t> order = std::vector<std::size_t>(V);
  std::vector<int> y = std::vector<int>(N, 7);
  lt::workspace_memory memory{lt::top_k_workspace<lt::default_policy, float>(V, D, k)};
  double loss = 0;
  problem() {
    std::mt19937 g(1);
    std::normal_distribution<float> d(0, 1);
    for (float& x : W.values()) x = d(g) / 8;
    for (float& x : H.values()) x = d(g);
  }
  void all_logits() {
    lt::panel_nt<lt::default_policy, float>(std::as_const(H).view(), std::as_const(W).view(), Z.view());
    for (std::size_t i = 0; i < N; ++i) {
      const auto z = Z.row(i);
      const float lse = lt::logsumexp_row(std::span<const float>(z));
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](auto a, auto b) { return z[a] > z[b]; });
      for (std::size_t j = 0; j < k; ++j) index(i, j) = order[j], log_prob(i, j) = z[order[j]] - lse;
    }
  }
  template <class P>
  void fused() {
    lt::workspace ws = memory.get();
    lt::top_k<P>(lt::dense_head<float>(W), std::as_const(H).view(), index.view(), log_prob.view(), ws);
  }
};

/// Largest error of a log-probability, where every class is one whose logit in double is within it of the k-th largest.
double error(const problem& p) {
  double off = 0;
  for (std::size_t i = 0; i < N; ++i) {
    std::vector<double> z(V);
    for (std::size_t v = 0; v < V; ++v)
      z[v] = std::inner_product(p.H.row(i).begin(), p.H.row(i).end(), p.W.row(v).begin(), 0.0, std::plus<>(),
                                [](double a, double b) { return a * b; });
    const double m = *std::max_element(z.begin(), z.end());
    double sum = 0;
    for (const double x : z) sum += std::exp(x - m);
    auto sorted = z;
    std::partial_sort(sorted.begin(), sorted.begin() + k, sorted.end(), std::greater<>());
    for (std::size_t j = 0; j < k; ++j) {
      const double want = sorted[j] - m - std::log(sum);
      off = std::fmax(off, std::fabs(static_cast<double>(p.log_prob(i, j)) - want));
      off = std::fmax(off, std::fabs(z[p.index(i, j)] - sorted[j]));
    }
  }
  return off;
}

}  // namespace

int main() {
  problem p;
  std::vector<bench::contestant> field;
  const auto enter = [&](const char* path, std::function<void()> run) {
    run();
    bench::require_right(path, error(p), 1e-4);
    field.push_back({path, "top 50 of 8 x 50257 x 256", static_cast<double>(N * V), std::move(run)});
  };
  enter("all logits, partial_sort", [&p] { p.all_logits(); });
  enter("SSE2, pinned baseline", [&p] { p.fused<bench::on_baseline>(); });
#if defined(__x86_64__)
  if (lt::detail::process_isa != lt::isa::baseline) enter("AVX2+FMA, pinned", [&p] { p.fused<bench::on_avx2>(); });
  if (lt::detail::process_isa == lt::isa::avx512) enter("AVX-512, pinned", [&p] { p.fused<bench::on_avx512>(); });
#endif
  enter("default_policy", [&p] { p.fused<lt::default_policy>(); });
  field.push_back({"loss alone", "top 50 of 8 x 50257 x 256", static_cast<double>(N * V), [&p] {
                     lt::workspace ws = p.memory.get();
                     p.loss = lt::cross_entropy(lt::dense_head<float>(p.W), std::as_const(p.H).view(), p.y, ws).sum;
                   }});
  bench::race(field, 9, 2e-2);
  bench::print_table(field, "ns per logit", "%.2f", [](const auto& c) { return 1e9 * c.seconds / c.work; });
}
