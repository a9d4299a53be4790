// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_EXAMPLES_SUPPORT_PROGRESS_BAR_HPP
#define LOGITOPE_EXAMPLES_SUPPORT_PROGRESS_BAR_HPP

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>

#include "logitope/core/progress.hpp"

/// @file
/// @brief One line on a terminal's standard error: what is being done, how far, how fast, how long still.

namespace support {

/// @brief A progress sink that draws at most ten times a second, only after two seconds of work, only on a terminal.
class progress_bar {
 public:
  explicit progress_bar(bool wanted) : on_(wanted && isatty(STDERR_FILENO) != 0) {}
  ~progress_bar() { clear(); }
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  void operator()(const logitope::progress_report& report) {
    if (!on_) return;
    const auto now = clock::now();
    if (stage_ != report.stage) {
      clear();
      stage_ = report.stage;
      began_ = now;
      drawn_ = now;
    }
    using std::chrono::duration;
    const double elapsed = duration<double>(now - began_).count();
    if (elapsed < 2 || duration<double>(now - drawn_).count() < 0.1) return;
    drawn_ = now;
    shown_ = true;
    const double rate = static_cast<double>(report.done) / elapsed;
    if (report.total > 0 && report.done > 0) {
      const double left = static_cast<double>(report.total - report.done) / rate;
      std::fprintf(stderr, "\r\033[K%s  %zu of %zu  %.4g/s  %.0f s left", report.stage, report.done, report.total, rate,
                   left);
    } else {
      std::fprintf(stderr, "\r\033[K%s  %zu  %.4g/s  %.0f s so far", report.stage, report.done, rate, elapsed);
    }
    std::fflush(stderr);
  }

  /// Takes the line away.
  void clear() {
    if (shown_) std::fputs("\r\033[K", stderr);
    shown_ = false;
  }

 private:
  using clock = std::chrono::steady_clock;
  bool on_;
  bool shown_ = false;
  std::string stage_;
  clock::time_point began_;
  clock::time_point drawn_;
};

}  // namespace support

#endif
