// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/sums_of_products.hpp"

#include <algorithm>

#include "analysis/numbers.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"
#include "nests/loop_ends.hpp"
#include "nests/reaches.hpp"
#include "nests/symmetry.hpp"
#include "nests/wide_values.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

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
        if (!row() || !mentions(sums.row->node, sums.steps->variable)) return hasRows() && noRow();
        if (!isAlone())
            return hasRows() && fail(sums.statement,
                                     "changes more than this element, or reads others of its "
                                     "array");
        return isFixed(*sums.steps) && isFixed(*sums.columns) &&
               (!hasRows() || isFixed(*sums.rows)) && halve();
    }

    /// The same of the sums of a fold. (What the nest stores is not read.)
    bool isMatch(const Fold& fold) {
        target_ = fold.write;
        sums.columns = target_->loop;
        sums.rows = sums.columns->outer;
        sums.steps = &outer_;
        if (!sums.rows || sums.rows->outer != &outer_ || nest_.callsForeign) return false;
        const bool areNested = soleStatement(bodyOf(outer_)) == sums.rows->statement &&
                               soleStatement(bodyOf(*sums.rows)) == sums.columns->statement;
        const NodePtr store = areNested ? soleAssignment(bodyOf(*sums.columns)) : nullptr;
        if (!store || !nest_.assigned.empty() || outer_.usesGlobal || !isFixed(*sums.rows) ||
            !isFixed(*sums.columns))
            return fail(target_->node, "is not all that the loops round it compute");
        sums.term = store->child(ast::Assign::value);
        return row() ? halve() : noRow();
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
        return fail(sums.term, "does not go along one row that is the same for each '" +
                                   std::string(sums.rows->variable) + "'");
    }

    const Loop* loopAt(NodePtr statement) const {
        const auto found = nest_.loopOf.find(statement);
        return found == nest_.loopOf.end() ? nullptr : found->second;
    }

    static bool isPlain(const Loop* loop) {
        return loop && loop->kind != Loop::Kind::Other && loop->step == 1 && !loop->usesGlobal &&
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
        if (!body->is<ast::Compound>() || body->children().size() != 3) return false;
        sums.statement = body->child(2);
        return declaration(body->child(0)) && loop(body->child(1)) &&
               mentions(sums.statement, sums.sum);
    }

    bool declaration(NodePtr statement) {
        const auto declared = numberDeclaredIn(statement);
        if (!declared || declared->type != "double") return false;
        sums.sum = declared->name;
        sums.start = declared->start;
        return true;
    }

    bool loop(NodePtr statement) {
        sums.steps = loopAt(statement);
        if (!sums.steps || sums.steps->kind != Loop::Kind::Counting || sums.steps->step != 1)
            return false;
        const NodePtr assign = soleAssignment(bodyOf(*sums.steps));
        if (!assign || !isNamed(assign->child(ast::Assign::target), sums.sum)) return false;
        sums.term = addendOf(assign, [&](NodePtr e) { return isNamed(e, sums.sum); });
        return sums.term && !mentions(sums.term, sums.sum);
    }

    /// Of c[i, j], which no other pair of indices reaches, the last subscript tells which loop is
    /// j.
    bool target() {
        const NodePtr assign = soleAssignment(sums.statement);
        target_ = assign ? accessAt(nest_, assign->child(ast::Assign::target)) : nullptr;
        if (!target_ || target_->slots.empty()) return false;
        const bool isInner = isIndex(target_->slots.back(), *inner_);
        sums.columns = isInner ? inner_ : &outer_;
        if (!hasRows()) return isInner && !isShort(*sums.steps);
        sums.rows = isInner ? &outer_ : inner_;
        return isIndex(target_->slots.back(), *sums.columns) &&
               std::ranges::any_of(target_->slots,
                                   [&](const Slot& slot) { return isIndex(slot, *sums.rows); });
    }

    /// The only element of the term that changes with j: along a row, and the same for all i.
    bool row() {
        for (const Access& access : nest_.accesses) {
            if (!mentions(access.node, sums.columns->variable) || !isInside(sums.term, access.node))
                continue;
            if (sums.row && ast::print(sums.row->node) != ast::print(access.node)) return false;
            sums.row = &access;
        }
        if (!sums.row || !isOfDoubles(*sums.row)) return false;
        const Slot& last = sums.row->slots.back();
        if (last.loop != sums.columns || last.distance) return false;
        return std::ranges::all_of(sums.row->slots, [&](const Slot& slot) {
            return !(sums.rows && mentions(slot.subscript, sums.rows->variable)) &&
                   (&slot == &last || !mentions(slot.subscript, sums.columns->variable));
        });
    }

    /// Nothing but c[i, j] is changed, and nothing else of c is read.
    bool isAlone() {
        for (const Loop* loop : {&outer_, inner_})
            for (const auto& [name, place] : loop->assigned)
                if (name != sums.sum) return false;
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
                      one->reachesEnd == other->reachesEnd && reaches_.isFixed(sums.start) &&
                      isSymmetric(sums.term, one->variable, other->variable);
        return true;
    }

    const Nest& nest_;
    const Loop& outer_;
    const Reaches& reaches_;
    const Loop* inner_ = nullptr;
    const Access* target_ = nullptr;
};

