// What is left in the innermost loops of the thesis's two case studies (figures 5.8 and 5.10).
#include <gtest/gtest.h>

#include "ast/visitor.hpp"
#include "golden_case.hpp"

namespace hpcc::testing {
namespace {

using ast::NodePtr;

/// The loops that hold no other loop, of one function.
struct InnermostLoops : ast::Visitor {
    explicit InnermostLoops(std::string_view function) : function_(function) {}
    std::vector<NodePtr> loops;

    void visitFunctionDefinition(NodePtr node) override {
        if (node->child(ast::FunctionDefinition::declarator)->child(0)->text() == function_)
            visitChildren(node);
    }
    void visitFor(NodePtr node) override {
        const size_t before = loops.size();
        visitChildren(node);
        if (loops.size() == before) loops.push_back(node);
    }

private:
    std::string_view function_;
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

std::vector<Counts> countsOf(const std::string& name, std::string_view function) {
    std::vector<Counts> result;
    optimized(name, readGolden(name).source, 2, [&](const ast::Unit& unit) {
        InnermostLoops finder(function);
        finder.visit(unit.root);
        for (const NodePtr loop : finder.loops) {
            Counts counts;
            counts.visit(loop);
            result.push_back(counts);
        }
    });
    return result;
}

// The only multiplication left is the program's own, by 0.25.
TEST(InnerLoop, redBlackHasOneStoreAndFourLoads) {
    const std::vector<Counts> loops = countsOf("red_black", "relax");
    ASSERT_EQ(loops.size(), 2u);  // unrolled by two
    for (const Counts& loop : loops) {
        EXPECT_EQ(loop.stores, 1);
        EXPECT_EQ(loop.loads(), 4);
        EXPECT_EQ(loop.multiplications, 1);
        EXPECT_EQ(loop.calls, 0);
    }
}

// The only multiplication left is the product of the elements.
TEST(InnerLoop, matrixProductHasTwoLoads) {
    const std::vector<Counts> loops = countsOf("matmul_direct", "multiply");
    ASSERT_EQ(loops.size(), 1u);
    EXPECT_EQ(loops[0].stores, 0);
    EXPECT_EQ(loops[0].loads(), 2);
    EXPECT_EQ(loops[0].multiplications, 1);
    EXPECT_EQ(loops[0].calls, 0);
}

}  // namespace
}  // namespace hpcc::testing
