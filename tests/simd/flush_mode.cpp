// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/flush_mode.hpp"

#include <limits>
#include <type_traits>

#include "oracle/compare.hpp"

namespace lt = logitope;

BOOST_AUTO_TEST_SUITE(simd_flush_mode)

BOOST_AUTO_TEST_CASE(a_scope_belongs_to_one_place) {
  BOOST_TEST(!std::is_copy_constructible_v<lt::keep_subnormals>);
  BOOST_TEST(!std::is_copy_assignable_v<lt::keep_subnormals>);
}

#if defined(__SSE2__)

namespace {

/// What a test sets is undone when it ends.
struct control_word {
  unsigned saved = _mm_getcsr();
  control_word() = default;
  control_word(const control_word&) = delete;
  control_word& operator=(const control_word&) = delete;
  ~control_word() { _mm_setcsr(saved); }
};

/// Half the smallest normal number, computed where the compiler cannot.
float half_of_the_smallest() {
  volatile float x = std::numeric_limits<float>::min();
  volatile float half = 0.5f;
  return x * half;
}

constexpr unsigned ftz = 0x8000, daz = 0x0040, toward_zero = 0x6000;

}  // namespace

BOOST_AUTO_TEST_CASE(subnormals_exist_inside_whatever_the_caller_had_and_its_modes_return) {
  const control_word restore;
  for (const unsigned modes : {0u, ftz, daz, ftz | daz, ftz | daz | toward_zero}) {
    const unsigned before = (restore.saved & ~(ftz | daz | toward_zero)) | modes;
    _mm_setcsr(before);
    float inside = 0;
    unsigned during = 0;
    bool told = false;
    {
      const lt::keep_subnormals scope;
      during = _mm_getcsr();
      told = scope.were_off();
      inside = half_of_the_smallest();
    }
    const unsigned after = _mm_getcsr();
    _mm_setcsr(restore.saved);
    BOOST_TEST((during & (ftz | daz)) == 0u);
    BOOST_TEST(told == ((modes & (ftz | daz)) != 0));
    BOOST_TEST((during & toward_zero) == (modes & toward_zero));
    BOOST_TEST(inside == 0x1p-127f);
    BOOST_TEST((after & 0xffc0u) == (before & 0xffc0u));
  }
}

BOOST_AUTO_TEST_CASE(flushing_is_on_outside_so_that_the_scope_has_something_to_do) {
  const control_word restore;
  _mm_setcsr(restore.saved | ftz | daz);
  const float outside = half_of_the_smallest();
  _mm_setcsr(restore.saved);
  BOOST_TEST((outside == 0.0f));
}

BOOST_AUTO_TEST_CASE(scopes_nest) {
  const control_word restore;
  _mm_setcsr(restore.saved | ftz | daz);
  unsigned between = 0;
  {
    const lt::keep_subnormals outer;
    { const lt::keep_subnormals inner; }
    between = _mm_getcsr();
  }
  const unsigned after = _mm_getcsr();
  _mm_setcsr(restore.saved);
  BOOST_TEST((between & (ftz | daz)) == 0u);
  BOOST_TEST((after & (ftz | daz)) == (ftz | daz));
}

BOOST_AUTO_TEST_CASE(a_scope_with_nothing_to_do_leaves_the_exception_flags_raised_inside) {
  const control_word restore;
  _mm_setcsr(restore.saved & ~(ftz | daz | 0x3fu));
  {
    const lt::keep_subnormals scope;
    volatile float zero = 0, one = 1;
    volatile float raises = one / zero;
    static_cast<void>(raises);
  }
  const unsigned after = _mm_getcsr();
  _mm_setcsr(restore.saved);
  BOOST_TEST((after & 0x4u) != 0u);
}

#else
BOOST_AUTO_TEST_CASE(modes_are_left_alone_on_other_architectures) {
  oracle::skipped("no MXCSR here");
}
#endif

BOOST_AUTO_TEST_SUITE_END()
