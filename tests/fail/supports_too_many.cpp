// SPDX-License-Identifier: BSD-3-Clause
// refused: cannot support k tokens
#include "logitope/heads/dense.hpp"
#ifdef EXPECT_OK
constexpr std::size_t k = 3;  // min(2k, V - 1) = 6 <= D
#else
constexpr std::size_t k = 4;
#endif
using head = logitope::dense_head<float, 100, 6, logitope::supports<k>>;
head of(logitope::matrix_view<const float, 100, 6> W) {
  return head(W);
}
