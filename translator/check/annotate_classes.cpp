// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classes and enumerations.
#include "check/annotator.hpp"

#include <algorithm>
#include <utility>

namespace hpcc::check {

// The symbol of the class that `node` (Class or ElaboratedType) declares: that of an earlier
// forward declaration, or a new one.
const Symbol* Annotator::classSymbol(NodePtr node, NodePtr name) {
    if (ast::is<ast::QualifiedName>(name)) return resolve(name);
    if (ast::is<ast::TemplateName>(name)) {  // template <> struct Hash<int> { };
        if (const Symbol* primary = resolve(name)) specialised_.insert(primary);
        return nullptr;
    }
    const Symbol* known = name ? declaringScope()->findHere(name->text()) : nullptr;
    if (known && known->kind == SymbolKind::Class && known->declaration && !known->members) {
        name->symbol = known;
        name->type = known->type;
        return known;
    }
    Symbol* symbol = name ? declareName(name, SymbolKind::Class, node, nullptr)
                          : declare("(class)", SymbolKind::Class, node, nullptr);
    Type type;
    type.kind = TypeKind::Class;
    type.spelled = name ? std::string(name->text()) : "class";
    type.classSymbol = symbol;
    symbol->type = arena().makeType(type);
    if (name) name->type = symbol->type;
    return symbol;
}

void Annotator::visitClass(NodePtr node) {
    const bool isDefinition = node->is<ast::Class>();
    const NodePtr name =
        isDefinition ? node->child(ast::Class::name) : node->child(ast::ElaboratedType::name);
    const Symbol* symbol = classSymbol(node, name);
    underTemplate_ = false;
    node->symbol = symbol;
    node->type = symbol ? symbol->type : unknownType();
    if (!isDefinition) return;
    Scope* members = push(Scope::Kind::Class);
    // What the libraries declare outlives this text.
    if (symbol && symbol->declaration) symbol->members = members;
    if (const NodePtr bases = node->child(ast::Class::bases)) baseClasses(bases, members);
    classes_.push_back(symbol);
    ++classDepth_;
    visitChildren(node->child(ast::Class::members));
    --classDepth_;
    classes_.pop_back();
    pop();
    const bool isUnion = node->text().starts_with("union");
    if (!name && isUnion) declaringScope()->include(members);  // union { int a; float b; };
    if (classDepth_ == 0) runDeferred();
}

void Annotator::baseClasses(NodePtr bases, Scope* members) {
    for (NodePtr base : bases->children()) {
        const Type* type = typeOfName(base->child(ast::Base::name));
        const Symbol* symbol = type->classSymbol;
        if (type->kind == TypeKind::Class && symbol && symbol->members)
            members->include(symbol->members);
        else
            members->setOpen();
    }
}

void Annotator::visitEnum(NodePtr node) {
    const NodePtr name = node->child(ast::Enum::name);
    const std::string_view text = node->text();
    const bool isScoped = text.starts_with("enum class") || text.starts_with("enum struct");
    Type type;
    type.kind = isScoped ? TypeKind::Class : TypeKind::Integer;
    type.spelled = name ? std::string(name->text()) : "enum";
    const NodePtr enumerators = node->child(ast::Enum::enumerators);
    Symbol* symbol = ast::is<ast::Identifier>(name)
                         ? declareName(name, SymbolKind::Class, node, nullptr)
                         : declare("(enum)", SymbolKind::Class, node, nullptr);
    type.classSymbol = isScoped ? symbol : nullptr;
    symbol->type = node->type = arena().makeType(type);
    node->symbol = symbol;
    Scope* own = isScoped ? push(Scope::Kind::Class) : nullptr;
    if (enumerators) {
        for (NodePtr each : enumerators->children()) {
            visit(each->child(ast::Enumerator::value));
            each->symbol = declareName(each->child(ast::Enumerator::name), SymbolKind::Enumerator,
                                       each, symbol->type);
        }
    }
    symbol->members = own;
    if (own) pop();
}

}  // namespace hpcc::check
