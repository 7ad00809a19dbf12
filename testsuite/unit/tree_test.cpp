// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "ast/declarators.hpp"
#include "ast/print.hpp"
#include "ast/rewriter.hpp"
#include "ast/visitor.hpp"
#include "syntax/parse.hpp"

namespace hpcc::ast {
namespace {

// A parsed text with all that it needs to live.
struct Parsed {
    explicit Parsed(std::string content)
        : text("f.hpcpp", std::move(content)), unit(syntax::parse(text, engine)) {}
    source::Text text;
    diagnostics::Engine engine;
    Unit unit;
};

// The first node of a kind, in source order.
template <class K>
NodePtr find(NodePtr node) {
    if (!node || node->is<K>()) return node;
    for (NodePtr child : node->children())
        if (NodePtr found = find<K>(child)) return found;
    return nullptr;
}

constexpr const char* loop =
    "void f(double [[-]] a) {\n  overall (i = x for :)\n    a[i] = i` /* here */ + 1;\n}\n";

struct GlobalIndexRewriter : Rewriter {
    using Rewriter::Rewriter;
    NodePtr rewriteGlobalIndex(NodePtr node) override {
        return identifier(arena(), "i.global", node);
    }
};

TEST(Rewriter, PrintsWhatItChangedAndCopiesTheRest) {
    Parsed parsed(loop);
    const NodePtr root = GlobalIndexRewriter(*parsed.unit.arena).rewrite(parsed.unit.root);
    EXPECT_EQ(print(root),
              "void f(double [[-]] a) {\n  overall (i = x for :)\n    a[i] = i.global /* here */ + "
              "1;\n}\n");
    EXPECT_EQ(print(parsed.unit.root), loop);
}

TEST(Rewriter, SharesWhatItDoesNotChange) {
    Parsed parsed(loop);
    Rewriter nothing(*parsed.unit.arena);
    EXPECT_EQ(nothing.rewrite(parsed.unit.root), parsed.unit.root);
    const NodePtr root = GlobalIndexRewriter(*parsed.unit.arena).rewrite(parsed.unit.root);
    EXPECT_NE(root, parsed.unit.root);
    EXPECT_EQ(find<Subscript>(root), find<Subscript>(parsed.unit.root));
}

TEST(Rebuild, KeepsAnnotationsAndOrigin) {
    Parsed parsed("int n = f(a, b);");
    Arena& arena = *parsed.unit.arena;
    const NodePtr call = find<Call>(parsed.unit.root);
    Type type;
    call->type = &type;
    const NodePtr other = withChild(arena, call, Call::callee, identifier(arena, "g", call));
    EXPECT_EQ(other->type, &type);
    EXPECT_EQ(other->origin(), call);
    EXPECT_FALSE(other->isParsed());
    EXPECT_EQ(print(other), "g(a, b)");
    EXPECT_EQ(withChild(arena, call, Call::callee, call->child(Call::callee)), call);
}

TEST(Print, AListMayGrowAndShrink) {
    Parsed parsed("int n = f(a /* one */, b);");
    Arena& arena = *parsed.unit.arena;
    const NodePtr arguments = find<Arguments>(parsed.unit.root);
    const NodePtr a = arguments->child(0), b = arguments->child(1);
    EXPECT_EQ(print(rebuild(arena, arguments, std::vector<NodePtr>{a, b, literal(arena, "3", a)})),
              "(a, b, 3)");
    EXPECT_EQ(print(rebuild(arena, arguments, std::vector<NodePtr>{a})), "(a)");
    EXPECT_EQ(print(rebuild(arena, arguments, std::vector<NodePtr>{})), "()");
}

TEST(Print, AnEmptyListMayGrow) {
    Parsed parsed("int n = f();");
    Arena& arena = *parsed.unit.arena;
    const NodePtr arguments = find<Arguments>(parsed.unit.root);
    EXPECT_EQ(
        print(rebuild(arena, arguments, std::vector<NodePtr>{identifier(arena, "x", arguments)})),
        "(x)");
}

TEST(Sequence, StandsWithoutBraces) {
    Parsed parsed("void f() { g(); }");
    Arena& arena = *parsed.unit.arena;
    const NodePtr body = find<Compound>(parsed.unit.root);
    const NodePtr call = body->child(0);
    EXPECT_EQ(print(withChild(arena, body, 0, sequence(arena, {call, call}, call))),
              "{ g();\ng(); }");
}

TEST(Visitor, RecursesByDefault) {
    struct Counter : Visitor {
        int count = 0;
        void visitIdentifier(NodePtr) override { ++count; }
    } counter;
    Parsed parsed("int n = a + b * f(c);");
    counter.visit(parsed.unit.root);
    EXPECT_EQ(counter.count, 5);
}

TEST(PrintTree, ShowsSlotsAndWhatIsAbsent) {
    Parsed parsed("int x = y[[:, 1:n]];");
    EXPECT_EQ(printTree(find<Section>(parsed.unit.root)),
              "(Section y (Slots (Triplet _ _ _) (Triplet 1 n _)))\n");
}

TEST(Declarators, FindTheirName) {
    Parsed parsed("int (*f)(int), *g(int), a[3], C::*m;");
    const NodePtr list = find<InitDeclarators>(parsed.unit.root);
    auto declarator = [&](uint32_t i) { return list->child(i)->child(InitDeclarator::declarator); };
    EXPECT_EQ(declaredName(declarator(0))->text(), "f");
    EXPECT_EQ(functionDeclarator(declarator(0)), nullptr);
    EXPECT_EQ(declaredName(declarator(1))->text(), "g");
    EXPECT_NE(functionDeclarator(declarator(1)), nullptr);
    EXPECT_EQ(declaredName(declarator(2))->text(), "a");
    EXPECT_EQ(declaredName(declarator(3))->text(), "m");
    EXPECT_EQ(declaredName(nullptr), nullptr);
}

TEST(Kinds, KnowTheirNames) {
    EXPECT_EQ(kindName(Kind::Overall), "Overall");
    EXPECT_EQ(arityOf(Kind::Compound), Arity::List);
    EXPECT_EQ(categoryOf(Kind::At), Category::Statement);
}

}  // namespace
}  // namespace hpcc::ast
