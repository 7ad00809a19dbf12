// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The type of an expression, found by its text in a program.
#include "check/types.hpp"
#include "program.hpp"

#include <gtest/gtest.h>

namespace hpcc::testing {
namespace {

// The last expression with this text.
ast::NodePtr expression(const Program& p, const std::string& text) {
    return p.findLast(
        [&](ast::NodePtr node) { return node->text() == text && ast::isExpression(node); });
}

std::string typeOf(const Program& p, const std::string& text) {
    const ast::NodePtr node = expression(p, text);
    if (!node) return "no such expression";
    return check::isUnknown(check::typeOf(node)) ? "unknown" : check::nameOf(node->type);
}

TEST(Annotate, ElementsAndSections) {
    const Program p(
        "void f(const float [[-,*]] a, Range x) { overall (i = x for :) { a[i, 3]; a[[i, :]]; "
        "a[[:, 0]]; a[[<>, :]]; a[[:, :]]; i`; x[i`]; x[[0:3]]; a.rng(1); a.size(0); } }");
    ASSERT_TRUE(p.parsed());
    EXPECT_EQ("float", typeOf(p, "a[i, 3]"));
    EXPECT_EQ("const float [[*]]", typeOf(p, "a[[i, :]]"));
    EXPECT_EQ("const float [[-]]", typeOf(p, "a[[:, 0]]"));
    EXPECT_EQ("const float [[-,*,*]]", typeOf(p, "a[[<>, :]]"));
    EXPECT_EQ("Index", typeOf(p, "i`"));
    EXPECT_EQ("Location", typeOf(p, "x[i`]"));
    EXPECT_EQ("Range", typeOf(p, "x[[0:3]]"));
    EXPECT_EQ("Range", typeOf(p, "a.rng(1)"));
    EXPECT_EQ("Index", typeOf(p, "a.size(0)"));
}

TEST(Annotate, AutoTakesTheInitializersType) {
    const Program p(
        "void f(Range x, int n) { auto a = new double [[x, n]]; auto b = a; auto& c = b; "
        "const auto s = c[[:, 0]]; auto d = a[[0, :]][3]; c; s; d; auto g = a.grp() / x[0]; g; }");
    ASSERT_TRUE(p.parsed());
    EXPECT_EQ("double [[-,*]]", typeOf(p, "c"));
    EXPECT_EQ("double [[-]]", typeOf(p, "s"));
    EXPECT_EQ("double", typeOf(p, "d"));
    EXPECT_EQ("Group", typeOf(p, "g"));
}

TEST(Annotate, ShiftedIndices) {
    const Program p(
        "void f(double [[-]] a, Range x, int k) { overall (i = x for :) { i + 1; i - k; "
        "i + 1 + k; (i); auto g = [i] { return i`; }; g(); } }");
    ASSERT_TRUE(p.parsed());
    for (const char* shifted : {"i + 1", "i - k", "i + 1 + k"})
        EXPECT_EQ("ShiftedIndex", typeOf(p, shifted));
    EXPECT_EQ("DistributedIndex", typeOf(p, "(i)"));
    EXPECT_EQ("Index", typeOf(p, "g()"));
    EXPECT_EQ(ast::SymbolKind::DistributedIndex, expression(p, "i")->symbol->kind);
}

TEST(Annotate, ContainersAndFields) {
    const Program p(
        "#include <vector>\nstruct S { std::vector<double [[-,*]]> rows; double [[-]] u; double "
        "[[-]] get(int); };\n"
        "void f(S& s, S* q) { s.rows[0]; s.rows.at(1); q->u; s.get(3); s.rows.back()[[0, :]]; "
        "for (auto& r : s.rows) r; }");
    ASSERT_TRUE(p.parsed());
    EXPECT_EQ("double [[-,*]]", typeOf(p, "s.rows[0]"));
    EXPECT_EQ("double [[-,*]]", typeOf(p, "s.rows.at(1)"));
    EXPECT_EQ("double [[-]]", typeOf(p, "q->u"));
    EXPECT_EQ("double [[-]]", typeOf(p, "s.get(3)"));
    EXPECT_EQ("double [[*]]", typeOf(p, "s.rows.back()[[0, :]]"));
    EXPECT_EQ("double [[-,*]]", typeOf(p, "r"));
}

TEST(Annotate, CallsOfTheLibrary) {
    const Program p(
        "void f(const int [[-]] a) { Adlib::sum(a); clone(a); like<float>(a); apg(); "
        "Adlib::count(a); unknownFunction(a); }");
    ASSERT_TRUE(p.parsed());
    EXPECT_EQ("int", typeOf(p, "Adlib::sum(a)"));
    EXPECT_EQ("int [[-]]", typeOf(p, "clone(a)"));
    EXPECT_EQ("float [[-]]", typeOf(p, "like<float>(a)"));
    EXPECT_EQ("Group", typeOf(p, "apg()"));
    EXPECT_EQ("unknown", typeOf(p, "unknownFunction(a)"));
}

TEST(Annotate, NamesNeedAnOpenNamespace) {
    const source::Text text("test.hpcpp", "void f(Range x, hpspmd::Range y) { x; y; }");
    diagnostics::Engine engine;
    const ast::Unit unit = syntax::parse(text, engine, {});
    check::annotate(unit);
    const ast::Symbol* f = unit.scope->findHere("f");
    ASSERT_NE(nullptr, f);
    EXPECT_EQ(ast::TypeKind::Unknown, f->type->parameters[0]->kind);
    EXPECT_EQ(ast::TypeKind::Range, f->type->parameters[1]->kind);
}

// What a call runs: the result of an instance or overload, or "unknown" where that is not certain.
TEST(Annotate, CallsOfTemplatesAndOverloads) {
    const Program p(R"(
        template <class T> T twice(T v) { return 2 * v; }
        template <class T, class U> auto scaled(const T& v, U by) { return twice(v) * by; }
        template <class R, class T = short> R made(T v) { return R(v); }
        template <int N, class T> T power(T v) {
            if constexpr (N == 0) return 1; else return v * power<N - 1>(v);
        }
        template <class T> T smaller(T a, T b) { return a < b ? a : b; }
        template <class... T> auto total(T... v) { return (v + ...); }
        template <class T> T moved(T& v) { return v; }
        template <class T> T lerp(T v) { return v; }
        double chosen(double v) { return v; }
        template <class T> T* chosen(T v) { return nullptr; }
        int several(int v) { return v; }
        float several(float v) { return v; }
        struct P { double x; };
        template <class T> double inside(T v) { return v.x; }
        void f(float v, short s, std::int64_t wide, P p, bool b) {
            const auto doubled = [](auto w) { return w + w; };
            const auto only = [](auto& w) { return w; };
            twice(v); twice(s); twice(2U); twice<double>(v); scaled(s, 1.5F); made<float>(s);
            power<3>(v); power<40>(v); smaller(v, 1.0F); smaller(v, 1.0); smaller(1L, wide);
            total(1, 2); moved(v); lerp(v); chosen(1.0); chosen(v); several(1); several(s);
            inside(p); doubled(s); doubled(v); only(v); twice(b ? s : s); twice(L'x');
            twice(1.0L); twice(s << 1);
        })");
    ASSERT_TRUE(p.parsed());
    const std::pair<const char*, const char*> answers[] = {
        {"twice(v)", "float"},          {"twice(s)", "short"},
        {"twice(2U)", "unsigned int"},  {"twice<double>(v)", "double"},
        {"scaled(s, 1.5F)", "float"},   {"made<float>(s)", "float"},
        {"power<3>(v)", "float"},       {"smaller(v, 1.0F)", "float"},
        {"smaller(v, 1.0)", "unknown"}, {"smaller(1L, wide)", "unknown"},  // `long` or not
        {"total(1, 2)", "unknown"},     {"moved(v)", "unknown"},
        {"lerp(v)", "unknown"},  // also a function of C++
        {"chosen(1.0)", "double"},      {"chosen(v)", "float *"},
        {"several(1)", "int"},          {"several(s)", "unknown"},
        {"inside(p)", "double"},        {"doubled(s)", "int"},
        {"doubled(v)", "float"},        {"only(v)", "unknown"},
        {"twice(b ? s : s)", "short"},  {"twice(L'x')", "unknown"},
        {"twice(1.0L)", "unknown"},     {"twice(s << 1)", "int"},
    };
    for (const auto& [call, type] : answers) EXPECT_EQ(type, typeOf(p, call)) << call;
}

TEST(Annotate, NamesOfTemplatesMeanWhatTheyMeantThere) {
    const Program p(R"(
        int helper(int v) { return v; }
        template <class T> double calling(T v) { return helper(v); }
        template <class T> double other(T v) { return twice(v); }
        double helper(double v) { return v; }
        template <class T> T twice(T v) { return 2 * v; }
        template <> int twice(int v) { return 3 * v; }
        void f() { calling(1); other(1); twice(1.0); })");
    ASSERT_TRUE(p.parsed());
    for (const char* const call : {"calling(1)", "other(1)", "twice(1.0)"})
        EXPECT_EQ(nullptr, expression(p, call)->child(0)->type->called) << call;
}

TEST(Annotate, TemplateParametersAreMentioned) {
    const Program p(
        "#include <vector>\ntemplate <class T, class U> void f(std::vector<T> [[-]] a) { a; }");
    ASSERT_TRUE(p.parsed());
    const ast::Type* type = expression(p, "a")->type;
    const ast::NodePtr head = p.unit().root->children().back();
    const ast::NodePtr parameters = head->child(ast::Template::parameters);
    EXPECT_TRUE(type->isDependent);
    EXPECT_TRUE(ast::mentions(*type, *parameters->child(0)->symbol));
    EXPECT_FALSE(ast::mentions(*type, *parameters->child(1)->symbol));
}

TEST(Annotate, ImportedDeclarations) {
    const Program header("namespace app { struct Field { double [[-]] u; }; Field make(int n); }");
    const Program p("namespace app { int own; }\nvoid f() { app::make(3).u; app::own; }",
                    {&header.unit()});
    ASSERT_TRUE(p.parsed());
    EXPECT_EQ("double [[-]]", typeOf(p, "app::make(3).u"));
    EXPECT_EQ("int", typeOf(p, "app::own"));
}

// The symbols of the libraries live as long as hpcc, which translates several files in a row.
TEST(Annotate, ALibrarysNameIsNotRedefined) {
    { const Program first("struct Adlib::writeHalo { int r; };"); }
    const Program second("void f(double [[-]] a) { Adlib::writeHalo(a); }");
    ASSERT_TRUE(second.parsed());
    const ast::NodePtr name = expression(second, "Adlib::writeHalo");
    ASSERT_TRUE(name && name->symbol);
    EXPECT_EQ(nullptr, name->symbol->members);
}

TEST(Annotate, AssignedVariablesAreNotStable) {
    const Program p("void g(int); void f(Range x, Range y, int k) { x = y; k++; g(k); x; y; k; }");
    ASSERT_TRUE(p.parsed());
    EXPECT_TRUE(expression(p, "x")->symbol->isReassigned);
    EXPECT_TRUE(expression(p, "k")->symbol->isReassigned);
    EXPECT_FALSE(expression(p, "y")->symbol->isReassigned);
}

}  // namespace
}  // namespace hpcc::testing
