// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/io/mapped_file.hpp"

#include <sys/stat.h>

#include <cstddef>
#include <fstream>
#include <string>
#include <utility>

#include "io/scratch.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {

/// How often this process has the file in its memory, as the kernel says.
int mappings_of(const std::string& path) {
  std::ifstream maps("/proc/self/maps");
  int count = 0;
  for (std::string line; std::getline(maps, line);) count += line.ends_with(path);
  return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(io_mapped_file)

BOOST_AUTO_TEST_CASE(bytes_are_those_of_the_file_also_after_a_move) {
  const scratch s;
  lt::mapped_file file(s.file("ab"));
  const lt::mapped_file moved(std::move(file));
  BOOST_TEST(moved.bytes().size() == 2u);
  BOOST_TEST((moved.bytes()[1] == std::byte{'b'}));
}

BOOST_AUTO_TEST_CASE(an_empty_file_has_no_bytes_and_a_folder_or_nothing_is_refused) {
  const scratch s;
  BOOST_TEST(lt::mapped_file(s.file("")).bytes().empty());
  BOOST_CHECK_EXCEPTION(lt::mapped_file(s.folder.string()), lt::format_error, oracle::says("found a folder"));
  BOOST_CHECK_EXCEPTION(lt::mapped_file((s.folder / "no").string()), lt::format_error, oracle::says("No such file"));
}

BOOST_AUTO_TEST_CASE(assigning_swaps_the_files_so_that_each_is_unmapped_once) {
  const scratch s;
  const auto other = (s.folder / "other").string();
  std::ofstream(other) << "second";
  lt::mapped_file a(s.file("first")), b(other);
  a = std::move(b);
  BOOST_TEST(a.path() == other);
  BOOST_TEST(a.bytes().size() == 6u);
  lt::mapped_file gone(std::move(a));
  BOOST_TEST(a.bytes().empty());
}

BOOST_AUTO_TEST_CASE(after_a_move_assignment_the_new_bytes_are_read_and_both_files_are_unmapped_at_the_end) {
  const scratch s;
  const auto first = s.file("first"), second = (s.folder / "second").string();
  std::ofstream(second) << "second";
  {
    lt::mapped_file a(first);
    {
      lt::mapped_file b(second);
      BOOST_TEST((mappings_of(first) == 1 && mappings_of(second) == 1));
      a = std::move(b);
    }
    BOOST_TEST(mappings_of(first) == 0);
    BOOST_TEST(mappings_of(second) == 1);
    BOOST_TEST(a.path() == second);
    BOOST_TEST((a.bytes().size() == 6 && a.bytes()[0] == std::byte{'s'} && a.bytes()[5] == std::byte{'d'}));
  }
  BOOST_TEST(mappings_of(second) == 0);
}

BOOST_AUTO_TEST_CASE(assigned_to_itself_a_file_stays_as_it_is) {
  const scratch s;
  const auto path = s.file("ab");
  lt::mapped_file file(path);
  lt::mapped_file& itself = file;
  file = std::move(itself);
  BOOST_TEST(file.path() == path);
  BOOST_TEST((file.bytes().size() == 2 && file.bytes()[1] == std::byte{'b'}));
  BOOST_TEST(mappings_of(path) == 1);
}

BOOST_AUTO_TEST_CASE(the_old_bytes_stay_where_a_file_is_replaced) {
  const scratch s;
  const auto path = s.file("old");
  const lt::mapped_file file(path);
  std::filesystem::rename(
      [&] {
        const auto next = s.folder / "next";
        std::ofstream(next) << "newer";
        return next;
      }(),
      path);
  BOOST_TEST((file.bytes().size() == 3 && file.bytes()[0] == std::byte{'o'}));
}

BOOST_AUTO_TEST_CASE(a_pipe_is_refused_without_waiting_for_its_writer) {
  const scratch s;
  const auto path = (s.folder / "pipe").string();
  BOOST_TEST_REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  BOOST_CHECK_EXCEPTION(lt::mapped_file{path}, lt::format_error,
                        oracle::says(path + ": expected a readable file, found neither a file nor a folder"));
}

BOOST_AUTO_TEST_SUITE_END()
