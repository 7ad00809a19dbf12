// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/declared_name.hpp"

#include "ast/declarators.hpp"
#include "ast/visitor.hpp"

namespace hpcc::syntax {
namespace {

void declareName(Filter& filter, NodePtr name, NameKind kind) {
    if (ast::is<ast::TemplateName>(name)) return;  // a specialisation
    if (ast::is<ast::Identifier>(name)) filter.declare(name->text(), kind);
}

class Importer : public ast::Visitor {
public:
    explicit Importer(Filter& filter) : filter_(filter) {}

    void visitClass(NodePtr node) override {
        declareName(filter_, node->child(ast::Class::name), NameKind::Type);
    }
    void visitElaboratedType(NodePtr node) override {
        declareName(filter_, node->child(ast::ElaboratedType::name), NameKind::Type);
    }
    void visitEnum(NodePtr node) override {
        declareName(filter_, node->child(ast::Enum::name), NameKind::Type);
    }
    void visitAliasDeclaration(NodePtr node) override {
        declareName(filter_, node->child(ast::AliasDeclaration::name), NameKind::Type);
    }
    void visitDeclaration(NodePtr node) override {
        const NodePtr specifiers = node->child(ast::Declaration::specifiers);
        visit(specifiers);
        const NodePtr declarators = node->child(ast::Declaration::declarators);
        if (!declarators) return;
        const bool isTypedef = specifiers->text().starts_with("typedef");
        for (NodePtr entry : declarators->children()) {
            const NodePtr declarator = entry->child(ast::InitDeclarator::declarator);
            declareNames(filter_, declarator, isTypedef ? NameKind::Type : NameKind::Variable);
            if (!isTypedef) declareMultiarray(filter_, specifiers, declarator);
        }
    }
    void visitTemplate(NodePtr node) override {
        visitChildren(node);
        declareTemplate(filter_, node->child(ast::Template::declaration));
    }
    void visitFunctionDefinition(NodePtr node) override {
        declareNames(filter_, node->child(ast::FunctionDefinition::declarator), NameKind::Function);
    }

private:
    Filter& filter_;
};

}  // namespace

void declareNames(Filter& filter, NodePtr declarator, NameKind kind) {
    if (declarator->is<ast::StructuredBinding>()) {
        for (NodePtr name : declarator->children()) declareName(filter, name, kind);
        return;
    }
    if (ast::is<ast::PointerDeclarator>(declarator) &&
        ast::is<ast::StructuredBinding>(declarator->child(ast::PointerDeclarator::declarator)))
        return declareNames(filter, declarator->child(ast::PointerDeclarator::declarator), kind);
    if (kind == NameKind::Variable && ast::functionDeclarator(declarator))
        kind = NameKind::Function;
    declareName(filter, ast::declaredName(declarator), kind);
}

void declareMultiarray(Filter& filter, NodePtr specifiers, NodePtr declarator) {
    if (specifiers->is<ast::MultiarrayType>() && !ast::functionDeclarator(declarator))
        declareNames(filter, declarator, NameKind::Parallel);
}

void declareMultiarrays(Filter& filter, NodePtr specifiers, const NodeList& initDeclarators) {
    if (specifiers->text().starts_with("typedef")) {
        for (NodePtr entry : initDeclarators)
            declareNames(filter, entry->child(ast::InitDeclarator::declarator), NameKind::Type);
        return;
    }
    for (NodePtr entry : initDeclarators)
        declareMultiarray(filter, specifiers, entry->child(ast::InitDeclarator::declarator));
}

void declareTemplate(Filter& filter, NodePtr declaration) {
    if (!declaration->is<ast::Declaration>()) return;
    const NodePtr declarators = declaration->child(ast::Declaration::declarators);
    if (!declarators) return;
    for (NodePtr entry : declarators->children())
        declareNames(filter, entry->child(ast::InitDeclarator::declarator), NameKind::Function);
}

void declareImported(Filter& filter, NodePtr root) { Importer(filter).visit(root); }

void declareKnownTypes(Filter& filter) {
    for (const char* name : {"Group",      "Procs",         "Procs0",         "Procs1",
                             "Procs2",     "Procs3",        "Dimension",      "Range",
                             "BlockRange", "ExtBlockRange", "CyclicRange",    "BlockCyclicRange",
                             "IrregRange", "MeasuredRange", "CollapsedRange", "Location",
                             "Index",      "Triplet",       "Block",          "size_t",
                             "ptrdiff_t",  "int8_t",        "int16_t",        "int32_t",
                             "int64_t",    "uint8_t",       "uint16_t",       "uint32_t",
                             "uint64_t",   "string",        "string_view",    "vector",
                             "unique_ptr", "shared_ptr",    "optional",       "ostream",
                             "istream",    "ifstream",      "ofstream"})
        filter.declare(name, NameKind::Type);
}

}  // namespace hpcc::syntax
