// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "analysis/loop.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "nests/loop_ends.hpp"
#include "nests/piece_loops.hpp"
#include "nests/plan.hpp"
#include "nests/reaches.hpp"
#include "nests/row_factors.hpp"
#include "nests/sums_of_products.hpp"
#include "nests/wide_values.hpp"
#include "source/name.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;
using Loops = std::vector<const Loop*>;

/// Writes the call.
class Writing {
public:
    Writing(Context& context, const Nest& nest, const SumsOfProducts& sums, Elements& elements,
            const RunsOf& runsOf)
        : context_(context),
          nest_(nest),
          sums_(sums),
          elements_(elements),
          runsOf_(runsOf),
          origin_(beginningOf(sums.statement ? *sums.columns
                                             : *sums.sums.front().terms.front().steps)) {}

    NodePtr call() {
        std::vector<NodePtr> arguments;
        for (const Loop* loop : {sums_.rows, sums_.isHalf ? nullptr : sums_.columns})
            if (loop) arguments.insert(arguments.end(), {first(*loop), last(*loop)});
        if (sums_.areAlongRows) return alongRows(std::move(arguments));
        arguments.push_back(store());
        for (const SumsOfProducts::Sum& sum : sums_.sums) {
            arguments.push_back(written(sum));
            if (!arguments.back()) return nullptr;
        }
        const char* const function = sums_.isHalf ? "symmetricSumsOfProducts"
                                     : sums_.rows ? "sumsOfProducts"
                                                  : "sumsOfColumns";
        const NodePtr call =
            context_.statement(std::string("hpspmd::detail::") + function + "($arguments);",
                               {{"$arguments", arguments}}, origin_);
        if (!sums_.sums.front().outlivesNest()) return call;
        const std::string run = runsOf_(*sums_.sums.front().terms.front().steps).run;
        return context_.statement("if (" + run + ".first <= " + run + ".last)\n    $call;",
                                  {{"$call", call}}, origin_);
    }

private:
    using Parameters = std::vector<std::string>;

    NodePtr alongRows(std::vector<NodePtr> arguments) {
        const SumsOfProducts::Sum& sum = sums_.sums.front();
        const SumsOfProducts::Terms& terms = sum.terms.front();
        const Loop& k = *terms.steps;
        const std::string place = context_.fresh(std::string(k.variable) + "_row");
        WideValues values(context_, elements_, k.variable, [&](NodePtr e) -> NodePtr {
            const Access* const access = accessAt(nest_, e);
            if (!access || !runsAlongRow(*access, k, values)) return nullptr;
            return elementsAt(*access, place);
        });
        const NodePtr term = values.of(terms.term);
        if (!term) return nullptr;
        const Parameters indices{parameter(*sums_.columns, term, terms.term),
                                 "const auto &" + place};
        arguments.insert(arguments.end(),
                         {first(k), last(k), store(), start(sum), returning(indices, term)});
        return context_.statement(std::string(sumsAlongRows) + "($arguments);",
                                  {{"$arguments", arguments}}, origin_);
    }

    // ---- a sum, and what the steps of a loop add to it

    NodePtr written(const SumsOfProducts::Sum& sum) {
        std::vector<NodePtr> arguments{start(sum)};
        for (size_t n = 0; n < sum.terms.size(); ++n) {
            const SumsOfProducts::Terms* next =
                n + 1 < sum.terms.size() ? &sum.terms[n + 1] : nullptr;
            const TwoFactors factors =
                next ? factorsOfOneLoop(nest_, sums_, sum.terms[n], *next) : TwoFactors();
            if (!factors.first) next = nullptr;
            arguments.push_back(written(sum.terms[n], next, factors));
            if (!arguments.back()) return nullptr;
            if (next) ++n;
        }
        return context_.expression("hpspmd::detail::sumFrom($arguments)",
                                   {{"$arguments", arguments}}, origin_);
    }

