// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/surely_written.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "analysis/constant.hpp"
#include "analysis/reader.hpp"
#include "ast/effects.hpp"
#include "ast/known_calls.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/type.hpp"
#include "nests/nest.hpp"
#include "nests/written_stretches.hpp"

namespace hpcc::nests {
namespace {

using analysis::Sum;
using ast::NodePtr;
using ast::Symbol;
using State = WrittenBefore;

/// `break` or `continue` of the loop itself.
bool leavesRound(NodePtr node) {
    if (!node || ast::isAny<ast::For, ast::While, ast::DoWhile, ast::Overall>(node)) return false;
    return ast::isAny<ast::Break, ast::Continue>(node) ||
           std::ranges::any_of(node->children(), leavesRound);
}

class Walk {
public:
    Walk(NodePtr overall, const Lengths& vectors)
        : space_({overall}, changedIn(overall, vectors)),
          reader_(space_),
          vectors_(vectors),
          stretches_([this](const Sum& sum) { return isNotNegative(sum); }) {
        for (const auto& [vector, length] : vectors) wanted_.insert(vector);
    }

    std::set<const Symbol*> of(NodePtr overall) {
        const bool mayJump = ast::anywhere(overall, [](NodePtr each) {
            return ast::isAny<ast::Goto, ast::Label, ast::Switch, ast::Try, ast::Return>(each);
        });
        if (mayJump) return {};
        noteLengths(overall);
        place_ = space_.loopAt(overall->child(ast::Overall::headers)->children().back());
        walk(overall->child(ast::Overall::body), atEnd_);
        return wanted_;
    }

    /// Behind of(): whether all elements are written then.
    bool writesAll(const Symbol* vector) { return atEnd_.of[vector].all; }

private:
    /// The vectors keep their lengths.
    static analysis::IterationSpace::Names changedIn(NodePtr overall, const Lengths& vectors) {
        auto names = ast::effectsOf(overall).assigned;
        for (const auto& [vector, length] : vectors) names.erase(vector->name);
        return names;
    }

    void fail(const Symbol* vector) {
        if (!isTrial_) wanted_.erase(vector);
    }
    /// The vector that an expression names.
    const Symbol* vectorAt(NodePtr e) const {
        return ast::is<ast::Identifier>(e) && vectors_.contains(e->symbol) ? e->symbol : nullptr;
    }
    const Symbol* vectorOf(NodePtr element) const {
        const bool isElement = ast::is<ast::Subscript>(element) &&
                               !element->child(ast::Subscript::subscripts)->children().empty();
        return isElement ? vectorAt(element->child(ast::Subscript::base)) : nullptr;
    }
    static NodePtr subscriptOf(NodePtr element) {
        return element->child(ast::Subscript::subscripts)->children().back();
    }

    // ---- statements ----------------------------------------------------------------------------

    void walk(NodePtr node, State& state) {
        if (!node) return;
        switch (node->kind()) {
        case ast::Kind::Compound:
            for (const NodePtr each : node->children()) walk(each, state);
            return;
        case ast::Kind::Declaration:
            return declaration(node, state);
        case ast::Kind::ExpressionStatement:
            return evaluate(node->child(0), state);
        case ast::Kind::If:
            return branch(node, state);
        case ast::Kind::For:
        case ast::Kind::While:
        case ast::Kind::DoWhile:
        case ast::Kind::Overall:
            return loop(node, state);
        case ast::Kind::Break:
        case ast::Kind::Continue:
            state.isLeft = true;
            return;
        default:
            return forget(node);
        }
    }

    /// What is not understood may do anything with the vectors that it names.
    void forget(NodePtr node) {
        for (const NodePtr name : ast::allOf<ast::Identifier>(node))
            if (vectorAt(name)) fail(name->symbol);
    }

