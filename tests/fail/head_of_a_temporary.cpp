// SPDX-License-Identifier: BSD-3-Clause
// refused: deleted
#include <logitope/logitope.hpp>

int main() {
  const xt::xtensor<float, 2> W{{1.f, 2.f}, {3.f, 4.f}};
#ifdef EXPECT_OK
  const logitope::dense_head head(W);
#else
  const logitope::dense_head head(xt::xtensor<float, 2>{{1.f, 2.f}, {3.f, 4.f}});
#endif
  return static_cast<int>(head.vocabulary()) - static_cast<int>(W.shape(0));
}