/// ` k`, what follows the type of a parameter that stands for the loop's variable; "" if `user`
/// does not mention it.
std::string parameter(const Loop& loop, NodePtr user) {
    return mentions(user, loop.variable) ? " " + std::string(loop.variable) : "";
}

/// Writes the call.
class Writing {
public:
    Writing(Context& context, const Nest& nest, const SumsOfProducts& sums, Elements& elements,
            const std::function<std::string(const Loop&)>& runOf)
        : context_(context),
          nest_(nest),
          sums_(sums),
          elements_(elements),
          runOf_(runOf),
          origin_(beginningOf(sums.statement ? *sums.columns : *sums.steps)) {}

    NodePtr call() {
        const std::string& array = nest_.arrays[sums_.row->array].text;
        const std::string row = context_.fresh(array.substr(array.rfind('.') + 1) + "_row");
        const std::string rowText = ast::print(sums_.row->node);
        WideValues values(context_, elements_, sums_.columns->variable, [&](NodePtr e) -> NodePtr {
            return ast::print(e) == rowText ? context_.identifier(row, e) : nullptr;
        });
        const NodePtr term = values.of(sums_.term);
        if (!term) return nullptr;
        const std::string sum = sums_.sum.empty() ? context_.fresh("sum") : std::string(sums_.sum);
        const bool isSame = Reaches(context_, nest_).isFixed(sums_.start);
        const std::string i = sums_.rows ? typeOf(*sums_.rows) : "", j = typeOf(*sums_.columns),
                          k = typeOf(*sums_.steps);
        const std::string schema =
            std::string("hpspmd::detail::") + function() + startOf(isSame) + ", [&](" + k +
            parameter(*sums_.steps, sums_.row->node) +
            ") {\n"
            "    return $row;\n"
            "}, [&](" +
            (sums_.rows ? i + parameter(*sums_.rows, sums_.term) + ", " : "") + k +
            parameter(*sums_.steps, sums_.term) + ", const auto &" + row +
            ") {\n"
            "    return $term;\n"
            "}, [&](" +
            (sums_.rows ? i + " $i, " : "") + j +
            " $j, double $sum) {\n"
            "    $statement;\n"
            "});";
        return context_.statement(
            schema,
            {{"$i1", first(sums_.rows)},
             {"$i2", last(sums_.rows)},
             {"$j1", first(sums_.columns)},
             {"$j2", last(sums_.columns)},
             {"$k1", first(sums_.steps)},
             {"$k2", last(sums_.steps)},
             {"$start", !sums_.start ? nullptr
                        : isSame     ? made(sums_.start)
                                     : elements_.fast(sums_.start)},
             {"$row", context_.made(elements_.row(*sums_.row), origin_)},
             {"$term", term},
             {"$i", name(sums_.rows ? sums_.rows->variable : "")},
             {"$j", name(sums_.columns->variable)},
             {"$sum", name(sum)},
             {"$statement", sums_.statement ? elements_.fast(sums_.statement) : store(sum)}},
            origin_);
    }

private:
    std::string function() const {
        if (sums_.isHalf) return "symmetricSumsOfProducts($i1, $i2, $k1, $k2, ";
        return (sums_.rows ? "sumsOfProducts($i1, $i2, " : "sumsOfColumns(") +
               std::string("$j1, $j2, $k1, $k2, ");
    }

