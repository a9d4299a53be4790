// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/transpose.hpp"

#include <numeric>
#include <tuple>
#include <vector>

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(simd_transpose)

using element_types = std::tuple<float, double>;

BOOST_AUTO_TEST_CASE_TEMPLATE(rows_become_columns_and_nothing_else_is_written, T, element_types) {
  for (std::size_t rows = 0; rows <= 19; ++rows)
    for (std::size_t cols = 0; cols <= 19; ++cols)
      for (const bool upwards : {false, true}) {
        const std::size_t pitch = cols + 3, out_pitch = rows + 2;
        std::vector<T> in(rows * pitch + 1), out(cols * out_pitch + 1, T{-1});
        std::iota(in.begin(), in.end(), T{0});
        // from the last row up: a negative pitch
        const auto step = static_cast<std::ptrdiff_t>(pitch) * (upwards ? -1 : 1);
        const T* first = in.data() + (upwards && rows > 0 ? (rows - 1) * pitch : 0);
        lt::detail::transpose(first, step, rows, cols, out.data(), static_cast<std::ptrdiff_t>(out_pitch));
        for (std::size_t c = 0; c < cols; ++c)
          for (std::size_t r = 0; r < out_pitch; ++r) {
            const std::size_t from = upwards ? rows - 1 - r : r;
            BOOST_TEST(oracle::same(out[c * out_pitch + r], r < rows ? in[from * pitch + c] : T{-1}));
          }
        BOOST_TEST(oracle::same(out.back(), T{-1}));
      }
}

BOOST_AUTO_TEST_SUITE_END()
