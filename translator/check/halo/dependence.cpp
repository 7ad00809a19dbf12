// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/halo/dependence.hpp"

#include "analysis/variable_interval.hpp"
#include "ast/effects.hpp"
#include "ast/known_calls.hpp"
#include "ast/search.hpp"
#include "check/facts.hpp"
#include "check/halo/sections.hpp"
#include "check/shifts.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <vector>

namespace hpcc::check::halo {
namespace {

using analysis::Access;
using analysis::Guard;
using analysis::Loop;
using analysis::Place;
using analysis::ShiftedIndex;
using analysis::Sum;
using analysis::System;

// An index, be it of an `overall` or of an `at`, and not the counter of a loop.
std::vector<const Loop*> indicesRound(const Access& access) {
    std::vector<const Loop*> result;
    for (const Loop* loop = access.loop; loop; loop = loop->outer)
        if (loop->isDistributed()) result.push_back(loop);
    std::ranges::reverse(result);
    return result;
}

bool sameText(NodePtr a, NodePtr b) { return a && b && a->text() == b->text(); }

// writeHalo(a[[:, j]]), halo.execute(): a call, for its effect, that fills ghost cells of a, or of
// what an object knows that is no container.
bool fills(NodePtr statement, NodePtr array) {
    if (!ast::is<ast::ExpressionStatement>(statement)) return false;
    const NodePtr call = bare(statement->child(ast::ExpressionStatement::expression));
    if (!ast::is<ast::Call>(call) || ast::inquiryOf(call)) return false;
    const NodePtr callee = bare(call->child(ast::Call::callee));
    if (!ast::is<ast::Member>(callee)) return ast::namesIn(call).contains(array->text());
    return !typeOf(bare(callee->child(ast::Member::base)))->spelled.starts_with("std::");
}

// Of two statements of a block, the second one reads what the first one wrote, and a statement
// between them fills the ghost cells: then the read sees what all of the first one has made.
bool isFilledBetween(const Access& write, const Access& read) {
    const auto [other, place] = std::ranges::mismatch(write.path, read.path);
    if (other == write.path.end() || place == read.path.end() || place == read.path.begin() ||
        !ast::is<ast::Compound>(*std::prev(place)))
        return false;
    const NodePtr array = read.node->child(ast::Subscript::base);
    const auto statements = (*std::prev(place))->children();
    const auto first = std::ranges::find(statements, *other),
               second = std::find(first, statements.end(), *place);
    return second != statements.end() &&
           std::any_of(first, second, [&](NodePtr statement) { return fills(statement, array); });
}

// The index itself may be shifted exactly: neighbours in its range are those in the array.
bool countsNeighbours(NodePtr shifted) {
    NodePtr index = bare(shifted);
    while (ast::is<ast::Binary>(index)) index = bare(index->child(ast::Binary::left));
    return shiftOf(index).isExact;
}

// c of a[i] = c ? a[i - 1] : a[i], which changes the element only if c holds.
std::vector<Guard> guardsOfChange(const Access& write) {
    const NodePtr assign = write.path.size() > 1 ? *std::next(write.path.rbegin()) : nullptr;
    if (!ast::is<ast::Assign>(assign) || assign->child(ast::Assign::op)->text() != "=" ||
        assign->child(ast::Assign::target) != write.node)
        return {};
    std::vector<Guard> guards;
    NodePtr value = bare(assign->child(ast::Assign::value));
    while (ast::is<ast::Conditional>(value)) {
        const NodePtr condition = value->child(ast::Conditional::condition),
                      then = bare(value->child(ast::Conditional::then)),
                      otherwise = bare(value->child(ast::Conditional::otherwise));
        const bool holds = sameText(otherwise, write.node);
        if (!holds && !sameText(then, write.node)) break;
        guards.push_back({value, condition, holds});
        value = holds ? then : otherwise;
    }
    return guards;
}

// What is known of numbers that are declared round a nest.
void learnNumbers(NodePtr body, NodePtr nest, analysis::Reader& reader) {
    std::set<const Symbol*> known;
    for (const NodePtr name : ast::allOf<ast::Identifier>(nest)) {
        const Symbol* symbol = name->symbol;
        const NodePtr declaration = symbol ? symbol->declaration : nullptr;
        const bool isOuter = declaration && body->span().contains(declaration->span()) &&
                             !nest->span().contains(declaration->span());
        const bool mayVary = !isStable(symbol) || ast::is<ast::RangeFor>(declaration);
        if (!isOuter || !mayVary || !known.insert(symbol).second) continue;
        const auto values = analysis::intervalAt(body, symbol, nest);
        if (values && values->isKnown()) reader.know(name, values->least, values->most);
    }
}

// Two iterations of a nest: 0 makes the write, 1 the read.
class Iterations {
public:
    Iterations(analysis::Dependences& nest, const Access& write, const Access& read)
        : space_(nest.space()),
          reader_(nest.reader()),
          write_(write),
          read_(read),
          element_(space_, reader_, write, read),
          isFilled_(isFilledBetween(write, read)) {}

