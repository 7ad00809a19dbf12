// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/sums_of_products.hpp"

#include <algorithm>
#include <cstdlib>

#include "analysis/numbers.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "nests/extremes.hpp"
#include "nests/long_rows.hpp"
#include "nests/reaches.hpp"
#include "nests/sums_in_arrays.hpp"
#include "nests/symmetry.hpp"
#include "nests/wide_values.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;
using Terms = SumsOfProducts::Terms;

/// Recognises the sums.
class Recognition {
public:
    Recognition(const Nest& nest, const Loop& outer, const Reaches& reaches)
        : nest_(nest), outer_(outer), reaches_(reaches) {}

    bool isMatch() {
        if (nest_.callsForeign || !loops() || !statements()) return false;
        if (!target())
            return hasRows() &&
                   fail(sums.statement, "does not store one element for each pair of indices");
        if (!haveRows()) {
            if (hasRows()) return noRow();
            if (!goAlongRows()) return false;
        }
        if (!isAlone())
            return hasRows() && fail(sums.statement,
                                     "changes more than this element, or reads others of its "
                                     "array");
        if (!areBounded())
            return hasRows() &&
                   fail(sums.statement,
                        "needs bounds of its loops that are fixed, or those of each '" +
                            std::string(sums.rows->variable) + "'");
        if (sums.isRagged && !moveOn())
            return fail(sums.statement,
                        "reads rows that do not move on with its steps, whose "
                        "bounds depend on '" +
                            std::string(sums.rows->variable) + "'");
        return halve();
    }

    /// The same of the sums of a fold. (What the nest stores is not read.)
    bool isMatch(const Fold& fold) {
        target_ = fold.write;
        sums.columns = target_->loop;
        sums.rows = sums.columns->outer;
        if (!sums.rows || sums.rows->outer != &outer_ || nest_.callsForeign) return false;
        const bool areNested = soleStatement(bodyOf(outer_)) == sums.rows->statement &&
                               soleStatement(bodyOf(*sums.rows)) == sums.columns->statement;
        const NodePtr store = areNested ? soleAssignment(bodyOf(*sums.columns)) : nullptr;
        if (!store || !nest_.assigned.empty() || outer_.usesGlobal || !isFixed(*sums.rows) ||
            !isFixed(*sums.columns))
            return fail(target_->node, "is not all that the loops round it compute");
        sums.sums.push_back({.terms = {{&outer_, store->child(ast::Assign::value)}}});
        return haveRows() ? halve() : noRow();
    }

    /// The same of sums in an array of the iteration's.
    bool isMatchInArray() {
        const auto found = sumInArray(nest_, outer_);
        if (!found || nest_.callsForeign) return false;
        inner_ = found->inner;
        sums.columns = found->columns;
        sums.sums.push_back(found->sum);
        return haveRows() && isFixed(outer_) && isFixed(*inner_);
    }

    /// The same of sums over the nest in a vector.
    bool isMatchOverNest() {
        const auto found = sumOverNest(nest_, outer_);
        if (!found) return false;
        sums.rows = found->inner;
        inner_ = sums.rows ? sums.rows : &outer_;
        sums.columns = found->columns;
        sums.sums.push_back(found->sum);
        return haveRows() && isFixed(outer_) && areBounded() && (!sums.isRagged || moveOn());
    }

    SumsOfProducts sums;
    ArrayPairs apart;
    Obstacle obstacle;

private:
    bool fail(NodePtr place, std::string reason) {
        obstacle = {place, std::move(reason)};
        return false;
    }
    bool noRow() {
        return fail(sums.sums.front().terms.front().term,
                    "does not go along one row that is the same for each '" +
                        std::string(sums.rows->variable) + "'");
    }

    const Loop* loopAt(NodePtr statement) const {
        const auto found = nest_.loopOf.find(statement);
        return found == nest_.loopOf.end() ? nullptr : found->second;
    }

    static bool isPlain(const Loop* loop) {
        return loop && loop->kind != Loop::Kind::Other && loop->step == 1 &&
               !loop->touchesForeign && !loop->jumps &&
               (loop->kind == Loop::Kind::Overall || !isShort(*loop));
    }

