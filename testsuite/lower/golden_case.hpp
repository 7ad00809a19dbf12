// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "lower/lower.hpp"

namespace hpcc::testing {

/// One file of cases/: the program, and what it becomes.
///
///     ==== source
///     // What this case shows.     (a line "// options: --no-bounds-checks" or the like may
///     follow)
///     ==== pretranslated           (": as the source" if nothing changes)
///     ==== lowered
struct GoldenCase {
    std::string name;
    std::string source;
    std::string pretranslated;
    std::string lowered;

    lower::Options options() const;
};

std::vector<std::string> goldenNames();  // in alphabetical order
GoldenCase readGolden(const std::string& name);
void writeGolden(const GoldenCase& golden);

/// What the translator makes of a source.
struct Translation {
    std::string pretranslated;  // without #line
    std::string lowered;        // without #line
    std::string emitted;        // with #line: the text for the C++ compiler
    std::string errors;         // of parser and checker; the rest is empty then
};

Translation translate(const std::string& path, const std::string& source,
                      const lower::Options& options = {});

}  // namespace hpcc::testing
