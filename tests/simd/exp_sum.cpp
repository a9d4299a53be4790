// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/simd/exp_sum.hpp"

#include <limits>
#include <random>
#include <vector>

#include "oracle/compare.hpp"
#include "oracle/softmax.hpp"

namespace lt = logitope;
using oracle::close;
using oracle::same;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

template <lt::kernel_policy P = lt::default_policy>
lt::exp_sum<float> of(const std::vector<float>& z, std::size_t first = 0) {
  return lt::exp_sum_of<P>(std::span<const float>(z), first);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simd_exp_sum)

BOOST_AUTO_TEST_CASE(the_rest_is_summed_as_such_however_small) {
  const std::vector<float> z{0, 40, 1, 2};
  const auto s = of<lt::precise_policy>(z, 100);
  BOOST_TEST(s.argmax == 101u);
  BOOST_TEST(s.max == 40.0f);
  BOOST_TEST(close(s.rest, std::exp(-40.0L) + std::exp(-39.0L) + std::exp(-38.0L), oracle::relative{8 * 0x1p-24}));
}

BOOST_AUTO_TEST_CASE(tiles_merged_from_left_to_right_are_the_whole_row) {
  std::mt19937 g(5);
  std::normal_distribution<float> d(0, 6);
  std::vector<float> z(1000);
  for (float& x : z) x = d(g);
  z[10] = z[700] = 40;  // a tie: the lower index stays
  const auto want = oracle::softmax(z);
  for (const std::size_t tile : {1u, 7u, 64u, 999u, 1000u}) {
    lt::exp_sum<float> s;
    for (std::size_t i = 0; i < z.size(); i += tile) {
      const std::size_t n = std::min(tile, z.size() - i);
      lt::merge(s, lt::exp_sum_of<lt::precise_policy>(std::span<const float>(z.data() + i, n), i));
    }
    BOOST_TEST(s.argmax == 10u);
    BOOST_TEST(close(lt::log_sum(s), want.lse, oracle::absolute{1e-6}));
    BOOST_TEST(close(s.rest, std::expm1(want.lse - want.max), oracle::relative{1e-6}));
  }
}

BOOST_AUTO_TEST_CASE(empty_and_special_tiles_merge_as_the_row_would) {
  const auto lse = [](std::vector<float> a, std::vector<float> b) {
    auto s = of(a);
    lt::merge(s, of(b, a.size()));
    return s;
  };
  BOOST_TEST(same(lt::log_sum(lse({}, {})), -std::numeric_limits<double>::infinity()));
  BOOST_TEST(lse({-inf}, {-inf}).argmax == lt::npos);
  BOOST_TEST(lse({-inf, -inf}, {3}).argmax == 2u);
  BOOST_TEST(lse({3}, {-inf}).rest == 0.0);
  BOOST_TEST(lse({3}, {3}).rest == 1.0);
  BOOST_TEST(lse({1, inf}, {inf}).argmax == 1u);
  BOOST_TEST(same(lt::log_sum(lse({1, 2}, {inf})), std::numeric_limits<double>::infinity()));
  BOOST_TEST(same(lt::log_sum(lse({inf}, {1, 2})), std::numeric_limits<double>::infinity()));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const auto& s : {lse({nan}, {1}), lse({1}, {nan}), lse({inf}, {nan, 2}), lse({-inf}, {nan})}) {
    BOOST_TEST(s.nan);
    BOOST_TEST(s.argmax == lt::npos);
    BOOST_TEST(std::isnan(lt::log_sum(s)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
