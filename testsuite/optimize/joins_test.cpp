// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a subscript is computed if the sides of an `if` meet: a table of statements and what `pre`
// makes of them. There T is the name of the value, E its computation, and U an access by T.
#include <gtest/gtest.h>

#include <regex>

#include "golden_case.hpp"

namespace hpcc::testing {
namespace {

struct Row {
    const char* name;
    const char* statements;
    const char* made;
};

// k is 0 before, and a[i, k] is written A.
const Row table[] = {
    // ---- partially redundant
    {"computed in one branch", "if (c) s += A; else ++k; s += A;",
     "T = 0; if (c) { T = E; s += U; } else { ++k; T = E; } s += U;"},
    {"computed before, no else", "s += A; if (c) ++k; s += A;",
     "T = E; s += U; if (c) { ++k; T = E; } s += U;"},
    {"computed in the other branch", "if (c) ++k; else s += A; s += A;",
     "T = 0; if (c) { ++k; T = E; } else { T = E; s += U; } s += U;"},
    {"each branch assigns, one computes", "if (c) { k = 1; s += A; } else k = 2; s += A;",
     "T = 0; if (c) { k = 1; T = E; s += U; } else { k = 2; T = E; } s += U;"},
    {"each branch assigns and computes",
     "if (c) { k = 1; s += A; } else { k = 2; s += A; } s += A;",
     "T = 0; if (c) { k = 1; T = E; s += U; } else { k = 2; T = E; s += U; } s += U;"},
    {"no else, computed in the branch", "if (c) { k = 1; s += A; } s += A;",
     "T = 0; if (c) { k = 1; T = E; s += U; } else { T = E; } s += U;"},
    {"an else that an inner if would take", "if (c) if (d) { k = 1; s += A; } s += A;",
     "T = 0; if (c) { if (d) { k = 1; T = E; s += U; } else { T = E; } } else { T = E; } s += U;"},
    {"an if that gets no else, for it declares a variable",
     "if (const bool e = c) { k = e; s += A; } s += A;",
     "if (const bool e = c) { k = e; s += A; } s += A;"},
    {"and needs none", "s += A; if (const bool e = c) k = e; s += A;",
     "T = E; s += U; if (const bool e = c) { k = e; T = E; } s += U;"},
    {"a branch in a branch", "s += A; if (c) { if (d) ++k; } s += A;",
     "T = E; s += U; if (c) { if (d) { ++k; T = E; } } s += U;"},
    {"a chain", "if (c) s += A; else if (d) k = 2; else k = 3; s += A;",
     "T = 0; if (c) { T = E; s += U; } else { if (d) k = 2; else k = 3; T = E; } s += U;"},
    {"one after the other", "s += A; if (c) ++k; s += A; if (d) ++k; s += A;",
     "T = E; s += U; if (c) { ++k; T = E; } s += U; if (d) { ++k; T = E; } s += U;"},
    {"a branch that leaves", "if (c) s += A; else if (d) k = 2; else continue; s += A;",
     "T = 0; if (c) { T = E; s += U; } else { if (d) k = 2; else continue; T = E; } s += U;"},
    {"asked for in a condition", "s += A; if (c) ++k; if (A > 0) s = 1;",
     "T = E; s += U; if (c) { ++k; T = E; } if (U > 0) s = 1;"},
    {"asked for in a loop behind", "s += A; if (c) ++k; for (int j = 0; j < 9; ++j) s += A;",
     "T = E; s += U; if (c) { ++k; T = E; } for (int j = 0; j < 9; ++j) s += U;"},
    {"in a loop", "for (int j = 0; j < 9; ++j) { s += A; if (c) ++k; s += A; }",
     "for (int j = 0; j < 9; ++j) { T = E; s += U; if (c) { ++k; T = E; } s += U; }"},
    {"in each branch behind", "s += A; if (c) ++k; if (d) s += A; else s -= A;",
     "T = E; s += U; if (c) { ++k; T = E; } if (d) s += U; else s -= U;"},
    // ---- look-alikes
    {"perhaps not asked for", "if (c) s += A; else ++k; if (d) s += A;",
     "if (c) s += A; else ++k; if (d) s += A;"},
    {"asked for behind a jump", "if (c) s += A; else ++k; if (d) continue; s += A;",
     "if (c) s += A; else ++k; if (d) continue; s += A;"},
    {"asked for behind ?:", "if (c) s += A; else ++k; s += d ? A : 1.0;",
     "if (c) s += A; else ++k; s += d ? A : 1.0;"},
    {"computed by no branch", "if (c) ++k; s += A;", "if (c) ++k; s += A;"},
    {"perhaps computed", "if (c) { if (d) s += A; } else ++k; s += A;",
     "if (c) { if (d) s += A; } else ++k; s += A;"},
    {"changed in between", "if (c) s += A; else ++k; k = 7; s += A;",
     "if (c) s += A; else ++k; k = 7; s += A;"},
    {"changed in the asking expression", "if (c) s += A; else ++k; s += a[i, k] + ++k;",
     "if (c) s += A; else ++k; s += A + ++k;"},
};

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    return std::regex_replace(text, std::regex(what), by);
}

/// The statements of the nest as the table writes them.
std::string made(const std::string& statements) {
    const std::string source =
        "// options: --no-checks\n#include <hpspmd>\nusing namespace hpspmd;\n"
        "void f(double [[-]] r, const double [[-,*]] a, bool c, bool d) {\n"
        "    overall (i = r.rng(0) for :) {\n"
        "        int k = 0;\n        double s = 0;\n        " +
        replaced(statements, "\\bA\\b", "a[i, k]") + "\n        r[i] = s;\n    }\n}\n";
    const Optimized result = optimized("joins", source, 1);
    EXPECT_EQ(result.errors, "");
    const size_t begin = result.text.find("double s = 0;"), end = result.text.find("r_data[");
    std::string text = result.text.substr(begin + 13, end - begin - 13);
    text = replaced(text, "const hpspmd::Index a_at_i = [^;]*;", "");
    text = replaced(text, "a_data\\[a_at_i_k\\]", "U");
    text = replaced(text, "(hpspmd::Index )?\\ba_at_i_k\\b", "T");
    text = replaced(text, "(a_at_i|a_stride_0 \\* i\\.sub) \\+ a_stride_1 \\* k", "E");
    text = replaced(text, "a_data\\[E\\]", "A");
    text = replaced(text, "\\s+", " ");
    return replaced(text, "^ | $", "");
}

TEST(Joins, areAsInTheTable) {
    for (const Row& row : table) EXPECT_EQ(made(row.statements), row.made) << row.name;
}

}  // namespace
}  // namespace hpcc::testing
