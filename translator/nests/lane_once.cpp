// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "nests/lane_values.hpp"
#include "source/name.hpp"

namespace hpcc::nests {

using ast::NodePtr;

namespace {

/// True of another type than its element's, and of a division: worth to be loaded instead.
bool isWorthKeeping(NodePtr e, const Access& element) {
    const ast::Type* const type = ast::multiarrayType(element.node->child(ast::Subscript::base));
    const std::string word = laneWord(e->type);
    return !word.empty() && (word != laneWord(type->element) || ast::anywhere(e, [](NodePtr each) {
                                 return ast::is<ast::Binary>(each) &&
                                        each->child(ast::Binary::op)->text() == "/";
                             }));
}

/// True if a loop round an element goes on while that stays the same.
bool isReadAgain(const Access& access, const Loop& lanes) {
    const auto names = ast::namesIn(access.slots.back().subscript);
    for (const Loop* loop = access.loop; loop && loop != &lanes; loop = loop->outer)
        if (!names.contains(loop->variable)) return true;
    return false;
}

}  // namespace

/// The only thing that differs between lanes in an expression, if that is an element of a row that
/// keeps what it has; the rest are constants, and functions of them.
const Access* LaneValues::soleElement(NodePtr e) const {
    const auto elements = ast::allOf<ast::Subscript>(e);
    const Access* const access = elements.size() == 1 ? accessAt(nest_, elements.front()) : nullptr;
    const auto row = access ? rows_.find(access->array) : rows_.end();
    const bool isFixed =
        row != rows_.end() && !row->second.isWritten && !ast::anywhere(e, ast::changedOperand) &&
        std::ranges::none_of(ast::allOf<ast::Identifier>(e), [&](NodePtr each) {
            const std::string_view text = each->text();
            return !isInside(access->node, each) &&
                   (nest_.declared.contains(text) || nest_.assigned.contains(text) ||
                    nest_.changeable.contains(text) || nest_.loopNamed(text));
        });
    return isFixed && isWorthKeeping(e, *access) && isReadAgain(*access, loop_) ? access : nullptr;
}

/// f(row[k]) as an element of a row of its own.
NodePtr LaneValues::computedOnce(NodePtr e) {
    const bool isOperation =
        ast::isAny<ast::Call, ast::Binary, ast::FunctionalCast, ast::Cast, ast::NamedCast>(e);
    const Access* const access = isOperation && !computedOf_ ? soleElement(e) : nullptr;
    if (!access) return nullptr;
    computedOf_ = access;
    const NodePtr written = value(e);
    computedOf_ = nullptr;
    const std::string text = written ? ast::print(written) : "";
    // What is computed lane by lane, or for some, stays where it is.
    if (!source::mentionsName(text, elementName_) || source::mentionsName(text, mask) ||
        source::mentionsName(text, all_))
        return nullptr;
    constexpr size_t most = 4;  // that stay in the first cache
    const std::string& row = rows_.at(access->array).name;
    auto found = std::ranges::find_if(
        computed_, [&](const ComputedRow& each) { return each.row == row && each.of == text; });
    if (found == computed_.end() && computed_.size() == most) return nullptr;
    if (found == computed_.end())
        found = computed_.insert(
            found, {context_.fresh(row + "_once"), row,
                    elements_.nameExtent(access->array, access->slots.size() - 1), text});
    return context_.expression(
        "$r[$k]", {{"$r", name(found->name, e)}, {"$k", common(access->slots.back().subscript)}},
        e);
}

}  // namespace hpcc::nests