    /// `factors`: of these terms and of the next ones, if both are one loop.
    NodePtr written(const SumsOfProducts::Terms& terms, const SumsOfProducts::Terms* next,
                    const TwoFactors& factors) {
        const Loop& k = *terms.steps;
        const std::string place = context_.fresh(std::string(sums_.columns->variable) + "_row");
        const NodePtr row = rowOf(terms, place);
        if (!row) return nullptr;
        const std::string values = nameOfValues(terms);
        const NodePtr factor = next ? factors.first : computedFactor(sums_, terms);
        const std::string nameOfFactor = factor ? context_.fresh("factor") : "";
        const NodePtr term = termOf(terms, values, factor, nameOfFactor);
        if (!term) return nullptr;
        Parameters parameters = indices(term, terms);
        if (factor) parameters.push_back("double " + nameOfFactor);
        parameters.push_back("const auto &" + values);
        std::vector<NodePtr> arguments{
            next ? firstOfBoth(k, *next->steps) : first(k),
            next ? lastOfBoth(k, *next->steps) : last(k),
            returning({parameter(k, ofStep(terms, row), terms.term), "const auto &" + place}, row,
                      before(terms)),
            returning(parameters, term)};
        if (factor) arguments.push_back(factorFunction(terms, next, {factor, factors.second}));
        return context_.expression(
            std::string("hpspmd::detail::terms") + (k.step < 0 ? "<-1>" : "") + "($arguments)",
            {{"$arguments", arguments}}, origin_);
    }
    /// An end of two loops that are one: whichever of both is first or last.
    NodePtr joined(const std::string& function, NodePtr one, NodePtr writtenOne, NodePtr other,
                   NodePtr writtenOther) {
        const NodePtr value = context_.expression(
            "hpspmd::detail::" + function + "(hpspmd::Index($a), hpspmd::Index($b))",
            {{"$a", writtenOne}, {"$b", writtenOther}}, origin_);
        return bound(mentions(one, sums_.rows->variable) ? one : other, value);
    }
    NodePtr firstOfBoth(const Loop& k, const Loop& next) {
        return joined("smaller", k.first, firstOf(k), next.first, firstOf(next));
    }
    NodePtr lastOfBoth(const Loop& k, const Loop& next) {
        return joined("larger", k.end, lastOf(k), next.end, lastOf(next));
    }
    NodePtr factorFunction(const SumsOfProducts::Terms& terms, const SumsOfProducts::Terms* next,
                           const TwoFactors& factors) {
        NodePtr value =
            context_.expression("double($e)", {{"$e", elements_.fast(factors.first)}}, origin_);
        if (next)
            value = context_.expression("$k <= $last ? $e : double($next)",
                                        {{"$k", name(terms.steps->variable)},
                                         {"$last", lastOf(*terms.steps)},
                                         {"$e", value},
                                         {"$next", elements_.fast(factors.second)}},
                                        origin_);
        return returning(indices(value, terms), value);
    }
    /// The row, if there are rows, and the step.
    Parameters indices(NodePtr written, const SumsOfProducts::Terms& terms) const {
        return with(rows(written, terms.term), {parameter(*terms.steps, written, terms.term)});
    }

    /// What is written of a step, with the numbers that it names.
    NodePtr ofStep(const SumsOfProducts::Terms& terms, NodePtr row) {
        if (terms.before.empty()) return row;
        return context_.statement("{\n    $before;\n    $row;\n}",
                                  {{"$before", before(terms)}, {"$row", row}}, origin_);
    }
    std::vector<NodePtr> before(const SumsOfProducts::Terms& terms) {
        std::vector<NodePtr> result;
        for (const NodePtr each : terms.before) result.push_back(elements_.fast(each));
        return result;
    }
    /// What a step reads of rows, for several columns.
    NodePtr rowOf(const SumsOfProducts::Terms& terms, const std::string& place) {
        std::vector<NodePtr> rows;
        int turned = 0;
        WideValues values(context_, elements_, sums_.columns->variable, [&](NodePtr e) {
            const Access* const access = accessAt(nest_, e);
            return access ? elementsOf(*access, *terms.steps, place, turned)
                          : elementsAt(elements_.dataOfContainer(e), place);
        });
        for (const NodePtr row : terms.rows) {
            rows.push_back(values.of(row));
            if (!rows.back()) return nullptr;
        }
        if (rows.size() == 1) return rows.front();
        return context_.expression("hpspmd::detail::several($rows)", {{"$rows", rows}}, origin_);
    }

    /// Those of neighbouring columns: side by side, below one another, where the next step reads
    /// the next to the right of each, or anywhere.
    NodePtr elementsOf(const Access& access, const Loop& steps, const std::string& place,
                       int& turned) {
        if (access.slots.back().loop == sums_.columns) return elementsAt(access, place);
        const auto isReached = [&](const Slot& slot) { return isIndex(slot, *sums_.columns); };
        const auto r = static_cast<size_t>(std::ranges::find_if(access.slots, isReached) -
                                           access.slots.begin());
        const Slot& last = access.slots.back();
        const auto follows = [&](const Slot& slot) {
            return mentions(slot.subscript, steps.variable);
        };
        const bool isTurned = last.loop == &steps && !last.distance &&
                              std::ranges::count_if(access.slots, follows) == 1;
        return context_.expression(
            isTurned ? "$place.turned($column, $pitch, " + std::to_string(turned++) + ")"
                     : "$place.across($column, $pitch)",
            {{"$place", name(place)},
             {"$column", context_.made(elements_.column(access, r), origin_)},
             {"$pitch", name(elements_.strideOf(access.array, r))}},
            origin_);
    }

