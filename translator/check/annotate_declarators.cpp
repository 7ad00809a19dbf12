// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarators: what name gets which type; parameters.
#include "ast/declarators.hpp"
#include "check/annotator.hpp"

#include <utility>

namespace hpcc::check {

Annotator::Declared Annotator::declared(const Specified& base, NodePtr declarator) {
    Declared out;
    out.type = base.type;
    out.isAuto = base.isAuto;
    out.function = ast::functionDeclarator(declarator);
    applyDeclarator(declarator, out);
    return out;
}

const Type* Annotator::pointed(NodePtr operators, const Type* type) {
    for (NodePtr op : operators->children()) {
        if (op->is<ast::Pointer>())
            type = pointerTo(arena(), type);
        else if (op->is<ast::MemberPointer>())
            type = unknownType();
        else
            type = referenceTo(arena(), type);
    }
    return type;
}

void Annotator::applyDeclarator(NodePtr declarator, Declared& out) {
    if (!declarator) return;
    switch (declarator->kind()) {
    case ast::Kind::PointerDeclarator:
        out.type = pointed(declarator->child(ast::PointerDeclarator::operators), out.type);
        return applyDeclarator(declarator->child(ast::PointerDeclarator::declarator), out);
    case ast::Kind::ArrayDeclarator:
        visit(declarator->child(ast::ArrayDeclarator::size));
        out.type = cArrayOf(arena(), out.type);
        return applyDeclarator(declarator->child(ast::ArrayDeclarator::declarator), out);
    case ast::Kind::FunctionDeclarator: {
        const NodePtr inner = declarator->child(ast::FunctionDeclarator::declarator);
        out.type = functionType(declarator, out.isAuto ? unknownType() : out.type);
        out.isAuto = false;
        return applyDeclarator(inner, out);
    }
    case ast::Kind::ParenthesizedDeclarator:
        return applyDeclarator(declarator->child(ast::ParenthesizedDeclarator::declarator), out);
    case ast::Kind::BitField:
        visit(declarator->child(ast::BitField::width));
        return applyDeclarator(declarator->child(ast::BitField::declarator), out);
    case ast::Kind::PackDeclarator:
        out.name = declarator->child(ast::PackDeclarator::name);
        out.type = unknownType();
        return;
    case ast::Kind::StructuredBinding:
        out.bindings = declarator;
        return;
    default:
        out.name = declarator;
        return;
    }
}

void Annotator::parameter(NodePtr node, Type& function) {
    while (node->is<ast::Attributed>()) node = node->child(ast::Attributed::declaration);
    if (!node->is<ast::Parameter>()) {
        function.isVariadic = true;
        return;
    }
    const NodePtr declarator = node->child(ast::Parameter::declarator);
    const Declared what = declared(specified(node->child(ast::Parameter::specifiers)), declarator);
    const bool isPack = ast::is<ast::PackDeclarator>(declarator) ||
                        node->text().find("...") != std::string_view::npos;
    if (isPack) {
        function.isVariadic = true;
    } else {
        function.parameters.push_back(what.type);
        if (!node->child(ast::Parameter::defaultValue))
            function.requiredParameters = function.parameters.size();
    }
    if (what.name) declareName(what.name, SymbolKind::Parameter, node, what.type);
    node->type = what.type;
    node->symbol = what.name ? what.name->symbol : nullptr;
}

// Also makes the parameters' symbols (node->symbol of each Parameter).
const Type* Annotator::functionType(NodePtr declarator, const Type* result) {
    Type type;
    type.kind = TypeKind::Function;
    push(Scope::Kind::Function);
    const bool wasTemplate = std::exchange(underTemplate_, false);
    for (NodePtr node : declarator->child(ast::FunctionDeclarator::parameters)->children())
        parameter(node, type);
    if (const NodePtr qualifiers = declarator->child(ast::FunctionDeclarator::qualifiers)) {
        for (NodePtr qualifier : qualifiers->children()) {
            visit(qualifier);
            if (ast::is<ast::TrailingReturn>(qualifier))
                result = typeOf(qualifier->child(ast::TrailingReturn::type));
        }
    }
    underTemplate_ = wasTemplate;
    pop();
    type.result = result;
    type.spelled = "function";
    return arena().makeType(type);
}

}  // namespace hpcc::check
