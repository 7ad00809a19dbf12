// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/sections.hpp"

#include <algorithm>

#include "ast/purity.hpp"
#include "lower/triplets.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

bool isRange(NodePtr expression) {
    const ast::Type* type = expression->type;
    return type && (type->kind == ast::TypeKind::Range || type->kind == ast::TypeKind::Dimension);
}

NodePtr lowerSlot(Context& context, NodePtr slot) {
    if (slot->is<ast::Triplet>()) return lowerTriplet(context, slot);
    if (slot->is<ast::Split>()) return context.expression("hpspmd::split", {}, slot);
    return slot;
}

}  // namespace

NodePtr lowerSection(Context& context, NodePtr original, NodePtr lowered) {
    const NodePtr base = lowered->child(ast::Section::base);
    const auto slots = lowered->child(ast::Section::slots)->children();
    if (isRange(original->child(ast::Section::base)) && slots.size() == 1 &&
        slots[0]->is<ast::Triplet>())
        return context.expression("$x.subrange($parts)",
                                  {{"$x", base}, {"$parts", tripletArguments(context, slots[0])}},
                                  original);
    std::vector<NodePtr> arguments{base};
    for (const NodePtr slot : slots) arguments.push_back(lowerSlot(context, slot));
    // Triplets carry the place of the call for messages; without one, the function object does.
    const bool hasTriplet =
        std::ranges::any_of(slots, [](NodePtr slot) { return slot->is<ast::Triplet>(); });
    return context.expression(
        hasTriplet ? "hpspmd::section($arguments)" : "hpspmd::detail::Section()($arguments)",
        {{"$arguments", arguments}}, original);
}

}  // namespace hpcc::lower
