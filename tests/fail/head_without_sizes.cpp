// SPDX-License-Identifier: BSD-3-Clause
// refused: has_head_sizes
#include <vector>
#include "logitope/loss/cross_entropy.hpp"
namespace lt = logitope;
struct user_head {
  using value_type = float;
#ifdef EXPECT_OK
  std::size_t vocabulary() const {
    return 3;
  }
  std::size_t hidden_size() const {
    return 2;
  }
#endif
  template <lt::kernel_policy P>
  void logits(lt::matrix_view<const float>, std::size_t, lt::matrix_view<float>, lt::workspace&) const {}
};
double loss(lt::matrix_view<const float> H, const std::vector<int>& y, lt::workspace& ws) {
  return lt::cross_entropy(user_head(), H, y, ws).sum;
}
