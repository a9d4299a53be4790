// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/core/workspace.hpp"

#include <array>
#include <cstdint>
#include <limits>

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(core_workspace)

BOOST_AUTO_TEST_CASE(blocks_are_aligned_and_do_not_overlap) {
  lt::workspace_memory memory(256);
  auto ws = memory.get();
  const auto a = ws.take<float>(1);
  const auto b = ws.take<double>(8);
  BOOST_TEST(reinterpret_cast<std::uintptr_t>(a.data()) % 64 == 0u);
  BOOST_TEST(reinterpret_cast<std::byte*>(b.data()) - reinterpret_cast<std::byte*>(a.data()) == 64);
  BOOST_TEST(ws.free_bytes() == 128u);
  BOOST_TEST(lt::scratch_bytes<float>(17) == 128u);
}

BOOST_AUTO_TEST_CASE(a_full_workspace_says_how_much_is_missing_and_stays_as_it_was) {
  lt::workspace_memory memory(64);
  auto ws = memory.get();
  BOOST_CHECK_EXCEPTION((void)ws.take<float>(17), lt::capacity_error, oracle::says("expected 128 free bytes, got 64"));
  BOOST_TEST(ws.free_bytes() == 64u);
}

BOOST_AUTO_TEST_CASE(a_number_of_elements_whose_bytes_do_not_fit_is_refused_not_wrapped_around) {
  lt::workspace_memory memory(128);
  auto ws = memory.get();
  constexpr std::size_t most = (std::numeric_limits<std::size_t>::max)();
  for (const std::size_t n : {most / 8 + 2, most / 8 + 1, most / 8, most})
    BOOST_CHECK_THROW((void)ws.take<double>(n), lt::capacity_error);
  BOOST_CHECK_THROW((void)ws.take<std::byte>(most), lt::capacity_error);
  BOOST_TEST(ws.free_bytes() == 128u);
}

BOOST_AUTO_TEST_CASE(a_scope_gives_back_what_was_taken_in_it) {
  lt::workspace_memory memory(128);
  auto ws = memory.get();
  {
    const lt::workspace::scope scope(ws);
    (void)ws.take<float>(32);
    BOOST_TEST(ws.free_bytes() == 0u);
  }
  BOOST_TEST(ws.free_bytes() == 128u);
}

BOOST_AUTO_TEST_CASE(workers_get_disjoint_shares) {
  lt::workspace_memory memory(320);
  const auto ws = memory.get();
  auto first = ws.split(0, 2);
  auto second = ws.split(1, 2);
  BOOST_TEST(first.free_bytes() == 128u);
  BOOST_TEST(second.take<std::byte>(1).data() - first.take<std::byte>(1).data() == 128);
}

BOOST_AUTO_TEST_SUITE_END()
