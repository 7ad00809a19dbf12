// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 4: a shifted index stays within the ghost cells.
#include "check/facts.hpp"
#include "check/shifts.hpp"
#include "check/wording.hpp"

namespace hpcc::check {
namespace {

std::string cells(long long count, bool isBelow) {
    const std::string number = count == 0 ? "no" : std::to_string(count);
    return number + (count == 1 ? " ghost cell " : " ghost cells ") +
           (isBelow ? "below its blocks" : "above its blocks");
}

struct Place {
    NodePtr array, subscript;
    std::size_t dimension;
};

void tooWide(const Context& context, const Place& place, const Shift& shift,
             const GhostCells& ghosts) {
    const long long given = shift.isBelow ? *ghosts.below : *ghosts.above;
    if (!ghosts.format.empty()) {
        context
            .report(Id::NoGhostCells, place.subscript, textOf(place.subscript), place.dimension,
                    textOf(place.array), withArticle(ghosts.format))
            .note(ghosts.range->span(), "its range")
            .help((ghosts.format == "IrregRange"
                       ? "it has them if it is told: IrregRange x(sizes, d, "
                       : "an ExtBlockRange has them: ExtBlockRange x(n, d, ") +
                  std::to_string(shift.isBelow ? shift.width : 0) + ", " +
                  std::to_string(shift.isBelow ? 0 : shift.width) +
                  "); or shift a copy: Adlib::shift");
        return;
    }
    context
        .report(Id::ShiftTooWide, place.subscript, textOf(place.subscript), place.dimension,
                textOf(place.array), cells(given, shift.isBelow))
        .note(ghosts.range->span(), "its range")
        .help(
            "give it as many: of ExtBlockRange and IrregRange the third argument is the number of "
            "ghost cells below, the fourth that above");
}

}  // namespace

void shiftWidth(const Context& context, NodePtr node) {
    const NodePtr base = node->child(ast::Subscript::base);
    if (!isKind(base, TypeKind::Multiarray)) return;
    const auto given = node->child(ast::Subscript::subscripts)->children();
    const std::vector<SlotKind>& slots = typeOf(base)->slots;
    for (std::size_t r = 0; r < given.size() && r < slots.size(); ++r) {
        const bool isShifted = isKind(given[r], TypeKind::ShiftedIndex);
        if (slots[r] != SlotKind::Distributed || !isShifted) continue;
        const Shift shift = shiftOf(given[r]);
        if (!shift.isExact || shift.width == 0) continue;
        const GhostCells ghosts = ghostCells(base, r);
        const auto cells = shift.isBelow ? ghosts.below : ghosts.above;
        if (cells && *cells < shift.width) tooWide(context, {base, given[r], r}, shift, ghosts);
    }
}

}  // namespace hpcc::check
