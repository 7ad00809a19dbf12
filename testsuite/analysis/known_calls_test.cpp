// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a call of the standard library does: program text, question, answer.
#include "ast/known_calls.hpp"
#include "ast/effects.hpp"
#include "check/types.hpp"
#include "program.hpp"

#include <gtest/gtest.h>

namespace hpcc::testing {
namespace {

struct Case {
    std::string call, type;  // "" if it is not known to only compute
};

const std::vector<Case> cases = {
    {"std::sqrt(h)", "double"},
    {"sqrt(n)", "double"},
    {"std::pow(s, 2)", "double"},
    {"std::pow(s, s)", "float"},
    {"std::hypot(h, s)", "double"},
    {"std::lgamma(h)", "double"},
    {"asinh(h)", "double"},
    {"std::fmax(h, n)", "double"},
    {"std::remainder(h, h)", "double"},
    {"std::nextafter(h, h)", "double"},
    {"std::abs(n)", "int"},
    {"std::abs(h)", "double"},
    {"std::max(n, 2)", "int"},
    {"std::max<double>(n, 2)", "double"},
    {"std::clamp(h, h, h)", "double"},
    {"std::isnan(h)", "bool"},
    {"std::signbit(h)", "bool"},
    {"std::ldexp(s, n)", "auto"},
    {"std::lround(h)", "auto"},
    {"std::norm(z)", "auto"},
    {"std::polar(h, h)", "auto"},
    {"std::max(p, p)", ""},  // asks its class
    {"std::max(t, t)", ""},  // which it may be
    {"max(n, n)", ""},       // of the program
    {"real(h)", ""},
    {"std::swap(n, n)", ""},
    {"std::rand()", ""},
};

TEST(KnownCalls, Mathematics) {
    for (const Case& each : cases) {
        const Program p(
            "struct Pair { int a, b; bool operator<(Pair) const; }; int max(int, int);"
            "template <class T> auto f(int n, double h, float s, std::complex<double> z, Pair p, T "
            "t) { return " +
            each.call + "; }");
        ASSERT_TRUE(p.parsed()) << each.call;
        const ast::NodePtr call = p.findLast(
            [&](ast::NodePtr node) { return node->is<ast::Call>() && node->text() == each.call; });
        ASSERT_TRUE(call) << each.call;
        const bool computes = ast::isMathematicalCall(call);
        EXPECT_EQ(each.type, computes ? check::nameOf(check::typeOf(call)) : "") << each.call;
        if (computes) {
            EXPECT_TRUE(ast::effectsOf(call).assigned.empty()) << each.call;
            EXPECT_TRUE(ast::effectsOf(call).calls.empty()) << each.call;
        }
    }
}

}  // namespace
}  // namespace hpcc::testing
