// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/interop/xtensor.hpp"

#include <limits>
#include <type_traits>

#if __has_include(<xtensor/views/xview.hpp>)
#include <xtensor/generators/xbuilder.hpp>
#include <xtensor/misc/xmanipulation.hpp>
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xbuilder.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xview.hpp>
#endif

#include "logitope/simd/softmax.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;
using oracle::close;
using oracle::same;

namespace {

const xt::xtensor<float, 2> twelve = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};

template <class A, class B>
void equal_arrays(const A& got, const B& want) {
  BOOST_REQUIRE(got.dimension() == want.dimension());
  for (std::size_t d = 0; d < got.dimension(); ++d) BOOST_REQUIRE(got.shape()[d] == want.shape()[d]);
  auto w = want.begin();
  for (const auto x : got) BOOST_TEST(same(x, *w++));
}

auto from_a_dead_scope() {
  const xt::xtensor<float, 2> local = twelve * 0.5f;
  auto r = lt::log_softmax(local);
  return r;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(interop_xtensor)

BOOST_AUTO_TEST_CASE(the_first_program_prints_what_it_says) {
  xt::xtensor<float, 2> Z = {{1.f, 2.f, 3.f, 4.f}};
  auto P = lt::softmax(Z);
  static_assert(std::is_same_v<decltype(P), xt::xtensor<float, 2>>);
  BOOST_TEST(close(P(0, 3), 0.64391425988797230L, oracle::ulps{2}));
}

BOOST_AUTO_TEST_CASE(a_transposed_view_is_read_along_its_own_axes_SM14) {
  const auto P = lt::softmax(xt::transpose(twelve), 1);
  BOOST_TEST(P.shape()[0] == 4u);
  BOOST_TEST(close(P(0, 0), 3.2932044e-4L, oracle::relative{1e-6}));
  BOOST_TEST(close(P(0, 1), 1.7980287e-2L, oracle::relative{1e-6}));
  BOOST_TEST(close(P(0, 2), 9.8169039e-1L, oracle::relative{1e-6}));
  const xt::xtensor<float, 2> packed = xt::transpose(twelve);
  equal_arrays(P, lt::softmax(packed));
}

BOOST_AUTO_TEST_CASE(every_layout_gives_what_its_packed_copy_gives_SM15) {
  const xt::xtensor<float, 2> Z = xt::fmod(xt::reshape_view(xt::arange<float>(80), {8, 10}) * 0.37f, 3.f);
  const auto columns = xt::view(Z, xt::all(), xt::range(3, 8));
  const xt::xtensor<float, 2> copy = columns;
  equal_arrays(lt::softmax(columns), lt::softmax(copy));
  const auto stepped = xt::view(Z, xt::range(1, 8, 3), xt::range(0, 10, 2));
  const xt::xtensor<float, 2> stepped_copy = stepped;
  equal_arrays(lt::log_softmax(stepped), lt::log_softmax(stepped_copy));
  equal_arrays(lt::log_softmax(stepped, 0), lt::log_softmax(stepped_copy, 0));
  const xt::xtensor<float, 2, xt::layout_type::column_major> column_major = Z;
  equal_arrays(lt::softmax(column_major), lt::softmax(Z));
  equal_arrays(lt::softmax(column_major, 0), lt::softmax(Z, 0));
  const xt::xarray<float> dynamic_rank = Z;
  const auto P = lt::softmax(dynamic_rank);
  static_assert(std::is_same_v<std::remove_const_t<decltype(P)>, xt::xarray<float>>);
  equal_arrays(P, lt::softmax(Z));
  std::vector<float> buffer(Z.begin(), Z.end());
  const auto adapted = xt::adapt(buffer, std::array<std::size_t, 2>{8, 10});
  equal_arrays(lt::softmax(adapted), lt::softmax(Z));
  const auto by_pointer = xt::adapt(buffer.data(), 80, xt::no_ownership(), std::array<std::size_t, 2>{8, 10});
  equal_arrays(lt::softmax(by_pointer), lt::softmax(Z));
  const xt::xtensor_fixed<float, xt::xshape<2, 3>> fixed = {{1, 2, 3}, {4, 4, 4}};
  BOOST_TEST(close(lt::softmax(fixed)(1, 1), 1.0L / 3, oracle::ulps{2}));
}

BOOST_AUTO_TEST_CASE(the_axis_may_be_any_and_the_reduced_one_is_gone) {
  const xt::xtensor<double, 3> Z = xt::reshape_view(xt::fmod(xt::arange<double>(24) * 1.7, 5.0), {2, 3, 4});
  for (std::ptrdiff_t axis = -3; axis < 3; ++axis) {
    const auto P = lt::softmax(Z, axis);
    const auto L = lt::logsumexp(Z, axis);
    static_assert(std::is_same_v<std::remove_const_t<decltype(L)>, xt::xtensor<double, 2>>);
    const std::size_t a = static_cast<std::size_t>(axis < 0 ? axis + 3 : axis);
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t k = 0; k < 4; ++k) {
          const double l = a == 0 ? L(j, k) : a == 1 ? L(i, k) : L(i, j);
          BOOST_TEST(close(P(i, j, k), std::exp(static_cast<long double>(Z(i, j, k)) - static_cast<long double>(l)),
                           oracle::relative{4e-15}));
        }
  }
  BOOST_CHECK_THROW((void)lt::softmax(Z, 3), lt::value_error);
  const xt::xtensor<float, 1> row = {1, 2, 3, 4};
  const float lse = lt::logsumexp(row);
  BOOST_TEST(close(lse, 4.4401896985611953L, oracle::ulps{1}));
}

