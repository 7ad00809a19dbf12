// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/halo/sections.hpp"

#include "ast/subscripts.hpp"
#include "check/facts.hpp"

#include <algorithm>

namespace hpcc::check::halo {

using analysis::Subscript;

NodePtr sectionNamed(NodePtr array) {
    array = bare(array);
    if (ast::is<ast::Identifier>(array) && isStable(array->symbol))
        array = singleInitializer(array->symbol->initializer);
    return ast::is<ast::Section>(array) ? array : nullptr;
}

namespace {

// Subscript k of a `*` slot of a section counts from the first one that the triplet selects.
std::optional<Subscript> inTriplet(NodePtr triplet, const Subscript& own) {
    const NodePtr low = triplet->child(ast::Triplet::low),
                  step = triplet->child(ast::Triplet::step);
    const auto by = step ? constantValue(step) : std::optional(1LL);
    const bool isPlain = !own.first && own.step == 1;
    if (!by || !isPlain || (!low && *by < 0)) return std::nullopt;
    return Subscript{own.node, low, static_cast<long>(*by)};
}

}  // namespace

std::vector<Subscript> inWholeArray(NodePtr access) {
    std::vector<Subscript> subscripts;
    for (const NodePtr each : access->child(ast::Subscript::subscripts)->children())
        subscripts.push_back({each});
    NodePtr array = access->child(ast::Subscript::base);
    while (const NodePtr section = sectionNamed(array)) {
        array = section->child(ast::Section::base);
        const std::vector<SlotKind>& kinds = typeOf(bare(array))->slots;
        const auto slots = section->child(ast::Section::slots)->children();
        std::vector<Subscript> whole;
        std::size_t next = 0;
        for (std::size_t r = 0; r < slots.size(); ++r) {
            if (ast::is<ast::Split>(slots[r])) return {};
            if (!ast::is<ast::Triplet>(slots[r])) {
                whole.push_back({slots[r]});
                continue;
            }
            if (next == subscripts.size() || r >= kinds.size()) return {};
            const Subscript& own = subscripts[next++];
            const bool isSame = kinds[r] == SlotKind::Distributed || ast::isWholeTriplet(slots[r]);
            const auto inside = isSame ? std::optional(own) : inTriplet(slots[r], own);
            if (!inside) return {};
            whole.push_back(*inside);
        }
        if (next != subscripts.size()) return {};
        subscripts = whole;
    }
    return subscripts;
}

}  // namespace hpcc::check::halo
