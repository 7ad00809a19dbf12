// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists what files of C++ declare and hold, for clang_differential.py.
//
//     declared_names f.cpp ..     prints "path:line:column name" per variable, parameter, field,
//                                 function and type name, at the last part of its name; and
//                                 "path:line:column @If" per statement or expression, at its start
#include <cstdio>

#include "ast/declarators.hpp"
#include "ast/visitor.hpp"
#include "corpus.hpp"

namespace hpcc::testing {
namespace {

using ast::NodePtr;

void printAt(NodePtr node, const std::string& word) {
    const source::Position place = node->span().position();
    std::printf("%s:%u:%u %s\n", node->span().text->path().c_str(), place.line, place.column,
                word.c_str());
}

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
        if (name->is<ast::Identifier>()) printAt(name, std::string(name->text()));
    }
};

void printNodes(NodePtr node) {
    if (!node) return;
    if (ast::isStatement(node) || ast::isExpression(node))
        printAt(node, "@" + std::string(ast::kindName(node->kind())));
    for (const NodePtr child : node->children()) printNodes(child);
}

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
        hpcc::testing::printNodes(parsed.unit.root);
    }
}
