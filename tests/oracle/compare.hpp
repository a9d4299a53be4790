// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_TESTS_ORACLE_COMPARE_HPP
#define LOGITOPE_TESTS_ORACLE_COMPARE_HPP

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <concepts>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <limits>
#include <string>

/// The one comparator of the suite. Every tolerance names its unit; a NaN equals no number; infinities must be the
/// same.
namespace oracle {

/// Units in the last place of the wanted value, in the type of the value found.
struct ulps {
  double n;
};
/// |got - want| <= r |want|
struct relative {
  double r;
};
/// |got - want| <= a
struct absolute {
  double a;
};

/// Spacing of T at |x|, never below the smallest subnormal.
template <std::floating_point T>
[[nodiscard]] long double ulp_at(long double x) {
  const long double magnitude = std::fabs(x);
  if (magnitude < static_cast<long double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::denorm_min();
  return std::ldexp(1.0L, std::ilogb(magnitude) - std::numeric_limits<T>::digits + 1);
}

template <std::floating_point T>
[[nodiscard]] long double allowed(ulps t, long double want) {
  return static_cast<long double>(t.n) * ulp_at<T>(want);
}
template <std::floating_point T>
[[nodiscard]] long double allowed(relative t, long double want) {
  return static_cast<long double>(t.r) * std::fabs(want);
}
template <std::floating_point T>
[[nodiscard]] long double allowed(absolute t, long double) {
  return static_cast<long double>(t.a);
}

/// got is want, within the tolerance. Use as BOOST_TEST(close(got, want, ulps{2})).
template <std::floating_point T, class Tolerance>
[[nodiscard]] boost::test_tools::assertion_result close(T got, long double want, Tolerance tolerance) {
  const auto g = static_cast<long double>(got);
  boost::test_tools::assertion_result result(false);
  if (std::isnan(g) || std::isnan(want)) {
    result.message() << "got " << g << ", want " << want << ": a NaN equals no number";
    return result;
  }
  if (std::isinf(g) || std::isinf(want)) {
    if (g == want) return boost::test_tools::assertion_result(true);
    result.message() << "got " << g << ", want " << want;
    return result;
  }
  const long double limit = allowed<T>(tolerance, want);
  if (std::fabs(g - want) <= limit) {
    return boost::test_tools::assertion_result(true);
  }
  result.message() << std::setprecision(21) << "got " << g << ", want " << want << ", off by " << std::setprecision(4)
                   << std::fabs(g - want) << " where " << limit << " is allowed";
  return result;
}

/// The same number including the sign of zero, or both NaN.
template <std::floating_point T>
[[nodiscard]] boost::test_tools::assertion_result same(T got, T want) {
  const bool equal = (std::isnan(got) && std::isnan(want)) || (got == want && std::signbit(got) == std::signbit(want));
  boost::test_tools::assertion_result result(equal);
  if (!equal) result.message() << std::setprecision(21) << "got " << got << ", want exactly " << want;
  return result;
}

/// The text of an exception contains `part`; for BOOST_CHECK_EXCEPTION.
struct says {
  std::string part;
  explicit says(std::string p) : part(std::move(p)) {}
  template <class E>
  bool operator()(const E& e) const {
    const bool found = std::string(e.what()).find(part) != std::string::npos;
    if (!found) BOOST_TEST_MESSAGE("error text is: " << e.what());
    return found;
  }
};

/// Folder of the real data, or empty; a test that goes without it says so, by name, on a line of its own.
[[nodiscard]] inline std::string data_folder() {
  const char* folder = std::getenv("LOGITOPE_DATA");
  return folder == nullptr ? std::string() : std::string(folder);
}
inline void skipped(const std::string& why) {
  std::cout << "skipped: " << boost::unit_test::framework::current_test_case().full_name() << ": " << why << "\n";
}

}  // namespace oracle

#endif
