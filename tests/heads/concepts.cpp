// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/heads/concepts.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

#include "logitope/core/matrix.hpp"
#include "logitope/heads/dense.hpp"
#include "logitope/loss/cross_entropy.hpp"
#include "oracle/compare.hpp"

namespace lt = logitope;

namespace {

/// The least type that a loss takes: every logit is the sum of the state, whatever the class.
struct least_head {
  using value_type = double;
  [[nodiscard]] std::size_t vocabulary() const { return 3; }
  [[nodiscard]] std::size_t hidden_size() const { return 2; }
  template <class P>
  void logits(lt::matrix_view<const double> rows, std::size_t, lt::matrix_view<double> Z, lt::workspace&) const {
    for (std::size_t i = 0; i < Z.rows(); ++i)
      for (std::size_t j = 0; j < Z.cols(); ++j) Z(i, j) = rows(i, 0) + rows(i, 1);
  }
};
struct without_sizes {
  using value_type = double;
};
struct of_integers {
  using value_type = int;
};

static_assert(lt::logit_head<least_head> && !lt::has_pullback<least_head>);
static_assert(lt::has_value_type<without_sizes> && !lt::has_head_sizes<without_sizes>);
static_assert(!lt::has_logit_tiles<without_sizes> && !lt::logit_head<without_sizes>);
static_assert(!lt::has_value_type<of_integers>);
static_assert(lt::logit_head<lt::dense_head<float>> && lt::has_pullback<lt::dense_head<double, 3, 2>>);

}  // namespace

BOOST_AUTO_TEST_SUITE(heads_concepts)

BOOST_AUTO_TEST_CASE(a_loss_runs_on_the_least_head_that_passes) {
  lt::matrix<double> H(2, 2);
  H(1, 0) = 5;
  const auto got = lt::cross_entropy(least_head{}, H, std::vector<int>{0, 2});
  BOOST_TEST(oracle::close(got.mean(), std::log(3.0L), oracle::ulps{2}));
}

BOOST_AUTO_TEST_SUITE_END()
