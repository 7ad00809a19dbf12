// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loops count, and from where to where; what constants are worth.
#include "analysis/loop.hpp"
#include "ast/visitor.hpp"
#include "program.hpp"

#include <gtest/gtest.h>

namespace hpcc::testing {
namespace {

struct Finder : ast::Visitor {
    ast::NodePtr loop = nullptr, value = nullptr;

    void visitFor(ast::NodePtr node) override { loop = node; }
    void visitReturn(ast::NodePtr node) override { value = node->child(ast::Return::value); }
};

struct LoopCase {
    std::string loop, answer;  // "k: 0 < n, 1, 32", "" for none
};

const std::vector<LoopCase> loops = {
    {"for (int k = 0; k < n; ++k)", "k: 0 < n, 1, 32"},
    {"for (int k = 0; k <= n - 1; k++)", "k: 0 <= n - 1, 1, 32"},
    {"for (int k = 0; n > k; k += 1)", "k: 0 < n, 1, 32"},
    {"for (int k{0}; (k) != n; k = k + 1)", "k: 0 != n, 1, 32"},
    {"for (int k(2); k < n; k = 3 + k)", "k: 2 < n, 3, 32"},
    {"for (std::int64_t k = 0; k != n; ++k)", "k: 0 != n, 1, 64"},
    {"for (Index k = n - 1; k >= 0; --k)", "k: n - 1 >= 0, -1, 64"},
    {"for (long k = n; 0 < k; k -= 2)", "k: n > 0, -2, 64"},
    {"for (short k = 0; k < n; k += two)", "k: 0 < n, 2, 16"},
    {"for (std::size_t k = 0; k < 8; ++k)", "k: 0 < 8, 1, u64"},
    {"for (auto k = 0u; k < 8; ++k)", "k: 0u < 8, 1, u32"},
    {"for (m = 0; m < n; ++m)", "m: 0 < n, 1, 32, not its own"},
    {"for (int k = 0, e = n; k < e; ++k)", "k: 0 < e, 1, 32, not its own"},
    {"for (double k = 0; k < n; ++k)", "k: 0 < n, 1, none"},
    {"for (auto k = f(); k != n; ++k)", "k: f() != n, 1, none"},
    {"for (int k = 0; k < n; --k)", ""},
    {"for (int k = 0; k != n; k += 2)", ""},
    {"for (int k = 0; k < n; k *= 2)", ""},
    {"for (int k = 0; k < n; ++m)", ""},
    {"for (int k = 0; k < n; k += m)", ""},
    {"for (int k = 0; k == n; ++k)", ""},
    {"for (int k = 0; m < n; ++k)", ""},
    {"for (;;)", ""},
};

// What countingLoop does not know.
const std::vector<LoopCase> loopsAhead = {
    {"for (int k = 0; k + 1 < n; ++k)", "k + 1: 0 < n, 1, 32"},
    {"for (int k = m; n >= 2 + k; k += 2)", "k + 2: m <= n, 2, 32"},
    {"for (std::size_t k = 1; (k + 1) < n; ++k)", "k + 1: 1 < n, 1, u64"},
    {"for (m = 0; m + two < n; ++m)", "m + 2: 0 < n, 1, 32, not its own"},
    {"for (std::size_t k = m; k + 1 < n; ++k)", ""},  // it may wrap round
    {"for (auto k = f(); k + 1 < n; ++k)", ""},
    {"for (int k = 0; k + 1 != n; ++k)", ""},
    {"for (int k = n; k + 1 > 0; --k)", ""},
    {"for (int k = 0; k + m < n; ++k)", ""},
    {"for (int k = 0; k - 1 < n; ++k)", ""},
    {"for (int k = 0; m + 1 < n; ++k)", ""},
};

std::string text(const analysis::CountingLoop& loop) {
    const ast::NumberType number = loop.number();
    std::string result = std::string(loop.name->text()) +
                         (loop.ahead == 0 ? "" : " + " + std::to_string(loop.ahead)) + ": " +
                         std::string(loop.first->text()) + " " + std::string(loop.op) + " " +
                         std::string(loop.bound->text()) + ", " + std::to_string(loop.step) + ", ";
    result +=
        number.bits == 0 ? "none" : (number.isSigned ? "" : "u") + std::to_string(number.bits);
    return loop.isOwn ? result : result + ", not its own";
}

void expectAll(const std::vector<LoopCase>& cases,
               std::optional<analysis::CountingLoop> (*count)(ast::NodePtr)) {
    for (const LoopCase& each : cases) {
        const Program p("void f(int n, int m) { const int two = 2; " + each.loop + "; }");
        ASSERT_TRUE(p.parsed()) << each.loop;
        Finder finder;
        finder.visit(p.unit().root);
        const auto loop = count(finder.loop);
        EXPECT_EQ(each.answer, loop ? text(*loop) : "") << each.loop;
    }
}

TEST(Loop, Counts) {
    expectAll(loops, analysis::countingLoop);
    expectAll(loops, analysis::countingAhead);
    expectAll(loopsAhead, analysis::countingAhead);
}

struct ValueCase {
    std::string expression;
    std::optional<long long> answer;
};

const std::vector<ValueCase> values = {
    {"3", 3},
    {"-(4 * 2) + 1", -7},
    {"7L / 2 % 2", 1},
    {"two * three", 6},
    {"braced - 1", 4},
    {"true && 2 < two + 1", 1},
    {"false && n", 0},
    {"n && false", std::nullopt},
    {"!two or three == 3", 1},
    {"h / 2", std::nullopt},          // a fraction
    {"65536 * 65536", std::nullopt},  // too much for an int
    {"65536L * 65536", 4294967296},
    {"small - 2", std::nullopt},   // wraps round
    {"-1 < small", std::nullopt},  // -1 is large there
    {"281474976710656L + 1", std::nullopt},
    {"1 / (two - 2)", std::nullopt},
    {"n", std::nullopt},
    {"d + 1", 6},  // bound
    {"table[0]", 4},
    {"table[d - 3] + fixed[1]", 5},
    {"table[3]", std::nullopt},  // 0, but not written
    {"table[d]", std::nullopt},  // none
    {"named[0]", std::nullopt},  // elements in another order
    {"variable[0]", std::nullopt},
    {"pointer[0]", std::nullopt},
    {"heights[0]", std::nullopt},
};

TEST(Constant, HasAValue) {
    for (const ValueCase& each : values) {
        const Program p(
            "const int two = 2; constexpr long three(3), braced{5}; const double h = 5; "
            "const unsigned small = 1; constexpr int table[4] = {4, 2, two + 4}; "
            "const int fixed[]{two, -1}, named[2] = {[1] = 3, [0] = 4}; "
            "int variable[2] = {1, 2}; const int *pointer = fixed; "
            "const double heights[1] = {2}; auto f(int n, int d) { return " +
            each.expression + "; }");
        ASSERT_TRUE(p.parsed()) << each.expression;
        Finder finder;
        finder.visit(p.unit().root);
        EXPECT_EQ(each.answer, analysis::constantValue(finder.value, {{"d", 5}}))
            << each.expression;
    }
}

struct SignCase {
    std::string expression;
    bool isNeverNegative;
};

TEST(Loop, BoundsThatAreNeverNegative) {
    const std::vector<SignCase> cases = {{"x.size()", true},
                                         {"a.size(1) * 2 + 1", true},
                                         {"std::size_t(n)", true},
                                         {"x.size() - 1", false},
                                         {"n", false},
                                         {"0", true}};
    for (const SignCase& each : cases) {
        const Program p("auto f(int n, Range x, double [[-, *]] a) { return " + each.expression +
                        "; }");
        ASSERT_TRUE(p.parsed()) << each.expression;
        Finder finder;
        finder.visit(p.unit().root);
        EXPECT_EQ(each.isNeverNegative, analysis::isNeverNegative(finder.value)) << each.expression;
    }
}

}  // namespace
}  // namespace hpcc::testing
