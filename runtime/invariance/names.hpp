// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "invariance/witness_file.hpp"

namespace hpspmd::invariance {

/// What the source calls the array of that number which a nest writes, as hpcc translates the file:
/// "" if that cannot be told, as for collectives.
std::string arrayName(const std::string& hpcc, const Site& site, int array);

/// The line of the source, without its indentation; "" if the file is not there.
std::string sourceLine(const Site& site);

}  // namespace hpspmd::invariance
