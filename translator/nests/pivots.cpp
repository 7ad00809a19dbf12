// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/pivots.hpp"

#include <algorithm>
#include <optional>

#include "analysis/numbers.hpp"
#include "ast/copy.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "nests/counting_loop.hpp"
#include "nests/elements.hpp"
#include "nests/fusable.hpp"
#include "nests/loop_ends.hpp"
#include "nests/wide_values.hpp"
#include "source/name.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// The two statements of the loop's body.
std::pair<NodePtr, NodePtr> copyAndNest(NodePtr loop) {
    const NodePtr body = loop->child(ast::For::body);
    if (!ast::is<ast::Compound>(body) || body->children().size() != 2) return {};
    const NodePtr call = body->child(0);
    const NodePtr nest = isStamped(body->child(1)) ? body->child(1)->child(1) : body->child(1);
    const bool isCall = ast::is<ast::ExpressionStatement>(call) &&
                        ast::is<ast::Call>(call->child(ast::ExpressionStatement::expression));
    if (!isCall || !ast::is<ast::Overall>(nest)) return {};
    return {call->child(ast::ExpressionStatement::expression), nest};
}

class PivotLoop {
public:
    PivotLoop(Context& context, NodePtr statement, const Nest& nest)
        : context_(context),
          nest_(nest),
          reaches_(context, nest),
          test_(context, nest, reaches_),
          elements_(context, nest, test_, nullptr, [this](NodePtr e) { return constant(e); }) {
        loop_.statement = statement;
        recogniseCounting(loop_);
    }

    NodePtr write(NodePtr other) {
        if (!isLoop() || !isNest() || !isCopy() || !haveAccesses() || !areNumbersApart())
            return nullptr;
        line_ = context_.fresh("line");
        pivot_ = context_.fresh("pivot");
        operands_ = context_.fresh(std::string(inner_->variable) + "_row");
        own_ = context_.fresh(matrix() + "_own");
        for (const NodePtr each : before_) written_.push_back(written(each));
        const NodePtr value = valueOf(store_);
        return value ? withStart(value, other) : nullptr;
    }

private:
    bool isFixed(NodePtr e) const {
        return e && ast::isPure(e) && analysis::isInteger(e) && !isChanged(e) &&
               !mentions(e, loop_.variable);
    }
    bool isChanged(NodePtr e) const {
        return std::ranges::any_of(ast::namesIn(e), [&](std::string_view name) {
            return nest_.changed().contains(name) || nest_.loopNamed(name);
        });
    }

    /// k, or a name that is declared as k.
    bool isPivot(NodePtr e) const {
        return std::ranges::any_of(pivots_,
                                   [&](std::string_view name) { return isNamed(e, name); });
    }
    bool isBehindPivot(NodePtr e) const {
        e = e ? ast::withoutParentheses(e) : nullptr;
        if (!ast::is<ast::Binary>(e) || e->child(ast::Binary::op)->text() != "+") return false;
        const NodePtr left = e->child(ast::Binary::left), right = e->child(ast::Binary::right);
        return (isPivot(left) && right->text() == "1") || (isPivot(right) && left->text() == "1");
    }

    bool isLoop() {
        if (loop_.kind != Loop::Kind::Counting || loop_.step != 1 || loop_.endsByMeeting)
            return false;
        pivots_.push_back(loop_.variable);
        if (nest_.declared.contains(loop_.variable) || nest_.loopNamed(loop_.variable))
            return false;
        return counterType(loop_)->text() != "auto" && isFixed(loop_.first) && isFixed(loop_.end);
    }

    bool isNest() {
        const Loop& rows = nest_.loops.front();
        const auto isPlain = [](const Loop& each) {
            return !each.usesGlobal && !each.touchesForeign && !each.jumps;
        };
        if (nest_.loops.size() != 2 || nest_.callsForeign || !nest_.containers.empty() ||
            !nest_.premises.empty() || !nest_.tables.empty() || nest_.isPromised ||
            !nest_.method.empty() || !lastingIn(nest_).empty() ||
            rows.kind != Loop::Kind::Overall || !std::ranges::all_of(nest_.loops, isPlain) ||
            nest_.arrays.size() != 2)
            return false;
        inner_ = &nest_.loops.back();
        const NodePtr triplet = tripletOf(rows);
        const NodePtr high = triplet->child(ast::Triplet::high);
        before_ = statementsIn(soleStatement(bodyOf(rows)));
        return !triplet->child(ast::Triplet::step) &&
               isBehindPivot(triplet->child(ast::Triplet::low)) && (!high || isFixed(high)) &&
               !before_.empty() && isPrelude() && isColumns() && callsOnlyMathematics();
    }

    bool callsOnlyMathematics() const {
        return std::ranges::all_of(
            ast::allOf<ast::Call>(nest_.loops.front().statement), [](NodePtr call) {
                return ast::isPure(call) ||
                       call->child(ast::Call::callee)->text().starts_with("std::");
            });
    }

