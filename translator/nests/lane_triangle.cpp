// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/lane_triangle.hpp"

#include <algorithm>

#include "analysis/constant.hpp"
#include "analysis/harmless_calls.hpp"
#include "analysis/numbers.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// Computes from numbers and elements alone.
bool onlyComputes(NodePtr node) {
    return !ast::anywhere(node, [](NodePtr each) {
        return ast::changedOperand(each) ||
               (ast::is<ast::Call>(each) && !analysis::isHarmlessCall(each));
    });
}

class TriangleFinder {
public:
    TriangleFinder(const Nest& nest, NodePtr statement) : nest_(nest), statement_(statement) {}

    std::optional<LaneTriangle> find() {
        found_.rows = countingLoop(statement_);
        if (!found_.rows || nest_.isPromised || !isFixed(found_.rows->first) ||
            !isFixed(found_.rows->end) || !hasParts() || !goesOverRowsAbove() || !addsUp() ||
            !std::ranges::all_of(found_.behind, [](NodePtr each) { return isPlain(each); }) ||
            !reachesRowsAlone())
            return std::nullopt;
        return found_;
    }

private:
    const Loop* countingLoop(NodePtr statement) const {
        const auto found = nest_.loopOf.find(statement);
        if (found == nest_.loopOf.end()) return nullptr;
        const Loop& loop = *found->second;
        const bool isWanted = loop.statement == statement && loop.kind == Loop::Kind::Counting &&
                              loop.step == 1 && !loop.endsByMeeting && !loop.jumps &&
                              counterType(loop)->text() != "auto";
        return isWanted ? &loop : nullptr;
    }
    bool isFixed(NodePtr e) const {
        return analysis::isInteger(e) && ast::isPure(e) && onlyComputes(e) &&
               ast::allOf<ast::Subscript>(e).empty() && !mayChangeIn(*found_.rows, e);
    }

    bool hasParts() {
        for (const NodePtr each : statementsIn(bodyOf(*found_.rows))) {
            if (found_.above) {
                found_.behind.push_back(each);
            } else if (const auto number = numberDeclaredIn(each); number && !found_.number) {
                found_.number = each;
                found_.name = number->name;
                if (!onlyComputes(number->start)) return false;
            } else if (!(found_.above = countingLoop(each))) {
                return false;
            }
        }
        return found_.number && found_.above && !found_.behind.empty();
    }

    /// `for (k = first; k < i; ++k)`, where k and i are compared as numbers.
    bool goesOverRowsAbove() const {
        const Loop& above = *found_.above;
        return above.isInnermost && !above.reachesEnd &&
               isNamed(above.end, found_.rows->variable) && isFixed(above.first) &&
               (counterType(above)->text() == counterType(*found_.rows)->text() ||
                analysis::constantValue(above.first).value_or(-1) >= 0);
    }

    /// Changes nothing but the number.
    bool addsUp() const {
        const NodePtr assign = soleAssignment(bodyOf(*found_.above));
        return assign && isNamed(assign->child(ast::Assign::target), found_.name) &&
               onlyComputes(assign->child(ast::Assign::value));
    }

    /// An element that gets a value, or numbers that the row declares.
    static bool isPlain(NodePtr statement) {
        if (ast::is<ast::Declaration>(statement)) return onlyComputes(statement);
        const NodePtr assign = soleAssignment(statement);
        return assign && ast::is<ast::Subscript>(assign->child(ast::Assign::target)) &&
               onlyComputes(assign->child(ast::Assign::target)) &&
               onlyComputes(assign->child(ast::Assign::value));
    }

    /// Of each array that it changes it reaches row i alone, and row k in the inner loop.
    bool reachesRowsAlone() const {
        const std::vector<const Access*> accesses = accessesIn(nest_, *found_.rows);
        size_t writes = 0;
        for (const Access* write : accesses) {
            if (!write->writes) continue;
            ++writes;
            const auto slot = std::ranges::find_if(
                write->slots, [&](const Slot& each) { return isRow(each, *found_.rows); });
            const auto place = static_cast<size_t>(slot - write->slots.begin());
            const bool isApart = std::ranges::all_of(accesses, [&](const Access* each) {
                return each->array != write->array ||
                       (place < each->slots.size() &&
                        (isRow(each->slots[place], *found_.rows) ||
                         (each->loop == found_.above && isRow(each->slots[place], *found_.above))));
            });
            if (!isApart) return false;
        }
        return writes == found_.behind.size() - declarations();
    }
    static bool isRow(const Slot& slot, const Loop& loop) {
        return !slot.index && isIndex(slot, loop);
    }
    /// All other statements give elements of arrays of the nest a value.
    size_t declarations() const {
        return static_cast<size_t>(std::ranges::count_if(
            found_.behind, [](NodePtr each) { return ast::is<ast::Declaration>(each); }));
    }

    const Nest& nest_;
    NodePtr statement_;
    LaneTriangle found_;
};

}  // namespace

std::optional<LaneTriangle> laneTriangle(const Nest& nest, NodePtr loop) {
    return TriangleFinder(nest, loop).find();
}

NodePtr triangleCode(Context& context, const LaneTriangle& of, const ast::Bindings& parts) {
    const std::string i(counterType(*of.rows)->text()), k(counterType(*of.above)->text()),
        row = "[[maybe_unused]] const " + i + " " + std::string(of.rows->variable),
        above = "[[maybe_unused]] const " + k + " " + std::string(of.above->variable),
        number(of.name);
    return context.statement("hpspmd::detail::eachOfTriangle<" + i + ", " + k +
                                 ">($first, $last, $from, [&](" + row +
                                 ") {\n"
                                 "    $number;\n"
                                 "    return " +
                                 number +
                                 ";\n"
                                 "}, [&](" +
                                 row + ", " + above + ", auto &" + number +
                                 ") {\n"
                                 "    $step;\n"
                                 "}, [&](" +
                                 row + ", auto &" + number +
                                 ") {\n"
                                 "    $behind;\n"
                                 "});",
                             parts, of.rows->statement);
}

}  // namespace hpcc::nests
