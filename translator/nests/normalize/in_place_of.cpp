// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/in_place_of.hpp"

#include <algorithm>

#include "analysis/harmless_calls.hpp"
#include "analysis/plain_values.hpp"
#include "ast/search.hpp"

namespace hpcc::nests {

using ast::NodePtr;

NodePtr memberOf(Context& context, NodePtr object, const ast::Symbol& field, NodePtr place) {
    const NodePtr made = context.expression("$e." + field.name, {{"$e", object}}, place);
    const NodePtr name = made->child(ast::Member::name);
    made->type = name->type = field.type;
    name->symbol = &field;
    return made;
}

bool asksForMembers(NodePtr node, const ast::Symbol* variable, bool isCopy) {
    if (!node) return true;
    if (ast::isAny<ast::Lambda, ast::DecltypeType, ast::Sizeof, ast::OpaqueStatement,
                   ast::OpaqueExpression, ast::OpaqueDeclaration>(node))
        return false;
    if (isCopy && ast::is<ast::Call>(node) && !analysis::isHarmlessCall(node)) return false;
    if (ast::is<ast::Identifier>(node)) return node->symbol != variable;
    if (ast::is<ast::Member>(node) && ast::is<ast::Identifier>(node->child(0)))
        return node->child(0)->symbol != variable || analysis::isPlainValue(node->type);
    return std::ranges::all_of(
        node->children(), [&](NodePtr child) { return asksForMembers(child, variable, isCopy); });
}

}  // namespace hpcc::nests
