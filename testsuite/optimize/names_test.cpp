// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the names of a function know, and the tables that it stands in.
#include "optimize/names.hpp"

#include <gtest/gtest.h>

#include <string>

#include "ast/static_visitor.hpp"
#include "ast/visitor.hpp"
#include "optimize/function_fixture.hpp"

namespace hpcc::optimize {
namespace {

using Fixture = FunctionFixture;

TEST(NameNumbers, namesThatAreAlikeHaveNumbersOfTheirOwn) {
    NameNumbers numbers;
    std::vector<std::string> names = {"",     "a",    "b",        "ab",      "abc",
                                      "abcd", "abce", "a_at_i_k", "a_at_j_k"};
    for (int k = 0; k < 500; ++k)
        names.push_back("a_at_i_" + std::to_string(1000 + k) + "_block_k_2");
    for (const std::string& name : names) EXPECT_EQ(numbers.find(name), -1) << name;
    for (size_t k = 0; k < names.size(); ++k)
        EXPECT_EQ(numbers.insert(names[k]), static_cast<int>(k)) << names[k];
    for (size_t k = 0; k < names.size(); ++k) {
        EXPECT_EQ(numbers.find(names[k]), static_cast<int>(k)) << names[k];
        EXPECT_EQ(numbers.insert(names[k]), static_cast<int>(k)) << names[k];
    }
}

TEST(NodeTable, findsWhatWasPutInWhileItGrows) {
    ast::Arena arena;
    ast::NodeTable<int> table;
    std::vector<NodePtr> nodes;
    for (int k = 0; k < 20000; ++k) nodes.push_back(ast::literal(arena, "1", nullptr));
    table.reserve(5);
    for (size_t k = 0; k < nodes.size(); k += 2)
        EXPECT_TRUE(table.insert(nodes[k], static_cast<int>(k)).second);
    EXPECT_FALSE(table.insert(nodes[0], 7).second);
    for (size_t k = 0; k < nodes.size(); ++k) {
        const int* const found = table.find(nodes[k]);
        ASSERT_EQ(found != nullptr, k % 2 == 0);
        if (found) {
            EXPECT_EQ(*found, static_cast<int>(k));
        }
    }
}

/// Every form of a step, with the effects that are told of it.
constexpr const char* statements =
    "int a = n, *p = &a; struct C { int m; } s{a}; int &r = a;\n"
    "for (int k = 0, m = 1; k < n; ++k, m += k) a = g(k), s.m = h(a);\n"
    "for (int e : list(a)) { a += e; }\n"
    "for (int &e : all) e = 1;\n"
    "while (int left = g(a)) { if (left == a++) break; else continue; }\n"
    "do { --a; } while (a > n && g(r));\n"
    "switch (h(&a)) { case 1: a = 2; break; default: g(a); }\n"
    "auto l = [&r, b = a](int x) { r = x; return b; };\n"
    "try { g(a); } catch (int e) { a = e; throw; }\n"
    "return (void)g(c ? a : l(*p));";

TEST(Names, knowTheEffectsOfEveryStep) {
    const Fixture f(statements);
    size_t steps = 0;
    for (const Block& block : f.graph.blocks())
        for (const Step& step : block.steps) {
            const StepEffects* const known = f.names.effectsOf(step.node);
            // What a loop over a range binds its variable to.
            if (step.isHead && f.graph.place(step.place).statement->is<ast::RangeFor>()) continue;
            ++steps;
            ASSERT_NE(known, nullptr) << step.node->text();
            const StepEffects wanted = effectsOfStep(f.names, step.node);
            EXPECT_EQ(known->assigned, wanted.assigned) << step.node->text();
            EXPECT_EQ(known->escaping, wanted.escaping) << step.node->text();
            EXPECT_EQ(known->reachesOutside, wanted.reachesOutside) << step.node->text();
            EXPECT_EQ(known->storesElements, wanted.storesElements) << step.node->text();
            EXPECT_EQ(known->callsUnknown, wanted.callsUnknown) << step.node->text();
        }
    EXPECT_GT(steps, 25u);
}

TEST(Names, knowTheMembersOfWhichUsesAreTheBases) {
    const Fixture f("C i = n; g(i.sub, i, i.f().sub, (i).sub, c);");
    const int variable = f.variable("i") - firstVariable;
    const auto uses = f.names.usesOf(variable);
    const auto members = f.names.membersOf(variable);
    ASSERT_EQ(uses.size(), 4u);
    ASSERT_EQ(members.size(), 4u);
    ASSERT_TRUE(members[0] && members[2]);
    EXPECT_EQ(members[0]->text(), "i.sub");
    EXPECT_EQ(members[1], nullptr);
    EXPECT_EQ(members[2]->text(), "i.f");
    EXPECT_EQ(members[3], nullptr);
}

struct Dynamic : ast::EvaluationVisitor {
    std::vector<NodePtr> nodes;
    void visitOther(NodePtr node) override {
        nodes.push_back(node);
        visitChildren(node);
    }
};

struct Static : ast::StaticEvaluationVisitor<Static> {
    std::vector<NodePtr> nodes;
    void visit(NodePtr node) {
        Dynamic own;
        own.visit(node);  // skipped kinds note nothing
        if (!own.nodes.empty() && own.nodes.front() == node) nodes.push_back(node);
        StaticEvaluationVisitor::visit(node);
    }
};

TEST(StaticVisitor, visitsWhatTheOtherOneVisits) {
    const Fixture f(statements);
    Dynamic expected;
    Static visitor;
    expected.visit(f.function);
    visitor.visit(f.function);
    EXPECT_GT(expected.nodes.size(), 100u);
    EXPECT_EQ(visitor.nodes, expected.nodes);
}

}  // namespace
}  // namespace hpcc::optimize
