// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_LOGITOPE_HPP
#define LOGITOPE_LOGITOPE_HPP

/// @file
/// @brief Everything that needs xtensor and xsimd and nothing else.

#include "core/array.hpp"
#include "core/concepts.hpp"
#include "core/config.hpp"
#include "core/error.hpp"
#include "core/executor.hpp"
#include "core/info.hpp"
#include "core/matrix.hpp"
#include "core/progress.hpp"
#include "core/status.hpp"
#include "core/uniform_source.hpp"
#include "core/view.hpp"
#include "core/workspace.hpp"
#include "interop/xtensor.hpp"
#include "simd/arch.hpp"
#include "simd/exp.hpp"
#include "simd/exp_sum.hpp"
#include "simd/log.hpp"
#include "simd/policy.hpp"
#include "simd/reduce.hpp"
#include "simd/softmax.hpp"

#endif
