// SPDX-License-Identifier: BSD-3-Clause
// Panel products on every instruction set beside a loop with the index order compilers vectorise best.
#include "logitope/simd/panel.hpp"

#include <random>

#include "../pinned.hpp"
#include "../rounds.hpp"
#include "logitope/core/matrix.hpp"

namespace {

namespace lt = logitope;
using bench::on_avx2, bench::on_avx512, bench::on_baseline;

template <class T>
void loop_nt(const lt::matrix<T>& A, const lt::matrix<T>& B, lt::matrix<T>& C) {
  for (std::size_t i = 0; i < C.rows(); ++i)
    for (std::size_t j = 0; j < C.cols(); ++j) {
      T s = 0;
      for (std::size_t k = 0; k < A.cols(); ++k) s += A(i, k) * B(j, k);
      C(i, j) = s;
    }
}

template <class T>
struct product {
  lt::matrix<T> A, B, C;
  std::string operation;
  product(const char* type, std::size_t n, std::size_t m, std::size_t K)
      : A(n, K),
        B(m, K),
        C(n, m),
        operation(std::string(type) + " " + std::to_string(n) + "x" + std::to_string(m) + "x" + std::to_string(K)) {
    std::mt19937 g(1);
    std::normal_distribution<double> d;
    for (T& x : A.values()) x = static_cast<T>(d(g));
    for (T& x : B.values()) x = static_cast<T>(d(g));
  }
  void enter(std::vector<bench::contestant>& field, const char* path, std::function<void()> run) {
    run();
    double off = 0;
    for (std::size_t i = 0; i < C.rows(); ++i)
      for (std::size_t j = 0; j < C.cols(); ++j) {
        double want = 0, size = 0;
        for (std::size_t k = 0; k < A.cols(); ++k) {
          want += static_cast<double>(A(i, k)) * static_cast<double>(B(j, k));
          size += std::fabs(static_cast<double>(A(i, k)) * static_cast<double>(B(j, k)));
        }
        off = std::fmax(off, std::fabs(static_cast<double>(C(i, j)) - want) / size);
      }
    bench::require_right(std::string(path) + " " + operation, off,
                         static_cast<double>(A.cols()) * static_cast<double>(std::numeric_limits<T>::epsilon()));
    field.push_back({path, operation, 2.0 * static_cast<double>(C.size() * A.cols()), std::move(run)});
  }
  template <class P>
  void ours(std::vector<bench::contestant>& field, const char* path) {
    enter(field, path, [this] { lt::panel_nt<P, T>(std::as_const(A).view(), std::as_const(B).view(), C.view()); });
  }
  void all(std::vector<bench::contestant>& field) {
    enter(field, "scalar loop", [this] { loop_nt(A, B, C); });
    ours<on_baseline>(field, "SSE2, pinned baseline");
#if defined(__x86_64__)
    if (lt::detail::process_isa != lt::isa::baseline) ours<on_avx2>(field, "AVX2+FMA, pinned");
    if (lt::detail::process_isa == lt::isa::avx512) ours<on_avx512>(field, "AVX-512, pinned");
#endif
    ours<lt::default_policy>(field, "default_policy");
  }
};

}  // namespace

int main() {
  std::vector<bench::contestant> field;
  product<float> small_float("float", 64, 256, 64), float_panel("float", 64, 1024, 256);
  product<double> known_truth("double", 64, 41, 16), double_panel("double", 64, 1024, 256);
  small_float.all(field);
  float_panel.all(field);
  known_truth.all(field);
  double_panel.all(field);
  bench::race(field, 9, 5e-3);
  bench::print_table(field, "GFLOP/s, C = A B^T", "%.2f", [](const auto& c) { return 1e-9 * c.work / c.seconds; });
}
