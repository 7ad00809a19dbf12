// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/slots.hpp"

#include <algorithm>

#include "analysis/constant.hpp"
#include "analysis/plain_values.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"
#include "nests/container_elements.hpp"
#include "nests/names.hpp"
#include "nests/normalize/fixed_handles.hpp"

namespace hpcc::nests {

using ast::NodePtr;

const Loop* enclosing(const Loop* loop, std::string_view variable) {
    while (loop && loop->variable != variable) loop = loop->outer;
    return loop;
}

Slot distributedSlot(NodePtr subscript, const Loop* innermost) {
    const ast::IndexSubscript use = *ast::asIndexSubscript(subscript);
    Slot slot;
    slot.subscript = subscript;
    slot.index = use.index;
    slot.loop = enclosing(innermost, use.index->text());
    slot.negative = use.negative;
    if (const auto shift = analysis::constantDistance(use))
        slot.shift = *shift;
    else
        slot.distance = use.distance;
    return slot;
}

Slot sequentialSlot(NodePtr subscript, const Loop* innermost) {
    Slot slot;
    slot.subscript = subscript;
    NodePtr name = ast::withoutParentheses(subscript);
    if (ast::is<ast::Binary>(name)) {
        const std::string_view op = name->child(ast::Binary::op)->text();
        const auto shift = ast::asConstant(name->child(ast::Binary::right));
        if (!shift || (op != "+" && op != "-")) return slot;
        slot.shift = op == "-" ? -*shift : *shift;
        name = ast::withoutParentheses(name->child(ast::Binary::left));
    }
    if (ast::is<ast::Identifier>(name)) slot.loop = enclosing(innermost, name->text());
    return slot;
}

bool noteContainer(Nest& nest, NodePtr element) {
    NodePtr base = element->child(ast::Subscript::base);
    if (const NodePtr own = ownContainer(base))
        base = own;
    else if (!isNamedContainer(base))
        return false;
    if (nest.declared.contains(rootOf(base)->text())) return false;
    const std::string text = ast::print(base);
    if (std::ranges::find(nest.containers, text, &NestArray::text) == nest.containers.end())
        nest.containers.push_back({text, base});
    return true;
}

}  // namespace hpcc::nests
