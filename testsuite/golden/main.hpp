// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace hpcc::testing {

/// The main function of a suite of golden tests: runs the tests or, if the only argument is
/// --regenerate, lets `regenerate` write every case anew. It returns what is wrong with the case,
/// "" if nothing; the first such case ends the run with exit code 1.
int goldenMain(int argc, char** argv, const std::vector<std::string>& names,
               const std::function<std::string(const std::string& name)>& regenerate);

}  // namespace hpcc::testing