    void declaration(NodePtr node, State& state) {
        const NodePtr declarators = node->child(ast::Declaration::declarators);
        if (!declarators) return;
        for (const NodePtr each : declarators->children()) {
            const NodePtr initializer = each->child(ast::InitDeclarator::initializer);
            const bool isReference =
                each->child(ast::InitDeclarator::declarator)->type &&
                each->child(ast::InitDeclarator::declarator)->type->isReference;
            if (!ast::is<ast::Identifier>(each->child(ast::InitDeclarator::declarator)) ||
                isReference)
                forget(each);
            if (const NodePtr value = analysis::singleInitializer(initializer))
                evaluate(value, state);
            else if (initializer)
                evaluateParts(initializer, state);
        }
    }

    void branch(NodePtr node, State& state) {
        if (node->child(ast::If::initializer)) return forget(node);
        evaluate(node->child(ast::If::condition), state);
        State other = state;
        walk(node->child(ast::If::then), state);
        walk(node->child(ast::If::otherwise), other);
        state = stretches_.common(state, other);
    }

    void loop(NodePtr node, State& state) {
        const bool isOverall = ast::is<ast::Overall>(node), isFor = ast::is<ast::For>(node);
        if (depth_ > 5) return forget(node);
        ++depth_;
        const NodePtr body = bodyOf(node), condition = conditionOf(node);
        if (isFor) walk(node->child(ast::For::initializer), state);
        const analysis::Loop* const outer = place_;
        const auto steps = isFor ? stepsOf(node) : std::nullopt;
        if (const auto* own = space_.loopAt(
                isOverall ? node->child(ast::Overall::headers)->children().back() : node))
            place_ = own;
        State head = state, behind = state;
        if (steps) {
            const State each = writtenBy(body);
            place_ = outer;
            stretches_.addRounds(behind, state, each, *steps, steps->end);
            place_ = space_.loopAt(node);
            stretches_.addRounds(head, state, each, *steps, Sum::of(steps->counter));
        }
        keepExchanged(node, body, head);
        State round = head;
        const bool asksFirst = !ast::is<ast::DoWhile>(node);
        const bool isWhole = !leavesRound(body);
        if (asksFirst) evaluate(condition, round);
        walk(body, round);
        place_ = outer;
        if (!isWhole) round = head;
        if (!asksFirst) evaluate(condition, round);
        if (isFor) evaluate(node->child(ast::For::step), round);
        if (ast::is<ast::DoWhile>(node) && isWhole)
            state = round;
        else if (exchanges(node))
            state = stretches_.common(head, state);
        else if (isWhole)
            state = behind;
        --depth_;
    }

    // ---- loops that count ----------------------------------------------------------------------

    std::optional<Steps> stepsOf(NodePtr node) {
        const analysis::Loop* const own = space_.loopAt(node);
        if (!own || !own->counting || own->counting->ahead != 0) return std::nullopt;
        const analysis::CountingLoop& counting = *own->counting;
        const auto counter = reader_.variable(*own, 0).solvableAtom();
        if (std::abs(counting.step) != 1 || !counter || exchanges(node) ||
            !isSettled(counting.first, own->outer) || !isSettled(counting.bound, own->outer))
            return std::nullopt;
        const Sum first = number(counting.first, own->outer),
                  bound = number(counting.bound, own->outer);
        const Sum end = counting.includesBound() ? bound + Sum(counting.step) : bound;
        return Steps{*counter, first, end, counting.step > 0};
    }

    /// What one iteration surely writes, whatever was written before.
    State writtenBy(NodePtr body) {
        if (leavesRound(body)) return {};
        const bool wasTrial = std::exchange(isTrial_, true);
        State each;
        walk(body, each);
        isTrial_ = wasTrial;
        return each;
    }

