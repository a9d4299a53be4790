// SPDX-License-Identifier: BSD-3-Clause
// refused: real_array
#include <vector>
#include "logitope/simd/softmax.hpp"
#ifdef EXPECT_OK
using logit = float;
#else
using logit = int;
#endif
auto probabilities(const std::vector<logit>& z) {
  return logitope::softmax(z);
}
