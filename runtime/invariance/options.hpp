// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace hpspmd::invariance {

/// The user has to do something else; what() says what.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What `hpcc test` is asked for.
struct Options {
    std::string program;                 ///< a program, or an .hpcpp file
    std::vector<std::string> arguments;  ///< of the program
    std::vector<int> processes{1, 2, 3, 4};
    std::vector<int> threads{0};  ///< 0: as many as usual
    bool withCyclicRanges = false, comparesOutput = true;
    double tolerance = 0;  ///< 0: sums do not depend on the order, and all is to be equal
    std::string hpcc;      ///< the program of that name
};

/// Nothing after --help. UsageError.
std::optional<Options> parseOptions(const std::vector<std::string>& words);

}  // namespace hpspmd::invariance
