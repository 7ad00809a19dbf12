// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/running_numbers.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "analysis/loop.hpp"
#include "analysis/operators.hpp"
#include "ast/copy.hpp"
#include "ast/effects.hpp"
#include "ast/rewriter.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "nests/nest.hpp"
#include "nests/normalize/repeatable.hpp"

namespace hpcc::nests {
namespace {

using analysis::CountingLoop;
using ast::NodePtr;

bool isNameOf(NodePtr e, const ast::Symbol* variable) {
    e = ast::withoutParentheses(e);
    return ast::is<ast::Identifier>(e) && e->symbol == variable;
}

/// `m++`, where it is evaluated once in each execution of its statement.
NodePtr advancingPart(NodePtr statement, const ast::Symbol* variable) {
    NodePtr part = nullptr;
    int mentions = 0;
    const bool isPlain = !ast::anywhere(statement, [&](NodePtr each) {
        mentions += isNameOf(each, variable) && ast::is<ast::Identifier>(each);
        if (ast::is<ast::Postfix>(each) && isNameOf(each->child(ast::Postfix::operand), variable))
            part = each;
        return ast::isAny<ast::Conditional, ast::Lambda, ast::Sizeof>(each) ||
               (ast::is<ast::Binary>(each) && ast::isShortCircuit(each));
    });
    return isPlain && mentions == 1 && part && part->child(ast::Postfix::op)->text() == "++"
               ? part
               : nullptr;
}

/// A number, the loops that it runs along with, and the value that it has in their iterations.
class RunningNumber : public ast::Rewriter {
public:
    RunningNumber(Context& context, NodePtr declarator)
        : Rewriter(context.arena),
          context_(context),
          variable_(declarator->symbol),
          start_(analysis::singleInitializer(declarator->child(ast::InitDeclarator::initializer))) {
    }

    /// The loop without the number; null if it changes otherwise.
    NodePtr takenFrom(NodePtr loop) {
        const bool isNumber = variable_ && variable_->type && !variable_->type->isReference &&
                              analysis::numberOf(variable_->type).bits >= 32;
        if (!isNumber || !start_ || !isRepeatable(start_)) return nullptr;
        const ast::Effects effects = ast::effectsOf(loop);
        if (effects.mayJump || effects.touches(ast::namesIn(start_)) || !enter(loop))
            return nullptr;
        for (const CountingLoop& each : loops_)
            if (ast::effectsOf(each.statement->child(ast::For::body)).touches({each.name->text()}))
                return nullptr;
        value_ = valueOfLoops();
        return value_ ? rewrite(loop) : nullptr;
    }

    NodePtr rewriteIdentifier(NodePtr name) override {
        return name->symbol == variable_ ? ast::copy(context_.arena, value_) : name;
    }
    NodePtr rewritePostfix(NodePtr e) override {
        return e == step_ ? ast::copy(context_.arena, value_) : rewriteChildren(e);
    }
    NodePtr rewriteCompound(NodePtr block) override {
        std::vector<NodePtr> statements(block->children().begin(), block->children().end());
        const bool isIts = std::erase(statements, advance_) > 0;
        return rewriteChildren(isIts ? context_.arena.rebuilt(block, block, statements) : block);
    }

private:
    bool names(NodePtr node) const {
        return ast::anywhere(node, [&](NodePtr each) { return isNameOf(each, variable_); });
    }

    /// Notes the loop, and where it or one inside of it changes the number.
    bool enter(NodePtr loop) {
        const auto counting = analysis::countingLoop(loop);
        const bool isKnown = counting && counting->isOwn && counting->number().isSigned &&
                             !counting->endsByMeeting() &&
                             analysis::constantValue(counting->first) && !names(counting->bound);
        if (!isKnown || (!loops_.empty() && analysis::roundsOf(loop) == 0)) return false;
        loops_.push_back(*counting);
        std::vector<NodePtr> naming;
        for (const NodePtr each : statementsIn(loop->child(ast::For::body)))
            if (names(each)) naming.push_back(each);
        if (naming.empty()) return false;
        const NodePtr last = naming.back();
        const auto changes = [&](NodePtr each) {
            return ast::effectsOf(each).assigned.contains(variable_->name);
        };
        if (std::any_of(naming.begin(), naming.end() - 1, changes)) return false;
        if (ast::is<ast::For>(last)) return naming.size() == 1 && enter(last);
        if (!ast::is<ast::ExpressionStatement>(last)) return false;
        const NodePtr e = last->child(ast::ExpressionStatement::expression);
        if (const auto by = analysis::advance(e, variable_->name)) {
            advance_ = last, by_ = *by;
            return last != loop->child(ast::For::body);
        }
        step_ = naming.size() == 1 ? advancingPart(last, variable_) : nullptr;
        return step_ != nullptr;
    }

