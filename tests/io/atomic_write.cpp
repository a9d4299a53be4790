// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/io/atomic_write.hpp"

#include <iterator>

#include "io/scratch.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(io_atomic_write)

BOOST_AUTO_TEST_CASE(the_content_replaces_the_old_one_and_nothing_else_is_left) {
  const scratch s;
  const auto path = s.file("older and longer");
  lt::atomic_write(path, "new");
  std::ifstream in(path);
  BOOST_TEST(std::string(std::istreambuf_iterator<char>(in), {}) == "new");
  BOOST_TEST(std::distance(std::filesystem::directory_iterator(s.folder), {}) == 1);
}

BOOST_AUTO_TEST_CASE(a_failed_rename_leaves_no_temporary_file) {
  const scratch s;
  std::filesystem::create_directories(s.folder / "taken");
  BOOST_CHECK_EXCEPTION(lt::atomic_write((s.folder / "taken").string(), "x"), lt::format_error,
                        oracle::says("expected a writable file"));
  BOOST_TEST(std::distance(std::filesystem::directory_iterator(s.folder), {}) == 1);
}

BOOST_AUTO_TEST_SUITE_END()
