// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_BENCH_PINNED_HPP
#define LOGITOPE_BENCH_PINNED_HPP

#include "logitope/simd/policy.hpp"

/// One policy for each path through the kernels.
namespace bench {

struct on_baseline : logitope::default_policy {
  using arch = logitope::baseline;
};
struct on_avx2 : logitope::default_policy {
  using arch = logitope::avx2;
};
struct on_avx512 : logitope::default_policy {
  using arch = logitope::avx512;
};

}  // namespace bench

#endif