    NodePtr elementsAt(const Access& access, const std::string& place) {
        return elementsAt(context_.made(elements_.row(access), origin_), place);
    }
    NodePtr elementsAt(NodePtr row, const std::string& place) {
        if (!row) return nullptr;
        return context_.expression("$place.at($row)", {{"$place", name(place)}, {"$row", row}},
                                   origin_);
    }

    std::string nameOfValues(const SumsOfProducts::Terms& terms) {
        const Access* const row =
            terms.rows.size() == 1 ? accessAt(nest_, terms.rows.front()) : nullptr;
        if (!row) return context_.fresh(std::string(sums_.columns->variable) + "_values");
        const std::string& array = nest_.arrays[row->array].text;
        return context_.fresh(array.substr(array.rfind('.') + 1) + "_row");
    }

    NodePtr termOf(const SumsOfProducts::Terms& terms, const std::string& name, NodePtr factor,
                   const std::string& nameOfFactor) {
        WideValues values(context_, elements_, sums_.columns->variable,
                          [](NodePtr) -> NodePtr { return nullptr; });
        for (size_t r = 0; r < terms.rows.size(); ++r)
            values.replace(terms.rows[r],
                           terms.rows.size() == 1 ? name : name + "[" + std::to_string(r) + "]");
        if (factor) values.replace(factor, nameOfFactor);
        return values.of(terms.term);
    }

    // ---- the other arguments

    /// The same number for all sums, or a function of their indices.
    NodePtr start(const SumsOfProducts::Sum& sum) {
        if (!sum.start) return name("0.0");
        const bool isSame = Reaches(context_, nest_).isFixed(sum.start);
        const NodePtr value = context_.expression(
            "double($e)", {{"$e", isSame ? made(sum.start) : elements_.fast(sum.start)}}, origin_);
        if (isSame) return value;
        return returning(
            with(rows(value, sum.start), {parameter(*sums_.columns, value, sum.start)}), value);
    }

    NodePtr store() {
        Parameters parameters;
        for (const Loop* loop : {sums_.rows, sums_.columns})
            if (loop) parameters.push_back(typeOfStored(*loop) + " " + std::string(loop->variable));
        std::string ofFold;
        for (const SumsOfProducts::Sum& sum : sums_.sums) {
            if (sum.name.empty()) ofFold = context_.fresh("sum");
            parameters.push_back("double " + (sum.name.empty() ? ofFold : std::string(sum.name)));
        }
        const NodePtr statement =
            sums_.statement ? elements_.fast(sums_.statement) : storeOfSum(ofFold);
        return context_.expression("[&](" + listed(parameters) +
                                       ") {\n"
                                       "    $globals;\n"
                                       "    $statement;\n"
                                       "}",
                                   {{"$globals", globalsIn(statement)}, {"$statement", statement}},
                                   origin_);
    }

    std::string typeOfStored(const Loop& loop) const {
        return sums_.statement ? typeIn(loop, sums_.statement) : typeOf(loop);
    }

    /// Of a fold, which stores sums only, or of an array of the iteration's.
    NodePtr storeOfSum(const std::string& sum) {
        if (const NodePtr element = sums_.sums.front().element)
            return context_.statement(sums_.sums.front().isAdded() ? "$t += $sum;" : "$t = $sum;",
                                      {{"$t", elements_.fast(element)}, {"$sum", name(sum)}},
                                      origin_);
        const auto isStored = [](const Access& access) { return access.writes; };
        const Access& target = *std::ranges::find_if(nest_.accesses, isStored);
        return context_.statement(
            "$t = $sum;", {{"$t", elements_.element(target)}, {"$sum", name(sum)}}, origin_);
    }

    NodePtr first(const Loop& loop) {
        if (loop.kind == Loop::Kind::Overall) return name(runsOf_(loop).run + ".first");
        return bound(loop.first, firstOf(loop));
    }
    NodePtr last(const Loop& loop) {
        if (loop.kind == Loop::Kind::Overall) return name(runsOf_(loop).run + ".last");
        return bound(loop.end, lastOf(loop));
    }
    NodePtr firstOf(const Loop& loop) { return made(loop.first); }
    NodePtr lastOf(const Loop& loop) { return nests::lastOf(context_, loop, made(loop.end)); }
    /// As a function of the row if it is not the same for all.
    NodePtr bound(NodePtr e, NodePtr written) {
        if (!sums_.rows || !mentions(e, sums_.rows->variable)) return written;
        return returning(rows(written, e), written);
    }