    bool isPrelude() {
        const NodePtr last = before_.back();
        before_.pop_back();
        const auto found = nest_.loopOf.find(last);
        if (found == nest_.loopOf.end() || found->second != inner_) return false;
        return std::ranges::all_of(before_, [&](NodePtr each) {
            if (ast::is<ast::Declaration>(each)) return declaresNumbers(each);
            const NodePtr assign = soleAssignment(each);
            return assign && accessAt(nest_, assign->child(ast::Assign::target)) &&
                   !ast::anywhere(assign->child(ast::Assign::value), ast::changedOperand);
        });
    }

    bool declaresNumbers(NodePtr declaration) {
        if (const auto number = numberDeclaredIn(declaration)) {
            const bool isConstant = number->type.find("const") != number->type.npos;
            if (isPivot(number->start) && isConstant && analysis::isInteger(number->start))
                pivots_.push_back(number->name);
        }
        const NodePtr all = declaration->child(ast::Declaration::declarators);
        return all && std::ranges::all_of(all->children(), [](NodePtr each) {
                   return ast::is<ast::Identifier>(each->child(ast::InitDeclarator::declarator)) &&
                          !ast::anywhere(each, ast::changedOperand);
               });
    }

    /// From k + 1 on, up or down.
    bool isColumns() {
        store_ = soleAssignment(bodyOf(*inner_));
        if (inner_->kind != Loop::Kind::Counting || !store_) return false;
        if (inner_->step == 1) return isBehindPivot(inner_->first) && isFixed(inner_->end);
        return inner_->step == -1 && isFixed(inner_->first) &&
               (inner_->reachesEnd ? isBehindPivot(inner_->end) : isPivot(inner_->end));
    }
    NodePtr lastColumn() {
        if (inner_->step < 0) return context_.made(inner_->first, inner_->first);
        return lastOf(context_, *inner_, context_.made(inner_->end, inner_->end));
    }

    /// Adlib::remap(row, a[[k, :]]), or of the elements from k on.
    bool isCopy() {
        const NodePtr call = copyAndNest(loop_.statement).first;
        const auto arguments = call->child(ast::Call::arguments)->children();
        if (call->child(ast::Call::callee)->text() != "Adlib::remap" || arguments.size() != 2)
            return false;
        const NodePtr to = arguments[0], from = arguments[1];
        if (!ast::is<ast::Section>(from)) return false;
        const auto slots = from->child(ast::Section::slots)->children();
        const bool isPart = ast::is<ast::Section>(to);
        matrix_ = from->child(ast::Section::base);
        row_ = isPart ? to->child(ast::Section::base) : to;
        if (slots.size() != 2 || !isPivot(slots[0]) || !ast::is<ast::Triplet>(slots[1]) ||
            !ast::is<ast::Identifier>(matrix_) || !ast::is<ast::Identifier>(row_))
            return false;
        const NodePtr low = slots[1]->child(ast::Triplet::low);
        lastCopied_ = slots[1]->child(ast::Triplet::high);
        if (slots[1]->child(ast::Triplet::step)) return false;
        if (!isPart) return !low && !lastCopied_;
        const auto own = to->child(ast::Section::slots)->children();
        return own.size() == 1 && isPivot(low) && isFixed(lastCopied_) &&
               ast::print(own[0]) == ast::print(slots[1]);
    }

    std::string matrix() const { return std::string(matrix_->text()); }
    bool isOfMatrix(const Access& access) const {
        return nest_.arrays[access.array].text == matrix();
    }

    /// Those of row i at k and j, and of the copy at k and j; j only in the loop over j.
    bool haveAccesses() const {
        const Loop& rows = nest_.loops.front();
        const auto isLegal = [&](const Access& access) {
            const size_t rank = isOfMatrix(access) ? 2 : 1;
            if (access.slots.size() != rank || !isOfDoubles(access) ||
                (rank == 1 && (access.writes || nest_.arrays[access.array].text != row_->text())))
                return false;
            const Slot& column = access.slots.back();
            if (rank == 2 && !isIndex(access.slots.front(), rows)) return false;
            if (column.index) return false;
            const bool isAlong = isNamed(column.subscript, inner_->variable);
            const bool isTarget = isAlong && access.loop == inner_;
            return access.loop == inner_
                       ? (isAlong || (isPivot(column.subscript) && !access.writes))
                       : isPivot(column.subscript) && !isTarget;
        };
        const Access* const target = accessAt(nest_, store_->child(ast::Assign::target));
        return target && isOfMatrix(*target) && std::ranges::all_of(nest_.accesses, isLegal) &&
               isNamed(target->slots.back().subscript, inner_->variable);
    }

    /// Numbers that the nest reads are no elements of the arrays by another name.
    bool areNumbersApart() const {
        return std::ranges::all_of(
            ast::allOf<ast::Identifier>(nest_.loops.front().statement), [&](NodePtr name) {
                return !name->symbol || !name->symbol->type || !name->symbol->type->isReference ||
                       name->text() == matrix() || name->text() == row_->text();
            });
    }

