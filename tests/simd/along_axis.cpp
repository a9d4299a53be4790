// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/along_axis.hpp"

#include <numeric>
#include <span>
#include <vector>

#if __has_include(<xtensor/views/xview.hpp>)
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xview.hpp>
#endif

#include "logitope/core/matrix.hpp"
#include "logitope/interop/xtensor.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {

/// Running sums: what stands where depends on every entry before it in its line.
const auto running = [](std::span<const double> in, std::span<double> out) {
  std::partial_sum(in.begin(), in.end(), out.begin());
  return lt::row_status{.empty = in.empty() ? 1u : 0u, .infinite = 1};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(simd_along_axis)

BOOST_AUTO_TEST_CASE(lines_of_every_axis_are_walked_in_whatever_order_they_lie) {
  xt::xtensor<double, 3> Z = xt::zeros<double>({2, 3, 4});
  std::iota(Z.begin(), Z.end(), 1.0);
  const xt::xtensor<double, 3, xt::layout_type::column_major> columns = Z;
  for (std::ptrdiff_t axis = -3; axis < 3; ++axis) {
    lt::row_status status;
    const auto got = lt::detail::along_axis(Z, axis, &status, "test", running);
    const auto same = lt::detail::along_axis(columns, axis, nullptr, "test", running);
    const auto total = lt::detail::reduced_axis<double>(Z, axis, nullptr, "test", [](auto line, lt::row_status*) {
      return std::accumulate(line.begin(), line.end(), 0.0);
    });
    const std::size_t a = static_cast<std::size_t>(axis < 0 ? axis + 3 : axis);
    BOOST_TEST(status.infinite == 24 / Z.shape(a));
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t k = 0; k < 4; ++k) {
          double want = 0;
          std::array<std::size_t, 3> at{i, j, k};
          for (std::size_t l = 0; l <= std::array{i, j, k}[a]; ++l) {
            at[a] = l;
            want += Z(at[0], at[1], at[2]);
          }
          BOOST_TEST(oracle::same(got(i, j, k), want));
          BOOST_TEST(oracle::same(same(i, j, k), want));
          if (at[a] + 1 == Z.shape(a))
            BOOST_TEST(oracle::same(a == 0 ? total(j, k) : a == 1 ? total(i, k) : total(i, j), want));
        }
  }
}

BOOST_AUTO_TEST_CASE(blocks_of_lines_end_where_their_run_ends) {
  // 37 lines side by side: two blocks of floats and a rest, in each of three layers; strides of every sign
  for (const std::size_t n : {1u, 2u, 5u, 16u, 33u}) {
    xt::xtensor<float, 3> Z = xt::zeros<float>({std::size_t{3}, n, std::size_t{37}});
    std::iota(Z.begin(), Z.end(), 1.0f);
    const auto backwards = xt::view(Z, xt::all(), xt::range(xt::placeholders::_, xt::placeholders::_, -1), xt::all());
    const auto wide = xt::view(Z, xt::all(), xt::all(), xt::range(0, 37, 2));
    const auto tail = [](auto in, auto out) {
      for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] - in.back();
      return lt::row_status{};
    };
    const auto last = [](auto in, lt::row_status*) { return in.back(); };
    const auto check = [&](const auto& view) {
      const auto got = lt::detail::along_axis(view, 1, nullptr, "test", tail);
      const auto ends = lt::detail::reduced_axis<float>(view, 1, nullptr, "test", last);
      for (std::size_t i = 0; i < view.shape(0); ++i)
        for (std::size_t k = 0; k < view.shape(2); ++k) {
          BOOST_TEST(oracle::same(ends(i, k), view(i, n - 1, k)));
          for (std::size_t j = 0; j < n; ++j) BOOST_TEST(oracle::same(got(i, j, k), view(i, j, k) - view(i, n - 1, k)));
        }
    };
    check(Z);
    check(backwards);
    check(wide);
  }
}

BOOST_AUTO_TEST_CASE(arrays_without_elements_keep_their_shape) {
  lt::row_status status;
  const auto none = lt::detail::along_axis(lt::matrix<double>(0, 3), -1, &status, "test", running);
  BOOST_TEST((none.rows() == 0u && none.cols() == 3u));
  const auto thin = lt::detail::along_axis(lt::matrix<double>(3, 0), 0, &status, "test", running);
  BOOST_TEST((thin.rows() == 3u && thin.cols() == 0u));
  BOOST_CHECK_EXCEPTION(static_cast<void>(lt::detail::axis_of(2, 2, "test")), lt::value_error,
                        oracle::says("test: expected an axis in [-2, 2), got 2"));
}

BOOST_AUTO_TEST_SUITE_END()
