// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which pieces of a body follow one another: program text, edges.
#include "analysis/flow_graph.hpp"
#include "analysis/flow_graph_builder.hpp"
#include "program.hpp"

#include <gtest/gtest.h>

#include <set>

namespace hpcc::testing {
namespace {

using analysis::NodePtr;

/// The plainest client: a step is the text of an expression.
class Builder : analysis::FlowGraphBuilder {
public:
    explicit Builder(bool sidesOfIf) : FlowGraphBuilder(sidesOfIf) { current = newBlock(); }

    std::vector<analysis::Block<std::string>> build(NodePtr body) {
        step("begin");
        exit = newBlock();
        statement(body);
        connect(current, exit);
        current = exit;
        step("end");
        linkBack(blocks_);
        return std::move(blocks_);
    }

private:
    void step(const std::string& text) {
        blocks_[static_cast<size_t>(here())].steps.push_back(text);
    }

    int newBlock() override {
        blocks_.emplace_back();
        return static_cast<int>(blocks_.size()) - 1;
    }
    void addEdge(int from, int to) override {
        blocks_[static_cast<size_t>(from)].successors.push_back(to);
    }
    void statement(NodePtr node) override {
        if (node) dispatch(node);
    }
    void initializer(NodePtr node) override { statement(node); }
    Outcome condition(NodePtr node, bool) override {
        evaluate(node, true);
        return {node->text() != "false", node->text() != "true"};
    }
    void evaluate(NodePtr node, bool) override {
        if (node) step(std::string(node->text()));
    }
    void bind(NodePtr node) override { evaluate(node->child(ast::RangeFor::declarator), true); }
    void leave(NodePtr, const Target*) override {}
    void statements(NodePtr list) override {
        for (const NodePtr each : list->children()) statement(each);
    }
    void expressionStatement(NodePtr expression) override { evaluate(expression, false); }
    void declare(NodePtr, NodePtr declarator) override { evaluate(declarator, false); }
    void macroStatement(NodePtr) override {}
    void on(NodePtr) override {}
    void at(NodePtr) override {}
    void overall(NodePtr) override {}
    void opaqueStatement(NodePtr) override {}

    std::vector<analysis::Block<std::string>> blocks_;
};

using Edges = std::set<std::string>;

/// "a b" where step b may come next after step a, for all that is reached.
Edges edgesOf(const std::vector<analysis::Block<std::string>>& blocks) {
    Edges edges;
    const std::vector<int> order = reversePostorder(blocks);
    const auto next = [&](const auto& self, int block, const std::string& from,
                          std::set<int> passed) -> void {
        for (const int each : blocks[static_cast<size_t>(block)].successors) {
            const auto& steps = blocks[static_cast<size_t>(each)].steps;
            if (!steps.empty())
                edges.insert(from + " " + steps.front());
            else if (passed.insert(each).second)
                self(self, each, from, passed);
        }
    };
    for (const int block : order) {
        const auto& steps = blocks[static_cast<size_t>(block)].steps;
        for (size_t k = 0; k + 1 < steps.size(); ++k) edges.insert(steps[k] + " " + steps[k + 1]);
        if (!steps.empty()) next(next, block, steps.back(), {});
    }
    return edges;
}

struct Case {
    std::string body;
    Edges edges;
};

const std::vector<Case> cases = {
    {"", {"begin end"}},
    {"a; b;", {"begin a", "a b", "b end"}},
    {"if (c) a; b;", {"begin c", "c a", "c b", "a b", "b end"}},
    {"if (c) a; else b; d;", {"begin c", "c a", "c b", "a d", "b d", "d end"}},
    {"if (true) a; else b;", {"begin true", "true a", "a end"}},
    {"if (false) a; b;", {"begin false", "false b", "b end"}},
    {"if (c) return; b;", {"begin c", "c end", "c b", "b end"}},
    {"return; a;", {"begin end"}},
    {"while (c) a; b;", {"begin c", "c a", "a c", "c b", "b end"}},
    {"while (c) { if (d) break; if (e) continue; a; } b;",
     {"begin c", "c d", "d b", "d e", "e c", "e a", "a c", "c b", "b end"}},
    {"while (true) a; b;", {"begin true", "true a", "a true"}},
    {"do a; while (c); b;", {"begin a", "a c", "c a", "c b", "b end"}},
    {"do { if (d) continue; a; } while (c);", {"begin d", "d c", "d a", "a c", "c d", "c end"}},
    {"for (a; c; b) d;", {"begin a", "a c", "c d", "d b", "b c", "c end"}},
    {"for (a; c; b) { if (d) continue; if (e) break; }",
     {"begin a", "a c", "c d", "d b", "d e", "e b", "e end", "b c", "c end"}},
    {"for (;;) a;", {"begin a", "a a"}},
    {"for (;;) { if (c) break; } b;", {"begin c", "c c", "c b", "b end"}},
    {"for (int n : list) a; b;", {"begin list", "list n", "n a", "a n", "a b", "list b", "b end"}},
    {"switch (k) { case 1: a; case 2: b; break; default: d; } e;",
     {"begin k", "k a", "a b", "k b", "k d", "k e", "b e", "d e", "e end"}},
    {"switch (k) { a; case 1: b; } d;", {"begin k", "k b", "b d", "k d", "d end"}},
    {"while (c) switch (k) { case 1: continue; case 2: break; case 3: a; }",
     {"begin c", "c k", "k c", "k a", "a c", "c end"}},
    {"a; again: b; if (c) goto again; d;", {"begin a", "a b", "b c", "c b", "c d", "d end"}},
    {"if (c) goto out; a; out: b;", {"begin c", "c b", "c a", "a b", "b end"}},
    {"try { a; } catch (int) { b; } d;", {"begin a", "begin b", "a d", "b d", "d end"}},
};

TEST(FlowGraph, Edges) {
    for (const Case& each : cases) {
        const Program p("int a, b, c, d, e, k; int list[3]; void f() {" + each.body + "}");
        ASSERT_TRUE(p.parsed()) << each.body;
        const NodePtr function =
            p.findLast([](NodePtr node) { return node->is<ast::FunctionDefinition>(); });
        const NodePtr body = function->child(ast::FunctionDefinition::body);
        for (const bool sidesOfIf : {false, true})
            EXPECT_EQ(edgesOf(Builder(sidesOfIf).build(body)), each.edges) << each.body;
    }
}

}  // namespace
}  // namespace hpcc::testing
