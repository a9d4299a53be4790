// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_LOGITOPE_HPP
#define LOGITOPE_LOGITOPE_HPP

/// @file
/// @brief What needs no library but xtensor and xsimd and is not a solver: rows, heads, losses, ambiguity, bounds and
/// closed forms. `rank io corpus random linalg optimise polytope audit` are included by name.

#include "ambiguity/divergence.hpp"
#include "ambiguity/entropy.hpp"
#include "ambiguity/leakage.hpp"
#include "ambiguity/rows.hpp"
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
#include "flow/free_logits.hpp"
#include "heads/concepts.hpp"
#include "heads/dense.hpp"
#include "interop/xtensor.hpp"
#include "loss/cross_entropy.hpp"
#include "loss/cross_entropy_grad.hpp"
#include "loss/kl.hpp"
#include "loss/options.hpp"
#include "loss/row_block.hpp"
#include "loss/select.hpp"
#include "sensing/necessary.hpp"
#include "sensing/phase_transition.hpp"
#include "simd/along_axis.hpp"
#include "simd/arch.hpp"
#include "simd/argmax.hpp"
#include "simd/convert.hpp"
#include "simd/exp.hpp"
#include "simd/exp_sum.hpp"
#include "simd/log.hpp"
#include "simd/policy.hpp"
#include "simd/reduce.hpp"
#include "simd/sample.hpp"
#include "simd/select.hpp"
#include "simd/softmax.hpp"
#include "simd/storage.hpp"
#include "simd/stored_rows.hpp"

#endif
