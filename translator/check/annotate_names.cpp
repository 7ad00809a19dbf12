// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a name, qualified or not, stands for.
#include "check/annotator.hpp"

#include <algorithm>

namespace hpcc::check {

const Scope* Annotator::membersOf(const Symbol* symbol) const {
    if (!symbol) return nullptr;
    if (symbol->members) return symbol->members;
    const Type* type = symbol->type;
    return type && type->classSymbol && type->classSymbol != symbol ? type->classSymbol->members
                                                                    : nullptr;
}

// The symbol of a possibly qualified name, or null; sets node->symbol of each of its parts.
const Symbol* Annotator::resolve(NodePtr name) {
    if (!name) return nullptr;
    if (name->is<ast::QualifiedName>()) {
        const NodePtr qualifier = name->child(ast::QualifiedName::qualifier);
        const Symbol* outer = qualifier ? resolve(qualifier) : nullptr;
        const Scope* members = qualifier ? membersOf(outer) : unit_.scope;
        name->symbol = resolveIn(members, name->child(ast::QualifiedName::name));
        return name->symbol;
    }
    if (name->is<ast::TemplateName>()) {
        name->symbol = resolve(name->child(ast::TemplateName::name));
        visit(name->child(ast::TemplateName::arguments));
        return name->symbol;
    }
    name->symbol = scope()->find(name->text());
    return name->symbol;
}

// The symbol of an unqualified name among `members`; null members: it is not known.
const Symbol* Annotator::resolveIn(const Scope* members, NodePtr name) {
    if (name->is<ast::TemplateName>()) {
        visit(name->child(ast::TemplateName::arguments));
        const NodePtr inner = name->child(ast::TemplateName::name);
        inner->symbol = members ? members->findHere(inner->text()) : nullptr;
        name->symbol = inner->symbol;
    } else {
        name->symbol = members ? members->findHere(name->text()) : nullptr;
    }
    return name->symbol;
}

namespace {

NodePtr templateArguments(NodePtr name) {
    if (name->is<ast::QualifiedName>())
        return templateArguments(name->child(ast::QualifiedName::name));
    return name->is<ast::TemplateName>() ? name->child(ast::TemplateName::arguments) : nullptr;
}

// Whether a template parameter occurs anywhere in an annotated name: T::value_type, vector<T>.
bool namesParameter(NodePtr name) {
    if (!name) return false;
    if (name->symbol && name->symbol->kind == SymbolKind::TemplateParameter) return true;
    if ((name->type && name->type->isDependent)) return true;
    return std::ranges::any_of(name->children(), namesParameter);
}

}  // namespace

// The class type that a name of a class template with its arguments stands for.
const Type* Annotator::instance(const Symbol& classSymbol, NodePtr name) {
    const NodePtr arguments = templateArguments(name);
    if (!arguments) return classSymbol.type;
    if (specialised_.contains(&classSymbol)) return unknownType();
    Type type = *classSymbol.type;
    if (type.kind == TypeKind::Class) type.spelled = name->text();
    for (NodePtr argument : arguments->children()) type.arguments.push_back(typeOf(argument));
    type.isDependent = namesParameter(arguments);
    return arena().makeType(type);
}

const Type* Annotator::typeOfName(NodePtr name) {
    const Symbol* symbol = resolve(name);
    if (symbol && symbol->kind == SymbolKind::Class) return instance(*symbol, name);
    if (symbol &&
        (symbol->kind == SymbolKind::Alias || symbol->kind == SymbolKind::TemplateParameter))
        return symbol->type;
    Type type;
    type.spelled = name->text();
    type.isDependent = namesParameter(name);
    return arena().makeType(type);
}

}  // namespace hpcc::check
