// SPDX-License-Identifier: BSD-3-Clause
// The entry point of every test executable.
#define BOOST_TEST_MODULE logitope
#include <boost/test/unit_test.hpp>