    /// Its bounds are the same all through the nest.
    bool isFixed(const Loop& loop) const {
        if (loop.kind == Loop::Kind::Overall)
            return std::ranges::all_of(tripletOf(loop)->children(),
                                       [&](NodePtr part) { return reaches_.isFixed(part); });
        return reaches_.isFixed(loop.first) && reaches_.isFixed(loop.end) &&
               (!loop.reachesEnd || analysis::isInteger(loop.end)) &&
               counterType(loop)->text() != "auto";
    }

    /// The same, or they are those of the row i.
    bool isFixedInRow(const Loop& loop) {
        if (isFixed(loop)) return true;
        sums.isRagged = true;
        return hasRows() && loop.kind == Loop::Kind::Counting && isOfRow(loop.first) &&
               isOfRow(loop.end) && counterType(loop)->text() != "auto" &&
               analysis::isInteger(loop.end);
    }
    /// A number that depends on no index but that of the row. That of an `overall` is asked as i`.
    bool isOfRow(NodePtr e) const {
        if (!isPureInteger(e) || !ast::isSafe(e)) return false;
        const bool isGlobal = sums.rows->kind == Loop::Kind::Overall;
        const auto hides = [&](NodePtr each) {
            if (each->is<ast::Subscript>()) return true;
            return isGlobal && isNamed(each, sums.rows->variable) && !isAsked(e, each);
        };
        return !ast::anywhere(e, hides) &&
               std::ranges::none_of(ast::namesIn(e), [&](std::string_view name) {
                   return nest_.declared.contains(name) || nest_.assigned.contains(name) ||
                          nest_.changeable.contains(name) ||
                          (nest_.loopNamed(name) && name != sums.rows->variable);
               });
    }
    static bool isAsked(NodePtr e, NodePtr index) {
        return ast::anywhere(
            e, [&](NodePtr each) { return each->is<ast::GlobalIndex>() && isInside(each, index); });
    }

    bool areBounded() {
        if (hasRows() && !isFixed(*sums.rows)) return false;
        if (hasRows() && sums.columns->outer != sums.rows ? !isFixed(*sums.columns)
                                                          : !isFixedInRow(*sums.columns))
            return false;
        return allTerms([this](const Terms& terms) { return isFixedInRow(*terms.steps); });
    }

    /// What the steps of one row read, those of another one may read as well: what is between two
    /// steps lies between what they reach.
    bool moveOn() const {
        return allTerms([this](const Terms& terms) {
            return std::ranges::all_of(nest_.accesses, [&](const Access& access) {
                return !isOfRows(terms, access) ||
                       std::ranges::all_of(access.slots, [&](const Slot& slot) {
                           return !mentions(slot.subscript, terms.steps->variable) ||
                                  (slot.loop == terms.steps && !slot.distance);
                       });
            });
        });
    }

    bool loops() {
        if (!isPlain(&outer_)) return false;
        const Loop* const loop = loopAt(soleStatement(bodyOf(outer_)));
        inner_ = loop ? loop : &outer_;
        return isPlain(inner_);
    }
    bool hasRows() const { return inner_ != &outer_; }

    /// { double sum = start; for (k ..) sum += term; c[i, j] = .. sum ..; }
    bool statements() {
        const NodePtr body = bodyOf(*inner_);
        if (!body->is<ast::Compound>() || body->children().size() < 3) return false;
        const auto parts = body->children();
        sums.statement = parts.back();
        for (const NodePtr part : parts.first(parts.size() - 1))
            if (!declaration(part) && !loop(part)) return false;
        return std::ranges::all_of(sums.sums, [this](const SumsOfProducts::Sum& sum) {
            return !sum.terms.empty() && mentions(sums.statement, sum.name) &&
                   std::ranges::none_of(sums.sums, [&](const SumsOfProducts::Sum& other) {
                       return mentions(sum.start, other.name);
                   });
        });
    }

    bool declaration(NodePtr statement) {
        if (!ast::is<ast::Declaration>(statement) ||
            statement->child(ast::Declaration::specifiers)->text() != "double")
            return false;
        const NodePtr declarators = statement->child(ast::Declaration::declarators);
        for (const NodePtr each : declarators->children()) {
            const NodePtr start = each->child(ast::InitDeclarator::initializer);
            if (!start || start->children().size() != 1) return false;
            sums.sums.push_back(
                {each->child(ast::InitDeclarator::declarator)->text(), start->child(0)});
        }
        return true;
    }