    /// With elements of the row and of the pivot's row.
    class Lines : public ast::Rewriter {
    public:
        explicit Lines(PivotLoop& loop) : Rewriter(loop.context_.arena), loop_(loop) {}
        NodePtr rewriteSubscript(NodePtr node) override {
            const Access* const access = accessAt(loop_.nest_, node);
            if (!access) return rewriteChildren(node);
            return loop_.context_.expression(
                (loop_.isOfMatrix(*access) ? loop_.line_ : loop_.pivot_) + "[$k]",
                {{"$k", ast::copy(loop_.context_.arena, access->slots.back().subscript)}}, node);
        }

    private:
        PivotLoop& loop_;
    };
    NodePtr written(NodePtr node) { return ast::copy(context_.arena, Lines(*this).rewrite(node)); }

    /// What all elements of a row share; elements get a name, so that they are read once.
    NodePtr constant(NodePtr e) {
        if (ast::allOf<ast::Subscript>(e).empty()) return ast::copy(context_.arena, e);
        const std::string name = context_.fresh(matrix() + "_value");
        written_.push_back(
            context_.statement("const auto " + name + " = $e;", {{"$e", written(e)}}, e));
        return context_.identifier(name, e);
    }

    NodePtr access(NodePtr e) {
        const Access* const access = accessAt(nest_, e);
        if (!access || !isNamed(access->slots.back().subscript, inner_->variable)) return nullptr;
        if (isOfMatrix(*access)) return context_.identifier(own_, e);
        return context_.expression(operands_ + ".at(" + pivot_ + ")", {}, e);
    }

    NodePtr valueOf(NodePtr assign) {
        WideValues values(context_, elements_, inner_->variable,
                          [this](NodePtr e) { return access(e); });
        const std::string op(assign->child(ast::Assign::op)->text());
        const NodePtr right = assign->child(ast::Assign::value);
        if (!values.isReached(right)) return nullptr;
        const NodePtr value = values.of(right);
        if (!value || op == "=") return value;
        if (op.size() != 2 || !values.computes(op.substr(0, 1))) return nullptr;
        return context_.expression(own_ + " " + op.substr(0, 1) + " ($e)", {{"$e", value}}, assign);
    }

    NodePtr withStart(NodePtr value, NodePtr other) {
        const NodePtr origin = loop_.statement;
        const std::string type(counterType(loop_)->text()), k(loop_.variable);
        const std::string row(row_->text()), x = ast::print(nest_.loops.front().range);
        const NodePtr high = tripletOf(nest_.loops.front())->child(ast::Triplet::high);
        const auto copied = [&](NodePtr e, const std::string& whole) {
            return e ? context_.made(e, origin) : context_.identifier(whole, origin);
        };
        std::string text = ast::print(value);
        for (const NodePtr each : written_) text += " " + ast::print(each);
        const auto ifMentioned = [&](const std::string& name) {
            return source::mentionsName(text, name) ? name : "";
        };
        std::vector<NodePtr> body;
        for (const NodePtr each : other->child(ast::For::body)->children()) body.push_back(each);
        return context_.statement(
            "for (" + type + " " + k + " = hpspmd::detail::afterPivots<" + type + ">(" + matrix() +
                ", " + row + ", " + x +
                ", $first, $last, [&] { return hpspmd::detail::PivotEnds($lastRow, $lastColumn, "
                "$lastCopied); }, [&](const " +
                type + " " + ifMentioned(k) + ", double *" + ifMentioned(line_) +
                ", const double *" + ifMentioned(pivot_) +
                ") {\n"
                "    $before;\n"
                "    return [=](const auto &" +
                ifMentioned(operands_) + ", const auto &" + ifMentioned(own_) +
                ") {\n"
                "        return $value;\n"
                "    };\n"
                "}); $condition; $step) {\n"
                "    $body;\n"
                "}",
            {{"$first", context_.made(loop_.first, origin)},
             {"$last", lastOf(context_, loop_, context_.made(loop_.end, origin))},
             {"$lastRow", copied(high, x + ".size() - 1")},
             {"$lastColumn", lastColumn()},
             {"$lastCopied", copied(lastCopied_, row + ".size(0) - 1")},
             {"$before", written_},
             {"$value", value},
             {"$condition", other->child(ast::For::condition)},
             {"$step", other->child(ast::For::step)},
             {"$body", body}},
            origin);
    }

    Context& context_;
    const Nest& nest_;
    Reaches reaches_;
    EntryTest test_;
    Elements elements_;
    Loop loop_;  // over the pivots
    const Loop* inner_ = nullptr;
    std::vector<std::string_view> pivots_;  // names of k
    std::vector<NodePtr> before_, written_;
    NodePtr store_ = nullptr, matrix_ = nullptr, row_ = nullptr, lastCopied_ = nullptr;
    std::string line_, pivot_, operands_, own_;
};

}  // namespace

NodePtr nestOfPivots(NodePtr loop) { return copyAndNest(loop).second; }

NodePtr behindPivots(Context& context, NodePtr loop, const Nest& nest, NodePtr other) {
    context.taken.clear();
    return PivotLoop(context, loop, nest).write(other);
}

}  // namespace hpcc::nests
