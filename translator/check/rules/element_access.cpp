// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules 2 and 3 for a[i, j]: what stands in each slot, and how many subscripts there are.
#include "check/facts.hpp"
#include "check/wording.hpp"

#include <algorithm>

namespace hpcc::check {
namespace {

struct Slot {
    NodePtr array;
    std::size_t number;
    NodePtr subscript;
};

// What the subscript is or shifts: k in a[k], a[k - 1]; null if it is other arithmetic.
NodePtr shiftedPart(NodePtr subscript) {
    subscript = bare(subscript);
    if (!ast::is<ast::Binary>(subscript)) return subscript;
    const bool isShift = isOneOf(subscript->child(ast::Binary::op)->text(), {"+", "-"});
    return isShift ? bare(subscript->child(ast::Binary::left)) : nullptr;
}

bool isNoIndex(const Type* type) {
    return !isUnknown(type) && type->kind != TypeKind::Class && !isIndex(type);
}

std::string ownRange(const Slot& slot) {
    return textOf(slot.array) + ".rng(" + std::to_string(slot.number) + ")";
}

// i` of i` and i` - 1, where i was meant.
NodePtr needlessGlobalIndex(NodePtr subscript) {
    const NodePtr part = shiftedPart(subscript);
    return ast::is<ast::GlobalIndex>(part) ? part : nullptr;
}

// 2 * i`
bool mentionsGlobalIndex(NodePtr subscript) {
    return subscript->is<ast::GlobalIndex>() ||
           (ast::is<ast::Binary>(bare(subscript)) &&
            std::ranges::any_of(bare(subscript)->children(),
                                [](NodePtr each) { return each && mentionsGlobalIndex(each); }));
}

void reportInteger(const Context& context, const Slot& slot) {
    const std::string array = textOf(slot.array), text = textOf(slot.subscript);
    Report report =
        context.report(Id::IntegerInDistributedSlot, slot.subscript, slot.number, array, text);
    if (const NodePtr global = needlessGlobalIndex(slot.subscript)) {
        const std::string index = textOf(global->child(ast::GlobalIndex::operand));
        report.help("the index itself is the subscript: write '" + index + "' without '`'")
            .fixit(global->span(), index);
    } else if (mentionsGlobalIndex(slot.subscript)) {
        report.help(adviceToMove);
    } else {
        report.help("bind an index: at (i = " + ownRange(slot) + "[" + text +
                    "]); or copy that element to every process: Adlib::remap of a section");
    }
}

void reportNoIndex(const Context& context, const Slot& slot) {
    const Type* type = typeOf(slot.subscript);
    if (isInteger(type)) return reportInteger(context, slot);
    const std::string text = textOf(slot.subscript);
    Report report = context.report(Id::NoIndexInDistributedSlot, slot.subscript, slot.number,
                                   textOf(slot.array), text, describe(type));
    if (type->kind == TypeKind::Location)
        report.help("bind an index to the location: at (i = " + text + ")");
    else
        report.help("bind an index: overall (i = " + ownRange(slot) + " for :)");
}

void distributedSlot(const Context& context, const Slot& slot) {
    if (isNoIndex(typeOf(slot.subscript))) return reportNoIndex(context, slot);
    const NodePtr name = shiftedPart(slot.subscript);
    if (name && isUndeclared(context, name)) reportUnbound(context, name);
}

void sequentialSlot(const Context& context, const Slot& slot) {
    const Type* type = typeOf(slot.subscript);
    if (!isIndex(type) && (isInteger(type) || !isNoIndex(type))) return;
    const std::string array = textOf(slot.array), text = textOf(slot.subscript);
    if (isIndex(type)) {
        const Symbol* index = namedIndex(slot.subscript);
        const std::string name = index ? index->name : text;
        Report report =
            context.report(Id::IndexInSequentialSlot, slot.subscript, slot.number, array, name);
        report.help("write '" + name + "`' for its global index");
        if (bare(slot.subscript)->is<ast::Identifier>())
            report.fixit(source::behind(bare(slot.subscript)->span()), "`");
    } else {
        context.report(Id::SubscriptNotInteger, slot.subscript, slot.number, array, text,
                       describe(type));
    }
}

bool hasTooFewSubscripts(NodePtr node) {
    if (!ast::is<ast::Subscript>(node)) return false;
    const NodePtr base = node->child(ast::Subscript::base);
    return isKind(base, TypeKind::Multiarray) &&
           node->child(ast::Subscript::subscripts)->children().size() < typeOf(base)->slots.size();
}

bool isSubscripted(const Context& context, NodePtr node) {
    const NodePtr parent = context.parent();
    return ast::is<ast::Subscript>(parent) && parent->child(ast::Subscript::base) == node;
}

std::string subscriptsOf(NodePtr node) {
    std::string text;
    for (NodePtr subscript : node->child(ast::Subscript::subscripts)->children())
        text += (text.empty() ? "" : ", ") + textOf(subscript);
    return text;
}

// a[i][j] of a rank-2 array: a[i, j].
void adviseOneBracketPair(const Context& context, NodePtr node, Report& report) {
    std::string element = textOf(node->child(ast::Subscript::base)) + "[" + subscriptsOf(node);
    NodePtr whole = node;
    for (auto at = context.path.rbegin(); at != context.path.rend(); ++at) {
        if (!(*at)->is<ast::Subscript>() || (*at)->child(ast::Subscript::base) != whole) break;
        whole = *at;
        element += ", " + subscriptsOf(whole);
    }
    report.help("one pair of brackets holds all subscripts").fixit(whole->span(), element + "]");
}

void arrayAccess(const Context& context, NodePtr node, NodePtr base) {
    const auto given = node->child(ast::Subscript::subscripts)->children();
    const std::vector<SlotKind>& slots = typeOf(base)->slots;
    if (given.size() != slots.size()) {
        Report report = context.report(Id::SubscriptCount, node, textOf(base), slots.size(),
                                       given.size(), given.size() == 1 ? "" : "s");
        if (hasTooFewSubscripts(node) && isSubscripted(context, node))
            adviseOneBracketPair(context, node, report);
        else if (slots.empty())
            report.help("the one element of a rank-0 array is " + textOf(base) + "[]");
        else if (given.size() < slots.size())
            report.help("a part of an array is a section: " + textOf(base) + "[[..]]");
        return;
    }
    for (std::size_t r = 0; r < given.size(); ++r) {
        const Slot slot{base, r, given[r]};
        if (slots[r] == SlotKind::Distributed)
            distributedSlot(context, slot);
        else
            sequentialSlot(context, slot);
    }
}

// Of anything else, in sight of the types that never take a subscript list.
void otherAccess(const Context& context, NodePtr node, NodePtr base) {
    const Type* type = typeOf(base);
    const auto given = node->child(ast::Subscript::subscripts)->children();
    if (hasTooFewSubscripts(base)) return;  // a[i] of a[i][j] is told
    const bool hasNone =
        type->kind == TypeKind::Group || isNumber(type) || (isRange(type) && given.size() != 1);
    const bool mayBePointer = isNumber(type) && given.size() == 1 && !isNumber(typeOf(given[0]));
    if (hasNone && !mayBePointer) {  // 3[pointer] is C
        context.report(Id::NoElements, node, textOf(base), describe(type));
        return;
    }
    if (isUnknown(type) || type->kind == TypeKind::Class) {
        const bool isSequence =
            type->classSymbol && type->classSymbol->shape == ast::StandardShape::Sequence;
        if (!isSequence) return;
    }
    for (NodePtr subscript : given)
        if (isIndex(typeOf(subscript)))
            rejectIndex(context, subscript, "a subscript of '" + textOf(base) + "'");
}

}  // namespace

void elementAccess(const Context& context, NodePtr node) {
    const NodePtr base = node->child(ast::Subscript::base);
    if (isKind(base, TypeKind::Multiarray))
        arrayAccess(context, node, base);
    else
        otherAccess(context, node, base);
}

// Of a[i, j] and a[[i, :]].
void indexFits(const Context& context, NodePtr node) {
    const NodePtr base = node->child(0);
    if (!isKind(base, TypeKind::Multiarray)) return;
    const auto given = node->child(1)->children();
    const std::vector<SlotKind>& slots = typeOf(base)->slots;
    for (std::size_t r = 0; r < given.size() && r < slots.size(); ++r) {
        const Symbol* index = namedIndex(given[r]);
        if (slots[r] != SlotKind::Distributed || !index) continue;
        const NodePtr range = rangeOfIndex(*index);
        const std::string misfit =
            range ? provableMisfit(rangeFacts(range), dimensionFacts(base, r)) : "";
        if (misfit.empty()) continue;
        context.report(Id::IndexDoesNotFit, given[r], index->name, r, textOf(base), misfit)
            .note(range->span(), "'" + index->name + "' runs over this range");
    }
}

}  // namespace hpcc::check
