// SPDX-License-Identifier: BSD-3-Clause
// refused: compatible_extent
#include "logitope/core/view.hpp"
#ifdef EXPECT_OK
using wanted = logitope::matrix_view<const float, 2, 3>;
#else
using wanted = logitope::matrix_view<const float, 2, 4>;
#endif
wanted narrow(logitope::matrix_view<float, 2, 3> view) {
  return wanted(view);
}
