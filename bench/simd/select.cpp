// SPDX-License-Identifier: BSD-3-Clause
// The largest class, the 50 largest in order, and one draw from a row of 50257 logits, beside the standard library.
#include "logitope/simd/select.hpp"

#include <numeric>
#include <random>

#include "../pinned.hpp"
#include "../rounds.hpp"
#include "logitope/simd/argmax.hpp"
#include "logitope/simd/sample.hpp"

namespace {

namespace lt = logitope;
using bench::on_avx2, bench::on_avx512, bench::on_baseline;

constexpr std::size_t n = 50257, k = 50;

struct row {
  std::vector<float> z = std::vector<float>(n), p = z;
  std::vector<std::size_t> order = std::vector<std::size_t>(n), top = std::vector<std::size_t>(k);
  std::vector<double> cumulative;
  double u = 0;
  std::size_t answer = 0;
  lt::workspace_memory memory{lt::sample_workspace<lt::default_policy, float>(n, {.top_k = k}) +
                              lt::top_k_workspace<lt::default_policy, float>(n, k)};
  row() {
    std::mt19937 g(1);
    std::normal_distribution<float> d(0, 3);
    double sum = 0;
    for (float& x : z) cumulative.push_back(sum += std::exp(static_cast<double>(x = d(g))));
    for (double& c : cumulative) c /= sum;
  }
  double next_u() { return u = u + 0.6180339887498949 - (u + 0.6180339887498949 >= 1 ? 1 : 0); }
};

/// How far u is outside the piece of the drawn class.
double off_piece(const row& r) {
  const double begin = r.answer == 0 ? 0 : r.cumulative[r.answer - 1], end = r.cumulative[r.answer];
  return std::fmax(0.0, std::fmax(begin - r.u, r.u - end));
}

template <class Argmax, class Top, class Sample>
void enter(std::vector<bench::contestant>& field, row& r, const char* path, Argmax argmax, Top top, Sample sample) {
  std::vector<std::size_t> want(n);
  std::iota(want.begin(), want.end(), std::size_t{0});
  std::stable_sort(want.begin(), want.end(), [&](auto a, auto b) { return r.z[a] > r.z[b]; });
  argmax();
  bench::require_right(std::string(path) + " argmax", r.answer == want[0] ? 0 : 1, 0);
  top();
  bench::require_right(std::string(path) + " top", std::equal(r.top.begin(), r.top.end(), want.begin()) ? 0 : 1, 0);
  for (int i = 0; i < 100; ++i) {
    sample();
    bench::require_right(std::string(path) + " sample", off_piece(r), 2e-6);
  }
  const auto work = static_cast<double>(n);
  field.push_back({path, "argmax", work, argmax});
  field.push_back({path, "top 50", work, top});
  field.push_back({path, "sample", work, sample});
}

template <class P>
void enter_ours(std::vector<bench::contestant>& field, row& r, const char* path) {
  const std::span<const float> z(r.z);
  enter(
      field, r, path, [&r, z] { r.answer = lt::argmax_row<P>(z); },
      [&r, z] {
        lt::workspace ws = r.memory.get();
        lt::top_k<P>(z, std::span<std::size_t>(r.top), ws);
      },
      [&r, z] {
        lt::workspace ws = r.memory.get();
        r.answer = lt::sample_row<P>(z, r.next_u(), {}, ws);
      });
}

}  // namespace

int main() {
  row r;
  std::vector<bench::contestant> field;
  enter(
      field, r, "std",
      [&r] { r.answer = static_cast<std::size_t>(std::max_element(r.z.begin(), r.z.end()) - r.z.begin()); },
      [&r] {
        std::iota(r.order.begin(), r.order.end(), std::size_t{0});
        std::partial_sort(r.order.begin(), r.order.begin() + k, r.order.end(),
                          [&r](auto a, auto b) { return r.z[a] > r.z[b]; });
        std::copy_n(r.order.begin(), k, r.top.begin());
      },
      [&r] {
        const float m = *std::max_element(r.z.begin(), r.z.end());
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += static_cast<double>(r.p[i] = std::exp(r.z[i] - m));
        double left = r.next_u() * sum;
        r.answer = 0;
        while (r.answer + 1 < n && left >= static_cast<double>(r.p[r.answer]))
          left -= static_cast<double>(r.p[r.answer++]);
      });
  enter_ours<on_baseline>(field, r, "SSE2, pinned baseline");
#if defined(__x86_64__)
  const lt::isa best = lt::detail::process_isa;
  if (best != lt::isa::baseline) enter_ours<on_avx2>(field, r, "AVX2+FMA, pinned");
  if (best == lt::isa::avx512) enter_ours<on_avx512>(field, r, "AVX-512, pinned");
#endif
  enter_ours<lt::default_policy>(field, r, "default_policy");
  bench::race(field);
  bench::print_table(field, "ns per class, 50257", "%.4f", [](const auto& c) { return 1e9 * c.seconds / c.work; });
}
