// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/packed_rows.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "analysis/numbers.hpp"
#include "ast/copy.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/symbol.hpp"
#include "nests/chosen_store.hpp"
#include "nests/loop_ends.hpp"
#include "nests/near_loops.hpp"
#include "nests/reductions.hpp"
#include "nests/row_numbers.hpp"
#include "nests/shared_columns.hpp"
#include "nests/wide_values.hpp"
#include "source/name.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class PackedRows {
public:
    PackedRows(Context& context, const Nest& nest, const Loop& loop, Elements& elements,
               const EntryTest& test, const Repetition* repetition, bool isOfColumns = false)
        : context_(context),
          nest_(nest),
          loop_(loop),
          elements_(elements),
          test_(test),
          repetition_(repetition),
          isOfColumns_(isOfColumns),
          operands_(context.fresh(std::string(loop.variable) + "_row")),
          values_(context, elements, loop.variable, [this](NodePtr e) { return access(e); }),
          numbers_(context, nest, elements, values_, operands_) {}

    NodePtr write(const Bounds& bounds) {
        if (nest_.callsForeign) return nullptr;
        statements_ = statementsIn(soleStatement(bounds.body ? bounds.body : bodyOf(loop_)));
        for (NodePtr& each : statements_) each = chosenStore(context_, each);
        const std::vector<NodePtr> stores = this->stores();
        if (stores.size() > 1) return severalRows(stores, bounds);
        const NodePtr assign = stores.empty() ? nullptr : assignment(stores.front());
        if (!assign || !canBe()) return nullptr;
        target_ = accessAt(nest_, assign->child(ast::Assign::target));
        values_.storeIn(*target_, isAlternate());
        if (!isInRow(*target_) || (isAlternate() && !isIndex(target_->slots.back(), loop_)))
            return nullptr;
        if (repetition_) own_ = context_.fresh(elements_.nameOf(*target_) + "_own");
        if (!numbers_.take(inFront_)) return nullptr;
        const NodePtr value = valueOf(assign);
        const bool isNear = distances_ > 0 || !far_.empty();  // else, g++'s own roots are as fast
        if (!value || !varies_ || (values_.hasRoots() && !isNear)) return nullptr;
        const NodePtr first = start(loop_, bounds), last = end(loop_, bounds);
        if (!first || !last) return nullptr;
        ast::Bindings bindings{{"$row", context_.made(elements_.row(*target_), assign)},
                               {"$first", first},
                               {"$last", last},
                               {"$operands", context_.identifier(operands_, assign)},
                               {"$numbers", numbers_.declarations()},
                               {"$value", value}};
        if (repetition_) return repeated(std::move(bindings), value);
        if (kept_) return keeping(bindings);
        const NodePtr shared = columns(bindings, value);
        if (shared || isOfColumns_) return shared;
        const std::string function =
            isAlternate() ? "everySecond<" + std::to_string(left_) + ", " + std::to_string(right_)
                          : eachOf() + (isInPlace() ? "true" : "false");
        return context_.statement("hpspmd::detail::" + function +
                                      ">($row, $first, $last, [&](const auto &$operands) {\n"
                                      "    $numbers;\n"
                                      "    return $value;\n"
                                      "});",
                                  bindings, loop_.statement);
    }

