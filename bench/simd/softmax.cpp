// SPDX-License-Identifier: BSD-3-Clause
// Softmax, log-softmax and log-sum-exp of one float row: ours on every instruction set beside a scalar loop, xtensor's
// own expression, and a copy of the row, the floor of whatever writes one.
#include <cstdint>
#include <cstring>
#include <random>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor.hpp>

#include "../pinned.hpp"
#include "../rounds.hpp"
#include "logitope/simd/softmax.hpp"

namespace {

namespace lt = logitope;
using row = xt::xtensor<float, 1>;
using bench::on_avx2, bench::on_avx512, bench::on_baseline;

struct data {
  row z, out;
  std::vector<float> copy;
  std::vector<double> p, lp;
  double lse = 0;
  explicit data(std::size_t n) : z(row::from_shape({n})), out(row::from_shape({n})), copy(n + 1024) {
    std::mt19937 g(1);
    std::normal_distribution<float> d(0, 3);
    double sum = 0;
    for (float& x : z) sum += std::exp(static_cast<double>(x = d(g)));
    lse = std::log(sum);
    for (const float x : z) lp.push_back(static_cast<double>(x) - lse);
    for (const double l : lp) p.push_back(std::exp(l));
  }
};

void scalar_softmax(const row& z, row& p) {
  float m = z(0), s = 0;
  for (std::size_t i = 1; i < z.size(); ++i) m = z(i) > m ? z(i) : m;
  for (std::size_t i = 0; i < z.size(); ++i) s += p(i) = std::exp(z(i) - m);
  for (std::size_t i = 0; i < z.size(); ++i) p(i) /= s;
}
float scalar_logsumexp(const row& z, float& m) {
  float s = 0;
  m = z(0);
  for (std::size_t i = 1; i < z.size(); ++i) m = z(i) > m ? z(i) : m;
  for (std::size_t i = 0; i < z.size(); ++i) s += std::exp(z(i) - m);
  return std::log(s);
}

/// Runs each operation once and checks it; softmax within 1e-4 of double, the others within 1e-4 nats.
template <class Softmax, class LogSoftmax, class LogSumExp>
void enter(std::vector<bench::contestant>& field, data& d, const std::string& path, Softmax softmax,
           LogSoftmax log_softmax, LogSumExp logsumexp) {
  const std::string n = " " + std::to_string(d.z.size());
  double off = 0;
  softmax();
  for (std::size_t i = 0; i < d.p.size(); ++i)
    off = std::fmax(off, std::fabs(static_cast<double>(d.out(i)) / d.p[i] - 1));
  bench::require_right(path + " softmax" + n, off, 1e-4);
  off = 0;
  log_softmax();
  for (std::size_t i = 0; i < d.p.size(); ++i) off = std::fmax(off, std::fabs(static_cast<double>(d.out(i)) - d.lp[i]));
  bench::require_right(path + " log_softmax" + n, off, 1e-4);
  d.out(0) = 0;
  logsumexp();
  bench::require_right(path + " logsumexp" + n, std::fabs(static_cast<double>(d.out(0)) - d.lse), 1e-4);
  const auto work = static_cast<double>(d.z.size());
  field.push_back({path, "softmax" + n, work, softmax});
  field.push_back({path, "log_softmax" + n, work, log_softmax});
  field.push_back({path, "logsumexp" + n, work, logsumexp});
}

template <class P>
void enter_ours(std::vector<bench::contestant>& field, data& d, const std::string& path) {
  const std::span<const float> z(d.z.data(), d.z.size());
  const std::span<float> out(d.out.data(), d.out.size());
  enter(
      field, d, path, [=] { lt::softmax_row<P>(z, out); }, [=] { lt::log_softmax_row<P>(z, out); },
      [=] { out[0] = lt::logsumexp_row<P>(z); });
}

}  // namespace

int main() {
  std::vector<bench::contestant> field;
  data sizes[] = {data(128), data(1024), data(50257)};
  for (data& d : sizes) {
    enter(
        field, d, "scalar loop", [&d] { scalar_softmax(d.z, d.out); },
        [&d] {
          float m = 0;
          const float l = scalar_logsumexp(d.z, m);
          for (std::size_t i = 0; i < d.z.size(); ++i) d.out(i) = d.z(i) - m - l;
        },
        [&d] {
          float m = 0;
          d.out(0) = scalar_logsumexp(d.z, m);
          d.out(0) += m;
        });
    enter(
        field, d, "xtensor expression",
        [&d] {
          xt::noalias(d.out) = xt::exp(d.z - xt::amax(d.z)());
          d.out /= xt::sum(d.out)();
        },
        [&d] {
          const float m = xt::amax(d.z)();
          xt::noalias(d.out) = (d.z - m) - std::log(xt::sum(xt::exp(d.z - m))());
        },
        [&d] {
          const float m = xt::amax(d.z)();
          d.out(0) = m + std::log(xt::sum(xt::exp(d.z - m))());
        });
    enter_ours<on_baseline>(field, d, "SSE2, pinned baseline");
#if defined(__x86_64__)
    const lt::isa best = lt::detail::process_isa;
    if (best != lt::isa::baseline) enter_ours<on_avx2>(field, d, "AVX2+FMA, pinned");
    if (best == lt::isa::avx512) enter_ours<on_avx512>(field, d, "AVX-512, pinned");
#endif
    enter_ours<lt::default_policy>(field, d, "default_policy");
    enter_ours<lt::precise_policy>(field, d, "precise_policy");
    // half a page from the source: a destination a whole number of pages away is a slow copy, not a floor
    const auto misplaced =
        (reinterpret_cast<std::uintptr_t>(d.z.data()) - reinterpret_cast<std::uintptr_t>(d.copy.data())) % 4096;
    float* const to = d.copy.data() + (misplaced + 2048) % 4096 / sizeof(float);
    for (const char* operation : {"softmax ", "log_softmax "})
      field.push_back(
          {"floor: copy", operation + std::to_string(d.z.size()), static_cast<double>(d.z.size()), [&d, to] {
             std::memcpy(to, d.z.data(), d.z.size() * sizeof(float));
             asm volatile("" : : "r"(to) : "memory");
           }});
  }
  // columns by operation, then size
  std::stable_sort(field.begin(), field.end(), [](const auto& a, const auto& b) {
    const auto rank = [](const std::string& o) { return o.starts_with("softmax") ? 0 : o.starts_with("log_") ? 1 : 2; };
    return rank(a.operation) < rank(b.operation);
  });
  bench::race(field);
  std::printf("default_policy runs on %s here\n", std::string(lt::instruction_set().name).c_str());
  bench::print_table(field, "ns per element, float", "%.3f", [](const auto& c) { return 1e9 * c.seconds / c.work; });
}
