// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_BENCH_ROUNDS_HPP
#define LOGITOPE_BENCH_ROUNDS_HPP

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

/// Right first, fast second: a contestant that is off stops the bench. Times are medians of rounds in which every
/// contestant runs once, so that a slow moment of the machine hits all of them; only this thread's CPU time counts.
namespace bench {

struct contestant {
  std::string path, operation;
  double work;                ///< units per call: elements, flops
  std::function<void()> run;  ///< one call
  double seconds = 0;         ///< median of a call, filled in by `race`
};

inline double thread_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Ends the program where the largest error is over the limit (or NaN).
inline void require_right(const std::string& who, double error, double limit) {
  if (error <= limit) return;
  std::fprintf(stderr, "error: %s: wrong answer, off by %.3g where %.3g is allowed\n", who.c_str(), error, limit);
  std::exit(1);
}

inline void race(std::vector<contestant>& field, int rounds = 15, double seconds_each = 2e-3) {
  std::vector<long> calls;
  for (auto& c : field) {
    long n = 1;
    for (;; n *= 2) {
      const double start = thread_seconds();
      for (long i = 0; i < n; ++i) c.run();
      if (thread_seconds() - start > seconds_each / 2) break;
    }
    calls.push_back(n);
  }
  std::vector<std::vector<double>> times(field.size());
  for (int r = 0; r < rounds; ++r)
    for (std::size_t f = 0; f < field.size(); ++f) {
      const double start = thread_seconds();
      for (long i = 0; i < calls[f]; ++i) field[f].run();
      times[f].push_back((thread_seconds() - start) / static_cast<double>(calls[f]));
    }
  for (std::size_t f = 0; f < field.size(); ++f) {
    std::nth_element(times[f].begin(), times[f].begin() + rounds / 2, times[f].end());
    field[f].seconds = times[f][static_cast<std::size_t>(rounds / 2)];
  }
}

/// Paths down, operations across, both in the order of the field; `figure` makes a number of a contestant.
template <class Figure>
void print_table(const std::vector<contestant>& field, const char* title, const char* format, Figure figure) {
  std::vector<std::string> paths, operations;
  for (const auto& c : field) {
    if (std::find(paths.begin(), paths.end(), c.path) == paths.end()) paths.push_back(c.path);
    if (std::find(operations.begin(), operations.end(), c.operation) == operations.end())
      operations.push_back(c.operation);
  }
  std::printf("\n| %-22s |", title);
  for (const auto& o : operations) std::printf(" %s |", o.c_str());
  std::printf("\n|---|");
  for (std::size_t o = 0; o < operations.size(); ++o) std::printf("---:|");
  for (const auto& p : paths) {
    std::printf("\n| %-22s |", p.c_str());
    for (const auto& o : operations) {
      const auto c = std::find_if(field.begin(), field.end(),
                                  [&](const contestant& x) { return x.path == p && x.operation == o; });
      if (c == field.end()) std::printf(" - |");
      else {
        std::printf(" ");
        std::printf(format, figure(*c));
        std::printf(" |");
      }
    }
  }
  std::printf("\n");
}

}  // namespace bench

#endif
