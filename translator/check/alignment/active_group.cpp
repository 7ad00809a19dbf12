// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/alignment/active_group.hpp"

#include "ast/symbol.hpp"

#include <algorithm>

namespace hpcc::check::alignment {
namespace {

bool isConstant(NodePtr argument) {
    if (ast::is<ast::BracedInitializer>(argument))
        return !argument->children().empty() &&
               std::ranges::all_of(argument->children(), isConstant);
    return constantValue(argument).has_value();
}

bool isGridVariable(const Symbol* grid) {
    return gridRank(grid) >= 0 && isStable(grid) && grid->kind == ast::SymbolKind::Variable &&
           !grid->type->isReference;
}

bool isKnown(const RangeFacts& facts) { return facts.grid || facts.variable; }

bool isOtherAxis(const RangeFacts& a, const RangeFacts& b) {
    return a.grid && a.grid == b.grid && a.axis != b.axis;
}

}  // namespace

int gridRank(const Symbol* group) {
    if (!group || !group->type || group->type->kind != TypeKind::Group) return -1;
    const std::string& name = group->type->spelled;
    const auto at = name.rfind("Procs");
    const bool isNumbered = at != name.npos && at + 6 == name.size();
    return isNumbered ? name.back() - '0' : -1;
}

bool mayHaveOutsiders(const Symbol* grid) {
    if (!isGridVariable(grid)) return false;
    if (gridRank(grid) == 0) return true;
    const NodePtr arguments = constructorArguments(*grid);
    return arguments && !arguments->children().empty() &&
           std::ranges::all_of(arguments->children(), isConstant);
}

NodePtr rangeOfLocation(NodePtr location) {
    location = bare(location);
    if (const Symbol* index = namedIndex(location)) return rangeOfIndex(*index);
    if (ast::is<ast::Subscript>(location)) return location->child(ast::Subscript::base);
    if (!ast::is<ast::Call>(location)) return nullptr;
    const NodePtr callee = location->child(ast::Call::callee);
    return ast::is<ast::Member>(callee) ? callee->child(ast::Member::base) : nullptr;
}

void ActiveGroup::enterOn(NodePtr construct, const Symbol* group) {
    frames_.push_back({construct, true, group, {}});
}

void ActiveGroup::enterLocation(NodePtr construct, const RangeFacts& dimension) {
    frames_.push_back({construct, false, nullptr, dimension});
}

bool ActiveGroup::isRestricted() const {
    return std::ranges::any_of(frames_, [](const Frame& each) { return !each.isOn; });
}

// No `at` or `overall` around can have fixed the dimension.
bool ActiveGroup::isFree(const RangeFacts& dimension) const {
    return std::ranges::all_of(frames_, [&](const Frame& each) {
        return each.isOn || isOtherAxis(dimension, each.fixed);
    });
}

// Not all dimensions of the grid are fixed.
bool ActiveGroup::hasSeveralProcesses() const {
    if (!isRestricted()) return true;
    const auto on =
        std::find_if(frames_.rbegin(), frames_.rend(), [](const Frame& each) { return each.isOn; });
    if (on == frames_.rend() || gridRank(on->group) < 0) return false;
    std::vector<long long> fixed;
    for (const Frame& each : frames_) {
        if (each.isOn) continue;
        if (each.fixed.grid != on->group) return false;
        if (std::ranges::find(fixed, each.fixed.axis) == fixed.end())
            fixed.push_back(each.fixed.axis);
    }
    return static_cast<int>(fixed.size()) < gridRank(on->group);
}

bool ActiveGroup::differsBy(const Source& source) const {
    if (source.isParameter) return false;
    if (source.isEverywhere) return hasSeveralProcesses();
    const bool isInside = std::ranges::any_of(
        frames_, [&](const Frame& each) { return each.isOn && each.group == source.members; });
    if (source.members && !isInside) return true;
    return std::ranges::any_of(source.along, [&](const RangeFacts& each) {
        if (isUndivided(each)) return false;
        return isKnown(each) ? isFree(each) : !isRestricted();
    });
}

// ---- arrays ------------------------------------------------------------------------------------

namespace {

// What a variable is made of: `new T [[..]]`; null if that is not in sight.
NodePtr creationOf(NodePtr array) {
    if (!ast::is<ast::Identifier>(array) || !isStable(array->symbol)) return nullptr;
    const NodePtr creation = singleInitializer(array->symbol->initializer);
    return ast::is<ast::NewMultiarray>(creation) ? creation : nullptr;
}

// Whether the group that an array was made for has the dimension that `construct` fixes.
bool groupHas(NodePtr creation, NodePtr construct, const RangeFacts& fixed) {
    const NodePtr group = bare(creation->child(ast::NewMultiarray::group));
    if (!group)
        return !construct->span().contains(creation->span());  // that which was active before
    return ast::is<ast::Identifier>(group) && fixed.grid && group->symbol == fixed.grid;
}

bool isFixedBySubscript(NodePtr subscript) {
    return !subscript->is<ast::Triplet>() && !subscript->is<ast::Split>();
}

// Whether a dimension of the array lies over `fixed`; subscripts (of a section, or null) that name
// one location leave only its processes.
bool lastsOver(NodePtr array, NodePtr subscripts, const RangeFacts& fixed) {
    const auto& slots = typeOf(array)->slots;
    for (std::size_t r = 0; r < slots.size(); ++r) {
        if (slots[r] == SlotKind::Sequential) continue;
        const NodePtr subscript =
            subscripts ? subscripts->child(static_cast<uint32_t>(r)) : nullptr;
        if (subscripts && (!subscript || isFixedBySubscript(subscript))) continue;
        if (provablySameDimension(dimensionFacts(array, r), fixed)) return true;
    }
    return false;
}

bool isFixedInSection(NodePtr array, NodePtr subscripts, const RangeFacts& fixed) {
    const auto& slots = typeOf(array)->slots;
    for (std::size_t r = 0; subscripts && r < slots.size(); ++r) {
        const NodePtr subscript = subscripts->child(static_cast<uint32_t>(r));
        const bool isFixed =
            subscript && slots[r] == SlotKind::Distributed && isFixedBySubscript(subscript);
        if (isFixed && !isOtherAxis(dimensionFacts(array, r), fixed)) return true;
    }
    return false;
}

}  // namespace

ActiveGroup::Exclusion ActiveGroup::exclusionOf(NodePtr array) const {
    array = bare(array);
    NodePtr subscripts = nullptr;
    if (ast::is<ast::Section>(array)) {
        subscripts = array->child(ast::Section::slots);
        array = bare(array->child(ast::Section::base));
        const bool isPlain = std::ranges::none_of(subscripts->children(), ast::is<ast::Split>);
        if (!isPlain) return {};
    }
    if (!ast::is<ast::Identifier>(array) || !isKind(array, TypeKind::Multiarray)) return {};
    const NodePtr creation = creationOf(array);
    Exclusion perhaps;
    for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
        if (frame->isOn) break;  // `on` checks containment itself
        if (!isKnown(frame->fixed)) continue;
        const bool isExcluded = lastsOver(array, subscripts, frame->fixed) ||
                                (creation && !isFixedInSection(array, subscripts, frame->fixed) &&
                                 groupHas(creation, frame->construct, frame->fixed));
        if (isExcluded && frame->fixed.grid) return {frame->construct, true};
        if (isExcluded && !perhaps.construct) perhaps.construct = frame->construct;
    }
    return perhaps;
}

}  // namespace hpcc::check::alignment
