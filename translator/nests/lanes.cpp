// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/lanes.hpp"

#include <algorithm>

#include "ast/effects.hpp"
#include "ast/search.hpp"
#include "nests/independence.hpp"
#include "nests/lane_code.hpp"
#include "nests/lane_rows.hpp"
#include "nests/vector_math.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// True if the C++ compiler would rather have several iterations of the outer loop at once: the
/// inner one goes across rows along which that goes, or adds up what are no elements.
bool crosses(const NestPlan& plan, const Loop& inner, const Loop& outer) {
    const Form& form = plan.forms.at(&inner);
    if (form.kind != Form::Kind::Independent) return false;
    const Access* const across = acrossRows(*plan.nest, inner);
    return across ? isIndex(across->slots.back(), outer)
                  : !form.joined.empty() && inner.accesses.empty();
}

/// True if it reaches vectors that the iterations of the outer loop have for themselves.
bool usesScratch(const Loop& inner, const Loop& outer) {
    return ast::anywhere(bodyOf(inner), [&](NodePtr each) {
        return ast::is<ast::Identifier>(each) && outer.scratch.contains(each->symbol);
    });
}

/// True if a loop inside goes step by step, so that the C++ compiler would compute it one by one,
/// or with vectors that lanes have for themselves, or if all cross it. It writes out short ones,
/// and then finds several iterations of the loop round them.
bool holdsOrderedLoop(const NestPlan& plan, const Loop& loop) {
    bool isOrdered = false, crossesSome = false, crossesAll = true;
    for (const Loop& each : loopsIn(*plan.nest, loop)) {
        const bool isLong = each.jumps || !isShort(each);
        if (&each == &loop || !each.isInnermost || !isLong) continue;
        const Form& form = plan.forms.at(&each);
        isOrdered |=
            (form.kind == Form::Kind::InOrder && !form.isInBatches) || usesScratch(each, loop);
        const bool isCrossing = crosses(plan, each, loop);
        crossesSome |= isCrossing;
        crossesAll &= isCrossing;
    }
    return isOrdered || (crossesSome && crossesAll);
}

/// True if it calls exp, log, sin .., and the C++ compiler writes out all loops inside: else it
/// computes one number after the other because of the call.
bool callsFunctions(const Nest& nest, const Loop& loop) {
    return std::ranges::all_of(loopsIn(nest, loop),
                               [&](const Loop& each) {
                                   return &each == &loop || (isShort(each) && !each.jumps);
                               }) &&
           ast::anywhere(bodyOf(loop), isForMany);
}

/// True if a loop inside waits for its iteration before: for a number that is declared outside of
/// it, or an element that lies behind. Others the C++ compiler computes several of at once.
bool holdsRecurrence(const Nest& nest, const Loop& loop) {
    const auto changesOutside = [](const Loop& each) {
        return ast::anywhere(bodyOf(each), [&](NodePtr e) {
            const NodePtr target = ast::withoutParentheses(ast::changedOperand(e));
            return ast::is<ast::Identifier>(target) && target->text() != each.variable &&
                   !each.declared.contains(target->text());
        });
    };
    const auto waitsForElement = [&](const Loop& each) {
        return std::ranges::any_of(each.accesses, [&](size_t k) {
            const Access& written = nest.accesses[k];
            return written.writes && std::ranges::any_of(each.accesses, [&](size_t l) {
                       const Access& read = nest.accesses[l];
                       if (read.writes || read.array != written.array) return false;
                       const Slot &to = written.slots.back(), &from = read.slots.back();
                       return to.loop == &each && from.loop == &each && !to.distance &&
                              !from.distance && (to.shift - from.shift) * each.step > 0;
                   });
        });
    };
    return std::ranges::any_of(loopsIn(nest, loop), [&](const Loop& each) {
        return &each != &loop && each.isInnermost &&
               (changesOutside(each) || waitsForElement(each));
    });
}

bool isChecked(const Nest& nest, const Loop& loop, const EntryTest& test) {
    return std::ranges::any_of(test.unchecked(), [&](const auto& each) {
        const Access* const access = accessAt(nest, each.first);
        return access && isInside(access->loop, loop);
    });
}

}  // namespace

const Access* acrossRows(const Nest& nest, const Loop& loop) {
    const Access* found = nullptr;
    for (const size_t k : loop.accesses) {
        const Access& access = nest.accesses[k];
        if (access.slots.empty() || access.slots.back().loop == &loop) return nullptr;
        const bool crosses =
            std::ranges::any_of(access.slots, [&](const Slot& slot) { return slot.loop == &loop; });
        if (crosses && access.slots.back().loop && !found) found = &access;
    }
    return found;
}

bool isInLanes(const NestPlan& plan, const Loop* loop) {
    for (; loop; loop = loop->outer)
        if (plan.forms.at(loop).kind == Form::Kind::Lanes) return true;
    return false;
}

bool planLanes(Context& context, NestPlan& plan, Elements& elements, const EntryTest& test,
               LoopRuns& runs, ArrayPairs& apart) {
    const Nest& nest = *plan.nest;
    bool hasSome = false;
    for (const Loop& loop : nest.loops) {
        Form& form = plan.forms[&loop];
        if (loop.kind != Loop::Kind::Overall || loop.step != 1 || plan.fold || plan.device ||
            nest.callsForeign || isInLanes(plan, loop.outer) || isChecked(nest, loop, test))
            continue;
        const bool isOrdered =
            !loop.isInnermost && form.kind == Form::Kind::InOrder && holdsOrderedLoop(plan, loop);
        if (!isOrdered && !(form.joined.empty() && callsFunctions(nest, loop))) continue;
        ArrayPairs pairs;
        if (!runsInLanes(nest, loop, pairs)) continue;
        const auto taken = context.taken;
        const NodePtr written = laneCode(context, nest, loop, elements, runs[loop], "");
        const LaneWorth worth =
            worthOfRows(loop, laneRows(context, nest, loop, Varying(loop), elements));
        const bool pays = written && (worth == LaneWorth::Always ||
                                      (worth == LaneWorth::InCache && holdsRecurrence(nest, loop)));
        context.taken = taken;
        if (!pays) continue;
        if (worth == LaneWorth::Always) apart.merge(pairs);
        form.kind = Form::Kind::Lanes;
        std::erase_if(plan.ordered, [&](const Loop* each) { return isInside(each, loop); });
        plan.notes.push_back("with several iterations of the loop over '" +
                             std::string(loop.variable) +
                             "' at once, where the processor is fit for that");
        hasSome = true;
    }
    return hasSome;
}

}  // namespace hpcc::nests
