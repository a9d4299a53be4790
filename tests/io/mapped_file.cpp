// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/io/mapped_file.hpp"

#include "io/scratch.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

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

BOOST_AUTO_TEST_SUITE_END()
