// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/lane_rows.hpp"

#include <algorithm>
#include <set>

#include "analysis/loop.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "nests/surely_written.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// True if it names what the loop, or one inside, assigns, declares or counts with.
bool isChangedIn(const Nest& nest, const Loop& loop, NodePtr subscript) {
    return std::ranges::any_of(loopsIn(nest, loop),
                               [&](const Loop& each) { return mayChangeIn(each, subscript); });
}

/// The dimension with the loop's index itself, if the last one is sequential and all others are the
/// same throughout the loop; that behind the last one if not.
size_t dimensionAlong(const Nest& nest, const Access& access, const Loop& loop,
                      const Varying& varying) {
    const size_t rank = access.slots.size();
    size_t along = rank;
    for (size_t r = 0; r < rank; ++r) {
        const Slot& slot = access.slots[r];
        if (r + 1 == rank && slot.index) return rank;
        if (!varying.varies(slot.subscript)) {
            if (r + 1 < rank && isChangedIn(nest, loop, slot.subscript)) return rank;
            continue;
        }
        if (along != rank || !slot.index || !isIndex(slot, loop) || slot.distance) return rank;
        along = r;
    }
    return along;
}

/// How many operations its iterations come to for each element of a row, about.
int workOf(NodePtr node, int rounds) {
    constexpr int ofDivision = 8, ofRound = 8;
    if (!node) return 0;
    int work = 0;
    if (ast::is<ast::Binary>(node) || ast::changedOperand(node) || ast::is<ast::Call>(node)) {
        const NodePtr op = ast::is<ast::Binary>(node) ? node->child(ast::Binary::op) : nullptr;
        work = op && op->text() == "/" ? ofDivision : 1;
        for (int k = 1; k < rounds; ++k) work *= ofRound;
        if (rounds == 0) work = 0;
    }
    const bool isRound = ast::isAny<ast::For, ast::While, ast::DoWhile>(node);
    for (const NodePtr child : node->children()) {
        if (ast::is<ast::Subscripts>(child)) continue;
        const bool isBody = isRound && ast::isStatement(child);
        work += !isRound || isBody ? workOf(child, rounds + isBody) : 0;
    }
    return work;
}

/// The subscripts but the last, which tell one row from another.
std::string rowOf(const Access& access) {
    std::string text;
    for (size_t r = 0; r + 1 < access.slots.size(); ++r)
        text += ast::print(access.slots[r].subscript) + ", ";
    return text;
}

}  // namespace

std::map<size_t, LaneRow> laneRows(Context& context, const Nest& nest, const Loop& loop,
                                   const Varying& varying, const Elements& elements) {
    std::map<size_t, LaneRow> rows;
    std::set<size_t> others;
    for (const Access* access : accessesIn(nest, loop)) {
        const size_t along = dimensionAlong(nest, *access, loop, varying);
        LaneRow& row = rows[access->array];
        if (along == access->slots.size() || (row.access && rowOf(*row.access) != rowOf(*access)))
            others.insert(access->array);
        if (!row.access) row = {"", access, along, false};
        row.isWritten |= access->writes;
    }
    for (const size_t array : others) rows.erase(array);
    for (auto& [array, row] : rows)
        row.name = context.fresh(elements.nameOf(*row.access) + "_rows");
    return rows;
}

LaneWorth worthOfRows(const Loop& loop, const std::map<size_t, LaneRow>& rows) {
    constexpr int most = 3;  // of a copy, in operations
    const int copies = static_cast<int>(rows.size()), work = workOf(bodyOf(loop), 0);
    return copies == 0 || work > most * copies ? LaneWorth::Always
           : work >= copies                    ? LaneWorth::InCache
                                               : LaneWorth::Never;
}

NodePtr lengthWrittenFirst(const Nest& nest, const Loop& loop, const LaneRow& row) {
    constexpr size_t mostLengths = 4;  // that are tried
    const NodePtr array = row.access->node->child(ast::Subscript::base);
    // Another index of the same `overall` inside may take no value.
    const NodePtr last = loop.statement->child(ast::Overall::headers)->children().back();
    if (last->child(ast::OverallHeader::index)->text() != loop.variable || !row.isWritten ||
        !ast::is<ast::Identifier>(array) || !array->symbol)
        return nullptr;
    std::set<std::string> tried;
    for (const NodePtr each : ast::allOf<ast::For>(bodyOf(loop))) {
        const auto counting = analysis::countingLoop(each);
        const bool isUp = counting && (counting->op == "<" || counting->endsByMeeting());
        const bool isLength = isUp && counting->step == 1 &&
                              !isChangedIn(nest, loop, counting->bound) &&
                              ast::isPure(counting->bound) && ast::isSafe(counting->bound);
        if (!isLength || !tried.insert(ast::print(counting->bound)).second) continue;
        if (tried.size() > mostLengths) return nullptr;
        if (writesRowFirst(loop.statement, array->symbol, counting->bound)) return counting->bound;
    }
    return nullptr;
}

}  // namespace hpcc::nests