    /// The number of iterations of a loop before this one.
    NodePtr roundsBefore(const CountingLoop& loop) {
        const long first = static_cast<long>(*analysis::constantValue(loop.first));
        const NodePtr counter = ast::copy(context_.arena, loop.name);
        counter->type = loop.name->symbol ? loop.name->symbol->type : nullptr;
        const bool isUp = loop.step > 0;
        NodePtr distance = counter;
        if (!isUp)
            distance = of(literal(first), "-", counter);
        else if (first != 0)
            distance = of(counter, first < 0 ? "+" : "-", literal(std::abs(first)));
        const long step = std::abs(loop.step);
        return step == 1 ? distance : of(context_.operand(distance), "/", literal(step));
    }

    NodePtr valueOfLoops() {
        NodePtr rounds = nullptr;
        for (const CountingLoop& loop : loops_) {
            const NodePtr own = roundsBefore(loop);
            if (rounds) {
                const long count = static_cast<long>(analysis::roundsOf(loop.statement));
                rounds = of(of(context_.operand(rounds), "*", literal(count)), "+",
                            context_.operand(own));
            } else {
                rounds = own;
            }
        }
        if (by_ != 1) rounds = of(context_.operand(rounds), "*", literal(by_));
        const bool isFromZero = analysis::constantValue(start_) == 0;
        if (!isFromZero)
            rounds = of(context_.operand(ast::copy(context_.arena, start_)), "+",
                        context_.operand(rounds));
        const ast::NumberType own = analysis::numberOf(variable_->type);
        const auto isSame = [&](const CountingLoop& each) { return each.number() == own; };
        if (isFromZero && std::ranges::all_of(loops_, isSame)) return context_.operand(rounds);
        const NodePtr result = context_.expression(
            "static_cast<" + variable_->type->spelled + ">($e)", {{"$e", rounds}}, start_);
        result->type = variable_->type;
        return result;
    }

    NodePtr literal(long value) {
        return ast::literal(context_.arena, std::to_string(value), start_);
    }
    NodePtr of(NodePtr left, const std::string& op, NodePtr right) {
        const NodePtr result =
            context_.expression("$l " + op + " $r", {{"$l", left}, {"$r", right}}, start_);
        result->type = loops_.front().name->symbol ? loops_.front().name->symbol->type : nullptr;
        return result;
    }

    Context& context_;
    const ast::Symbol* const variable_;
    const NodePtr start_;
    std::vector<CountingLoop> loops_;  // from outside to where the number changes
    NodePtr advance_ = nullptr;        // `++m;`, the last statement that names the number,
    NodePtr step_ = nullptr;           // or `m++` in the only one
    long by_ = 1;
    NodePtr value_ = nullptr;
};

}  // namespace

NodePtr withoutRunningNumbers(Context& context, NodePtr block) {
    std::vector<NodePtr> statements(block->children().begin(), block->children().end());
    bool isChanged = false;
    for (size_t k = 0; k + 1 < statements.size(); ++k) {
        const NodePtr declarator = analysis::soleDeclarator(statements[k]);
        if (!declarator || !declarator->symbol) continue;
        const std::string_view name = declarator->symbol->name;
        const auto namesIt = [&](NodePtr each) { return mentions(each, name); };
        const auto loop = std::find_if(statements.begin() + k + 1, statements.end(), namesIt);
        if (loop == statements.end() || !ast::is<ast::For>(*loop) ||
            std::any_of(loop + 1, statements.end(), namesIt))
            continue;
        const NodePtr without = RunningNumber(context, declarator).takenFrom(*loop);
        if (!without) continue;
        *loop = without;
        statements.erase(statements.begin() + k--);
        isChanged = true;
    }
    return isChanged ? context.arena.rebuilt(block, block, statements) : block;
}

}  // namespace hpcc::nests