    Dependence dependence() {
        if (!element_.comparesParts()) return Dependence::None;
        describeIndices();
        const bool readsFirst = read_.node->span().begin < write_.node->span().begin;
        if (!sharesIndices_ && readsFirst && !isShifted_) return Dependence::None;
        element_.requireBounds();
        element_.requireGuards();
        for (const Guard& guard : guardsOfChange(write_))
            element_.require(reader_.assumed(guard, {write_.loop, 0}));
        assumeWriteInRead();
        if (!mayMeet()) return Dependence::None;
        const bool isReached = sharesIndices_ || (coversIndices_ && isShifted_);
        const bool isPlain = isReached && write_.guards.all.empty() && read_.guards.all.empty() &&
                             !write_.guards.isConditional && !read_.guards.isConditional &&
                             !space_.mayJump();
        return isPlain && surelyMeet() ? Dependence::Certain : Dependence::Perhaps;
    }

private:
    void describeIndices() {
        const auto &to = write_.subscripts, &from = read_.subscripts;
        for (std::size_t r = 0; r < to.size() && r < from.size(); ++r) {
            const ShiftedIndex writing = analysis::shiftedIndex(space_, to[r].node, write_.loop),
                               reading = analysis::shiftedIndex(space_, from[r].node, read_.loop);
            if (writing.name && reading.name)
                describe(writing.loop, reading.loop, to[r].node, from[r].node);
            else
                isExact_ &= !writing.name && !reading.name;
        }
    }

    void describe(const Loop* writing, const Loop* reading, NodePtr to, NodePtr from) {
        const bool isOne = writing && writing == reading;
        const bool isMoved = isKind(from, TypeKind::ShiftedIndex);
        sharesIndices_ &= isOne;
        coversIndices_ &= isOne || (writing && reading && covers(*writing, *reading));
        if (!writing || !reading || (isMoved && !countsNeighbours(from))) {
            isExact_ = false;
            return;
        }
        const Sum own = reader_.variable(*reading, 1);
        const Sum shift = reader_.read(from, {read_.loop, 1}) - own;
        if (isOne) {
            isShifted_ |= isMoved && !shift.isZero();
            shifts_.insert_or_assign(writing, shift);
        } else if (!read_.isIn(*writing) && !isFilled_) {  // of constructs side by side
            differences_.push_back(reader_.read(to, {write_.loop, 0}) - own);
        }
    }

    // k and j of `overall (k = y for :) b[i, k] = ..; overall (j = y for :) .. b[i + 1, j]`: what
    // the first goes over holds all of the second.
    bool covers(const Loop& writing, const Loop& reading) const {
        const NodePtr range = writing.range(), triplet = writing.triplet();
        if (!triplet || !reading.triplet() || !sameText(range, reading.range())) return false;
        const auto isFixed = [this](NodePtr part) { return !part || space_.isFixed(part); };
        const bool isEqual = sameText(triplet, reading.triplet()) &&
                             std::ranges::all_of(triplet->children(), isFixed);
        return isFixed(range) && (ast::isWholeTriplet(triplet) || isEqual);
    }

    // Where it is not known what a read is for, its iteration is taken to write, too, unless the
    // read stands elsewhere in the same `if` or `switch`.
    void assumeWriteInRead() {
        for (const Guard& guard : write_.guards.all)
            if (std::ranges::find(read_.path, guard.owner) == read_.path.end())
                element_.require(reader_.assumed(guard, {read_.loop, 1}));
    }

    // True if both may meet in iterations that differ in one of the indices.
    bool mayMeet() {
        if (!isComparable() && !sharesIndices_) return true;
        for (const Loop* loop : indicesRound(write_))
            if (loop->range() && read_.isIn(*loop))
                differences_.push_back(reader_.variable(*loop, 0) - reader_.variable(*loop, 1));
        return element_.mayDiffer(differences_);
    }

    bool isComparable() const { return isExact_ && element_.isComparable(); }

    // ---- iterations that certainly run and meet ------------------------------------------------

    // Iteration 1 is iteration 0, moved by the shifts.
    Sum moved(Sum sum) const {
        for (const auto& [loop, shift] : shifts_)
            sum = sum.with(*reader_.variable(*loop, 1).solvableAtom(),
                           reader_.variable(*loop, 0) - shift);
        return sum;
    }

