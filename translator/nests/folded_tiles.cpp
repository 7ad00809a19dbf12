// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/folded_tiles.hpp"

#include <algorithm>

#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"
#include "nests/loop_ends.hpp"
#include "nests/sums_of_products.hpp"
#include "nests/symmetry.hpp"
#include "nests/wide_values.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// Over k: the nest; over i: the outer, over j: the inner counting loop.
class FoldedTiles {
public:
    FoldedTiles(Context& context, NestPlan& plan, Elements& elements)
        : context_(context),
          plan_(plan),
          nest_(*plan.nest),
          fold_(*plan.fold),
          elements_(elements),
          steps_(nest_.loops.front()),
          columns_(*fold_.write->loop),
          rows_(*columns_.outer) {}

    NodePtr write(const std::string& run) {
        if (rows_.outer != &steps_ || nest_.callsForeign) return nullptr;
        if (!isOnlyStatement() || !nest_.assigned.empty() || steps_.usesGlobal ||
            counterType(rows_)->text() == "auto" || counterType(columns_)->text() == "auto")
            return fail(fold_.write->node, "is not all that the loops round it compute");
        if (!row())
            return fail(term_, "does not go along one row that is the same for each '" +
                                   std::string(rows_.variable) + "'");
        rowName_ = context_.fresh(rowOf(nest_, *row_));
        WideValues values(context_, elements_, columns_.variable, [&](NodePtr e) {
            return isRow(e) ? context_.identifier(rowName_, e) : nullptr;
        });
        const NodePtr term = values.of(term_);
        return term ? call(run, term)
                    : fail(term_, "is no expression of + - * / over numbers of type double");
    }

private:
    NodePtr fail(NodePtr place, std::string reason) {
        plan_.untiled = {place, std::move(reason)};
        return nullptr;
    }

    bool isOnlyStatement() {
        if (soleStatement(bodyOf(steps_)) != rows_.statement ||
            soleStatement(bodyOf(rows_)) != columns_.statement)
            return false;
        const NodePtr store = soleAssignment(bodyOf(columns_));
        if (!store) return false;
        term_ = store->child(ast::Assign::value);
        return true;
    }

    /// What the term reads with j lies in one row, the same for all i.
    bool row() {
        for (const Access& access : nest_.accesses) {
            if (&access == fold_.write || !mentions(access.node, columns_.variable)) continue;
            if (row_ && ast::print(row_->node) != ast::print(access.node)) return false;
            row_ = &access;
        }
        if (!row_ || !isOfDoubles(*row_) || mentions(row_->node, rows_.variable)) return false;
        const Slot& last = row_->slots.back();
        return last.loop == &columns_ && !last.distance &&
               std::ranges::all_of(row_->slots, [&](const Slot& slot) {
                   return &slot == &last || !mentions(slot.subscript, columns_.variable);
               });
    }

    bool isRow(NodePtr e) const {
        const Access* access = accessAt(nest_, e);
        return access && ast::print(access->node) == ast::print(row_->node);
    }

    NodePtr call(const std::string& run, NodePtr term) {
        const bool isHalf = ast::print(rows_.end) == ast::print(columns_.end) &&
                            isSymmetric(term_, rows_.variable, columns_.variable);
        plan_.notes.push_back(isHalf ? "in register tiles of one half of the pairs"
                                     : "in register tiles");
        for (const Loop* loop : {&rows_, &columns_}) plan_.forms[loop].kind = Form::Kind::Tiled;
        const NodePtr origin = steps_.statement->child(ast::Overall::headers);
        const auto name = [&](std::string_view text) {
            return context_.identifier(std::string(text), origin);
        };
        const std::string schema =
            std::string(isHalf ? "hpspmd::detail::symmetricSumsOfProducts(0, $m, "
                               : "hpspmd::detail::sumsOfProducts(0, $m, 0, $n, ") +
            "$run.first, $run2.last, 0.0, [&](hpspmd::Index" + parameter(steps_, row_->node) +
            ") {\n"
            "    return $row;\n"
            "}, [&](" +
            std::string(counterType(rows_)->text()) + parameter(rows_, term) + ", hpspmd::Index" +
            parameter(steps_, term) + ", const auto &" + rowName_ +
            ") {\n"
            "    return $term;\n"
            "}, [&](" +
            std::string(counterType(rows_)->text()) + " $i, " +
            std::string(counterType(columns_)->text()) +
            " $j, double $sum) {\n"
            "    $t = $sum2;\n"
            "});";
        const std::string sum = context_.fresh("sum");
        return context_.statement(schema,
                                  {{"$run", name(run)},
                                   {"$run2", name(run)},
                                   {"$m", last(rows_)},
                                   {"$n", last(columns_)},
                                   {"$row", context_.made(elements_.row(*row_), origin)},
                                   {"$term", term},
                                   {"$i", name(rows_.variable)},
                                   {"$j", name(columns_.variable)},
                                   {"$sum", name(sum)},
                                   {"$sum2", name(sum)},
                                   {"$t", elements_.element(*fold_.write)}},
                                  origin);
    }

    NodePtr last(const Loop& loop) {
        return lastOf(context_, loop, context_.made(elements_.fast(loop.end), loop.end));
    }

    Context& context_;
    NestPlan& plan_;
    const Nest& nest_;
    const Fold& fold_;
    Elements& elements_;
    const Loop &steps_, &columns_, &rows_;
    const Access* row_ = nullptr;
    NodePtr term_ = nullptr;
    std::string rowName_;
};

}  // namespace

NodePtr writeFoldedTiles(Context& context, NestPlan& plan, Elements& elements,
                         const std::string& run) {
    return FoldedTiles(context, plan, elements).write(run);
}

}  // namespace hpcc::nests
