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

// Numbers are compared in the types that they have.
TEST(Loop, RunsAtLeastOnce) {
    const std::vector<std::pair<std::string, bool>> cases = {
        {"for (int k = -1; k < 5; ++k)", true},
        {"for (int k = -1; k < 5u; ++k)", false},
        {"for (int k = -1; k < w.size(); ++k)", false},
        {"for (Index k = -1; k < 5u; ++k)", true},
        {"for (int k = 0; k < w.size(); ++k)", true},
        {"for (short k = -1; k < Index(w.size()); ++k)", true},
        {"for (unsigned k = 0; k < -1; ++k)", true},
        {"for (std::size_t k = 3; k < w.size() - 1; ++k)", false},
    };
    for (const auto& [loop, runs] : cases) {
        const Program p("void f() { std::array<double, 3> w; " + loop + "; }");
        ASSERT_TRUE(p.parsed()) << loop;
        Finder finder;
        finder.visit(p.unit().root);
        EXPECT_EQ(runs, analysis::runsAtLeastOnce(finder.loop)) << loop;
    }
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
    {"small - 2", 4294967295},    // wraps round
    {"-1 < small", 0},            // -1 is large there
    {"large - 2", std::nullopt},  // 2^64 - 1
    {"large - 2 < 5", 0},
    {"(large - 2) / 4 > 7", 1},
    {"1u - 2 + 3L", 4294967298},
    {"281474976710656L + 1", std::nullopt},
    {"1 / (two - 2)", std::nullopt},
    {"n", std::nullopt},
    {"two > 1 ? 3 : 4", 3},
    {"d + 1", 6},  // bound
    // conversions
    {"Index(d) - 7", -2},
    {"int(d) - 7", -2},
    {"(Index)d - 7", -2},
    {"static_cast<std::ptrdiff_t>(d) - 7", -2},
    {"Index{d} - 7", -2},
    {"Whole(d) - 7", -2},
    {"Index(large - 3)", -2},
    {"Index(small - 3)", 4294967294},
    {"int(small - 3)", -2},
    {"(unsigned char)(d - 6)", 255},
    {"static_cast<short>(65535L)", -1},
    {"bool(d) + 1", 2},
    {"int(2.5)", std::nullopt},
    {"Index(n)", std::nullopt},
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
            "const double heights[1] = {2}; const std::size_t large = 1; using Whole = long; "
            "auto f(int n, int d) { return " +
            each.expression + "; }");
        ASSERT_TRUE(p.parsed()) << each.expression;
        Finder finder;
        finder.visit(p.unit().root);
        EXPECT_EQ(each.answer, analysis::constantValue(finder.value, {{"d", 5}}))
            << each.expression;
    }
}

// How many elements there are.
const std::vector<ValueCase> lengths = {
    {"fixed.size()", 3},
    {"std::size(fixed)", 3},
    {"std::ssize(fixed) - 4", -1},
    {"fixed.size() - 4", std::nullopt},  // wraps round
    {"std::tuple_size_v<decltype(fixed)>", 3},
    {"std::tuple_size<std::array<int, 2 * r>>::value", 4},
    {"sizeof row / sizeof *row", 5},
    {"sizeof(row) / sizeof(double)", 5},
    {"sizeof fixed / sizeof fixed[0]", 3},
    {"std::size(row)", 5},
    {"std::extent_v<decltype(row)>", 5},
    {"std::size(counted)", 4},
    {"counted[1] + counted.size()", 10},
    {"made.size()", 2},
    {"listed.size()", 4},
    {"std::size(listed) / 2", 2},
    {"std::size(inferred)", 2},
    {"std::size(table) * 10 + std::size(table[0])", 23},
    {"sizeof table / sizeof **table", 6},
    {"std::size(s.taps)", 7},
    {"std::size(given)", 6},
    {"half", 2},
    {"reference.size()", 3},
    {"sizeof parameter / sizeof *parameter", std::nullopt},  // a pointer
    {"sized.size()", std::nullopt},
    {"growing.size()", std::nullopt},
    {"named.size()", std::nullopt},
    {"std::size(elided)", std::nullopt},
    {"unknown.size()", std::nullopt},
    {"std::extent_v<decltype(given)>", std::nullopt},  // 0 of a reference
    {"size(fixed)", std::nullopt},                     // of the program
};

TEST(Constant, Length) {
    for (const ValueCase& each : lengths) {
        const Program p(
            "struct Taps { double taps[7]; }; struct Pair { int a, b; }; int size(Taps); "
            "constexpr int r = 2; const int m = 3; "
            "auto f(Taps s, const double (&given)[6], double parameter[4], int n, Pair p) { "
            "std::array<double, 3> fixed; double row[2 * r + 1], table[2][3]; "
            "constexpr std::array counted = {4, 6, 4, 1}; std::array<std::array<int, 2>, r> made; "
            "const std::vector<double> listed = {0.25, 0.5, double(n), 1}; const std::vector "
            "inferred{1, n}; "
            "const std::vector<double> sized(n); std::vector<double> growing = {1, 2}; "
            "const std::vector<Pair> named = {{1, 2}, MORE}; const Pair elided[] = {1, 2, 3, 4}; "
            "std::array<double, N> unknown; const auto half = std::size(row) / 2; auto &reference "
            "= fixed; "
            "return " +
            each.expression + "; }");
        ASSERT_TRUE(p.parsed()) << each.expression;
        Finder finder;
        finder.visit(p.unit().root);
        EXPECT_EQ(each.answer, analysis::constantValue(finder.value)) << each.expression;
    }
}

struct DistanceCase {
    std::string type, distance;
    std::optional<long> answer;  // where k is 0
};

TEST(Constant, Distance) {
    const std::vector<DistanceCase> cases = {
        {"int", "k - 2", -2},
        {"short", "k - 2", -2},
        {"Index", "k - 2", -2},
        {"std::size_t", "k - 2", -2},
        {"unsigned long", "(k - 2)", -2},
        {"std::size_t", "k - weights.size() / 2", -1},
        {"std::size_t", "Index(k) - 2", -2},
        {"unsigned", "Index(k) - 2", -2},
        {"unsigned", "int(k) - 2", -2},
        {"unsigned", "k - 2L", -2},
        {"unsigned", "k - 2", std::nullopt},  // 2^32 - 2
        {"std::uint32_t", "2 * k - 2", std::nullopt},
        {"std::size_t", "k - n", std::nullopt},
    };
    for (const DistanceCase& each : cases) {
        const Program p(
            "void f(double [[-]] a, Range x, int n) { std::array<double, 3> weights; "
            "overall (i = x for :) for (" +
            each.type + " k = 0; k < 3; ++k) a[i + (" + each.distance + ")] = 0; }");
        ASSERT_TRUE(p.parsed()) << each.distance;
        const ast::NodePtr element = p.findLast([](ast::NodePtr node) {
            return node->is<ast::Subscript>() && node->child(0)->text() == "a";
        });
        const auto use =
            ast::asIndexSubscript(element->child(ast::Subscript::subscripts)->child(0));
        ASSERT_TRUE(use) << each.distance;
        EXPECT_EQ(each.answer, analysis::constantDistance(*use, {{"k", 0}}))
            << each.type << " " << each.distance;
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
