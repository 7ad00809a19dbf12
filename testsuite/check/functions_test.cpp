// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the bodies of functions stand, and what their attributes declare.
#include "check/functions.hpp"

#include "ast/symbol.hpp"
#include "program.hpp"

#include <gtest/gtest.h>

namespace hpcc::testing {
namespace {

// The name of what a call calls.
ast::NodePtr calleeOf(ast::NodePtr call) {
    const ast::NodePtr callee = call->child(ast::Call::callee);
    return callee->is<ast::Member>() ? callee->child(ast::Member::name) : callee;
}

// What the last call of that name calls.
const ast::Symbol& called(const Program& p, std::string_view name) {
    const ast::NodePtr call = p.findLast(
        [&](ast::NodePtr node) { return node->is<ast::Call>() && calleeOf(node)->text() == name; });
    return *calleeOf(call)->symbol;
}

TEST(Functions, DefinedBelowTheCall) {
    const Program p(
        "void f(int k); void f(double [[-]] a);\n"
        "void g(double [[-]] a) { f(3); }\n"
        "void f(double [[-]] a) { first; } void f(int k) { second; }");
    const check::Functions functions(p.unit());
    const ast::Symbol* both = &called(p, "f");
    const ast::NodePtr second = functions.definition(*both->previous);
    const ast::NodePtr first = functions.definition(*both);
    ASSERT_TRUE(first && second);
    EXPECT_NE(first->text().find("first"), std::string_view::npos);
    EXPECT_NE(second->text().find("second"), std::string_view::npos);
}

TEST(Functions, MethodDefinedOutside) {
    const Program p(
        "struct S { [[hpspmd::local]] void f(double [[-]] a); void f(int k); };\n"
        "void g(S s, double [[-]] a) { s.f(a); }\n"
        "void S::f(double [[-]] a) { } void f(double [[-]] a) { }");
    const check::Functions functions(p.unit());
    const ast::Symbol* head = &called(p, "f");
    while (head->previous) head = head->previous;
    const ast::NodePtr found = functions.definition(*head);
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->text().starts_with("void S::f"));
    EXPECT_TRUE(functions.attribute(*head, "local"));
    EXPECT_FALSE(functions.attribute(*head, "collective"));
}

TEST(Functions, AttributeInAHeader) {
    const Program header(
        "template <class T> [[hpspmd::collective, hpspmd::refreshes(b)]]\n"
        "void f(T [[-]] a, T [[-]] b); [[hpspmd::local]] int n(), m();");
    const Program p("void g(double [[-]] a) { f(a, a); m(); n(); }", {&header.unit()});
    const check::Functions functions(p.unit());
    EXPECT_TRUE(functions.attribute(called(p, "f"), "collective"));
    const ast::NodePtr refreshes = functions.attribute(called(p, "f"), "refreshes");
    ASSERT_TRUE(refreshes);
    EXPECT_EQ("b", refreshes->child(ast::HpspmdAttribute::arguments)->child(0)->text());
    EXPECT_TRUE(functions.attribute(called(p, "m"), "local"));
    EXPECT_TRUE(functions.attribute(called(p, "n"), "local"));
    EXPECT_FALSE(functions.definition(called(p, "f")));
}

TEST(Functions, DeclaredInAHeaderDefinedInTheFile) {
    const Program header("double total(const double [[-]] a);");
    const Program p(
        "void g(double [[-]] a) { total(a); } double total(const double [[-]] a) { return 0; }",
        {&header.unit()});
    const check::Functions functions(p.unit());
    EXPECT_TRUE(functions.definition(called(p, "total")));
}

}  // namespace
}  // namespace hpcc::testing
