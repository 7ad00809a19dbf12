// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/options.hpp"

namespace hpcc::driver {

/// The make rules of `depfile` with every file name replaced by rename(name): what the C++ compiler
/// read (generated text, translated headers) becomes what the user wrote.
///
///     prog.o: /tmp/hpcc-x/prog.cpp      ->      prog.o: prog.hpcpp
std::string renameDependencies(std::string_view depfile,
                               const std::function<std::string(const std::string&)>& rename);

/// The files from which the targets of the rules are made.
std::vector<std::string> filesOfRules(std::string_view rules);

/// The rule that `target`, or what -MT and -MQ name instead, is made from `prerequisites`; with -MP
/// an empty one for each but the first of them.
std::string dependencyRules(const DependencyOptions& options, const std::string& target,
                            const std::vector<std::string>& prerequisites);

}  // namespace hpcc::driver
