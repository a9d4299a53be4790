// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/linalg/lapack.hpp"

#include <limits>

#include "oracle/compare.hpp"

namespace lt = logitope;
using oracle::says;

BOOST_AUTO_TEST_SUITE(linalg_lapack)

BOOST_AUTO_TEST_CASE(a_failed_routine_is_named_with_its_code) {
  BOOST_CHECK_NO_THROW(lt::require_lapack(0, "dgesdd"));
  BOOST_CHECK_EXCEPTION(lt::require_lapack(3, "dgesdd"), lt::solver_error, says("dgesdd: expected info 0, got 3"));
  BOOST_CHECK_EXCEPTION(lt::require_lapack(-4, "dgeqrf"), lt::solver_error, says("dgeqrf: expected info 0, got -4"));
}

BOOST_AUTO_TEST_CASE(a_size_beyond_the_integer_of_lapack_is_refused) {
  BOOST_TEST(lt::lapack_size(7) == 7);
  if constexpr (sizeof(lapack_int) == 4)
    BOOST_CHECK_EXCEPTION((void)lt::lapack_size(2147483648u), lt::value_error, says("got 2147483648"));
}

BOOST_AUTO_TEST_CASE(openblas_gets_one_thread_and_its_own_number_back) {
  double one = 1;
  double norm = 0;
  BOOST_TEST(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', 1, 1, &one, 1, &norm, &norm, 1, &norm, 1) == 0);  // links the BLAS
  if (openblas_set_num_threads == nullptr || openblas_get_num_threads == nullptr) {
    oracle::skipped("the BLAS is not OpenBLAS");
    return;
  }
  openblas_set_num_threads(2);
  const int before = openblas_get_num_threads();
  {
    const lt::one_blas_thread quiet;
    BOOST_TEST(openblas_get_num_threads() == 1);
  }
  BOOST_TEST(openblas_get_num_threads() == before);
}

BOOST_AUTO_TEST_SUITE_END()
