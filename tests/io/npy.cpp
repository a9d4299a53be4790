// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/io/npy.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "io/scratch.hpp"
#include "oracle/allocations.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {
std::string npy(const std::string& header, const std::string& data, char version = 1) {
  std::string file = "\x93NUMPY";
  file += version;
  file += '\0';
  file += static_cast<char>(header.size());
  file += std::string(version == 1 ? 1 : 3, '\0');
  return file + header + data;
}
std::string of(const std::string& type, const std::string& shape, const std::string& order = "False") {
  return "{'descr':'" + type + "','fortran_order':" + order + ",'shape':" + shape + "}";
}
/// A header as long as wanted, for lengths beyond one byte.
std::string long_npy(const std::string& header, const std::string& data) {
  std::string file("\x93NUMPY\x02\0", 8);
  for (int shift = 0; shift < 32; shift += 8) file += static_cast<char>(header.size() >> shift & 255);
  return file + header + data;
}
std::string floats(std::initializer_list<float> x) {
  return {reinterpret_cast<const char*>(x.begin()), x.size() * sizeof(float)};
}
}  // namespace

BOOST_AUTO_TEST_SUITE(io_npy)

BOOST_AUTO_TEST_CASE(np01_fortran_order_is_undone) {
  const scratch s;
  const auto m = lt::read_npy<float>(s.file(npy(of("<f4", "(2,3)", "True"), floats({1, 2, 3, 4, 5, 6}))));
  BOOST_TEST(m.rows() == 2u);
  BOOST_TEST((m(0, 0) == 1 && m(0, 1) == 3 && m(0, 2) == 5 && m(1, 0) == 2 && m(1, 1) == 4 && m(1, 2) == 6));
}

BOOST_AUTO_TEST_CASE(np03_np08_a_header_longer_than_the_file_is_refused) {
  const scratch s;
  const auto refused = oracle::says("truncated header");
  BOOST_CHECK_EXCEPTION((void)lt::npy_info(s.file(std::string("\x93NUMPY\x02\x00\xF0\xFF\xFF\xFF", 12))),
                        lt::format_error, refused);
  BOOST_CHECK_EXCEPTION((void)lt::npy_info(s.file(std::string("\x93NUMPY\x01\x00\xFF\xFF", 10) + std::string(67, ' '))),
                        lt::format_error, refused);
}

BOOST_AUTO_TEST_CASE(np05_an_axis_above_two_to_the_31_of_an_empty_array_keeps_its_shape) {
  const scratch s;
  const auto m = lt::read_npy<float>(s.file(npy(of("<u1", "(2147483649,0)"), "")), lt::npy_types::convert);
  BOOST_TEST(m.rows() == 2147483649u);
  BOOST_TEST(m.cols() == 0u);
}

BOOST_AUTO_TEST_CASE(np07_np10_other_types_are_refused_by_name) {
  const scratch s;
  for (const std::string type : {"<ixy", "", "<", "<f", "<f999999999999", "|O", "<U4"})
    BOOST_CHECK_EXCEPTION((void)lt::read_npy<float>(s.file(npy(of(type, "(1,)"), "abcd")), lt::npy_types::convert),
                          lt::format_error, oracle::says("'" + type + "'"));
  BOOST_CHECK_EXCEPTION(
      (void)lt::npy_info(s.file(npy("{'descr':[('a','<f4')],'fortran_order':False,'shape':(1,)}", "abcd"))),
      lt::format_error, oracle::says("[('a','<f4')]"));
}

BOOST_AUTO_TEST_CASE(sizes_that_python_2_wrote_as_longs_are_read) {
  const scratch s;
  const auto m = lt::read_npy<float>(s.file(npy(of("<f4", "(2L, 1L)"), floats({7, 8}))));
  BOOST_TEST((m.rows() == 2u && m.cols() == 1u && m(1, 0) == 8));
  BOOST_TEST(lt::read_npy_vector<float>(s.file(npy(of("<f4", "(2L,)"), floats({7, 8}))))[1] == 8);
  for (const std::string bad : {"(2LL,)", "(L,)", "(2 L,)", "(2l,)", "(2L)", "(-2L,)", "(2.0,)"})
    BOOST_CHECK_THROW((void)lt::npy_info(s.file(npy(of("<f4", bad), floats({7, 8})))), lt::format_error);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_a_size_is_told) {
  const scratch s;
  for (const auto& [shape, says] : {std::pair{"(-2,)", "expected a shape of sizes, found '-2,)"},
                                    {"(2.0,)", "expected ',' or ')' after a size, found '.0,)"},
                                    {"(2LL,)", "expected ',' or ')' after a size, found 'L,)"},
                                    {"(2 3)", "expected ',' or ')' after a size, found '3)"},
                                    {"(2)", "expected a comma after the only size, found none"}})
    BOOST_CHECK_EXCEPTION((void)lt::npy_info(s.file(npy(of("<f4", shape), floats({7, 8})))), lt::format_error,
                          oracle::says(says));
}

