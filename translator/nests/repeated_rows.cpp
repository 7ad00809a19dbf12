// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/repeated_rows.hpp"

#include <algorithm>
#include <cstdlib>

#include "analysis/dependence.hpp"
#include "ast/print.hpp"
#include "nests/code_of_program.hpp"
#include "nests/fusable.hpp"
#include "nests/loop_ends.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// True if the loop writes one row of an array, the same in all iterations, and reads no other
/// element of it that one of them writes.
bool isOneRow(const Nest& nest, const Loop& loop, const Access& target) {
    for (size_t r = 0; r + 1 < target.slots.size(); ++r)
        if (mayChangeIn(loop, target.slots[r].subscript)) return false;
    const std::string text = ast::print(target.node);
    return std::ranges::all_of(accessesIn(nest, loop), [&](const Access* each) {
        return each->array != target.array || ast::print(each->node) == text ||
               nest.dependences().meeting(target.node, each->node, headerOf(loop)).kind ==
                   analysis::Meeting::Kind::Never;
    });
}

bool hasFixedBounds(const Loop& inner, const Loop& loop) {
    if (inner.kind == Loop::Kind::Counting)
        return !mayChangeIn(loop, inner.first) && !mayChangeIn(loop, inner.end);
    if (inner.kind != Loop::Kind::Overall) return false;
    return std::ranges::none_of(tripletOf(inner)->children(),
                                [&](NodePtr part) { return part && mayChangeIn(loop, part); });
}

/// Not by what the stamp declares, its own name.
bool changesIn(const Loop& loop, NodePtr stamp) {
    const NodePtr declared = stamp->child(ast::Declaration::declarators)->child(0);
    return std::ranges::any_of(declared->children(), [&](NodePtr part) {
        return part && part != declared->child(ast::InitDeclarator::declarator) &&
               mayChangeIn(loop, part);
    });
}

const Access* onlyWrite(const Nest& nest, const Loop& loop) {
    const Access* found = nullptr;
    for (const Access* each : accessesIn(nest, loop)) {
        if (!each->writes) continue;
        if (found && found->node != each->node) return nullptr;
        found = each;
    }
    return found;
}

}  // namespace

std::optional<RepeatedRow> repeatedRow(const Nest& nest, const Loop& loop) {
    if (loop.kind == Loop::Kind::Other || loop.isInnermost || loop.jumps || loop.touchesShared ||
        !lastingIn(loop).empty() || (loop.endsByMeeting && std::abs(loop.step) != 1) ||
        loop.endsPerRow)
        return std::nullopt;
    RepeatedRow result;
    const NodePtr body = soleStatement(bodyOf(loop));
    NodePtr last = body;
    if (ast::is<ast::Compound>(body)) {
        for (const NodePtr part : body->children())
            if (!ast::is<ast::EmptyStatement>(part)) result.before.push_back(part);
        if (result.before.empty()) return std::nullopt;
        last = result.before.back();
        result.before.pop_back();
    }
    if (isStamped(body)) {
        result.stamp = result.before.front();
        result.before.clear();
        if (changesIn(loop, result.stamp)) return std::nullopt;
    }
    const auto found = nest.loopOf.find(last);
    const auto isNumber = [](NodePtr each) {
        return ast::is<ast::Declaration>(each) && !otherThanPlain(each).place;
    };
    if (found == nest.loopOf.end() || !std::ranges::all_of(result.before, isNumber))
        return std::nullopt;
    result.inner = found->second;
    const Access* const target = onlyWrite(nest, loop);
    const bool isRow = result.inner->isInnermost && result.inner->step == 1 && target &&
                       target->loop == result.inner && isOneRow(nest, loop, *target) &&
                       hasFixedBounds(*result.inner, loop);
    return isRow ? std::optional(result) : std::nullopt;
}

bool repeatRows(Context& context, NestPlan& plan, Elements& elements, const EntryTest& test,
                ArrayPairs& apart, const std::function<bool(const Loop&)>& isKnown) {
    const Nest& nest = *plan.nest;
    bool hasSome = false;
    for (const Loop& loop : nest.loops) {
        const auto row =
            plan.fold || !test.unchecked().empty() ? std::nullopt : repeatedRow(nest, loop);
        if (!row || plan.forms.at(row->inner).kind != Form::Kind::Independent ||
            plan.forms.at(row->inner).meets || !isKnown(loop) || !isKnown(*row->inner))
            continue;
        const auto bounds = [](const Loop& each) {
            return Bounds{each.kind == Loop::Kind::Overall ? std::string(each.variable) : "", ""};
        };
        const Repetition repetition{&loop, bounds(loop)};
        const auto taken = context.taken;
        const bool isPacked = packedRows(context, nest, *row->inner, elements, test,
                                         bounds(*row->inner), &repetition);
        context.taken = taken;
        if (!isPacked) continue;
        const Access& target = *onlyWrite(nest, loop);
        for (const Access* each : accessesIn(nest, loop))
            if (each->array != target.array) apart.insert(std::minmax(target.array, each->array));
        plan.forms.at(&loop).repeatsRow = true;
        hasSome = true;
    }
    return hasSome;
}

NodePtr behindStamp(Context& context, Elements& elements, const Repetition& repetition,
                    NodePtr stamp, NodePtr rows) {
    const Loop& loop = *repetition.loop;
    const NodePtr end = repetition.bounds.end.empty()
                            ? elements.fast(loop.end)
                            : context.identifier(repetition.bounds.end, loop.end);
    return context.statement("if ($runs) {\n    $stamp;\n    $rows;\n}",
                             {{"$runs", runsAtAll(context, loop, elements.fast(loop.first), end)},
                              {"$stamp", elements.fast(stamp)},
                              {"$rows", rows}},
                             loop.statement);
}

}  // namespace hpcc::nests
