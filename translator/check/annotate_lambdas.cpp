// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas: captures, parameters, result.
#include "ast/effects.hpp"
#include "check/annotator.hpp"

namespace hpcc::check {

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
    push(Scope::Kind::Function);
    captures(node->child(ast::Lambda::captures));
    if (const NodePtr parameters = node->child(ast::Lambda::templateParameters)) {
        push(Scope::Kind::Template);
        for (NodePtr each : parameters->children()) templateParameter(each);
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
    node->type = arena().makeType(type);
    if (node->child(ast::Lambda::parameters)) pop();
    if (node->child(ast::Lambda::templateParameters)) pop();
    pop();
}

}  // namespace hpcc::check
