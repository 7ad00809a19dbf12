// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace hpspmd::profile {

/// Where the time of a run has gone, from its profile (docs/tools.md), the text of `file`.
/// std::runtime_error if that is none.
std::string tableOf(const std::string& json, const std::string& file);

}  // namespace hpspmd::profile
