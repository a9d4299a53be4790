// SPDX-License-Identifier: BSD-3-Clause
#define LOGITOPE_CHECKS 1
#include "logitope/core/config.hpp"

#include <string_view>

#include "logitope/core/info.hpp"

bool checks_there() {
  return logitope::checks;
}
std::string_view abi_there() {
  return logitope::abi;
}
