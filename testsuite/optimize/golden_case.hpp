// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A golden case: a program, and what the scalar passes make of its lowered form.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ast/unit.hpp"

namespace hpcc::testing {

/// File cases/<name>.golden: sections "==== source", "==== -O1" and "==== -O2", and "==== -O0"
/// where the thesis shows the naive translation, too. The source may begin with
/// `// options: --no-checks`.
struct GoldenCase {
    std::string name;
    std::string source;
    std::map<int, std::string> levels;
};

std::vector<std::string> goldenNames();
GoldenCase readGolden(const std::string& name);
void writeGolden(const GoldenCase& golden);

struct Optimized {
    std::string text;     // for people
    std::string emitted;  // with #line
    std::string errors;
};

/// Lowers the source and runs the passes of that level, verifying what each has made; `inspect`
/// sees the tree.
Optimized optimized(
    const std::string& name, const std::string& source, int level,
    const std::function<void(const ast::Unit&)>& inspect = [](const ast::Unit&) {});

}  // namespace hpcc::testing
