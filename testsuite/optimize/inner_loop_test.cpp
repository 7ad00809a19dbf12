// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands in the loops of the thesis's two case studies (figures 5.7 to 5.10).
#include <gtest/gtest.h>

#include <span>

#include "ast/print.hpp"
#include "ast/visitor.hpp"
#include "golden_case.hpp"

namespace hpcc::testing {
namespace {

using ast::NodePtr;

/// The loops of one function: all innermost ones, or those whose step has two iterations.
struct Loops : ast::Visitor {
    Loops(std::string_view function, bool areInnermost)
        : function_(function), areInnermost_(areInnermost) {}
    std::vector<NodePtr> found;

    void visitFunctionDefinition(NodePtr node) override {
        if (node->child(ast::FunctionDefinition::declarator)->child(0)->text() == function_)
            visitChildren(node);
    }
    void visitFor(NodePtr node) override {
        const int before = count_++;
        visitChildren(node);
        const bool isInnermost = count_ == before + 1;
        const bool isByTwo =
            ast::print(node->child(ast::For::step)).find("+= 2") != std::string::npos;
        if (areInnermost_ ? isInnermost : isByTwo) found.push_back(node);
    }

private:
    std::string_view function_;
    bool areInnermost_;
    int count_ = 0;
};

struct Counts : ast::Visitor {
    int stores = 0, accesses = 0, multiplications = 0, calls = 0;

    void visitAssign(NodePtr node) override {
        stores += ast::is<ast::Subscript>(node->child(ast::Assign::target));
        visitChildren(node);
    }
    void visitSubscript(NodePtr node) override {
        ++accesses;
        visitChildren(node);
    }
    void visitBinary(NodePtr node) override {
        multiplications += node->child(ast::Binary::op)->text() == "*";
        visitChildren(node);
    }
    void visitCall(NodePtr node) override {
        ++calls;
        visitChildren(node);
    }
    int loads() const { return accesses - stores; }
};

std::vector<Counts> countsOf(const std::string& name, std::string_view function, int level,
                             bool inInnermost = true) {
    std::vector<Counts> result;
    optimized(name, readGolden(name).source, level, [&](const ast::Unit& unit) {
        Loops loops(function, inInnermost);
        loops.visit(unit.root);
        for (const NodePtr loop : loops.found) {
            Counts counts;
            counts.visit(loop);
            result.push_back(counts);
        }
    });
    return result;
}

// Figure 5.10. The only multiplication left is the program's own, by 0.25.
TEST(InnerLoop, redBlackHasOneStoreAndFourLoads) {
    const std::vector<Counts> loops = countsOf("red_black", "relax", 2);
    ASSERT_EQ(loops.size(), 3u);  // the first one sets the start; the other is unrolled by two
    for (const Counts& loop : std::span(loops).last(2)) {
        EXPECT_EQ(loop.stores, 1);
        EXPECT_EQ(loop.loads(), 4);
        EXPECT_EQ(loop.multiplications, 1);
        EXPECT_EQ(loop.calls, 0);
    }
}

// Figure 5.10: all control variables have left the loop over pairs of rows.
TEST(InnerLoop, redBlackAsksNothingInItsOuterLoop) {
    const std::vector<Counts> pairs = countsOf("red_black", "relax", 2, false);
    ASSERT_EQ(pairs.size(), 1u);
    EXPECT_EQ(pairs[0].stores, 2);
    EXPECT_EQ(pairs[0].calls, 0);
}

// Figure 5.9: what each of the five elements is asked for, at its array and its index.
TEST(InnerLoop, naiveRedBlackAsksForEachElement) {
    const Counts loop = countsOf("red_black", "relax", 0).back();
    EXPECT_EQ(loop.stores, 1);
    EXPECT_EQ(loop.loads(), 4);
    EXPECT_EQ(loop.multiplications, 1 + 5 * 2 + 4);
    EXPECT_EQ(loop.calls, 5 * 3);
}

// Figure 5.7: what the loop does not change stands before it; the counter is still multiplied.
TEST(InnerLoop, matrixProductHasOneProductForEachPlace) {
    const std::vector<Counts> loops = countsOf("matmul_direct", "multiply", 1);
    ASSERT_EQ(loops.size(), 1u);
    EXPECT_EQ(loops[0].loads(), 2);
    EXPECT_EQ(loops[0].multiplications, 3);
    EXPECT_EQ(loops[0].calls, 0);
}

// Figure 5.8. The only multiplication left is the product of the elements.
TEST(InnerLoop, matrixProductHasTwoLoads) {
    const std::vector<Counts> loops = countsOf("matmul_direct", "multiply", 2);
    ASSERT_EQ(loops.size(), 1u);
    EXPECT_EQ(loops[0].stores, 0);
    EXPECT_EQ(loops[0].loads(), 2);
    EXPECT_EQ(loops[0].multiplications, 1);
    EXPECT_EQ(loops[0].calls, 0);
}

}  // namespace
}  // namespace hpcc::testing
