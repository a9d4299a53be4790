// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/io/atomic_write.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "io/scratch.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

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

BOOST_AUTO_TEST_CASE(a_link_stays_a_link_and_its_file_is_replaced) {
  const scratch s;
  const auto path = s.file("old");
  const auto link = s.folder / "link";
  std::filesystem::create_symlink(path, link);
  lt::atomic_write(link.string(), "new");
  BOOST_TEST(std::filesystem::is_symlink(link));
  BOOST_TEST(content_of(path) == "new");
  BOOST_TEST(std::distance(std::filesystem::directory_iterator(s.folder), {}) == 2);
}

BOOST_AUTO_TEST_CASE(a_device_is_written_to_and_never_replaced) {
  const scratch s;
  const auto full = s.folder / "full", null = s.folder / "null";
  std::filesystem::create_symlink("/dev/full", full);
  std::filesystem::create_symlink("/dev/null", null);
  BOOST_CHECK_EXCEPTION(lt::atomic_write(full.string(), "x"), lt::format_error,
                        oracle::says(full.string() + ": expected a writable file, found No space left on device"));
  BOOST_CHECK_NO_THROW(lt::atomic_write(null.string(), "x"));
  for (const auto& link : {full, null}) BOOST_TEST(std::filesystem::is_character_file(link));
}

BOOST_AUTO_TEST_CASE(a_pipe_passes_the_bytes_on_and_stays_a_pipe) {
  const scratch s;
  const auto pipe = (s.folder / "pipe").string();
  BOOST_TEST_REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  BOOST_TEST_REQUIRE(reader >= 0);
  lt::atomic_write(pipe, "through");
  std::string read(100, ' ');
  const auto got = ::read(reader, read.data(), read.size());
  read.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  ::close(reader);
  BOOST_TEST(read == "through");
  BOOST_TEST(std::filesystem::is_fifo(pipe));
}

BOOST_AUTO_TEST_CASE(the_mode_is_that_of_the_old_file_or_what_the_process_allows) {
  using std::filesystem::perms;
  const scratch s;
  const auto path = s.file("old"), fresh = (s.folder / "fresh").string();
  std::filesystem::permissions(path, perms{0640});
  const auto before = ::umask(077);
  lt::atomic_write(path, "new");
  lt::atomic_write(fresh, "new");
  ::umask(before);
  BOOST_TEST((std::filesystem::status(path).permissions() == perms{0640}));
  BOOST_TEST((std::filesystem::status(fresh).permissions() == perms{0600}));
}

BOOST_AUTO_TEST_SUITE_END()
