// The type of an expression, found by its text in a program.
#include "check/annotate.hpp"
#include "check/types.hpp"
#include "syntax/parse.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace hpcc::testing {
namespace {

const std::string prelude = "#include <hpspmd>\n#include <vector>\nusing namespace hpspmd;\n";

// Keeps what a tree needs as long as the test looks at it.
class Program {
public:
    explicit Program(const std::string& code, std::vector<const ast::Unit*> imports = {})
        : text_("test.hpcpp", prelude + code),
          unit_(syntax::parse(text_, engine_, std::move(imports))) {
        check::annotate(unit_);
    }
    const ast::Unit& unit() const { return unit_; }
    bool parsed() const { return !engine_.hasErrors(); }

    // Of the last expression with this text.
    std::string typeOf(const std::string& expression) const {
        const ast::NodePtr node = find(unit_.root, expression);
        if (!node) return "no such expression";
        return check::isUnknown(check::typeOf(node)) ? "unknown" : check::nameOf(node->type);
    }

    ast::NodePtr node(const std::string& expression) const { return find(unit_.root, expression); }

private:
    static ast::NodePtr find(ast::NodePtr node, const std::string& text) {
        if (!node) return nullptr;
        const auto children = node->children();
        for (auto child = children.rbegin(); child != children.rend(); ++child)
            if (const ast::NodePtr found = find(*child, text)) return found;
        return node->text() == text && ast::isExpression(node) ? node : nullptr;
    }

    source::Text text_;
    diagnostics::Engine engine_;
    ast::Unit unit_;
};

TEST(Annotate, ElementsAndSections) {
    const Program p(
        "void f(const float [[-,*]] a, Range x) { overall (i = x for :) { a[i, 3]; a[[i, :]]; "
        "a[[:, 0]]; a[[<>, :]]; a[[:, :]]; i`; x[i`]; x[[0:3]]; a.rng(1); a.size(0); } }");
    ASSERT_TRUE(p.parsed());
    EXPECT_EQ("float", p.typeOf("a[i, 3]"));
    EXPECT_EQ("const float [[*]]", p.typeOf("a[[i, :]]"));
    EXPECT_EQ("const float [[-]]", p.typeOf("a[[:, 0]]"));
    EXPECT_EQ("const float [[-,*,*]]", p.typeOf("a[[<>, :]]"));
    EXPECT_EQ("Index", p.typeOf("i`"));
    EXPECT_EQ("Location", p.typeOf("x[i`]"));
    EXPECT_EQ("Range", p.typeOf("x[[0:3]]"));
    EXPECT_EQ("Range", p.typeOf("a.rng(1)"));
    EXPECT_EQ("Index", p.typeOf("a.size(0)"));
}

TEST(Annotate, AutoTakesTheInitializersType) {
    const Program p(
        "void f(Range x, int n) { auto a = new double [[x, n]]; auto b = a; auto& c = b; "
        "const auto s = c[[:, 0]]; auto d = a[[0, :]][3]; c; s; d; auto g = a.grp() / x[0]; g; }");
    ASSERT_TRUE(p.parsed());
    EXPECT_EQ("double [[-,*]]", p.typeOf("c"));
    EXPECT_EQ("double [[-]]", p.typeOf("s"));
    EXPECT_EQ("double", p.typeOf("d"));
    EXPECT_EQ("Group", p.typeOf("g"));
}

TEST(Annotate, ShiftedIndices) {
    const Program p(
        "void f(double [[-]] a, Range x, int k) { overall (i = x for :) { i + 1; i - k; "
        "i + 1 + k; (i); auto g = [i] { return i`; }; g(); } }");
    ASSERT_TRUE(p.parsed());
    for (const char* shifted : {"i + 1", "i - k", "i + 1 + k"})
        EXPECT_EQ("ShiftedIndex", p.typeOf(shifted));
    EXPECT_EQ("DistributedIndex", p.typeOf("(i)"));
    EXPECT_EQ("Index", p.typeOf("g()"));
    EXPECT_EQ(ast::SymbolKind::DistributedIndex, p.node("i")->symbol->kind);
}

TEST(Annotate, ContainersAndFields) {
    const Program p(
        "struct S { std::vector<double [[-,*]]> rows; double [[-]] u; double [[-]] get(int); };\n"
        "void f(S& s, S* q) { s.rows[0]; s.rows.at(1); q->u; s.get(3); s.rows.back()[[0, :]]; "
        "for (auto& r : s.rows) r; }");
    ASSERT_TRUE(p.parsed());
    EXPECT_EQ("double [[-,*]]", p.typeOf("s.rows[0]"));
    EXPECT_EQ("double [[-,*]]", p.typeOf("s.rows.at(1)"));
    EXPECT_EQ("double [[-]]", p.typeOf("q->u"));
    EXPECT_EQ("double [[-]]", p.typeOf("s.get(3)"));
    EXPECT_EQ("double [[*]]", p.typeOf("s.rows.back()[[0, :]]"));
    EXPECT_EQ("double [[-,*]]", p.typeOf("r"));
}

TEST(Annotate, CallsOfTheLibrary) {
    const Program p(
        "void f(const int [[-]] a) { Adlib::sum(a); clone(a); like<float>(a); apg(); "
        "Adlib::count(a); unknownFunction(a); }");
    ASSERT_TRUE(p.parsed());
    EXPECT_EQ("int", p.typeOf("Adlib::sum(a)"));
    EXPECT_EQ("int [[-]]", p.typeOf("clone(a)"));
    EXPECT_EQ("float [[-]]", p.typeOf("like<float>(a)"));
    EXPECT_EQ("Group", p.typeOf("apg()"));
    EXPECT_EQ("unknown", p.typeOf("unknownFunction(a)"));
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

TEST(Annotate, TemplateParametersAreMentioned) {
    const Program p("template <class T, class U> void f(std::vector<T> [[-]] a) { a; }");
    ASSERT_TRUE(p.parsed());
    const ast::Type* type = p.node("a")->type;
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
    EXPECT_EQ("double [[-]]", p.typeOf("app::make(3).u"));
    EXPECT_EQ("int", p.typeOf("app::own"));
}

TEST(Annotate, AssignedVariablesAreNotStable) {
    const Program p("void g(int); void f(Range x, Range y, int k) { x = y; k++; g(k); x; y; k; }");
    ASSERT_TRUE(p.parsed());
    EXPECT_TRUE(p.node("x")->symbol->isReassigned);
    EXPECT_TRUE(p.node("k")->symbol->isReassigned);
    EXPECT_FALSE(p.node("y")->symbol->isReassigned);
}

}  // namespace
}  // namespace hpcc::testing

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
