// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions: their names, bodies, constructors; lambdas.
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "check/annotator.hpp"

namespace hpcc::check {
namespace {

// Constructors are overloads of this name in their class, so that the class's own name stays free.
constexpr std::string_view constructorName = "(constructor)";

bool isConstructor(NodePtr specifiers, NodePtr name) {
    const bool hasType = specifiers && !specifiers->is<ast::SpecifierList>();
    if (hasType || !name) return false;
    if (name->is<ast::QualifiedName>()) name = name->child(ast::QualifiedName::name);
    return name->is<ast::Identifier>();
}

}  // namespace

void Annotator::declareFunction(const Declared& what, NodePtr node) {
    node->type = what.type;
    if (what.name->is<ast::QualifiedName>()) {
        node->symbol = resolve(what.name);
    } else {
        node->symbol = declareName(what.name, SymbolKind::Function, node, what.type);
    }
}

void Annotator::visitFunctionDefinition(NodePtr node) {
    const NodePtr specifiers = node->child(ast::FunctionDefinition::specifiers);
    const NodePtr declarator = node->child(ast::FunctionDefinition::declarator);
    const NodePtr name = ast::declaredName(declarator);
    const Specified base = specified(specifiers);
    const bool isMemberOutside = ast::is<ast::QualifiedName>(name);
    if (isMemberOutside) {  // parameters and body see the class, then the template head
        resolve(name);
        const NodePtr qualifier = name->child(ast::QualifiedName::qualifier);
        const Symbol* owner = qualifier ? qualifier->symbol : nullptr;
        const Scope* members = membersOf(owner);
        Scope* inside = arena().makeScope(Scope::Kind::Template, members ? members : scope());
        if (members)
            inside->include(scope());
        else
            inside->setOpen();
        push(inside);
        classes_.push_back(owner);
    }
    const Declared what = declared(base, declarator);
    node->type = what.type;
    const Symbol* symbol = name ? name->symbol : nullptr;
    if (isConstructor(specifiers, name) && !isMemberOutside) {
        symbol = declare(constructorName, SymbolKind::Function, node, what.type);
    } else if (what.function && !isMemberOutside) {
        symbol = declareName(name, SymbolKind::Function, node, what.type);
    }
    node->symbol = symbol;
    underTemplate_ = false;
    const bool deduces =
        base.isAuto && isUnknown(what.type->result ? what.type->result : unknownType());
    later([=, this] { functionBody(node, what.function, deduces ? symbol : nullptr); });
    if (isMemberOutside) {
        classes_.pop_back();
        pop();
    }
}

// `deduced`: the function whose result type is that of its first return statement, or null.
void Annotator::functionBody(NodePtr node, NodePtr function, const Symbol* deduced) {
    push(Scope::Kind::Function);
    if (function) declareParameters(function->child(ast::FunctionDeclarator::parameters));
    if (const NodePtr initializers = node->child(ast::FunctionDefinition::initializers))
        memberInitializers(initializers);
    bodies_.emplace_back();
    visit(node->child(ast::FunctionDefinition::body));
    const Type* result = bodies_.back().deduced;
    bodies_.pop_back();
    if (deduced && result && deduced->declaration == node) {
        Type type = *deduced->type;
        type.result = result;
        deduced->type = arena().makeType(type);
    }
    pop();
}

void Annotator::declareParameters(NodePtr parameters) {
    for (NodePtr parameter : parameters->children()) {
        while (parameter->is<ast::Attributed>())
            parameter = parameter->child(ast::Attributed::declaration);
        if (!parameter->is<ast::Parameter>()) continue;
        if (parameter->symbol) scopes_.back()->declare(*parameter->symbol);
        visit(parameter->child(ast::Parameter::defaultValue));
    }
}

void Annotator::memberInitializers(NodePtr node) {
    for (NodePtr each : node->children()) {
        if (!ast::is<ast::MemberInitializer>(each)) continue;
        const NodePtr name = each->child(ast::MemberInitializer::name);
        const Scope* members = classes_.empty() ? nullptr : membersOf(classes_.back());
        each->symbol = name->is<ast::Identifier>() ? resolveIn(members, name) : resolve(name);
        if (each->symbol) each->type = name->type = each->symbol->type;
        visit(each->child(ast::MemberInitializer::initializer));
    }
}

// Also `= default` and `= delete`; both nodes have specifiers and declarator in the same places.
void Annotator::visitSpecialDeclaration(NodePtr node) {
    const NodePtr specifiers = node->child(ast::SpecialDeclaration::specifiers);
    const NodePtr declarator = node->child(ast::SpecialDeclaration::declarator);
    const Declared what = declared(specified(specifiers), declarator);
    node->type = what.type;
    if (!what.name || !what.function || what.name->is<ast::QualifiedName>()) return;
    if (isConstructor(specifiers, what.name))
        node->symbol = declare(constructorName, SymbolKind::Function, node, what.type);
    else
        node->symbol = declareName(what.name, SymbolKind::Function, node, what.type);
}

// ---- lambdas --------------------------------------------------------------------------------

void Annotator::captures(NodePtr node) {
    for (NodePtr each : node->children()) {
        if (each->is<ast::DefaultCapture>()) continue;
        const NodePtr name = each->child(0);
        const NodePtr initializer = each->child(1);
        if (initializer) {
            visit(initializer);
            declareName(name, SymbolKind::Variable, each, initializerType(initializer));
        } else {
            visit(name);
        }
        each->symbol = name->symbol;
        ast::addAssigned(each, assigned_);
    }
}

void Annotator::visitLambda(NodePtr node) {
    Symbol symbol;
    symbol.name = "lambda";
    symbol.declaration = node;
    lambdas_[node] = {scopes_.back(), classes_, arena().makeSymbol(symbol)};
    push(Scope::Kind::Function);
    captures(node->child(ast::Lambda::captures));
    if (const NodePtr parameters = node->child(ast::Lambda::templateParameters)) {
        push(Scope::Kind::Template);
        for (NodePtr each : parameters->children()) templateParameter(each, nullptr);
    }
    Type type;
    type.kind = TypeKind::Function;
    type.spelled = "lambda";
    if (const NodePtr parameters = node->child(ast::Lambda::parameters)) {
        push(Scope::Kind::Function);
        for (NodePtr each : parameters->children()) parameter(each, type);
        declareParameters(parameters);
    }
    if (const NodePtr qualifiers = node->child(ast::Lambda::qualifiers)) {
        for (NodePtr each : qualifiers->children()) {
            visit(each);
            if (ast::is<ast::TrailingReturn>(each))
                type.result = typeOf(each->child(ast::TrailingReturn::type));
        }
    }
    bodies_.emplace_back();
    visit(node->child(ast::Lambda::body));
    const Type* deduced = bodies_.back().deduced ? bodies_.back().deduced : voidType();
    bodies_.pop_back();
    if (!type.result) type.result = deduced;
    lambdas_[node].type = node->type = arena().makeType(type);
    if (node->child(ast::Lambda::parameters)) pop();
    if (node->child(ast::Lambda::templateParameters)) pop();
    pop();
}

}  // namespace hpcc::check
