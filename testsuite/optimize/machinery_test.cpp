// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flow graph, dominators and static single assignment over small functions.
#include <gtest/gtest.h>

#include "function_fixture.hpp"
#include "golden/pretranslated.hpp"
#include "optimize/counters.hpp"
#include "optimize/edits.hpp"
#include "undeclared_name.hpp"

namespace hpcc::optimize {
namespace {

using Fixture = FunctionFixture;

TEST(Versions, assignmentsMakeNewOnes) {
    const Fixture f("int k = n; g(k + 0); k = 2; g(k + 1);");
    EXPECT_NE(f.versionBefore("g(k + 0);", "k"), f.versionBefore("g(k + 1);", "k"));
    EXPECT_TRUE(f.versions.phis(f.variable("k")).empty());
}

TEST(Versions, branchesMeetInAPhi) {
    const Fixture f("int k = n; if (c) k = 2; else k = 3; g(k + 1);");
    EXPECT_EQ(f.versions.phis(f.variable("k")).size(), 1u);
    EXPECT_NE(f.versionBefore("k = 2;", "k"), f.versionBefore("g(k + 1);", "k"));
}

TEST(Versions, branchesThatAssignNothingLeaveTheVersion) {
    const Fixture f("int k = n; k = 1; if (c) g(7); g(k + 1);");
    EXPECT_EQ(f.versionBefore("g(7);", "k"), f.versionBefore("g(k + 1);", "k"));
    EXPECT_TRUE(f.versions.phis(f.variable("k")).empty());
}

TEST(Versions, loopsThatAssignHaveAPhiAtTheirHead) {
    const Fixture f("int k = n; while (c) { g(k + 0); k += 2; } g(k + 1);");
    EXPECT_EQ(f.versions.phis(f.variable("k")).size(), 1u);
    EXPECT_EQ(f.versionBefore("g(k + 1);", "k"), f.versionBefore("g(k + 0);", "k"));
    EXPECT_NE(f.versionBefore("while (c) { g(k + 0); k += 2; }", "k"),
              f.versionBefore("g(k + 0);", "k"));
}

TEST(Versions, gotoMakesALoop) {
    const Fixture f("int k = n; again: g(k + 0); k = k + 1; if (c) goto again; g(k + 1);");
    EXPECT_EQ(f.versions.phis(f.variable("k")).size(), 1u);
}

TEST(Versions, casesFallThroughAndMeet) {
    const Fixture f("int k = n; switch (n) { case 1: k = 1; case 2: g(k + 0); break; } g(k + 1);");
    EXPECT_NE(f.versionBefore("switch (n) { case 1: k = 1; case 2: g(k + 0); break; }", "k"),
              f.versionBefore("g(k + 0);", "k"));
}

TEST(Versions, handlersSeeWhatTheirBlockMayHaveAssigned) {
    const Fixture f("int k = n; try { k = 2; g(1); } catch (int e) { g(k + 0); } g(k + 1);");
    EXPECT_NE(f.versionBefore("try { k = 2; g(1); } catch (int e) { g(k + 0); }", "k"),
              f.versionBefore("g(k + 0);", "k"));
}

TEST(Versions, codeBehindReturnIsNotReached) {
    const Fixture f("return; g(1);");
    EXPECT_EQ(f.versions.at(f.graph.place(f.place("g(1);")), f.variable("n")), -1);
}

TEST(Names, whatIsAssignedByOtherCodeEscapes) {
    const Fixture f(
        "int a = 1, b = 2, d = 3, e = 4; int &r = a; g(&b); auto l = [&] { d = 5; }; h(e);");
    for (const char* name : {"a", "b", "d", "e"})
        EXPECT_TRUE(f.names[f.variable(name) - firstVariable].escapes) << name;
}

TEST(Names, innerScopesHideOuterOnes) {
    const Fixture f("int k = 1; { int k = 2; k = 3; } g(k + 1);");
    EXPECT_TRUE(f.names[f.variable("k") - firstVariable].isConstant());
}

TEST(Names, constantsAreConstantWhoeverSeesThem) {
    const Fixture f("const int k = 1; g(&k); h(k);");
    EXPECT_TRUE(f.names[f.variable("k") - firstVariable].isConstant());
}

TEST(Verifier, findsAMadeNameThatNothingDeclares) {
    testing::Pretranslated program("f.hpcpp", "void g(int); void f(int n) { g(n); }\n");
    const NodePtr definition = program.unit.root->children()[1];
    const NodePtr body = definition->child(ast::FunctionDefinition::body);
    const auto nameBefore = [&](const std::string& value) {
        Function function(program.unit, program.quote, Names(definition), "test");
        Edits edits(function);
        const NodePtr origin = body->children()[0];
        edits.insertBefore(origin,
                           function.statement("const int $name = $value;",
                                              {{"$name", function.identifier("made", origin)},
                                               {"$value", function.identifier(value, origin)}},
                                              origin),
                           true);
        ast::Unit changed = program.unit;
        changed.root = edits.apply();
        const NodePtr name = testing::undeclaredName(changed);
        return name ? std::string(name->text()) : "";
    };
    EXPECT_EQ(nameBefore("n"), "");
    EXPECT_EQ(nameBefore("g"), "");
    EXPECT_EQ(nameBefore("2"), "");
    EXPECT_EQ(nameBefore("lost"), "lost");
}

TEST(Dominators, theHeadOfABranchDominatesBothArms) {
    const Fixture f("if (c) g(1); else g(2); g(3);");
    const Dominators dominators(f.graph);
    const int head = f.graph.entry();
    for (const char* arm : {"g(1);", "g(2);", "g(3);"})
        EXPECT_TRUE(dominators.dominates(head, f.graph.place(f.place(arm)).block)) << arm;
    EXPECT_FALSE(dominators.dominates(f.graph.place(f.place("g(1);")).block,
                                      f.graph.place(f.place("g(3);")).block));
    EXPECT_EQ(dominators.frontier(f.graph.place(f.place("g(1);")).block),
              Links{f.graph.place(f.place("g(3);")).block});
}

TEST(FlowGraph, knowsTheLoopAroundAStatement) {
    const Fixture f("for (int k = 0; k < n; ++k) { while (c) { g(1); } g(2); }");
    const int outer = f.graph.loopAround(f.place("g(2);"));
    EXPECT_TRUE(f.graph.place(outer).statement->is<ast::For>());
    EXPECT_EQ(f.graph.loopAround(f.graph.loopAround(f.place("g(1);"))), outer);
}

TEST(FlowGraph, foreignStatementsAreNotAnalysed) {
    EXPECT_FALSE(Fixture("asm(\"nop\"); g(1);").graph.isKnown());
}

TEST(Counters, countingLoopsAreFound) {
    const Fixture f(
        "for (int k = 3; k < n; k += 2) g(1);\n"
        "for (int l = 0; l < n; ++l) l = 7;\n"
        "for (int m = 0; m < n; ++m) g(&m);\n"
        "for (int q = n; q > 0; --q) g(2);");
    const Counters counters(f.graph);
    ASSERT_EQ(counters.counters().size(), 2u);
    EXPECT_EQ(counters.counters()[0].step, 2);
    EXPECT_EQ(counters.counters()[1].step, -1);
    EXPECT_EQ(counters.counterOf(f.variable("l")), nullptr);
    EXPECT_EQ(counters.counterOf(f.variable("m")), nullptr);
}

}  // namespace
}  // namespace hpcc::optimize