    /// A sum of numbers that are the same throughout an iteration of the loops round it.
    bool isSettled(NodePtr e, const analysis::Loop* loop, int depth = 0) const {
        e = ast::withoutParentheses(e);
        if (!e || depth > 8) return false;
        if (ast::is<ast::NumberLiteral>(e) || space_.isFixed(e) || vectorAsked(e)) return true;
        if (ast::is<ast::Identifier>(e)) {
            if (space_.loopOf(e, loop)) return true;
            const auto value = space_.valueOf(e, loop);
            return value.expression && isSettled(value.expression, value.place, depth + 1);
        }
        if (const NodePtr operand = ast::convertedToNumber(e))
            return isSettled(operand, loop, depth + 1);
        if (!ast::is<ast::Binary>(e)) return false;
        const std::string_view op = e->child(ast::Binary::op)->text();
        return (op == "+" || op == "-" || op == "*") &&
               isSettled(e->child(ast::Binary::left), loop, depth + 1) &&
               isSettled(e->child(ast::Binary::right), loop, depth + 1);
    }

    // ---- vectors that are exchanged ------------------------------------------------------------

    bool exchanges(NodePtr node) const {
        return ast::anywhere(node, [](NodePtr each) { return exchangedBy(each).first != nullptr; });
    }

    /// What is written whenever an iteration begins, where vectors change places.
    void keepExchanged(NodePtr node, NodePtr body, State& head) {
        if (!exchanges(node)) return;
        const bool wasTrial = std::exchange(isTrial_, true);
        for (int round = 0;; ++round) {
            State next = head;
            for (const NodePtr part : node->children())
                if (part && ast::isStatement(part) && !ast::is<ast::Declaration>(part))
                    walk(part, next);
            State met = leavesRound(body) || round > 4 ? State() : stretches_.common(head, next);
            if (met == head) break;
            head = std::move(met);
        }
        isTrial_ = wasTrial;
    }

    void exchange(NodePtr a, NodePtr b, State& state) {
        const Symbol *const one = vectorAt(a), *const other = vectorAt(b);
        const NodePtr length = one ? vectors_.at(one) : nullptr,
                      same = other ? vectors_.at(other) : nullptr;
        if (!length || !same || ast::compact(length) != ast::compact(same)) {
            forget(a);
            return forget(b);
        }
        std::swap(state.of[one], state.of[other]);
    }

    // ---- expressions ---------------------------------------------------------------------------

    void evaluate(NodePtr e, State& state) {
        if (!e) return;
        if (ast::isAny<ast::Parenthesized, ast::Comma, ast::EqualInitializer>(e)) {
            for (const NodePtr part : e->children()) evaluate(part, state);
            return;
        }
        if (const auto [one, other] = exchangedBy(e); one) return exchange(one, other, state);
        if (const NodePtr target = ast::withoutParentheses(ast::changedOperand(e))) {
            const bool isAssign = ast::is<ast::Assign>(e);
            if (isAssign) evaluate(e->child(ast::Assign::value), state);
            if (!isAssign || e->child(ast::Assign::op)->text() != "=") read(target, state);
            return write(target, state);
        }
        const bool takesAddress = ast::is<ast::Unary>(e) && e->child(ast::Unary::op)->text() == "&";
        if (ast::is<ast::Lambda>(e) || takesAddress) return forget(e);
        if (vectorOf(e)) return read(e, state);
        if (ast::asksContainer(e) || (ast::is<ast::Call>(e) && ast::inquiryOf(e))) return;
        if (vectorAt(e)) return fail(e->symbol);
        evaluateParts(e, state);
    }
    /// In any order, or perhaps not.
    void evaluateParts(NodePtr e, const State& state) {
        for (const NodePtr part : e->children()) {
            State own = state;
            evaluate(part, own);
        }
    }

    void read(NodePtr element, State& state) {
        const Symbol* const vector = vectorOf(element);
        if (!vector) return evaluateParts(element, state);
        evaluate(subscriptOf(element), state);
        if (!isTrial_ && !state.isLeft && !isWritten(state, element)) fail(vector);
    }
    bool isWritten(const State& state, NodePtr element) {
        const Symbol* const vector = vectorOf(element);
        const analysis::Access& access = space_.access(element);
        guards_ = &access.guards;
        const Sum at = number(subscriptOf(element), access.loop);
        const bool result = stretches_.hold(state, vector, {at, at + Sum(1)});
        guards_ = nullptr;
        return result;
    }

