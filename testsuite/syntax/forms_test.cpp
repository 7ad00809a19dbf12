// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Single forms whose reading is a decision: contextual words, "::" in triplets, "<" and "(".
#include <gtest/gtest.h>

#include "ast/print.hpp"
#include "corpus.hpp"

namespace hpcc::testing {
namespace {

// The tree of one statement in a function with a few known names.
std::string statement(const std::string& text) {
    const Parsed parsed("f.hpcpp", "void f(double [[-]] a, Range x, int n) {\n" + text + "\n}\n");
    if (parsed.engine.hasErrors()) return parsed.errors();
    std::string tree =
        ast::printTree(parsed.unit.root->child(0)->child(ast::FunctionDefinition::body)->child(0));
    tree.pop_back();
    return tree;
}

TEST(Forms, TripletsMayLeaveOutAnyPart) {
    EXPECT_EQ(statement("b = x[[:]];"),
              "(ExpressionStatement (Assign b = (Section x (Slots (Triplet _ _ _)))))");
    EXPECT_EQ(statement("b = x[[::2]];"),
              "(ExpressionStatement (Assign b = (Section x (Slots (Triplet _ _ 2)))))");
    EXPECT_EQ(statement("b = x[[1:]];"),
              "(ExpressionStatement (Assign b = (Section x (Slots (Triplet 1 _ _)))))");
    EXPECT_EQ(statement("b = x[[:3:2]];"),
              "(ExpressionStatement (Assign b = (Section x (Slots (Triplet _ 3 2)))))");
    EXPECT_EQ(statement("b = x[[1::2]];"),
              "(ExpressionStatement (Assign b = (Section x (Slots (Triplet 1 _ 2)))))");
    EXPECT_EQ(statement("b = x[[1:3:]];"),
              "(ExpressionStatement (Assign b = (Section x (Slots (Triplet 1 3 _)))))");
    EXPECT_EQ(statement("b = x[[::]];"),
              "(ExpressionStatement (Assign b = (Section x (Slots (Triplet _ _ _)))))");
    EXPECT_EQ(statement("b = x[[::n]];"),
              "(ExpressionStatement (Assign b = (Section x (Slots (Triplet _ _ n)))))");
    EXPECT_EQ(statement("b = x[[f()::n]];"),
              "(ExpressionStatement (Assign b = (Section x (Slots (Triplet (Call f (Arguments)) _ "
              "n)))))");
}

TEST(Forms, BetweenNamesTwoColonsAreAScope) {
    EXPECT_EQ(statement("b = x[[n::m]];"),
              "(ExpressionStatement (Assign b = (Section x (Slots (QualifiedName n m)))))");
}

TEST(Forms, TheSameHoldsInHeaders) {
    EXPECT_EQ(
        statement("overall (i = x for ::2) ;"),
        "(Overall (OverallHeaders (OverallHeader i x (Triplet _ _ 2)))\n  EmptyStatement';')");
    EXPECT_EQ(statement("overall (i = x for 1::2, j = ns::y for n:) ;"),
              "(Overall (OverallHeaders (OverallHeader i x (Triplet 1 _ 2)) (OverallHeader j "
              "(QualifiedName ns y) "
              "(Triplet n _ _)))\n  EmptyStatement';')");
}

TEST(Forms, CastsFollowOneAnother) {
    EXPECT_EQ(statement("n = (long)(int)a[i];"),
              "(ExpressionStatement (Assign n = (Cast (TypeName (Specifiers _ long _) _) (Cast "
              "(TypeName (Specifiers _ int _) _) (Subscript a (Subscripts i))))))");
    EXPECT_EQ(statement("n = (n)(a)[i];"),
              "(ExpressionStatement (Assign n = (Subscript (Call (Parenthesized n) (Arguments a)) "
              "(Subscripts i))))");
}

TEST(Forms, WordsAreContextual) {
    EXPECT_EQ(statement("on(p);"), "(ExpressionStatement (Call on (Arguments p)))");
    EXPECT_EQ(statement("on (p) { }"), "(On p\n  (Compound))");
    EXPECT_EQ(statement("on (p) ;"), "(On p\n  EmptyStatement';')");
    EXPECT_EQ(statement("on = at + overall;"),
              "(ExpressionStatement (Assign on = (Binary at + overall)))");
    EXPECT_EQ(statement("at(3);"), "(ExpressionStatement (Call at (Arguments 3)))");
    EXPECT_EQ(statement("v.at(0);"), "(ExpressionStatement (Call (Member v at) (Arguments 0)))");
    EXPECT_EQ(statement("overall(3);"), "(ExpressionStatement (Call overall (Arguments 3)))");
    EXPECT_EQ(statement("at (i = x[3]) ;"),
              "(At i (Subscript x (Subscripts 3))\n  EmptyStatement';')");
    EXPECT_EQ(statement("int overall = 3, on, at(2);"),
              "(Declaration (Specifiers _ int _) (InitDeclarators (InitDeclarator overall "
              "(EqualInitializer 3)) "
              "(InitDeclarator on _) (InitDeclarator at (Arguments 2))))");
}

TEST(Forms, ComparisonsInHeadsDeclareNothing) {
    EXPECT_EQ(statement("if (file_ < 0 || to > size_) ;"),
              "(If _ (Binary (Binary file_ < 0) || (Binary to > size_))\n  EmptyStatement';' _)");
    EXPECT_EQ(
        statement("while (cut_ < n - 1 && inner_[g(cut_ + 1)] > most) ;"),
        "(While (Binary (Binary cut_ < (Binary n - 1)) && (Binary (Subscript inner_ (Subscripts "
        "(Call g (Arguments (Binary cut_ + 1))))) > most))\n  EmptyStatement';')");
    EXPECT_EQ(statement("if (p < q && r > s(t)) ;"),
              "(If _ (Binary (Binary p < q) && (Binary r > (Call s (Arguments t))))\n  "
              "EmptyStatement';' _)");
    EXPECT_EQ(statement("for (; p < q && r > s(t); ++p) ;"),
              "(For\n  EmptyStatement';' (Binary (Binary p < q) && (Binary r > (Call s (Arguments "
              "t)))) (Unary ++ p)\n  EmptyStatement';')");
    EXPECT_EQ(
        statement("if (n = f(); p < q && r > s[t]) ;"),
        "(If\n  (ExpressionStatement (Assign n = (Call f (Arguments)))) (Binary (Binary p < q) && "
        "(Binary r > (Subscript s (Subscripts t))))\n  EmptyStatement';' _)");
    EXPECT_EQ(statement("for (; Set<T> found = n;) ;").substr(0, 50),
              "(For\n  EmptyStatement';' (ConditionDeclaration (Sp");
    EXPECT_EQ(statement("for (n = 0; const Set<T>& found : n) ;").substr(0, 9), "(RangeFor");
    EXPECT_EQ(statement("if (Set<T> found(n); found) ;").substr(0, 20), "(If\n  (Declaration (");
    EXPECT_EQ(statement("if (Set<T> found = n) ;").substr(0, 22), "(If _ (ConditionDeclar");
}

TEST(Forms, WhatStandsBehindOnMayBeginWithABracket) {
    EXPECT_EQ(statement("on (p) (void)n;"),
              "(On p\n  (ExpressionStatement (Cast (TypeName (Specifiers _ void _) _) n)))");
    EXPECT_EQ(statement("on(p)[n] = 3;"),
              "(ExpressionStatement (Assign (Subscript (Call on (Arguments p)) (Subscripts n)) = "
              "3))");
}

TEST(Forms, GlobalNamesInTriplets) {
    EXPECT_EQ(statement("b = x[[::n : ::m]];"),
              "(ExpressionStatement (Assign b = (Section x (Slots (Triplet (QualifiedName _ n) "
              "(QualifiedName _ m) _)))))");
    EXPECT_EQ(statement("b = x[[::N::n]];"),
              "(ExpressionStatement (Assign b = (Section x (Slots (QualifiedName (QualifiedName _ "
              "N) n)))))");
    EXPECT_EQ(statement("overall (i = x for ::m) ;"),
              "(Overall (OverallHeaders (OverallHeader i x (Triplet _ _ m)))\n  "
              "EmptyStatement';')");
}

TEST(Forms, TemplateArgumentsBeforeAnOperator) {
    EXPECT_EQ(statement("n = N::half<double> / 2;"),
              "(ExpressionStatement (Assign n = (Binary (QualifiedName N (TemplateName half "
              "(TemplateArguments (TypeName (Specifiers _ double _) _)))) / 2)))");
    EXPECT_EQ(statement("f(a < n, b > -1);"),
              "(ExpressionStatement (Call f (Arguments (Binary a < n) (Binary b > (Unary - "
              "1)))))");
}

TEST(Forms, ALabelMayEndABlock) {
    EXPECT_EQ(statement("overall (i = x for :) again:"),
              "(Overall (OverallHeaders (OverallHeader i x (Triplet _ _ _)))\n  (Label again\n    "
              "EmptyStatement''))");
    EXPECT_EQ(statement("switch (n) { case 1: }"),
              "(Switch _ n\n  (Compound\n    (Case 1 _\n      EmptyStatement'')))");
}

TEST(Forms, AnOverallMayBeAnArgument) {
    EXPECT_EQ(
        statement("s = Adlib::sum(overall (i = x for :) a[i], 1);"),
        "(ExpressionStatement (Assign s = (Call (QualifiedName Adlib sum) (Arguments "
        "(OverallExpression "
        "(OverallHeaders (OverallHeader i x (Triplet _ _ _))) (Subscript a (Subscripts i))) 1))))");
}

TEST(Forms, AccessIsNoStructuredBinding) {
    EXPECT_EQ(statement("T[i, j] = 3;"),
              "(ExpressionStatement (Assign (Subscript T (Subscripts i j)) = 3))");
    EXPECT_EQ(statement("auto [i, j] = p;"),
              "(Declaration (Specifiers _ AutoType'auto' _) (InitDeclarators (InitDeclarator "
              "(StructuredBinding i j) "
              "(EqualInitializer p))))");
}

TEST(Forms, ElementsSectionsAndSlots) {
    EXPECT_EQ(statement("c[] = a[[0]][];"),
              "(ExpressionStatement (Assign (Subscript c (Subscripts)) = (Subscript (Section a "
              "(Slots 0)) (Subscripts))))");
    EXPECT_EQ(statement("v[k].u[i, j] = f()[i];"),
              "(ExpressionStatement (Assign (Subscript (Member (Subscript v (Subscripts k)) u) "
              "(Subscripts i j)) = "
              "(Subscript (Call f (Arguments)) (Subscripts i))))");
    EXPECT_EQ(statement("b = a[b[0]];"),
              "(ExpressionStatement (Assign b = (Subscript a (Subscripts (Subscript b (Subscripts "
              "0))))))");
    EXPECT_EQ(
        statement("b = v[b[[0]]];"),
        "(ExpressionStatement (Assign b = (Subscript v (Subscripts (Section b (Slots 0))))))");
    EXPECT_EQ(statement("b = a[[<>, b[0]]];"),
              "(ExpressionStatement (Assign b = (Section a (Slots Split'<>' (Subscript b "
              "(Subscripts 0))))))");
    EXPECT_EQ(
        statement("b = a[[n ? 1 : 2 : 3]];"),
        "(ExpressionStatement (Assign b = (Section a (Slots (Triplet (Conditional n 1 2) 3 _)))))");
}

TEST(Forms, LessOpensTemplateArgumentsOnlyBehindNoVariable) {
    EXPECT_EQ(statement("r = n < m > (3);"),
              "(ExpressionStatement (Assign r = (Binary (Binary n < m) > (Parenthesized 3))))");
    EXPECT_EQ(statement("r = g < m > (3);"),
              "(ExpressionStatement (Assign r = (Call (TemplateName g (TemplateArguments (TypeName "
              "(Specifiers _ m _) _))) "
              "(Arguments 3))))");
    EXPECT_EQ(statement("if (n < m && k > 3) ;"),
              "(If _ (Binary (Binary n < m) && (Binary k > 3))\n  EmptyStatement';' _)");
    EXPECT_EQ(statement("ada.fit<N>(X, y);"),
              "(ExpressionStatement (Call (Member ada (TemplateName fit (TemplateArguments "
              "(TypeName (Specifiers _ N _) "
              "_)))) (Arguments X y)))");
    // A variable that has the name of the member.
    EXPECT_EQ(
        statement("r = ada.n<m>();"),
        "(ExpressionStatement (Assign r = (Call (Member ada (TemplateName n (TemplateArguments "
        "(TypeName (Specifiers _ m _) _)))) (Arguments))))");
    EXPECT_EQ(statement("r = ada.n<m>(3);"),
              "(ExpressionStatement (Assign r = (Binary (Binary (Member ada n) < m) > "
              "(Parenthesized 3))))");
}

TEST(Forms, Casts) {
    EXPECT_EQ(statement("r = (int)n;"),
              "(ExpressionStatement (Assign r = (Cast (TypeName (Specifiers _ int _) _) n)))");
    EXPECT_EQ(statement("r = (T)n;"),
              "(ExpressionStatement (Assign r = (Cast (TypeName (Specifiers _ T _) _) n)))");
    EXPECT_EQ(statement("r = (T) - n;"),
              "(ExpressionStatement (Assign r = (Binary (Parenthesized T) - n)))");
    EXPECT_EQ(statement("r = static_cast<double [[*]]>(a);"),
              "(ExpressionStatement (Assign r = (NamedCast static_cast (TypeName (MultiarrayType "
              "(Specifiers _ double _) "
              "(Dimensions SequentialSlot'*')) _) a)))");
}

TEST(Forms, ForeignDamageIsSilent) {
    const Parsed parsed("f.hpcpp", "void f() { int x = = 3; y = 4; }\nvoid g(double [[-]] a);\n");
    EXPECT_FALSE(parsed.engine.hasErrors()) << parsed.errors();
    EXPECT_EQ(parsed.opaqueCount(), 1);
    EXPECT_TRUE(parsed.isIdentical());
}

TEST(Forms, NoFalseExtensions) {
    for (const char* text :
         {"int a[3]; [[nodiscard]] int f(); void g [[gnu::noinline]] ();",
          "int x [[maybe_unused]];", "// `\n",
          "struct S { unsigned f [[gnu::const]] (); void g() [[ , ]]; };",
          "extern \"C\" [[]]; int i [[and, bitor]], j; int k [[other::mark(a, b)]] = 1;",
          "const char *s = \"a[[0]] ` overall (i = x for :)\";",
          "void f() { v.on(3).at(2); on(x); }", "#define M `\nint x;",
          "void f() { auto l = [] { return m[f([] { return 3; })]; }; }",
          "void f() { if (x) [[likely]] { } switch (x) { case 1: "
          "[[fallthrough]]; default: ; } }"}) {
        const Parsed parsed("f.hpcpp", text);
        EXPECT_FALSE(parsed.unit.hasExtensions) << text;
        EXPECT_FALSE(parsed.engine.hasErrors()) << parsed.errors();
    }
}

TEST(Forms, ImportsTellWhatIsAType) {
    const source::Text header("x.hph", "namespace geo { class Cell {}; } double [[-]] field;");
    diagnostics::Engine engine;
    const ast::Unit import = syntax::parse(header, engine);
    const source::Text text("x.hpcpp", "void f() { Cell * p; r = (Cell) - 3; }");
    const ast::Unit unit = syntax::parse(text, engine, {&import});
    EXPECT_NE(ast::printTree(unit).find("(Cast (TypeName (Specifiers _ Cell _) _) (Unary - 3))"),
              std::string::npos);
    EXPECT_TRUE(import.hasExtensions);
    EXPECT_FALSE(unit.hasExtensions);
}

}  // namespace
}  // namespace hpcc::testing

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
