// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/quote.hpp"

#include <gtest/gtest.h>

#include "ast/print.hpp"
#include "syntax/parse.hpp"

namespace hpcc::ast {
namespace {

class Quoting : public ::testing::Test {
protected:
    Arena arena;
    Quoter quote{syntax::parseSchema};
    source::Text text{"f.hpcpp", "void f(int n) { n = n + 1; }"};
    diagnostics::Engine engine;
    Unit unit = syntax::parse(text, engine);
    NodePtr origin = unit.root;
    NodePtr name(const char* word) { return identifier(arena, word, origin); }
    NodePtr statement() { return unit.root->child(0)->child(FunctionDefinition::body)->child(0); }
};

TEST_F(Quoting, Expressions) {
    const NodePtr sum = quote.expression(arena, "$a.data()[$i * 2]",
                                         {{"$a", name("x")}, {"$i", name("k")}}, origin);
    EXPECT_EQ(print(sum), "x.data()[k * 2]");
    EXPECT_TRUE(sum->is<Subscript>());
    EXPECT_EQ(sum->origin(), origin);
}

TEST_F(Quoting, AStatementTakesThePlaceOfItsPlaceholder) {
    const NodePtr on = quote.statement(
        arena, "if (const hpspmd::detail::On $guard{$group}) { $body; }",
        {{"$guard", name("p_on")}, {"$group", name("p")}, {"$body", statement()}}, origin);
    EXPECT_EQ(print(on), "if (const hpspmd::detail::On p_on{p}) { n = n + 1; }");
    EXPECT_TRUE(on->is<If>());
}

TEST_F(Quoting, AnExpressionGoesIntoItsStatement) {
    const NodePtr call = quote.statement(arena, "{ $e; }", {{"$e", name("x")}}, origin);
    EXPECT_EQ(print(call), "{ x; }");
}

// Checks are placed before statements, which are known by their nodes.
TEST_F(Quoting, EachInstanceHasStatementsOfItsOwn) {
    const auto block = [&] {
        return quote.statement(arena, "{ { f(); } $body; }", {{"$body", statement()}}, origin);
    };
    const NodePtr first = block(), second = block();
    EXPECT_NE(first->child(0), second->child(0));
    EXPECT_NE(first->child(0)->child(0), second->child(0)->child(0));
    EXPECT_EQ(second->child(0)->child(0)->origin(), origin);
    EXPECT_EQ(print(second), "{ { f(); } n = n + 1; }");
}

TEST_F(Quoting, ListsAreSplicedIntoLists) {
    const std::vector<NodePtr> words{name("a"), name("b"), name("c")};
    EXPECT_EQ(print(quote.expression(arena, "f($all)", {{"$all", words}}, origin)), "f(a, b, c)");
    EXPECT_EQ(print(quote.expression(arena, "f(1, $all)", {{"$all", words}}, origin)),
              "f(1, a, b, c)");
    EXPECT_EQ(
        print(quote.expression(arena, "f(1, $all)", {{"$all", std::vector<NodePtr>{}}}, origin)),
        "f(1)");
    EXPECT_EQ(print(quote.expression(arena, "T<$all>{}", {{"$all", words}}, origin)),
              "T<a, b, c>{}");
}

TEST_F(Quoting, StatementsAreSplicedIntoBlocks) {
    const std::vector<NodePtr> two{statement(), statement()};
    EXPECT_EQ(print(quote.statement(arena, "{ $body; }", {{"$body", two}}, origin)),
              "{ n = n + 1;\nn = n + 1; }");
}

TEST_F(Quoting, TypesAndDeclarations) {
    const NodePtr type =
        quote.type(arena, "hpspmd::Array<$T, hpspmd::Dist>", {{"$T", name("double")}}, origin);
    EXPECT_EQ(print(type), "hpspmd::Array<double, hpspmd::Dist>");
    EXPECT_TRUE(type->is<TypeName>());
    const NodePtr declaration = quote.declaration(
        arena, "const $T $x = $e;", {{"$T", type}, {"$x", name("a")}, {"$e", name("b")}}, origin);
    EXPECT_EQ(print(declaration), "const hpspmd::Array<double, hpspmd::Dist> a = b;");
    EXPECT_TRUE(declaration->is<Declaration>());
}

TEST_F(Quoting, SeveralStatementsAreASequence) {
    const NodePtr both = quote(arena, "g($x); h($x);", {{"$x", name("n")}}, origin);
    EXPECT_TRUE(both->is<Sequence>());
    EXPECT_EQ(both->children().size(), 2u);
    EXPECT_EQ(print(both), "g(n); h(n);");
}

TEST_F(Quoting, TheLoweredLoop) {
    const NodePtr loop =
        quote(arena,
              "{\n"
              "    const hpspmd::detail::Active $active($range.dim());\n"
              "    for (const hpspmd::Block &$block : $range.localBlocks($triplet))\n"
              "        for (hpspmd::Index $k = 0; $k < $block.count; ++$k) {\n"
              "            const hpspmd::DistributedIndex $i($range, $block, $k);\n"
              "            $body;\n"
              "        }\n"
              "}",
              {{"$active", name("i_active")},
               {"$range", name("x")},
               {"$block", name("i_block")},
               {"$k", name("i_k")},
               {"$i", name("i")},
               {"$triplet", std::vector<NodePtr>{name("l"), name("u")}},
               {"$body", statement()}},
              origin);
    EXPECT_EQ(print(loop),
              "{\n"
              "    const hpspmd::detail::Active i_active(x.dim());\n"
              "    for (const hpspmd::Block &i_block : x.localBlocks(l, u))\n"
              "        for (hpspmd::Index i_k = 0; i_k < i_block.count; ++i_k) {\n"
              "            const hpspmd::DistributedIndex i(x, i_block, i_k);\n"
              "            n = n + 1;\n"
              "        }\n"
              "}");
}

TEST_F(Quoting, AStatementBeginsWithItsAttributes) {
    const std::string_view schema = "[[maybe_unused]] int k = 0;";
    EXPECT_EQ(print(quote.statement(arena, schema, {}, origin)), schema);
}

using QuotingDeath = Quoting;
TEST_F(QuotingDeath, ABadSchemaEndsTheProgram) {
    EXPECT_DEATH(quote.expression(arena, "a +", {}, origin), "no legal C\\+\\+");
    EXPECT_DEATH(quote.expression(arena, "$a", {}, origin), "unbound placeholder");
    EXPECT_DEATH(quote.statement(arena, "[[likely]] {}", {}, origin), "begins with an attribute");
}

}  // namespace
}  // namespace hpcc::ast