    bool surelyMeet() {
        const auto isConstant = [](const auto& each) { return each.second.isConstant(); };
        const auto isMet = [this](const Sum& sum) { return moved(sum).isZero(); };
        if (!isComparable() || !std::ranges::all_of(shifts_, isConstant)) return false;
        if (sharesIndices_ && !std::ranges::all_of(element_.equations(), isMet)) return false;
        for (const auto& [loop, shift] : shifts_)
            bounds_.isZero(reader_.variable(*loop, 0) - reader_.variable(*loop, 1) - shift);
        std::vector<const Loop*> loops = indicesRound(write_);
        for (const Loop* loop : indicesRound(read_))
            if (!write_.isIn(*loop)) loops.push_back(loop);
        return std::ranges::all_of(loops, [this](const Loop* loop) { return runs(*loop); });
    }

    // True if the construct goes over some location and over the one that the shift leads to,
    // whatever its bounds are. If only the extent of the range is not known: for each extent with
    // which it has at least two iterations.
    bool runs(const Loop& loop) {
        const auto here = reader_.triplet(loop, 0), there = reader_.triplet(loop, 1);
        if (!here || !there || !here->step.isConstant() || here->step.isZero()) return false;
        const long step = here->step.constant();
        const Sum length = Sum(step > 0 ? 1 : -1) * (here->last - here->first);
        if (!here->size.isConstant() && (length - here->size).isConstant())
            bounds_.isNotNegative(length - Sum(std::labs(step)));
        const auto shift = shifts_.find(&loop);
        const long distance = shift == shifts_.end() ? 0 : shift->second.constant();
        const Sum lower = moved(there->first) - here->first,
                  upper = moved(there->last) - here->last;
        const Sum apart = lower + Sum(distance);
        for (const auto& [product, factor] : apart.terms())
            if (factor % step != 0) return false;
        const long slack = lower.isZero() && upper.isZero() ? 0 : 2 * farthest;
        return staysNear(lower) && staysNear(upper) &&
               isNever(Sum(std::labs(distance) + slack - 1) - length);
    }

    bool staysNear(const Sum& difference) const {
        return isNever(difference - Sum(farthest + 1)) && isNever(Sum(-farthest - 1) - difference);
    }

    bool isNever(const Sum& notNegative) const {
        System here = bounds_;
        here.isNotNegative(notNegative);
        reader_.complete(here);
        return here.isImpossible();
    }

    static constexpr long farthest = 8;

    const analysis::IterationSpace& space_;
    analysis::Reader& reader_;
    const Access &write_, &read_;
    analysis::CommonElement element_;
    System bounds_;              // what holds of the bounds, whether they run or not
    bool sharesIndices_ = true;  // both are subscripted by indices of the same constructs
    bool coversIndices_ = true;  // .. or of constructs side by side over the same locations
    bool isShifted_ = false, isExact_ = true;
    const bool isFilled_;
    std::map<const Loop*, Sum> shifts_;
    std::vector<Sum> differences_;
};

}  // namespace

NestDependences::NestDependences(NodePtr nest, NodePtr body) : accesses_({nest}) {
    learnNumbers(body, nest, accesses_.reader());
    accesses_.reader().trustColours();
}

// By names of different arrays, which are sections of one.
Dependence NestDependences::of(NodePtr write, NodePtr read) {
    const analysis::IterationSpace& space = accesses_.space();
    Access writing = space.access(write), reading = space.access(read);
    if (!sameText(write->child(ast::Subscript::base), read->child(ast::Subscript::base))) {
        writing.subscripts = inWholeArray(write);
        reading.subscripts = inWholeArray(read);
        const bool isKnown = !writing.subscripts.empty() && !reading.subscripts.empty();
        if (!isKnown) return Dependence::None;
    }
    return Iterations(accesses_, writing, reading).dependence();
}

Dependence NestDependences::of(const analysis::ElementWrite& write, NodePtr read) {
    const analysis::IterationSpace& space = accesses_.space();
    const Access &writing = space.access(write.access), &reading = space.access(read);
    const auto to = write.steps, from = analysis::stepsInto(reading.path);
    for (std::size_t k = 0; k < std::min(to.size(), from.size()); ++k)
        if (analysis::leadApart(to[k], from[k])) return Dependence::None;
    const Dependence found = of(write.access, read);
    const bool isSeen = to.size() == analysis::stepsInto(writing.path).size();
    const bool isSure = write.writing == analysis::Writing::Surely && isSeen;
    return isSure ? found : std::min(found, Dependence::Perhaps);
}

}  // namespace hpcc::check::halo
