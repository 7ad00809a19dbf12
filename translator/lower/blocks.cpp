// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/blocks.hpp"

#include "lower/regions.hpp"

namespace hpcc::lower {

using ast::NodePtr;

bool isEmpty(NodePtr body) {
    return body->is<ast::EmptyStatement>() ||
           (body->is<ast::Compound>() && body->children().empty());
}

NodePtr blockWith(Context& context, std::vector<NodePtr> first, NodePtr body) {
    if (first.empty() && body->is<ast::Compound>()) return body;
    if (body->is<ast::Compound>() && !body->children().empty() && !beginsWithDirective(body)) {
        std::vector<NodePtr> children(body->children().begin(), body->children().end());
        first.push_back(children.front());
        children.front() = ast::sequence(context.arena, first, children.front());
        return ast::rebuild(context.arena, body, children);
    }
    if (!isEmpty(body)) first.push_back(body);
    if (first.empty()) return context.statement("{}", {}, body);
    return context.statement(
        "{\n"
        "    $statements;\n"
        "}",
        {{"$statements", first}}, body);
}

}  // namespace hpcc::lower