    /// The same number for all sums, or a function of their indices.
    std::string startOf(bool isSame) const {
        if (!sums_.start) return "0.0";
        if (isSame) return "double($start)";
        return "[&](" +
               (sums_.rows ? typeOf(*sums_.rows) + parameter(*sums_.rows, sums_.start) + ", "
                           : "") +
               typeOf(*sums_.columns) + parameter(*sums_.columns, sums_.start) +
               ") {\n"
               "    return double($start);\n"
               "}";
    }

    static NodePtr beginningOf(const Loop& loop) {
        return loop.kind == Loop::Kind::Overall ? loop.statement->child(ast::Overall::headers)
                                                : loop.statement;
    }

    static std::string typeOf(const Loop& loop) {
        return loop.kind == Loop::Kind::Overall ? "hpspmd::Index"
                                                : std::string(counterType(loop)->text());
    }

    NodePtr first(const Loop* loop) {
        if (!loop) return nullptr;
        return loop->kind == Loop::Kind::Overall ? name(runOf_(*loop) + ".first")
                                                 : made(loop->first);
    }
    NodePtr last(const Loop* loop) {
        if (!loop) return nullptr;
        return loop->kind == Loop::Kind::Overall ? name(runOf_(*loop) + ".last")
                                                 : lastOf(context_, *loop, made(loop->end));
    }

    /// Of a fold, which stores sums only.
    NodePtr store(const std::string& sum) {
        const auto isStored = [](const Access& access) { return access.writes; };
        const Access& target = *std::ranges::find_if(nest_.accesses, isStored);
        return context_.statement(
            "$t = $sum;", {{"$t", elements_.element(target)}, {"$sum", name(sum)}}, origin_);
    }

    NodePtr made(NodePtr e) { return context_.made(elements_.fast(e), origin_); }
    NodePtr name(std::string_view text) { return context_.identifier(std::string(text), origin_); }

    Context& context_;
    const Nest& nest_;
    const SumsOfProducts& sums_;
    Elements& elements_;
    const std::function<std::string(const Loop&)>& runOf_;
    NodePtr origin_;
};

}  // namespace

std::optional<SumsOfProducts> asSumsOfProducts(const Nest& nest, const Loop& outer,
                                               const Fold* fold, const Reaches& reaches,
                                               ArrayPairs& apart, Obstacle& obstacle) {
    Recognition recognition(nest, outer, reaches);
    if (fold && outer.outer) return std::nullopt;
    if (!(fold ? recognition.isMatch(*fold) : recognition.isMatch())) {
        if (recognition.obstacle.place) obstacle = recognition.obstacle;
        return std::nullopt;
    }
    apart.merge(recognition.apart);
    return recognition.sums;
}

NodePtr writeSumsOfProducts(Context& context, const Nest& nest, const SumsOfProducts& sums,
                            Elements& elements,
                            const std::function<std::string(const Loop&)>& runOf) {
    return Writing(context, nest, sums, elements, runOf).call();
}

}  // namespace hpcc::nests
