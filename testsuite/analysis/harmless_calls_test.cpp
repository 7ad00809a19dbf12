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

struct OperatorCase {
    std::string members;     // of `struct V`, which has `double x, y;`
    std::string functions;   // behind it
    std::string expression;  // of `V u, v; const V w; double s;`
    bool isHarmless;
};

const std::vector<OperatorCase> operatorCases = {
    {"", "V operator+(const V& a, const V& b) { return {a.x + b.x, a.y + b.y}; }", "u + v", true},
    {"", "V operator+(V a, const V& b) { a.x += b.x; return a; }", "u + v", true},
    {"", "V operator+(const V& a, const V& b) { ++count; return a; }", "u + v", false},
    {"", "V operator+(const V& a, const V& b);", "u + v", false},
    {"V operator+(const V& o) const { return V{x + o.x, y}; }", "", "u + v", true},
    {"double operator*(const V& o) const { return x * o.x; }", "", "u * v", true},
    {"double operator*(const V& o) { return x *= o.x; }", "", "u * v", false},
    {"V& operator+=(const V& o) { x += o.x; this->y += o.y; return *this; }", "", "u += v", true},
    {"V& operator+=(const V& o) { x += o.x; count = 1; return *this; }", "", "u += v", false},
    {"", "V& operator+=(V& a, const V& b) { a.x += b.x; return a; }", "u += v", true},
    {"double z[3]; double& operator[](int k) { return z[k]; }", "", "u[1]", true},
    {"double z[3]; double& operator[](int k) { ++count; return z[k]; }", "", "u[1]", false},
    {"V(double a, double b) : x(a), y(b) {}", "V operator-(V a) { return V(-a.x, -a.y); }", "-u",
     true},
    {"V(double a) { x = a; ++count; }", "V operator-(V a) { return a; }", "-u", false},
    {"static int made; V(double a) { x = a; ++made; }", "V operator-(V a) { return a; }", "-u",
     false},
    {"inline static int made = 0; V(double a) : x(a) { made = 1; }",
     "V operator-(V a) { return a; }", "-u", false},
    {"static int made; V& operator+=(const V& o) { made = 1; return *this; }", "", "u += v", false},
    {"V(const V& o) : x(o.x) {}", "V operator-(const V& a) { return a; }", "-u", false},
    {"int n = ++count;", "double operator-(const V& a) { return a.x; }", "-u", false},
    {"int n = 3; double f() const { return x * n; }",
     "double operator-(const V& a) { return a.f(); }", "-u", true},
    {"~V() {}", "double operator-(const V& a) { return a.x; }", "-u", false},
    {"V& operator=(const V& o) { x = o.x; return *this; }", "", "u = v", false},
    {"",
     "template <class T> struct W { T a; };"
     "template <class T> W<T> operator+(const W<T>& p, const W<T>& q) { return {p.a + q.a}; }",
     "W<double>{1} + W<double>{2}", true},
    {"",
     "template <class T> struct W { T a; };"
     "template <class T> W<T> operator+(const W<T>& p, const W<T>&) { ++count; return p; }",
     "W<double>{1} + W<double>{2}", false},
    // All that may be meant.
    {"double operator()() const { return x; } V operator*(double a) const { return {a * x, y}; }",
     "V operator*(double a, const V& b) { return b * a; }", "s * (2 * u)", true},
    {"",
     "template <class T> T twice(T a) { return a + a; }"
     "V operator+(const V& a, const V& b) { return {a.x + b.x, 0}; }",
     "w + v", true},
};

TEST(HarmlessCalls, Operators) {
    for (const OperatorCase& each : operatorCases) {
        const Program p("int count; struct V { double x, y; " + each.members + " }; " +
                        each.functions + " void h(V u, V v, const V& w, double s) { " +
                        each.expression + "; }");
        const std::string what = each.members + each.functions + ": " + each.expression;
        ASSERT_TRUE(p.parsed()) << what;
        const ast::NodePtr expression = p.findLast([&](ast::NodePtr node) {
            return ast::isExpression(node) && node->text() == each.expression;
        });
        ASSERT_TRUE(expression) << what;
        EXPECT_EQ(each.isHarmless, analysis::isHarmlessOperator(expression)) << what;
    }
}

}  // namespace
}  // namespace hpcc::testing
