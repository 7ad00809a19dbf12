// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which calls only compute a value: the program's function, question, answer.
#include "analysis/harmless_calls.hpp"
#include "program.hpp"

#include <gtest/gtest.h>

namespace hpcc::testing {
namespace {

struct Case {
    std::string function;  // `double f(double x)`: its body
    bool isHarmless;
};

const std::vector<Case> cases = {
    {"return std::sqrt(x) + limit;", true},
    {"changed = x; return x;", false},
    {"return elsewhere(x);", false},
    {"const double y = x * x; return y;", true},
    {"static double y = 0; return y += x;", false},
    // Lambdas of a function: what they do counts where they are called.
    {"const auto g = [](double a) { return a * a; }; return g(x);", true},
    {"const auto g = [&](double a) { return a * x; }; return g(2) + g(x);", true},
    {"auto g = [=](double a) { return a * x; }; return g(2);", true},
    {"double s = 0; const auto add = [&](double a) { s += a; return s; }; return add(x);", true},
    {"const auto g = [x](double a) { return a * x; }; return g(2);", true},
    {"const auto g = [&](double a) { changed = a; return a; }; return g(x);", false},
    {"const auto g = [&](double a) { changed = a; return a; }; return x;", true},
    {"const auto g = [&](double a) { return elsewhere(a); }; return g(x);", false},
    {"const auto g = [y = changed++](double a) { return a + y; }; return g(x);", false},
    {"const auto g = [&y = changed](double a) { return y = a; }; return g(x);", false},
    {"const auto g = [odd](double a) { return a; }; return g(x);", false},
    {"const auto g = [&](auto a) { return a; }; return g(x);", true},  // an instance for double
    {"const auto g = [&](auto a) { changed = a; return a; }; return g(x);", false},
    {"const auto g = [&](auto a) { return 1.0; }; return g(odd);", false},
    {"return [&] { return changed++; }();", false},
};

TEST(HarmlessCalls, Functions) {
    for (const Case& each : cases) {
        const Program p(
            "const double limit = 2; double changed; double elsewhere(double);"
            "struct Odd { Odd(const Odd&); }; extern Odd odd;"
            "double f(double x) { " +
            each.function + " } double h(double z) { return f(z); }");
        ASSERT_TRUE(p.parsed()) << each.function;
        const ast::NodePtr call = p.findLast(
            [&](ast::NodePtr node) { return node->is<ast::Call>() && node->text() == "f(z)"; });
        ASSERT_TRUE(call) << each.function;
        EXPECT_EQ(each.isHarmless, analysis::isHarmlessCall(call)) << each.function;
    }
}

}  // namespace
}  // namespace hpcc::testing