private:
    bool isAlternate() const { return loop_.step == 2 && !isOfColumns_; }

    std::string eachOf() const {
        constexpr int few = 12;  // of the distances of a stencil
        return distances_ > few ? "eachOfWideStencil<"
               : distances_ > 0 ? "eachOfStencil<"
                                : "eachOfRow<";
    }

    /// Of columns that neighbouring iterations share.
    NodePtr columns(ast::Bindings bindings, NodePtr value) {
        const auto& numbers = numbers_.declarations();
        const bool hasLoops = numbers.size() != numbers_.values().size();
        if (hasLoops ? isOfColumns_ : isInPlace() || distances_ == 0) return nullptr;
        if (hasLoops)
            return overLoops(context_, bindings, numbers, value, operands_, far_, isInPlace());
        return overColumns(context_, std::move(bindings), value, numbers_.values(),
                           {operands_, loop_.step});
    }

    std::vector<NodePtr> stores() const {
        std::vector<NodePtr> all = statements_;
        std::erase_if(all, [this](NodePtr each) {
            const NodePtr assign = soleAssignment(each);
            return !assign || !accessAt(nest_, assign->child(ast::Assign::target));
        });
        return all;
    }

    /// A stencil whose iterations store elements of several arrays: of those nothing else is read.
    NodePtr severalRows(const std::vector<NodePtr>& stores, const Bounds& bounds) {
        constexpr size_t most = 4;
        if (loop_.step != 1 || repetition_ || stores.size() > most) return nullptr;
        for (const NodePtr each : stores) {
            target_ = accessAt(nest_, soleAssignment(each)->child(ast::Assign::target));
            if (!isInRow(*target_) || !targets_.emplace(target_->array, target_).second)
                return nullptr;
        }
        std::vector<NodePtr> rows, values;
        for (const NodePtr each : statements_) {
            if (std::ranges::find(stores, each) == stores.end()) {
                if (!numbers_.take({&each, 1})) return nullptr;
                continue;
            }
            const NodePtr assign = soleAssignment(each);
            target_ = accessAt(nest_, assign->child(ast::Assign::target));
            const NodePtr value = valueOf(assign);
            if (!value) return nullptr;
            const std::string name = context_.fresh(elements_.nameOf(*target_) + "_value");
            numbers_.add(name, value, true, each);
            values_.replace(target_->node, name);
            rows.push_back(context_.made(elements_.row(*target_), each));
            values.push_back(context_.identifier(name, each));
        }
        const NodePtr first = start(loop_, bounds), last = end(loop_, bounds);
        if (distances_ == 0 || !first || !last) return nullptr;
        return context_.statement(
            "hpspmd::detail::" + eachOf() +
                "true>(hpspmd::detail::rowsOf($rows), $first, $last, [&](const auto &$operands) {\n"
                "    $numbers;\n"
                "    return hpspmd::detail::ofEachRow($values);\n"
                "});",
            {{"$rows", rows},
             {"$first", first},
             {"$last", last},
             {"$operands", context_.identifier(operands_, loop_.statement)},
             {"$numbers", numbers_.declarations()},
             {"$values", values}},
            loop_.statement);
    }

    /// In steps of two it is an `overall`, and what stands in front of the store is no loop.
    bool canBe() const {
        if (isOfColumns_) return loop_.kind == Loop::Kind::Overall && loop_.isInnermost && !kept_;
        if (!isAlternate()) return loop_.step == 1;
        return loop_.kind == Loop::Kind::Overall && loop_.isInnermost && !loop_.usesGlobal &&
               !kept_;
    }

    /// The assignment of the only element, if it is all of the body, or all but what keeps the
    /// largest or least number, or but numbers that are declared and changed in front of it.
    /// Of an element alone: the C++ compiler knows how to copy rows.
    NodePtr assignment(NodePtr store) {
        const auto last = std::ranges::find(statements_, store);
        const auto behind = statements_.end() - last - 1;
        if (behind > 1 || (behind == 1 && !keeps(statements_.back()))) return nullptr;
        inFront_ = {statements_.begin(), last};
        if (kept_ && !inFront_.empty()) return nullptr;
        const NodePtr assign = soleAssignment(store);
        const bool isPlain = assign->child(ast::Assign::op)->text() == "=";
        const bool isCopy =
            ast::is<ast::Subscript>(ast::withoutParentheses(assign->child(ast::Assign::value)));
        return (kept_ ? !isPlain : isPlain && isCopy && !isAlternate()) ? nullptr : assign;
    }

    bool keeps(NodePtr statement) {
        const auto found = reductionsOf(statement, lastingIn(loop_));
        if (!found || found->size() != 1 || !found->front().value) return false;
        const ast::Symbol* symbol = ast::withoutParentheses(found->front().target)->symbol;
        kept_ = found->front();
        return symbol && symbol->type && symbol->type->spelled == "double";
    }

    NodePtr repeated(ast::Bindings bindings, NodePtr value) {
        const Loop& loop = *repetition_->loop;
        const NodePtr from = start(loop, repetition_->bounds), to = end(loop, repetition_->bounds);
        if (!from || !to || !isUpdate_ || kept_ || isAlternate()) return nullptr;
        const std::string type = loop.kind == Loop::Kind::Overall
                                     ? "hpspmd::Index"
                                     : std::string(counterType(loop)->text());
        bindings.insert(bindings.end(), {{"$from", from},
                                         {"$to", to},
                                         {"$before", repetition_->before},
                                         {"$own", context_.identifier(own_, loop.statement)}});
        std::string body = ast::print(value);
        for (const auto* statements : {&numbers_.declarations(), &repetition_->before})
            for (const NodePtr each : *statements) body += " " + ast::print(each);
        const auto ifMentioned = [&](std::string_view name) {
            return std::string(source::mentionsName(body, name) ? name : "");
        };
        const std::string step = loop.step == 1 ? "" : ", " + std::to_string(loop.step);
        const std::string head = "hpspmd::detail::eachOfRowAgain<" + type + step +
                                 ">($row, $first, $last, $from, $to, [&](const " + type + " " +
                                 ifMentioned(loop.variable) + ") {\n";
        const std::string each =
            "    return [=](const auto &" + ifMentioned(operands_) + ", const auto &$own) {\n";
        return context_.statement(head + "    $before;\n" + each +
                                      "        $numbers;\n"
                                      "        return $value;\n"
                                      "    };\n"
                                      "});",
                                  bindings, loop.statement);
    }

    NodePtr keeping(ast::Bindings bindings) {
        stored_ = context_.fresh(std::string(loop_.variable) + "_value");
        const NodePtr offer = values_.of(kept_->value);
        if (!offer || isInPlace()) return nullptr;
        const NodePtr origin = loop_.statement;
        for (const char* place : {"$kept", "$kept2"})
            bindings.emplace_back(place, ast::copy(context_.arena, kept_->target));
        const bool isStored = ast::namesIn(offer).contains(stored_);
        bindings.emplace_back("$offer", offer);
        return context_.statement(
            "$kept = hpspmd::detail::keptOfRow<hpspmd::detail::" +
                std::string(kept_->op == "max" ? "Larger" : "Smaller") +
                ">($row, $first, $last, $kept2, [&](const auto &$operands) {\n"
                "    $numbers;\n"
                "    return $value;\n"
                "}, [&](const auto &" +
                (isOffered_ ? operands_ : "") + ", const auto &" + (isStored ? stored_ : "") +
                ") {\n"
                "    return $offer;\n"
                "});",
            bindings, origin);
    }

    /// What is assigned; of `a[i, j] += e` it is a[i, j] + (e).
    NodePtr valueOf(NodePtr assign) {
        const std::string op(assign->child(ast::Assign::op)->text());
        const NodePtr value = values_.of(assign->child(ast::Assign::value));
        if (!value || op == "=")
            return values_.isReached(assign->child(ast::Assign::value)) ? value : nullptr;
        if (!values_.computes(op.substr(0, 1))) return nullptr;
        const NodePtr own = access(target_->node);
        return own ? context_.expression(
                         "$own " + op.substr(0, 1) + (bindsTighter(value, op[0]) ? " $e" : " ($e)"),
                         {{"$own", own}, {"$e", value}}, assign)
                   : nullptr;
    }

    /// True if it can be the right operand of `op` without parentheses.
    static bool bindsTighter(NodePtr value, char op) {
        if (isPrimary(value->kind()) || value->is<ast::FunctionalCast>()) return true;
        if (!value->is<ast::Binary>() || (op != '+' && op != '-')) return false;
        const std::string_view own = value->child(ast::Binary::op)->text();
        return own == "*" || own == "/";
    }

    /// Without a check, too.
    bool isInRow(const Access& access) const {
        return runsAlongRow(access, loop_, values_) &&
               !test_.unchecked().contains({access.node, access.slots.size() - 1});
    }

    NodePtr access(NodePtr e) {
        const Access* access = accessAt(nest_, e);
        if (!access || !isInRow(*access)) return nullptr;
        const auto target = targets_.find(access->array);
        if (target != targets_.end() && ast::print(target->second->node) != ast::print(e))
            return nullptr;
        if (isAlternate() && access->slots.back().distance) return nullptr;
        varies_ = true;
        if (isAlternate() && areInOneRow(*access, *target_))
            return neighbour(access->slots.back().shift, e);
        if (!stored_.empty() && isTarget(*access)) return context_.identifier(stored_, e);
        isUpdate_ |= isTarget(*access);
        if (repetition_ && isTarget(*access)) return context_.identifier(own_, e);
        isOffered_ |= !stored_.empty();
        if (access->slots.back().distance && !isStored(access->array)) {
            const std::string start = ast::print(elements_.start(*access)),
                              row = ast::print(elements_.row(*access));
            far_[row] = {start, row.substr(start.size() + 1)};
        }
        if (isShifted(*access))
            return context_.expression("$o.at($row, $shift)",
                                       {{"$o", context_.identifier(operands_, e)},
                                        {"$row", context_.made(elements_.start(*access), e)},
                                        {"$shift", context_.number(access->slots.back().shift, e)}},
                                       e);
        return context_.expression(
            isAlternate() && isFirst(*access) ? "$o.ahead($row)" : "$o.at($row)",
            {{"$o", context_.identifier(operands_, e)},
             {"$row", context_.made(elements_.row(*access), e)}},
            e);
    }

    bool isStored(size_t array) const {
        return targets_.empty() ? target_->array == array : targets_.contains(array);
    }

    /// True if it is read at a distance below the least number of elements that a pack holds.
    bool isShifted(const Access& access) {
        const Slot& last = access.slots.back();
        const bool is = !isAlternate() && !repetition_ && !kept_ && !isStored(access.array) &&
                        !last.distance && last.shift != 0 && std::abs(last.shift) < 8;
        distances_ += is;
        return is;
    }

    /// Of the row in steps of two.
    NodePtr neighbour(long shift, NodePtr e) {
        if (shift < -1 || shift > 1) return nullptr;
        if (shift < 0) left_ = 1;
        if (shift > 0) right_ = 1;
        return context_.expression(shift < 0   ? "$o.left()"
                                   : shift > 0 ? "$o.right()"
                                               : "$o.own()",
                                   {{"$o", context_.identifier(operands_, e)}}, e);
    }

    /// True if no other access reaches the row earlier, while the loops go upwards.
    bool isFirst(const Access& access) const {
        const auto isAhead = [&](const Access& other) {
            return other.array == access.array && other.slots.size() == access.slots.size() &&
                   other.slots.front().shift >= access.slots.front().shift && &other != &access;
        };
        return access.slots.size() > 1 && access.slots.front().index &&
               std::ranges::none_of(nest_.accesses, isAhead);
    }

    bool isTarget(const Access& access) const {
        return ast::print(access.node) == ast::print(target_->node);
    }

    /// True if the loop reads the array that it changes, but for the element that it has just
    /// stored.
    bool isInPlace() const {
        return std::ranges::any_of(accessesIn(nest_, loop_), [&](const Access* access) {
            return access->array == target_->array && (isUpdate_ || !isTarget(*access));
        });
    }

    NodePtr start(const Loop& loop, const Bounds& bounds) {
        if (!bounds.run.empty()) return context_.identifier(bounds.run + ".first", loop_.statement);
        if (!ast::isPure(loop.first) || !analysis::isInteger(loop.first)) return nullptr;
        return context_.made(elements_.fast(loop.first), loop.first);
    }

    NodePtr end(const Loop& loop, const Bounds& bounds) {
        if (!bounds.run.empty()) return context_.identifier(bounds.run + ".last", loop_.statement);
        const bool isExact = loop.reachesEnd || loop.step < 0;
        if (!ast::isPure(loop.end) || (isExact && !analysis::isInteger(loop.end))) return nullptr;
        return lastOf(context_, loop,
                      bounds.end.empty() ? context_.made(elements_.fast(loop.end), loop.end)
                                         : context_.identifier(bounds.end, loop.end));
    }

    Context& context_;
    const Nest& nest_;
    const Loop& loop_;
    Elements& elements_;
    const EntryTest& test_;
    const Repetition* repetition_;
    const bool isOfColumns_;               // and nothing else, in steps of two
    std::string operands_, stored_, own_;  // names
    std::optional<Reduction> kept_;
    std::vector<NodePtr> statements_;  // of an iteration
    std::span<const NodePtr> inFront_;
    WideValues values_;
    RowNumbers numbers_;
    const Access* target_ = nullptr;
    std::map<size_t, const Access*> targets_;  // by their arrays, where there are several
    std::map<std::string, FarRow> far_;        // rows that are read where loops say
    bool varies_ = false;       // whether the value changes from iteration to iteration
    bool isUpdate_ = false;     // whether the old value is part of the new one
    int left_ = 0, right_ = 0;  // 1 if the neighbour is read, in steps of two
    int distances_ = 0;         // how many rows are read at one
    bool isOffered_ = false;    // whether what may be the largest or least reads further elements
};

}  // namespace

NodePtr packedRows(Context& context, const Nest& nest, const Loop& loop, Elements& elements,
                   const EntryTest& test, const Bounds& bounds, const Repetition* repetition) {
    if (loop.step == 2 && !repetition) {
        const auto taken = context.taken;
        if (const NodePtr columns =
                PackedRows(context, nest, loop, elements, test, nullptr, true).write(bounds))
            return columns;
        context.taken = taken;
    }
    return PackedRows(context, nest, loop, elements, test, repetition).write(bounds);
}

}  // namespace hpcc::nests
