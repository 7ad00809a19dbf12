// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 3 for sections, subranges and triplets.
#include "check/facts.hpp"
#include "check/wording.hpp"

namespace hpcc::check {
namespace {

bool isPlain(NodePtr slot) { return !slot->is<ast::Triplet>() && !slot->is<ast::Split>(); }

// Integers and distributed indices; a location too.
bool mayRestrict(const Type* type) {
    return isUnknown(type) || type->kind == TypeKind::Class || isInteger(type) || isIndex(type) ||
           type->kind == TypeKind::Location;
}

void sectionSlot(const Context& context, NodePtr base, std::size_t r, NodePtr slot) {
    const SlotKind kind = typeOf(base)->slots[r];
    if (slot->is<ast::Split>() && kind == SlotKind::Sequential)
        context.report(Id::SplitSequential, slot, r, textOf(base))
            .help("a sequential dimension is held whole by its processes: write ':'");
    if (!isPlain(slot)) return;
    const Type* type = typeOf(slot);
    if (!mayRestrict(type)) {
        context.report(Id::SectionSubscript, slot, textOf(slot), describe(type));
    } else if (kind == SlotKind::Sequential && isIndex(type)) {
        rejectIndex(context, slot, "the subscript of a sequential slot");
    }
}

void subrange(const Context& context, NodePtr node, NodePtr base) {
    const auto slots = node->child(ast::Section::slots)->children();
    if (slots.size() == 1 && slots[0]->is<ast::Triplet>()) return;
    Report report = context.report(Id::SubrangeSubscript, node, textOf(base));
    if (slots.size() == 1 && isPlain(slots[0]))
        report.help("one location is written with single brackets: " + textOf(base) + "[" +
                    textOf(slots[0]) + "]");
}

}  // namespace

void sectionSubscripts(const Context& context, NodePtr node) {
    const NodePtr base = node->child(ast::Section::base);
    const Type* type = typeOf(base);
    if (isRange(type)) return subrange(context, node, base);
    if (type->kind != TypeKind::Multiarray) {
        if (isUnknown(type) || type->kind == TypeKind::Class) return;
        context.report(Id::NoSections, node, textOf(base), describe(type));
        return;
    }
    const auto slots = node->child(ast::Section::slots)->children();
    if (slots.size() != type->slots.size()) {
        context
            .report(Id::SectionCount, node, textOf(base), type->slots.size(), slots.size(),
                    slots.size() == 1 ? "" : "s")
            .help("a ':' keeps a whole dimension");
        return;
    }
    for (std::size_t r = 0; r < slots.size(); ++r) sectionSlot(context, base, r, slots[r]);
}

void tripletParts(const Context& context, NodePtr node) {
    for (NodePtr part : node->children()) {
        if (!part || rejectIndex(context, part, "a part of a triplet")) continue;
        const Type* type = typeOf(part);
        if (isUnknown(type) || type->kind == TypeKind::Class || isInteger(type)) continue;
        context.report(Id::TripletPart, part, textOf(part), describe(type));
    }
    const NodePtr step = node->child(ast::Triplet::step);
    if (step && constantValue(step) == 0)
        context.report(Id::StepZero, step).help("leave the step out for 1, or write -1 to go down");
}

void tripletPlace(const Context& context, NodePtr node) {
    const NodePtr parent = context.parent();
    const bool isSlot = ast::is<ast::Slots>(parent);
    const bool isHeader = ast::is<ast::OverallHeader>(parent) && node->is<ast::Triplet>();
    const bool isExtent = isSlot && context.path.size() >= 2 &&
                          context.path[context.path.size() - 2]->is<ast::NewMultiarray>();
    if (isHeader || (isSlot && !isExtent)) return;
    context.report(Id::TripletOutsideSection, node, node->is<ast::Split>() ? "'<>'" : "a triplet");
}

}  // namespace hpcc::check
