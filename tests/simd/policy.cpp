// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/policy.hpp"

#include <type_traits>

#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {

struct every_knob : lt::default_policy {
  using arch = lt::baseline;
  static constexpr lt::shift_rounding shift = lt::shift_rounding::two_sum;
  static constexpr std::size_t vocabulary_tile = 7;
};
struct shift_of_another_type : lt::default_policy {
  static constexpr int shift = 1;
};
struct sums_of_another_type : lt::default_policy {
  static constexpr bool sums = true;
};
struct arch_of_another_library : lt::default_policy {
  using arch = void;
};
struct unrelated {};

template <class P>
constexpr std::size_t tile_of() {
  return P::vocabulary_tile;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simd_policy)

BOOST_AUTO_TEST_CASE(the_defaults_are_the_documented_ones) {
  using D = lt::default_policy;
  static_assert(std::is_same_v<D::arch, lt::best_available>);
  BOOST_TEST((D::sums == lt::summation::flushed_to_double));
  BOOST_TEST((D::shift == lt::shift_rounding::plain));
  BOOST_TEST(tile_of<D>() == 1024u);
}

BOOST_AUTO_TEST_CASE(the_precise_bundle_changes_the_shift_only) {
  using D = lt::default_policy;
  using P = lt::precise_policy;
  BOOST_TEST((P::shift == lt::shift_rounding::two_sum));
  BOOST_TEST((P::sums == D::sums));
  BOOST_TEST(tile_of<P>() == tile_of<D>());
  static_assert(std::is_same_v<P::arch, D::arch>);
}

BOOST_AUTO_TEST_CASE(a_derived_bundle_keeps_what_it_does_not_change) {
  static_assert(lt::kernel_policy<every_knob>);
  BOOST_TEST(tile_of<every_knob>() == 7u);
  BOOST_TEST((every_knob::sums == lt::summation::flushed_to_double));
}

BOOST_AUTO_TEST_CASE(a_knob_of_the_wrong_kind_is_refused) {
  static_assert(lt::kernel_policy<lt::default_policy>);
  BOOST_TEST(!lt::kernel_policy<shift_of_another_type>);
  BOOST_TEST(!lt::kernel_policy<sums_of_another_type>);
  BOOST_TEST(!lt::kernel_policy<arch_of_another_library>);
  BOOST_TEST(!lt::kernel_policy<unrelated>);
}

BOOST_AUTO_TEST_CASE(four_tags_name_an_instruction_set_and_nothing_else_does) {
  BOOST_TEST((lt::arch_tag<lt::best_available> && lt::arch_tag<lt::baseline> && lt::arch_tag<lt::avx2> &&
              lt::arch_tag<lt::avx512>));
  BOOST_TEST(!lt::arch_tag<unrelated>);
  BOOST_TEST(!lt::arch_tag<const lt::avx2>);
}

BOOST_AUTO_TEST_SUITE_END()