BOOST_AUTO_TEST_CASE(an_error_is_one_line_whatever_the_header_holds) {
  const scratch s;
  const std::string evil = "\n\x1b[2J\r";
  for (const auto& header :
       {of("<f4" + evil, "(1,)"), of("<f4", evil + "x(1,)"), of("<f4", "(1," + evil + "x"),
        of("<f4", "(1,)", evil + "x"), "{'" + evil + "':1}", "{" + evil + "x", of("<f4", "(1,)") + evil + "x",
        "{'descr':[('" + evil + "','<f4')],'fortran_order':False,'shape':(1,)}"})
    BOOST_CHECK_EXCEPTION((void)lt::read_npy<float>(s.file(npy(header, "abcd"))), lt::format_error,
                          [](const lt::format_error& e) {
                            const std::string text = e.what();
                            return std::none_of(text.begin(), text.end(), [](char c) { return c >= 0 && c < ' '; }) &&
                                   text.find("expected") != std::string::npos;
                          });
}

BOOST_AUTO_TEST_CASE(np09_exactly_the_three_keys_each_once_are_read) {
  const scratch s;
  for (const std::string bad : {"{'descr':'<f4','fortran_order':False,'shape':(1,),'x':1}",
                                "{'descr':'<f4','fortran_order':False,'shape':(1,),'shape':(1,)}",
                                "{'descr':'<f4','shape':(1,)}", "{'descr':'<f4','fortran_order':0,'shape':(1,)}"})
    BOOST_CHECK_THROW((void)lt::npy_info(s.file(npy(bad, "abcd", 3))), lt::format_error);
}

BOOST_AUTO_TEST_CASE(np10_big_endian_numbers_are_swapped) {
  const scratch s;
  BOOST_TEST(lt::read_npy_vector<float>(s.file(npy(of(">f4", "(1,)"), std::string("\x3F\x80\0\0", 4))))[0] == 1.0f);
}

BOOST_AUTO_TEST_CASE(np12_another_type_is_converted_only_if_asked) {
  const scratch s;
  const auto path = s.file(npy(of("<f8", "(1,)"), std::string("\0\0\0\0\0\0\x04\x40", 8)));
  BOOST_CHECK_EXCEPTION((void)lt::read_npy<float>(path), lt::format_error,
                        oracle::says("expected type '<f4', found '<f8'"));
  BOOST_TEST(lt::read_npy<float>(path, lt::npy_types::convert)(0, 0) == 2.5f);
}

BOOST_AUTO_TEST_CASE(every_number_type_keeps_its_values_in_either_byte_order) {
  const scratch s;
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  struct {
    const char* type;
    std::vector<std::string> big_endian;  ///< IEEE 754 encodings, most significant byte first
    std::vector<double> values;
  } const cases[] = {
      {"f2",
       {{"\x3C\x00", 2},
        {"\x00\x01", 2},
        {"\x83\xFF", 2},
        {"\x04\x00", 2},
        {"\x7B\xFF", 2},
        {"\xC2\x48", 2},
        {"\x80\x00", 2},
        {"\xFC\x00", 2},
        {"\x7E\x00", 2}},
       {1, 0x1p-24, -1023 * 0x1p-24, 0x1p-14, 65504, -3.140625, -0.0, -inf, nan}},
      {"f4",
       {{"\x3F\x80\x00\x00", 4},
        {"\x00\x00\x00\x01", 4},
        {"\xFF\x7F\xFF\xFF", 4},
        {"\x7F\x80\x00\x00", 4},
        {"\x7F\xC0\x00\x00", 4}},
       {1, 0x1p-149, -0x1.fffffep127, inf, nan}},
      {"f8",
       {{"\x40\x04\0\0\0\0\0\0", 8},
        {"\0\0\0\0\0\0\0\x01", 8},
        {"\x3F\xF0\0\0\0\0\0\x01", 8},
        {"\xFF\xF0\0\0\0\0\0\0", 8},
        {"\x7F\xF8\0\0\0\0\0\0", 8}},
       {2.5, 0x1p-1074, 1 + 0x1p-52, -inf, nan}},
  };
  for (const auto& c : cases)
    for (const char order : {'<', '>'}) {
      std::string data;
      for (std::string bytes : c.big_endian) {
        if (order == '<') std::reverse(bytes.begin(), bytes.end());
        data += bytes;
      }
      const auto shape = "(" + std::to_string(c.values.size()) + ",)";
      const auto found = lt::read_npy_vector<double>(s.file(npy(of(order + std::string(c.type), shape), data)),
                                                     lt::npy_types::convert);
      BOOST_TEST_REQUIRE(found.size() == c.values.size());
      for (std::size_t i = 0; i < found.size(); ++i) BOOST_TEST(oracle::same(found[i], c.values[i]));
    }
}

