// Where the bodies of functions stand, and what their attributes declare.
#include "check/functions.hpp"

#include "ast/symbol.hpp"
#include "check/annotate.hpp"
#include "syntax/parse.hpp"

#include <gtest/gtest.h>

namespace hpcc::testing {
namespace {

const std::string prelude = "#include <hpspmd>\nusing namespace hpspmd;\n";

class Program {
public:
    explicit Program(const std::string& code, std::vector<const ast::Unit*> imports = {})
        : text_("test.hpcpp", prelude + code),
          unit_(syntax::parse(text_, engine_, std::move(imports))) {
        check::annotate(unit_);
    }
    const ast::Unit& unit() const { return unit_; }

    // What the last call of that name calls.
    const ast::Symbol& called(std::string_view name) const { return *find(unit_.root, name); }

private:
    static const ast::Symbol* find(ast::NodePtr node, std::string_view name) {
        if (!node) return nullptr;
        const auto children = node->children();
        for (auto child = children.rbegin(); child != children.rend(); ++child)
            if (const ast::Symbol* found = find(*child, name)) return found;
        if (!node->is<ast::Call>()) return nullptr;
        ast::NodePtr callee = node->child(ast::Call::callee);
        if (callee->is<ast::Member>()) callee = callee->child(ast::Member::name);
        return callee->text() == name ? callee->symbol : nullptr;
    }

    source::Text text_;
    diagnostics::Engine engine_;
    ast::Unit unit_;
};

TEST(Functions, DefinedBelowTheCall) {
    const Program p(
        "void f(int k); void f(double [[-]] a);\n"
        "void g(double [[-]] a) { f(3); }\n"
        "void f(double [[-]] a) { first; } void f(int k) { second; }");
    const check::Functions functions(p.unit());
    const ast::Symbol* both = &p.called("f");
    const ast::NodePtr second = functions.definition(*both->previous);
    const ast::NodePtr first = functions.definition(*both);
    ASSERT_TRUE(first && second);
    EXPECT_NE(first->text().find("first"), std::string_view::npos);
    EXPECT_NE(second->text().find("second"), std::string_view::npos);
}

TEST(Functions, MethodDefinedOutside) {
    const Program p(
        "struct S { [[hpspmd::local]] void f(double [[-]] a); void f(int k); };\n"
        "void g(S s, double [[-]] a) { s.f(a); }\n"
        "void S::f(double [[-]] a) { } void f(double [[-]] a) { }");
    const check::Functions functions(p.unit());
    const ast::Symbol* head = &p.called("f");
    while (head->previous) head = head->previous;
    const ast::NodePtr found = functions.definition(*head);
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->text().starts_with("void S::f"));
    EXPECT_TRUE(functions.attribute(*head, "local"));
    EXPECT_FALSE(functions.attribute(*head, "collective"));
}

TEST(Functions, AttributeInAHeader) {
    const Program header(
        "template <class T> [[hpspmd::collective, hpspmd::refreshes(b)]]\n"
        "void f(T [[-]] a, T [[-]] b); [[hpspmd::local]] int n(), m();");
    const Program p("void g(double [[-]] a) { f(a, a); m(); n(); }", {&header.unit()});
    const check::Functions functions(p.unit());
    EXPECT_TRUE(functions.attribute(p.called("f"), "collective"));
    const ast::NodePtr refreshes = functions.attribute(p.called("f"), "refreshes");
    ASSERT_TRUE(refreshes);
    EXPECT_EQ("b", refreshes->child(ast::HpspmdAttribute::arguments)->child(0)->text());
    EXPECT_TRUE(functions.attribute(p.called("m"), "local"));
    EXPECT_TRUE(functions.attribute(p.called("n"), "local"));
    EXPECT_FALSE(functions.definition(p.called("f")));
}

TEST(Functions, DeclaredInAHeaderDefinedInTheFile) {
    const Program header("double total(const double [[-]] a);");
    const Program p(
        "void g(double [[-]] a) { total(a); } double total(const double [[-]] a) { return 0; }",
        {&header.unit()});
    const check::Functions functions(p.unit());
    EXPECT_TRUE(functions.definition(p.called("total")));
}

}  // namespace
}  // namespace hpcc::testing
