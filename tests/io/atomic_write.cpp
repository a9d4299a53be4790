// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/io/atomic_write.hpp"

#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

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

BOOST_AUTO_TEST_CASE(a_folder_that_is_not_there_is_named) {
  const scratch s;
  const auto path = (s.folder / "no" / "file").string();
  BOOST_CHECK_EXCEPTION(lt::atomic_write(path, "x"), lt::format_error,
                        oracle::says(path + ": expected a writable file, found No such file or directory"));
}

BOOST_AUTO_TEST_CASE(a_disk_that_fills_up_leaves_the_old_file_and_no_other) {
  const scratch s;
  const auto path = s.file("old");
  // The limit on a file's size stands in for a full disk: the first write is cut short, the second fails.
  ::rlimit before{};
  BOOST_TEST_REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const ::rlimit small{4096, before.rlim_max};
  BOOST_TEST_REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  std::string message;
  try {
    lt::atomic_write(path, std::string(10000, 'x'));
  } catch (const lt::format_error& e) {
    message = e.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  BOOST_TEST(message == path + ": expected a writable file, found File too large");
  std::ifstream in(path);
  BOOST_TEST(std::string(std::istreambuf_iterator<char>(in), {}) == "old");
  BOOST_TEST(std::distance(std::filesystem::directory_iterator(s.folder), {}) == 1);
}

BOOST_AUTO_TEST_CASE(bytes_of_any_value_and_length_are_written_and_readable_by_all) {
  const scratch s;
  const auto path = s.file("x");
  std::string all;
  for (int i = 0; i < 100000; ++i) all += static_cast<char>(i);
  lt::atomic_write(path, all);
  std::ifstream in(path, std::ios::binary);
  BOOST_TEST((std::string(std::istreambuf_iterator<char>(in), {}) == all));
  BOOST_TEST(((std::filesystem::status(path).permissions() & std::filesystem::perms::others_read) !=
              std::filesystem::perms::none));
  lt::atomic_write(path, "");
  BOOST_TEST(std::filesystem::file_size(path) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