    bool loop(NodePtr statement) {
        const Loop* const steps = loopAt(statement);
        if (!steps || steps->kind != Loop::Kind::Counting || std::abs(steps->step) != 1 ||
            steps->variable == outer_.variable || steps->variable == inner_->variable)
            return false;
        const NodePtr assign = soleAssignment(bodyOf(*steps));
        const auto isSum = [&](const SumsOfProducts::Sum& sum) {
            return assign && isNamed(assign->child(ast::Assign::target), sum.name);
        };
        const auto sum = std::ranges::find_if(sums.sums, isSum);
        if (sum == sums.sums.end()) return false;
        const NodePtr term = addendOf(assign, [&](NodePtr e) { return isNamed(e, sum->name); });
        if (!term || std::ranges::any_of(sums.sums, [&](const SumsOfProducts::Sum& each) {
                return mentions(term, each.name);
            }))
            return false;
        sum->terms.push_back({steps, term});
        return true;
    }

    /// Of c[i, j], which no other pair of indices reaches, the last subscript tells which loop is
    /// j.
    bool target() {
        const NodePtr assign = soleAssignment(sums.statement);
        target_ = assign ? accessAt(nest_, assign->child(ast::Assign::target)) : nullptr;
        if (!target_ || target_->slots.empty()) return false;
        const bool isInner = isIndex(target_->slots.back(), *inner_);
        sums.columns = isInner || !hasRows() ? inner_ : &outer_;
        const std::vector<Terms>& terms = sums.sums.front().terms;
        const auto isReached = [&](const Loop& loop) {
            return std::ranges::any_of(target_->slots,
                                       [&](const Slot& slot) { return isIndex(slot, loop); });
        };
        if (!hasRows())
            return isReached(*inner_) && sums.sums.size() == 1 && terms.size() == 1 &&
                   terms.front().steps->step == 1 && !isShort(*terms.front().steps);
        sums.rows = isInner ? &outer_ : inner_;
        return isIndex(target_->slots.back(), *sums.columns) && isReached(*sums.rows);
    }

    /// What of the terms changes with j does not change with i, and some of it does with k.
    bool haveRows() {
        for (SumsOfProducts::Sum& sum : sums.sums)
            for (Terms& terms : sum.terms) {
                if (!haveRows(terms, terms.term) || terms.rows.size() > mostRows) return false;
                const auto isStep = [&](const Access& access) {
                    return isOfRows(terms, access) &&
                           mentions(access.node, sums.columns->variable) &&
                           mentions(access.node, terms.steps->variable);
                };
                if (std::ranges::none_of(nest_.accesses, isStep)) return false;
            }
        return true;
    }
    bool allTerms(const auto& hold) const {
        return std::ranges::all_of(sums.sums, [&](const SumsOfProducts::Sum& sum) {
            return std::ranges::all_of(sum.terms, hold);
        });
    }
    bool haveRows(Terms& terms, NodePtr e) const {
        if (!mentions(e, sums.columns->variable)) return true;
        if (sums.rows && mentions(e, sums.rows->variable)) {
            if (accessAt(nest_, e)) return false;
            return std::ranges::all_of(
                e->children(), [&](NodePtr part) { return !part || haveRows(terms, part); });
        }
        const auto isKnown = [&](NodePtr row) { return ast::print(row) == ast::print(e); };
        if (std::ranges::none_of(terms.rows, isKnown)) terms.rows.push_back(e);
        return std::ranges::all_of(nest_.accesses, [&](const Access& access) {
            return !isInside(e, access.node) || isAlongRow(access);
        });
    }
    static bool isOfRows(const Terms& terms, const Access& access) {
        return std::ranges::any_of(terms.rows,
                                   [&](NodePtr row) { return isInside(row, access.node); });
    }
    /// Neighbouring columns are neighbours in one of its dimensions.
    bool isAlongRow(const Access& access) const {
        if (!mentions(access.node, sums.columns->variable)) return true;
        const auto isReached = [&](const Slot& slot) {
            return mentions(slot.subscript, sums.columns->variable);
        };
        const auto place = std::ranges::find_if(access.slots, isReached);
        if (place == access.slots.end() || !isOfDoubles(access) ||
            std::ranges::count_if(access.slots, isReached) != 1)
            return false;
        if (place + 1 == access.slots.end()) return place->loop == sums.columns && !place->distance;
        return hasRows() && isIndex(*place, *sums.columns);
    }