BOOST_AUTO_TEST_CASE(bytes_are_whole_numbers_to_255) {
  const scratch s;
  const auto x = lt::read_npy_vector<float>(s.file(npy(of("|u1", "(3,)"), std::string("\x00\x7F\xFF", 3))),
                                            lt::npy_types::convert);
  BOOST_TEST((x[0] == 0 && x[1] == 127 && x[2] == 255));
}

BOOST_AUTO_TEST_CASE(a_signalling_nan_of_the_same_type_keeps_its_bits) {
  const scratch s;
  const std::string bits("\x01\x02\xA0\xFF", 4);
  const auto x = lt::read_npy<float>(s.file(npy(of("<f4", "(1,)"), bits)));
  BOOST_TEST(std::memcmp(x.data(), bits.data(), 4) == 0);
}

BOOST_AUTO_TEST_CASE(no_axis_is_one_number_and_no_row_or_no_column_none) {
  const scratch s;
  const auto one = lt::read_npy<float>(s.file(npy(of("<f4", "()"), floats({3}))));
  BOOST_TEST((one.rows() == 1 && one.cols() == 1 && one(0, 0) == 3));
  BOOST_TEST(lt::npy_info(s.file(npy(of("<f4", "()"), floats({3})))).shape.empty());
  for (const std::string order : {"False", "True"}) {
    const auto wide = lt::read_npy<float>(s.file(npy(of("<f4", "(0,4)", order), "")));
    BOOST_TEST((wide.rows() == 0 && wide.cols() == 4));
    const auto tall = lt::read_npy<float>(s.file(npy(of("<f4", "(4,0)", order), "")));
    BOOST_TEST((tall.rows() == 4 && tall.cols() == 0));
  }
  BOOST_TEST(lt::read_npy_vector<float>(s.file(npy(of("<f4", "(0,)"), ""))).empty());
  BOOST_CHECK_EXCEPTION((void)lt::read_npy<float>(s.file(npy(of("<f4", "(0,4)"), "abcd"))), lt::format_error,
                        oracle::says("expected 0 bytes of data, found 4"));
  BOOST_CHECK_EXCEPTION((void)lt::read_npy<float>(s.file(npy(of("<f4", "(1,1,1)"), "abcd"))), lt::format_error,
                        oracle::says("expected at most 2 axes, found 3"));
  BOOST_CHECK_EXCEPTION((void)lt::read_npy_vector<float>(s.file(npy(of("<f4", "(1,1)"), "abcd"))), lt::format_error,
                        oracle::says("expected 1 axis, found 2"));
}

BOOST_AUTO_TEST_CASE(versions_1_to_3_are_read_and_no_other) {
  const scratch s;
  for (char version = 0; version < 6; ++version) {
    const auto path = s.file(npy(of("<f4", "(1,)"), floats({7}), version));
    if (version >= 1 && version <= 3) BOOST_TEST(lt::read_npy<float>(path)(0, 0) == 7);
    else
      BOOST_CHECK_EXCEPTION((void)lt::read_npy<float>(path), lt::format_error,
                            oracle::says("expected version 1.0, 2.0 or 3.0, found " + std::to_string(version) + ".0"));
  }
  BOOST_CHECK_EXCEPTION((void)lt::npy_info(s.file("PK\x03\x04 and more")), lt::format_error,
                        oracle::says((s.folder / "file").string() + ": expected the magic bytes of .npy, found"));
}

