// A golden case: a program, and what the scalar passes make of its lowered form.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ast/unit.hpp"

namespace hpcc::testing {

/// File cases/<name>.golden: sections "==== source", "==== -O1" and "==== -O2".
struct GoldenCase {
    std::string name;
    std::string source;
    std::string level[3];  // [0] is not used
};

std::vector<std::string> goldenNames();
GoldenCase readGolden(const std::string& name);
void writeGolden(const GoldenCase& golden);

struct Optimized {
    std::string text;     // for people
    std::string emitted;  // with #line
    std::string errors;
};

/// Lowers the source and runs the passes of that level; `inspect` sees the tree.
Optimized optimized(
    const std::string& name, const std::string& source, int level,
    const std::function<void(const ast::Unit&)>& inspect = [](const ast::Unit&) {});

}  // namespace hpcc::testing