    /// The terms of each sum lie side by side, in a row of its own, and each is soon computed.
    bool goAlongRows() {
        Terms& terms = sums.sums.front().terms.front();
        terms.rows.clear();
        sums.areAlongRows = true;
        bool hasOwn = false;
        for (const Access& access : nest_.accesses) {
            if (!isInside(terms.term, access.node) || !mentions(access.node, terms.steps->variable))
                continue;
            const auto isReached = [&](const Slot& slot) {
                return mentions(slot.subscript, terms.steps->variable);
            };
            if (!isOfDoubles(access) || access.slots.back().loop != terms.steps ||
                std::ranges::count_if(access.slots, isReached) != 1)
                return false;
            hasOwn |= mentions(access.node, sums.columns->variable);
        }
        constexpr long mostOperations = 8;
        return hasOwn && operationsIn(terms.term) <= mostOperations;
    }

    /// Nothing but c[i, j] is changed, and nothing else of c is read.
    bool isAlone() {
        for (const Loop* loop : {&outer_, inner_})
            for (const auto& [name, place] : loop->assigned)
                if (std::ranges::find(sums.sums, name, &SumsOfProducts::Sum::name) ==
                    sums.sums.end())
                    return false;
        for (const Access& access : nest_.accesses) {
            if (!isInNest(access)) continue;
            if (access.array != target_->array)
                apart.insert(std::minmax(access.array, target_->array));
            else if (ast::print(access.node) != ast::print(target_->node))
                return false;
            if (access.writes && access.array != target_->array) return false;
        }
        return true;
    }

    bool isInNest(const Access& access) const {
        for (const Loop* at = access.loop; at; at = at->outer)
            if (at == &outer_) return true;
        return false;
    }

    /// Loops of the same bounds may have one sum for i, j and for j, i.
    bool halve() {
        const Loop *one = sums.rows, *other = sums.columns;
        const auto isOneText = [](NodePtr a, NodePtr b) { return ast::print(a) == ast::print(b); };
        sums.isHalf = one && one->kind == Loop::Kind::Counting && other->kind == one->kind &&
                      isOneText(one->first, other->first) && isOneText(one->end, other->end) &&
                      one->reachesEnd == other->reachesEnd &&
                      reaches_.isFixed(sums.sums[0].start) && sums.sums.size() == 1 &&
                      allTerms([&](const Terms& terms) {
                          return isFixed(*terms.steps) &&
                                 isSymmetric(terms.term, one->variable, other->variable);
                      });
        return true;
    }

    static constexpr size_t mostRows = 4;  // as many as the library turns at once

    const Nest& nest_;
    const Loop& outer_;
    const Reaches& reaches_;
    const Loop* inner_ = nullptr;
    const Access* target_ = nullptr;
};

}  // namespace

std::optional<SumsOfProducts> asSumsOfProducts(const Nest& nest, const Loop& outer,
                                               const Fold* fold, const Reaches& reaches,
                                               ArrayPairs& apart, Obstacle& obstacle) {
    Recognition recognition(nest, outer, reaches);
    if (fold && outer.outer) return std::nullopt;
    if (!(fold ? recognition.isMatch(*fold) : recognition.isMatch())) {
        if (recognition.obstacle.place) obstacle = recognition.obstacle;
        if (fold) return std::nullopt;
        Recognition inArray(nest, outer, reaches), overNest(nest, outer, reaches);
        if (inArray.isMatchInArray()) return inArray.sums;
        return overNest.isMatchOverNest() ? std::optional(overNest.sums) : std::nullopt;
    }
    apart.merge(recognition.apart);
    return recognition.sums;
}

}  // namespace hpcc::nests
