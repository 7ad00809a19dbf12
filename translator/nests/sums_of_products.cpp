// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/sums_of_products.hpp"

#include <algorithm>

#include "analysis/numbers.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"
#include "nests/loop_ends.hpp"
#include "nests/reaches.hpp"
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
            return fail(sums.statement, "does not store one element for each pair of indices");
        if (!row())
            return fail(sums.term, "does not go along one row that is the same for each '" +
                                       std::string(sums.rows->variable) + "'");
        return isAlone() ||
               fail(sums.statement, "changes more than this element, or reads others of its array");
    }

    SumsOfProducts sums;
    ArrayPairs apart;
    Obstacle obstacle;

private:
    bool fail(NodePtr place, std::string reason) {
        obstacle = {place, std::move(reason)};
        return false;
    }

    const Loop* loopAt(NodePtr statement) const {
        const auto found = nest_.loopOf.find(statement);
        return found == nest_.loopOf.end() ? nullptr : found->second;
    }

    static bool isPlain(const Loop* loop) {
        return loop && loop->kind == Loop::Kind::Overall && loop->step == 1 && !loop->usesGlobal &&
               !loop->touchesForeign && !loop->jumps;
    }

    bool loops() {
        if (!isPlain(&outer_)) return false;
        inner_ = loopAt(soleStatement(bodyOf(outer_)));
        return isPlain(inner_);
    }

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
        return reaches_.isFixed(sums.start);
    }

    bool loop(NodePtr statement) {
        sums.steps = loopAt(statement);
        if (!sums.steps || sums.steps->kind != Loop::Kind::Counting || sums.steps->step != 1 ||
            !reaches_.isFixed(sums.steps->first) || !reaches_.isFixed(sums.steps->end) ||
            (sums.steps->reachesEnd && !analysis::isInteger(sums.steps->end)))
            return false;
        if (counterType(*sums.steps)->text() == "auto") return false;
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
        sums.rows = isInner ? &outer_ : inner_;
        return isIndex(target_->slots.back(), *sums.columns) &&
               std::ranges::any_of(target_->slots,
                                   [&](const Slot& slot) { return isIndex(slot, *sums.rows); });
    }

    /// The only access of the term that mentions j: along a row, and the same for all i.
    bool row() {
        for (const Access& access : nest_.accesses) {
            if (!isInTerm(access) || !mentions(access.node, sums.columns->variable)) continue;
            if (sums.row) return false;
            sums.row = &access;
        }
        if (!sums.row || !isOfDoubles(*sums.row)) return false;
        const Slot& last = sums.row->slots.back();
        if (last.loop != sums.columns || last.distance) return false;
        return std::ranges::all_of(
                   sums.row->slots,
                   [&](const Slot& slot) {
                       return !mentions(slot.subscript, sums.rows->variable) &&
                              (&slot == &last || !mentions(slot.subscript, sums.columns->variable));
                   }) &&
               mentions(sums.row->node, sums.steps->variable);
    }

    bool isInTerm(const Access& access) const { return access.loop == sums.steps; }

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

    const Nest& nest_;
    const Loop& outer_;
    const Reaches& reaches_;
    const Loop* inner_ = nullptr;
    const Access* target_ = nullptr;
};

}  // namespace

std::string parameter(const Loop& loop, NodePtr user) {
    return mentions(user, loop.variable) ? " " + std::string(loop.variable) : "";
}

std::string rowOf(const Nest& nest, const Access& access) {
    const std::string& array = nest.arrays[access.array].text;
    return array.substr(array.rfind('.') + 1) + "_row";
}

std::optional<SumsOfProducts> asSumsOfProducts(const Nest& nest, const Loop& outer,
                                               const Reaches& reaches, ArrayPairs& apart,
                                               Obstacle& obstacle) {
    Recognition recognition(nest, outer, reaches);
    if (!recognition.isMatch()) {
        if (recognition.obstacle.place) obstacle = recognition.obstacle;
        return std::nullopt;
    }
    apart.merge(recognition.apart);
    return recognition.sums;
}

NodePtr writeSumsOfProducts(Context& context, const Nest& nest, const SumsOfProducts& sums,
                            Elements& elements, const std::string& rowsRun,
                            const std::string& columnsRun) {
    const NodePtr origin = sums.rows->statement->child(ast::Overall::headers);
    const std::string row = context.fresh(rowOf(nest, *sums.row));
    WideValues values(context, elements, sums.columns->variable, [&](NodePtr e) -> NodePtr {
        return accessAt(nest, e) == sums.row ? context.identifier(row, e) : nullptr;
    });
    const NodePtr term = values.of(sums.term);
    if (!term) return nullptr;
    const std::string stepType(counterType(*sums.steps)->text());
    const std::string schema =
        "hpspmd::detail::sumsOfProducts($rows.first, $rows2.last, $columns.first, $columns2.last, "
        "$first, $last, double($start), [&](" +
        stepType +
        " $k) {\n"
        "    return $row;\n"
        "}, [&](hpspmd::Index" +
        parameter(*sums.rows, sums.term) + ", " + stepType + parameter(*sums.steps, term) +
        ", const auto &" + row +
        ") {\n"
        "    return $term;\n"
        "}, [&](hpspmd::Index $i, hpspmd::Index $j, double $sum) {\n"
        "    $statement;\n"
        "});";
    const auto name = [&](std::string_view text) {
        return context.identifier(std::string(text), origin);
    };
    const auto made = [&](NodePtr e) { return context.made(elements.fast(e), origin); };
    return context.statement(schema,
                             {{"$rows", name(rowsRun)},
                              {"$rows2", name(rowsRun)},
                              {"$columns", name(columnsRun)},
                              {"$columns2", name(columnsRun)},
                              {"$first", made(sums.steps->first)},
                              {"$last", lastOf(context, *sums.steps, made(sums.steps->end))},
                              {"$start", made(sums.start)},
                              {"$k", name(sums.steps->variable)},
                              {"$row", context.made(elements.row(*sums.row), origin)},
                              {"$term", term},
                              {"$i", name(sums.rows->variable)},
                              {"$j", name(sums.columns->variable)},
                              {"$sum", name(sums.sum)},
                              {"$statement", elements.fast(sums.statement)}},
                             origin);
}

}  // namespace hpcc::nests
