// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/polytope/radon.hpp"

#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {
const double corners[] = {0, 0, 1, 0, 1, 1, 0, 1, .25, .25, 0, 0};
const lt::matrix_view<const double> W(corners, 6, 2);
bool proved(const lt::radon_certificate& c) {
  return lt::check_no_face(W, c);
}
}  // namespace

BOOST_AUTO_TEST_SUITE(polytope_radon)

BOOST_AUTO_TEST_CASE(crossing_diagonals_are_no_edges_and_edges_are_not_refuted) {
  BOOST_TEST(proved({{0, 2}, {1, 3}, {1, 1}, {1, 1}}));
  BOOST_TEST(!proved({{0, 1}, {2, 3}, {1, 1}, {1, 1}}));
  BOOST_TEST(!proved({{0, 2}, {1, 3}, {1, 1}, {1, 2}}));
  BOOST_TEST(!proved({{0, 2}, {1, 3}, {1, 1}, {2, 0}}));
  BOOST_TEST(proved({{5}, {0}, {1}, {1}}));  // the same corner twice
  BOOST_TEST(proved({{4}, {0, 2, 1}, {4}, {3, 1, 0}}));
}

BOOST_AUTO_TEST_CASE(a_certificate_with_shared_missing_or_negative_parts_proves_nothing) {
  BOOST_TEST(!proved({}));
  BOOST_TEST(!proved({{0}, {0}, {1}, {1}}));
  BOOST_TEST(!proved({{0, 0}, {5, 5}, {1, 1}, {1, 1}}));
  BOOST_TEST(!proved({{0}, {6}, {1}, {1}}));
  BOOST_TEST(!proved({{0}, {5}, {0}, {0}}));
  BOOST_TEST(!proved({{0}, {5}, {-1}, {-1}}));
  BOOST_TEST(!proved({{0}, {5}, {1}, {}}));
  BOOST_TEST(!proved({{0}, {5}, {1}, {2}}));
  BOOST_TEST(!proved({{0}, {}, {1}, {}}));
}

BOOST_AUTO_TEST_CASE(signs_of_four_points_in_the_plane_are_proved_in_floating_point_in_any_order) {
  for (const std::size_t first : {0u, 2u}) BOOST_TEST(proved({{first, 2 - first}, {3, 1}, {}, {}}));
  BOOST_TEST(proved({{4}, {0, 1, 3}, {}, {}}));
  BOOST_TEST(!proved({{0, 1}, {2, 3}, {}, {}}));  // wrong sides
  BOOST_TEST(!proved({{0}, {1, 2, 3}, {}, {}}));  // row 0 is a corner
  BOOST_TEST(!proved({{4}, {0, 2, 1}, {}, {}}));  // the third weight is 0
  BOOST_TEST(!proved({{4}, {0, 2}, {}, {}}));     // not h + 2 rows
  BOOST_TEST(!proved({{5, 0}, {1, 2}, {}, {}}));  // weights 0 of 1 and 2
}

BOOST_AUTO_TEST_SUITE_END()
