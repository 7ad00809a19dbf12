// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/splitting.hpp"

#include <algorithm>

#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "nests/reaches.hpp"
#include "nests/reductions.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class SplitSearch {
public:
    SplitSearch(Context& context, const Nest& nest, const std::vector<std::string>& exchanged)
        : nest_(nest), reaches_(context, nest), exchanged_(exchanged) {}

    std::variant<Splitting, Obstacle> run() {
        const NodePtr whole = nest_.loops.front().statement;
        if (!ast::is<ast::Overall>(whole)) fail(whole, "runs again and again");
        if (nest_.callsForeign) fail(whole, "calls a function that may do anything");
        for (const Loop& loop : nest_.loops)
            if (loop.touchesForeign) fail(loop.statement, "reaches memory that is no multiarray's");
        collectSides();
        for (const std::string& name : exchanged_)
            if (std::ranges::find(nest_.arrays, name, &NestArray::text) == nest_.arrays.end())
                fail(whole, "does not reach " + quoted(name));
        for (const Access& access : nest_.accesses) widen(access);
        for (const Access& access : nest_.accesses)
            if (access.writes && isExchanged(access)) send(access);
        for (const Access& access : nest_.accesses)
            if (access.writes) requireApart(access);
        requireOrderless();
        if (obstacle_.place) return obstacle_;
        return splitting_;
    }

private:
    void fail(NodePtr place, const std::string& reason) {
        if (!obstacle_.place) obstacle_ = {place, reason};
    }
    void collectSides() {
        NodePtr at = nest_.loops.front().statement;
        for (; ast::is<ast::Overall>(at); at = soleStatement(at->child(ast::Overall::body))) {
            const Loop& loop = *nest_.loopOf.at(at);
            const bool isAtEntry = std::ranges::all_of(
                tripletOf(loop)->children(), [&](NodePtr part) { return reaches_.isFixed(part); });
            splitting_.sides.push_back({&loop, isAtEntry ? loop.step : 1});
        }
    }

    Splitting::Side* sideOf(const Loop* loop) {
        const auto found = std::ranges::find(splitting_.sides, loop, &Splitting::Side::loop);
        return found == splitting_.sides.end() ? nullptr : &*found;
    }

    /// What reads ghost cells belongs to the rim.
    void widen(const Access& access) {
        for (const Slot& slot : access.slots) {
            if (!slot.index) continue;
            if (slot.distance) return fail(slot.distance, "shifts an index by no literal");
            if (slot.shift == 0) continue;
            Splitting::Side* const side = slot.loop ? sideOf(slot.loop) : nullptr;
            if (!side)
                return fail(slot.subscript,
                            "shifts an index of a construct that contains more "
                            "than the next one");
            side->low = std::max(side->low, -slot.shift);
            side->high = std::max(side->high, slot.shift);
        }
    }

    bool isExchanged(const Access& access) const {
        return std::ranges::find(exchanged_, nest_.arrays[access.array].text) != exchanged_.end();
    }

    /// What is changed and sent belongs to the rim, and no iteration reaches what another changes.
    void send(const Access& write) {
        const std::string& name = nest_.arrays[write.array].text;
        for (size_t r = 0; r < write.slots.size(); ++r) {
            const Slot& slot = write.slots[r];
            if (!slot.index) continue;
            Splitting::Side* const side = slot.loop ? sideOf(slot.loop) : nullptr;
            if (!side || !isIndex(slot, *side->loop))
                return fail(write.node, "writes " + quoted(name) + ", of which elements are sent");
            side->sent.emplace(name, r);
        }
        for (const Splitting::Side& side : splitting_.sides)
            if (const Meeting met = meetingIn(nest_, *side.loop, splitting_.apart); met.write)
                return fail(met.other->node, met.reason());
    }

    static bool isCut(const Splitting::Side& side) {
        return side.low > 0 || side.high > 0 || !side.sent.empty();
    }

    /// Iterations before and after others read and write elements of their own.
    void requireApart(const Access& write) {
        for (const Splitting::Side& side : splitting_.sides)
            if (isCut(side) && !isExchanged(write) &&
                !hasOwnElements(nest_, *side.loop, write.array))
                return fail(write.node, "writes " + quoted(nest_.arrays[write.array].text) +
                                            " where several iterations of " +
                                            quoted(side.loop->variable) + " reach it");
        for (size_t other = 0; other < nest_.arrays.size(); ++other)
            if (other != write.array) splitting_.apart.insert(std::minmax(write.array, other));
    }

    /// Numbers that outlive an iteration come out the same in any order.
    void requireOrderless() {
        const Loop& outer = nest_.loops.front();
        const Names lasting = lastingIn(nest_);
        if (lasting.empty()) return;
        const auto found = reductionsOf(bodyOf(outer), lasting);
        const bool isOrderless = found && std::ranges::all_of(*found, [](const Reduction& each) {
                                     const ast::Symbol* symbol =
                                         ast::withoutParentheses(each.target)->symbol;
                                     return symbol && symbol->type &&
                                            (symbol->type->kind == ast::TypeKind::Integer ||
                                             (symbol->type->kind == ast::TypeKind::Floating &&
                                              each.op != "+" && each.op != "*"));
                                 });
        if (!isOrderless)
            fail(outer.statement, "assigns " + quoted(*lasting.begin()) +
                                      ", whose value depends on the order of the iterations");
    }

    const Nest& nest_;
    const Reaches reaches_;
    const std::vector<std::string>& exchanged_;
    Splitting splitting_;
    Obstacle obstacle_;
};

}  // namespace

std::variant<Splitting, Obstacle> splittingOf(Context& context, const Nest& nest,
                                              const std::vector<std::string>& exchanged) {
    return SplitSearch(context, nest, exchanged).run();
}

}  // namespace hpcc::nests
