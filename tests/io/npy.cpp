// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/io/npy.hpp"

#include "io/scratch.hpp"
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

BOOST_AUTO_TEST_CASE(half_precision_is_widened_exactly) {
  const scratch s;
  const auto path = s.file(npy(of("<f2", "(3,)"), std::string("\x00\x3C\x01\x00\x00\xFC", 6)));
  const auto x = lt::read_npy_vector<double>(path, lt::npy_types::convert);
  BOOST_TEST((x[0] == 1 && x[1] == 0x1p-24 && x[2] == -std::numeric_limits<double>::infinity()));
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