    void write(NodePtr target, State& state) {
        const Symbol* const vector = vectorOf(target);
        if (!vector) {
            if (vectorAt(target)) return fail(target->symbol);
            return evaluateParts(target, state);
        }
        const NodePtr subscript = subscriptOf(target);
        evaluate(subscript, state);
        const analysis::Loop* const loop = space_.access(target).loop;
        if (!isSettled(subscript, loop)) return;
        const Sum at = number(subscript, loop);
        stretches_.add(state, vector, {at, at + Sum(1)});
    }

    // ---- stretches -----------------------------------------------------------------------------

    /// What they are declared with, or else a number that only stands for that.
    void noteLengths(NodePtr overall) {
        for (const NodePtr name : ast::allOf<ast::Identifier>(overall))
            if (vectorAt(name))
                stretches_.lengths.try_emplace(name->symbol, reader_.read(name, {}));
        for (const auto& [vector, length] : vectors_)
            if (length && space_.isFixed(length))
                stretches_.lengths[vector] = reader_.read(length, {});
    }
    /// v of `v.size()`.
    const Symbol* vectorAsked(NodePtr e) const {
        const NodePtr callee = ast::is<ast::Call>(e) ? e->child(ast::Call::callee) : nullptr;
        const bool isSize = ast::is<ast::Member>(callee) && ast::asksContainer(e) &&
                            callee->child(ast::Member::name)->text() == "size";
        return isSize ? vectorAt(callee->child(ast::Member::base)) : nullptr;
    }
    Sum number(NodePtr e, const analysis::Loop* loop) {
        e = ast::withoutParentheses(e);
        if (const Symbol* vector = vectorAsked(e)) return stretches_.lengths.at(vector);
        if (const NodePtr operand = ast::convertedToNumber(e); vectorAsked(operand))
            return number(operand, loop);
        const std::string_view op =
            ast::is<ast::Binary>(e) ? e->child(ast::Binary::op)->text() : std::string_view();
        if (op != "+" && op != "-") return reader_.read(e, {loop, 0});
        const Sum left = number(e->child(ast::Binary::left), loop),
                  right = number(e->child(ast::Binary::right), loop);
        return op == "+" ? left + right : left - right;
    }

    /// Surely 0 or more, at the place where the walk is.
    bool isNotNegative(const Sum& sum) {
        if (!sum.isKnown()) return false;
        if (sum.isConstant()) return sum.constant() >= 0;
        analysis::System system;
        for (const analysis::Loop* loop = place_; loop; loop = loop->outer)
            system.add(reader_.bounds(*loop, 0));
        if (guards_)
            for (const analysis::Guard& guard : guards_->all)
                system.add(reader_.assumed(guard, {place_, 0}));
        system.isNotNegative(Sum(-1) - sum);
        reader_.complete(system);
        return system.isImpossible();
    }

    analysis::IterationSpace space_;
    analysis::Reader reader_;
    const Lengths& vectors_;
    Stretches stretches_;
    std::set<const Symbol*> wanted_;
    State atEnd_;
    const analysis::Loop* place_ = nullptr;
    const analysis::Guards* guards_ = nullptr;
    bool isTrial_ = false;
    int depth_ = 0;
};

}  // namespace

std::set<const Symbol*> surelyWrittenFirst(NodePtr overall, const Lengths& vectors) {
    return vectors.empty() ? std::set<const Symbol*>() : Walk(overall, vectors).of(overall);
}

bool writesRowFirst(NodePtr overall, const Symbol* array, NodePtr length) {
    if (leavesRound(overall->child(ast::Overall::body))) return false;
    const Lengths rows{{array, length}};
    Walk walk(overall, rows);
    return walk.of(overall).contains(array) && walk.writesAll(array);
}

}  // namespace hpcc::nests