BOOST_AUTO_TEST_CASE(no_file_makes_the_reader_hold_more_than_its_size_and_64_kib) {
  const scratch s;
  const std::string filler(200000, 'x'), blanks(200000, ' ');
  const std::string files[] = {
      std::string("\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF", 12),
      npy(of("<f8", "(9223372036854775807,)"), ""),
      npy(of("<f4", "(1099511627776,1)"), "abcd"),
      npy(of("<f4", "(4294967296,4294967296)"), ""),
      npy(of("<f4", "(18446744073709551616,)"), ""),
      long_npy("{'descr':'" + filler + "','fortran_order':False,'shape':(1,)}", "abcd"),
      long_npy("{'" + filler + "':1}", "abcd"),
      long_npy("{'descr':[('" + filler + "','<f4')]}", "abcd"),
      long_npy("{'descr':'<f4','fortran_order':False,'shape':(" + filler, ""),
      long_npy("{" + filler, ""),
      long_npy(of("<f4", "(1,)") + blanks, "abcd"),
      long_npy(of("<f4", "(50000,)"), blanks),
      long_npy(of("<f4", "(50000,1)", "True"), blanks),
  };
  for (const auto& bytes : files) {
    const auto path = s.file(bytes);
    for (const bool as_vector : {false, true}) {
      oracle::forget_peak();
      const std::size_t before = oracle::allocated().bytes;
      try {
        if (as_vector) static_cast<void>(lt::read_npy_vector<float>(path));
        else static_cast<void>(lt::read_npy<float>(path));
      } catch (const lt::format_error&) {
      }
      const std::size_t peak = oracle::allocated().peak - before;
      BOOST_TEST(peak > 0u);
      BOOST_TEST(peak <= bytes.size() + 65536);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_proper_prefix_and_every_longer_file_is_refused) {
  const scratch s;
  const auto whole = npy(of("<f4", "(2,2)"), floats({1, 2, 3, 4}), 2);
  for (std::size_t n = 0; n < whole.size(); ++n)
    BOOST_CHECK_THROW((void)lt::read_npy<float>(s.file(whole.substr(0, n))), lt::format_error);
  BOOST_CHECK_THROW((void)lt::read_npy<float>(s.file(whole + "x")), lt::format_error);
  BOOST_CHECK_EXCEPTION((void)lt::read_npy<float>(s.file(npy(of("<f4", "(4294967296,4294967296)"), ""))),
                        lt::format_error, oracle::says("fits memory"));
}

BOOST_AUTO_TEST_CASE(the_bytes_written_are_those_of_numpy) {
  const scratch s;
  lt::matrix<float> m(2, 3);
  m(0, 1) = 1;
  m(1, 2) = -2;
  const auto path = s.file("");
  lt::write_npy<float>(path, m.view());
  // numpy.save of array([[0, 1, 0], [0, 0, -2]], dtype=float32): magic, 1.0, 118, the header to byte 128, 6 numbers.
  std::string want("\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 69);
  want += std::string(58, ' ') + "\n" + std::string("\0\0\0\0\0\0\x80\x3F\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xC0", 24);
  std::ifstream in(path, std::ios::binary);
  const std::string found(std::istreambuf_iterator<char>(in), {});
  BOOST_TEST(want.size() == 128u + 24u);
  BOOST_TEST((found == want));
}

BOOST_AUTO_TEST_CASE(the_gaps_of_a_strided_view_are_not_written) {
  const scratch s;
  const double numbers[] = {1, 2, -1, 3, 4, -1};
  const auto path = s.file("");
  lt::write_npy<double>(path, lt::matrix_view<const double>(numbers, 2, 2, 3));
  const auto back = lt::read_npy<double>(path);
  BOOST_TEST((back(0, 0) == 1 && back(0, 1) == 2 && back(1, 0) == 3 && back(1, 1) == 4));
}

BOOST_AUTO_TEST_CASE(what_is_written_is_read_back) {
  const scratch s;
  lt::matrix<double> m(2, 1);
  m(1, 0) = 2.5;
  lt::write_npy<double>(s.file(""), m.view());
  const auto back = lt::read_npy<double>((s.folder / "file").string());
  BOOST_TEST((back.rows() == 2 && back.cols() == 1 && back(1, 0) == 2.5));
  BOOST_TEST(lt::npy_info((s.folder / "file").string()).data_offset % 64 == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
