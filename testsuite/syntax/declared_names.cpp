// Lists what files of C++ declare, for clang_differential.py.
//
//     declared_names f.cpp ..     prints "path:line:column name" per variable, parameter, field,
//                                 function and type name, at the last part of its name
#include <cstdio>

#include "ast/declarators.hpp"
#include "ast/visitor.hpp"
#include "corpus.hpp"

namespace hpcc::testing {
namespace {

using ast::NodePtr;

class Names : public ast::Visitor {
    void visitInitDeclarator(NodePtr node) override {
        declare(node->child(ast::InitDeclarator::declarator));
        visitChildren(node);
    }
    void visitFunctionDefinition(NodePtr node) override {
        declare(node->child(ast::FunctionDefinition::declarator));
        visitChildren(node);
    }
    void visitDefaultedFunction(NodePtr node) override {
        declare(node->child(ast::DefaultedFunction::declarator));
        visitChildren(node);
    }
    void visitSpecialDeclaration(NodePtr node) override {
        declare(node->child(ast::SpecialDeclaration::declarator));
        visitChildren(node);
    }
    void visitExplicitInstantiation(NodePtr) override {}  // declares nothing new
    void visitParameter(NodePtr node) override {
        declare(node->child(ast::Parameter::declarator));
        visitChildren(node);
    }
    void visitConditionDeclaration(NodePtr node) override {
        declare(node->child(ast::ConditionDeclaration::declarator));
        visitChildren(node);
    }
    void visitRangeFor(NodePtr node) override {
        declare(node->child(ast::RangeFor::declarator));
        visitChildren(node);
    }

    static void declare(NodePtr declarator) {
        if (declarator) print(ast::declaredName(declarator));
    }

    static void print(NodePtr name) {
        if (!name) return;
        while (name->is<ast::QualifiedName>()) name = name->children().back();
        if (!name->is<ast::Identifier>()) return;
        const source::Span span = name->span();
        const source::Position place = span.position();
        std::printf("%s:%u:%u %.*s\n", span.text->path().c_str(), place.line, place.column,
                    static_cast<int>(span.str().size()), span.str().data());
    }
};

}  // namespace
}  // namespace hpcc::testing

int main(int count, char** paths) {
    for (int i = 1; i < count; ++i) {
        const hpcc::testing::Parsed parsed(paths[i], hpcc::testing::contentOf(paths[i]));
        if (parsed.engine.hasErrors()) {
            std::fputs(parsed.errors().c_str(), stderr);
            return 1;
        }
        hpcc::testing::Names().visit(parsed.unit.root);
    }
}