    // ---- functions

    static std::string typeOf(const Loop& loop) {
        return loop.kind == Loop::Kind::Overall ? "hpspmd::Index"
                                                : std::string(counterType(loop)->text());
    }
    /// With a name if what is written mentions it, or its global index.
    std::string parameter(const Loop& loop, NodePtr written, NodePtr user) const {
        const std::string text = ast::print(written), global = globalOf(loop);
        const bool isUsed = source::mentionsName(text, loop.variable) ||
                            (!global.empty() && source::mentionsName(text, global));
        return isUsed ? typeIn(loop, user) + " " + std::string(loop.variable) : typeOf(loop);
    }
    /// An index for a smaller integer, which would be converted for each element; not where a
    /// function may ask for the type.
    static std::string typeIn(const Loop& loop, NodePtr user) {
        const auto isCall = [](NodePtr e) {
            return e->is<ast::Call>() && !ast::convertedToNumber(e);
        };
        const bool isNumber =
            loop.kind == Loop::Kind::Counting &&
            analysis::countingLoop(loop.statement)->number() == ast::NumberType{32, true} &&
            !ast::anywhere(user, isCall);
        return isNumber ? "hpspmd::Index" : typeOf(loop);
    }
    /// That of the row, if there are rows.
    Parameters rows(NodePtr written, NodePtr user) const {
        return sums_.rows ? Parameters{parameter(*sums_.rows, written, user)} : Parameters();
    }
    static Parameters with(Parameters some, const Parameters& more) {
        some.insert(some.end(), more.begin(), more.end());
        return some;
    }

    NodePtr returning(const Parameters& parameters, NodePtr value,
                      const std::vector<NodePtr>& before = {}) {
        return context_.expression(
            "[&](" + listed(parameters) +
                ") {\n"
                "    $globals;\n"
                "    $before;\n"
                "    return $e;\n"
                "}",
            {{"$globals", globalsIn(value)}, {"$before", before}, {"$e", value}}, origin_);
    }

    /// The global indices that are mentioned.
    std::vector<NodePtr> globalsIn(NodePtr written) {
        std::vector<NodePtr> result;
        const std::string text = ast::print(written);
        for (const Loop* loop : {sums_.rows, sums_.columns}) {
            const std::string global = loop ? globalOf(*loop) : "";
            if (!global.empty() && source::mentionsName(text, global))
                result.push_back(globalIndexOf(context_, *loop, global, runsOf_(*loop).run));
        }
        return result;
    }
    /// Its name; "" of a loop without one.
    std::string globalOf(const Loop& loop) const {
        return loop.kind == Loop::Kind::Overall && loop.usesGlobal ? runsOf_(loop).global : "";
    }

    static NodePtr beginningOf(const Loop& loop) {
        return loop.kind == Loop::Kind::Overall ? loop.statement->child(ast::Overall::headers)
                                                : loop.statement;
    }
    NodePtr made(NodePtr e) { return context_.made(elements_.fast(e), origin_); }
    NodePtr name(std::string_view text) { return context_.identifier(std::string(text), origin_); }

    Context& context_;
    const Nest& nest_;
    const SumsOfProducts& sums_;
    Elements& elements_;
    const RunsOf& runsOf_;
    NodePtr origin_;
};

}  // namespace

NodePtr writeSumsOfProducts(Context& context, const Nest& nest, const SumsOfProducts& sums,
                            Elements& elements, const RunsOf& runsOf) {
    return Writing(context, nest, sums, elements, runsOf).call();
}

Obstacle untiled(const SumsOfProducts& sums) {
    return {sums.sums.front().terms.front().term,
            "is no expression of + - * / over numbers of type double"};
}

void noteTiles(NestPlan& plan, const SumsOfProducts& sums) {
    const std::string pairs = sums.isHalf ? ", one for two pairs" : "";
    plan.notes.push_back(sums.rows           ? "with sums of products in register tiles" + pairs
                         : sums.areAlongRows ? "with sums of several rows at once"
                                             : "with sums of several columns at once");
    if (sums.rows) plan.forms[sums.rows].kind = Form::Kind::Tiled;
    plan.forms[sums.columns].kind = Form::Kind::Tiled;
}

}  // namespace hpcc::nests
