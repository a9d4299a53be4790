// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/loss/row_block.hpp"

#include <cstddef>
#include <utility>

#include "logitope/core/matrix.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(loss_row_block)

BOOST_AUTO_TEST_CASE(rows_that_count_are_packed_in_order_and_each_once) {
  lt::matrix<double> H(150, 2);
  for (std::size_t i = 0; i < 150; ++i) H(i, 1) = double(i);
  using block_type = lt::detail::row_block<double>;
  lt::workspace_memory memory(block_type::bytes(3, 2, true));
  lt::workspace ws = memory.get();
  block_type block(ws, 3, 2, true);
  BOOST_TEST(ws.free_bytes() == 0u);
  std::size_t seen = 0, want = 0;
  for (std::size_t next = 0; next < H.rows();) {
    next = block.fill(std::as_const(H).view(), next, [](std::size_t i) { return i % 3 != 1; });
    BOOST_TEST(block.size() <= block.capacity);
    for (std::size_t i = 0; i < block.size(); ++i, ++seen, ++want) {
      if (want % 3 == 1) ++want;
      BOOST_TEST(block[i] == want);
      BOOST_TEST(block.hidden()(i, 1) == double(want));
      BOOST_TEST(block.dh()(i, 0) == 0);
    }
  }
  BOOST_TEST(seen == 100u);
  block.silence(0);
  BOOST_TEST(block.hidden()(0, 1) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
