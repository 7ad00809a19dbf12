#include "nests/slots.hpp"

#include <utility>

#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"

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
    if (const auto shift = use.constantDistance())
        slot.shift = *shift;
    else
        slot.distance = use.distance;
    return slot;
}

/// Notes `rest + k` and `k + rest`.
static void noteSum(Slot& slot, NodePtr left, NodePtr right, const Loop* innermost) {
    for (const auto& [variable, rest] : {std::pair(right, left), std::pair(left, right)}) {
        if (!ast::is<ast::Identifier>(variable)) continue;
        const Loop* loop = enclosing(innermost, variable->text());
        if (!loop || mentions(rest, loop->variable)) continue;
        slot.along = loop;
        slot.rest = rest;
        return;
    }
}

Slot sequentialSlot(NodePtr subscript, const Loop* innermost) {
    Slot slot;
    slot.subscript = subscript;
    NodePtr name = ast::withoutParentheses(subscript);
    if (ast::is<ast::Binary>(name)) {
        const NodePtr left = name->child(ast::Binary::left),
                      right = name->child(ast::Binary::right);
        const std::string_view op = name->child(ast::Binary::op)->text();
        if (op == "+") noteSum(slot, left, right, innermost);
        const auto shift = ast::asConstant(right);
        if (!shift || (op != "+" && op != "-")) return slot;
        slot.shift = op == "-" ? -*shift : *shift;
        name = ast::withoutParentheses(left);
    }
    if (ast::is<ast::Identifier>(name)) slot.loop = enclosing(innermost, name->text());
    return slot;
}

}  // namespace hpcc::nests
