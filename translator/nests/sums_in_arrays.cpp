// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/sums_in_arrays.hpp"

#include <algorithm>
#include <span>

#include "analysis/constant.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/search.hpp"
#include "nests/container_elements.hpp"
#include "nests/extremes.hpp"
#include "nests/scratch.hpp"
#include "nests/wide_values.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

bool counts(const Loop& loop) {
    return loop.kind == Loop::Kind::Counting && loop.step == 1 && !loop.jumps;
}

/// True of a loop that the C++ compiler rather writes out: less than a pack.
bool isTiny(const Loop& loop) {
    const auto first = analysis::constantValue(loop.first), end = analysis::constantValue(loop.end);
    return first && end && *end - *first + (loop.reachesEnd ? 1 : 0) < 8;
}

/// True of `sum[j]` of an array of doubles that the nest declares.
bool isOwnElement(const Nest& nest, NodePtr e) {
    if (!ast::is<ast::Subscript>(e) || !isDouble(e->type)) return false;
    const NodePtr base = e->child(ast::Subscript::base);
    const bool isArray = base->type && base->type->kind == ast::TypeKind::CArray;
    return ast::is<ast::Identifier>(base) && nest.declared.contains(base->text()) &&
           (isArray || isArrayOrVector(base)) &&
           e->child(ast::Subscript::subscripts)->children().size() == 1;
}

/// True of anything but numbers, what is computed of them, and elements of multiarrays.
bool isMore(const Nest& nest, NodePtr e) {
    return (e->is<ast::Subscript>() && !accessAt(nest, e)) || e->is<ast::Call>() ||
           e->is<ast::Lambda>() || e->is<ast::PointerMember>() || ast::changedOperand(e) ||
           (e->is<ast::Unary>() && e->child(ast::Unary::op)->text() == "*");
}

/// Reads the loop that adds, and what stands before it.
std::optional<SumInArray> read(const Nest& nest, const Loop& outer,
                               std::span<const NodePtr> parts) {
    const auto found = parts.empty() ? nest.loopOf.end() : nest.loopOf.find(parts.back());
    if (found == nest.loopOf.end() || !counts(*found->second)) return std::nullopt;
    SumInArray result{.inner = found->second};
    const NodePtr assign = soleAssignment(bodyOf(*result.inner));
    const NodePtr element = assign ? assign->child(ast::Assign::target) : nullptr;
    if (!element || !isOwnElement(nest, element)) return std::nullopt;
    const auto isElement = [&](NodePtr e) { return ast::print(e) == ast::print(element); };
    const NodePtr term = addendOf(assign, isElement);
    const NodePtr subscript = element->child(ast::Subscript::subscripts)->child(0);
    const bool isInner = isNamed(subscript, result.inner->variable);
    if (!term || !(isInner || isNamed(subscript, outer.variable))) return std::nullopt;
    result.columns = isInner ? result.inner : &outer;
    result.sum = {.start = element, .element = element};
    result.sum.terms.push_back({isInner ? &outer : result.inner, term});
    const auto before = parts.first(parts.size() - 1);
    if (isInner) {
        result.sum.terms.front().before.assign(before.begin(), before.end());
        return result;
    }
    const NodePtr first = before.size() == 1 ? soleAssignment(before[0]) : nullptr;
    if (!first || first->child(ast::Assign::op)->text() != "=" ||
        !isElement(first->child(ast::Assign::target)))
        return std::nullopt;
    result.sum.start = first->child(ast::Assign::value);
    return result;
}

}  // namespace

std::optional<SumInArray> sumInArray(const Nest& nest, const Loop& outer) {
    if (!counts(outer)) return std::nullopt;
    const NodePtr block = bodyOf(outer);
    const auto result =
        read(nest, outer, ast::is<ast::Compound>(block) ? block->children() : std::span(&block, 1));
    if (!result) return std::nullopt;
    const auto isOther = [&](NodePtr e) { return isMore(nest, e); };
    const auto isNumber = [&](NodePtr statement) {
        const auto number = numberDeclaredIn(statement);
        return number && !ast::anywhere(number->start, isOther);
    };
    const auto& [steps, term, rows, before] = result->sum.terms.front();
    const bool isKnown =
        !ast::anywhere(term, isOther) && std::ranges::all_of(before, isNumber) &&
        (result->sum.start == result->sum.element || !ast::anywhere(result->sum.start, isOther));
    const bool writes = std::ranges::any_of(accessesIn(nest, outer), &Access::writes);
    return isKnown && !writes && !isTiny(*result->columns) ? result : std::nullopt;
}

/// A container of numbers whose elements are read along a row.
static bool isRow(NodePtr base) { return ast::is<ast::Identifier>(base) && ownContainer(base); }

/// Of `sums[j][k]`, too.
static bool hasSubscriptsOfNumbers(const Nest& nest, NodePtr element) {
    for (; ast::is<ast::Subscript>(element); element = element->child(ast::Subscript::base))
        if (ast::anywhere(element->child(ast::Subscript::subscripts),
                          [&](NodePtr e) { return isMore(nest, e); }))
            return false;
    return true;
}

/// Of the vectors' elements a column has its own, or the same as the others.
static bool haveOwnColumns(const Nest& nest, NodePtr e, std::string_view column) {
    return std::ranges::all_of(ast::allOf<ast::Subscript>(e), [&](NodePtr each) {
        const NodePtr subscripts = each->child(ast::Subscript::subscripts);
        return accessAt(nest, each) || !mentions(subscripts, column) ||
               (isDouble(each->type) && isRow(each->child(ast::Subscript::base)) &&
                isNamed(subscripts->child(0), column));
    });
}

std::optional<SumInArray> sumOverNest(const Nest& nest, const Loop& outer) {
    const auto inner = nest.loopOf.find(soleStatement(bodyOf(outer)));
    if (outer.kind != Loop::Kind::Overall || outer.outer || outer.step != 1 ||
        inner == nest.loopOf.end() || !nest.assigned.empty() || outer.usesGlobal)
        return std::nullopt;
    const auto innermost = nest.loopOf.find(soleStatement(bodyOf(*inner->second)));
    const bool hasRows = innermost != nest.loopOf.end();
    SumInArray result{.inner = hasRows ? inner->second : nullptr,
                      .columns = hasRows ? innermost->second : inner->second};
    const NodePtr assign = soleAssignment(bodyOf(*result.columns));
    const NodePtr element = assign ? assign->child(ast::Assign::target) : nullptr;
    if (!element || !element->is<ast::Subscript>() || !isDouble(element->type) ||
        !ownContainer(element->child(ast::Subscript::base)) || mentions(element, outer.variable))
        return std::nullopt;
    const NodePtr term =
        addendOf(assign, [&](NodePtr e) { return ast::print(e) == ast::print(element); });
    const std::string_view own = ownContainer(element->child(ast::Subscript::base))->text();
    const auto isLong = [](const Loop& loop) { return counts(loop) && !isShort(loop); };
    if (!term || mentions(term, own) || (hasRows && !isLong(*result.inner)) ||
        !isLong(*result.columns) || !hasSubscriptsOfNumbers(nest, element) ||
        !haveOwnColumns(nest, term, result.columns->variable) ||
        !hasOwnContainerElements(nest, *result.columns))
        return std::nullopt;
    result.sum = {.start = hasRows ? nullptr : element, .element = element};
    result.sum.terms.push_back({&outer, term});
    return result;
}

}  // namespace hpcc::nests