BOOST_AUTO_TEST_CASE(axes_of_no_length_are_no_work_SM11_SM12) {
  const xt::xtensor<float, 4> Z = xt::xtensor<float, 4>::from_shape({4, 0, 5, 2});
  BOOST_TEST(lt::softmax(Z, 1).size() == 0u);
  BOOST_TEST(lt::softmax(Z).size() == 0u);
  const auto L = lt::logsumexp(Z, 1);
  BOOST_TEST(L.size() == 40u);
  for (const float x : L) BOOST_TEST(same(x, -std::numeric_limits<float>::infinity()));
  const xt::xtensor<float, 2> no_classes = xt::xtensor<float, 2>::from_shape({10, 0});
  const auto P = lt::log_softmax(no_classes, 1);
  BOOST_TEST(P.shape()[0] == 10u);
  BOOST_TEST(P.size() == 0u);
}

BOOST_AUTO_TEST_CASE(results_own_their_numbers_XT01_XT02_XT03) {
  const auto r = from_a_dead_scope();
  const xt::xtensor<float, 2> again = twelve * 0.5f;
  equal_arrays(r, lt::log_softmax(again));
  auto&& kept = lt::softmax(xt::eval(twelve + 1.0f));
  equal_arrays(kept, lt::softmax(xt::xtensor<float, 2>(twelve + 1.0f)));
  auto twice = lt::logsumexp(twelve, 0);
  BOOST_TEST(close(twice(0), 9.018479317L, oracle::relative{1e-6}));
  BOOST_TEST(close(twice(0), 9.018479317L, oracle::relative{1e-6}));
}

BOOST_AUTO_TEST_CASE(lazy_expressions_and_other_elements_are_refused_by_the_concept_XT07) {
  using lazy = decltype(twelve + 1.0f);
  static_assert(!lt::array_like<lazy> && !lt::array_like<decltype(xt::linspace<float>(0, 1, 5) * 2.0f)>);
  static_assert(lt::real_array<xt::xtensor<double, 3>> && lt::array_like<xt::xtensor<int, 1>>);
  static_assert(!lt::real_array<xt::xtensor<int, 1>>);
  BOOST_TEST(lt::softmax(xt::eval(twelve + 1.0f)).size() == 12u);
}

BOOST_AUTO_TEST_CASE(counts_of_rows_are_reported_where_asked) {
  const float inf = std::numeric_limits<float>::infinity();
  const xt::xtensor<float, 2> Z = {{-inf, -inf}, {1, std::nanf("")}, {inf, 0}, {0, 0}};
  lt::row_status status{.empty = 99};
  (void)lt::softmax(Z, -1, &status);
  BOOST_TEST((status == lt::row_status{.empty = 1, .nan = 1, .infinite = 1}));
  (void)lt::logsumexp(Z, -1, &status);
  BOOST_TEST((status == lt::row_status{.empty = 1, .nan = 1, .infinite = 1}));
}

BOOST_AUTO_TEST_SUITE_END()
