// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What begin() and end() of an object go over: members of its class, answer.
#include "analysis/own_elements.hpp"
#include "program.hpp"

#include <gtest/gtest.h>

namespace hpcc::testing {
namespace {

struct Case {
    std::string members;
    std::string held;  // "" if it is not known
};

const std::vector<Case> cases = {
    {"const double* begin() const { return a; } const double* end() const { return a + 4; }", "a"},
    {"auto begin() const { return v.begin(); } auto end() const { return v.end(); }", "v"},
    {"auto begin() { return this->v.begin(); } auto end() { return (this->v).end(); }", "v"},
    {"auto begin() { return std::begin(v); } auto end() { return std::end(v); }", "v"},
    {"auto begin() { return v.data(); } auto end() { return v.data() + v.size(); }", "v"},
    {"auto begin() { return a; } auto end() { return a + n; }", "a"},
    {"auto begin() { return v.begin(); } auto begin() const { return v.cbegin(); }"
     "auto end() { return v.end(); } auto end() const { return v.cend(); }",
     "v"},
    {"auto begin() { return v.begin(); } auto end() { return w.end(); }", ""},
    {"auto begin() { return v.rbegin(); } auto end() { return v.rend(); }", ""},
    {"auto begin() { ++n; return v.begin(); } auto end() { return v.end(); }", ""},
    {"auto begin() { return v.begin(); } auto begin() const { return w.begin(); }"
     "auto end() { return v.end(); }",
     ""},
    {"auto begin() { return v.begin(); } auto end() { return v.begin() + n++; }", ""},
    {"auto begin() { return v.begin(); } auto end() { return v.begin() + outside; }", ""},
    {"virtual double* begin() { return a; } virtual double* end() { return a + 4; }", ""},
    {"double* begin(); double* end() { return a + 4; }", ""},
    {"auto begin() { return v.begin(); }", ""},
};

TEST(OwnElements, Members) {
    for (const Case& each : cases) {
        const Program p(
            "#include <vector>\nextern int outside; struct Bag { double a[4]; int n; "
            "std::vector<double> v, w; " +
            each.members + " }; void f(Bag bag) { bag; }");
        ASSERT_TRUE(p.parsed()) << each.members;
        const ast::NodePtr object = p.findLast(
            [](ast::NodePtr node) { return node->is<ast::Identifier>() && node->text() == "bag"; });
        ASSERT_TRUE(object) << each.members;
        const ast::Symbol* const held = analysis::heldBy(object->type);
        EXPECT_EQ(each.held, held ? held->name : "") << each.members;
    }
}

}  // namespace
}  // namespace hpcc::testing
