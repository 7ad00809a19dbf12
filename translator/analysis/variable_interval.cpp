// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/variable_interval.hpp"

#include <unordered_set>
#include <utility>

#include "analysis/operators.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/search.hpp"

namespace hpcc::analysis {
namespace {

using State = std::optional<Interval>;  // nothing where no path leads

State joinedStates(State a, State b) {
    if (!a || !b) return a ? a : b;
    return joined(*a, *b);
}

bool isJump(NodePtr node) {
    return ast::isAny<ast::Break, ast::Continue, ast::Return, ast::Goto>(node);
}

// Follows one variable through a function.
class Follower {
public:
    Follower(const Symbol* variable, NodePtr place) : variable_(variable), place_(place) {}

    State followed(NodePtr body) {
        if (!note(body)) return std::nullopt;
        now_ = everything;
        run(body);
        return found_;
    }

private:
    // ---- what concerns the variable ------------------------------------------------------------

    bool isIt(NodePtr node) const {
        node = node ? bare(node) : nullptr;
        return ast::is<ast::Identifier>(node) && node->symbol == variable_;
    }

    // Whether the node itself lets something out of sight change it.
    bool isOutOfSight(NodePtr node) const {
        if (ast::isAny<ast::Goto, ast::Label, ast::OpaqueStatement>(node)) return true;
        if (node->is<ast::Lambda>())
            return ast::anywhere(node, [this](NodePtr each) { return isChange(each); });
        const bool isReference =
            node->is<ast::InitDeclarator>() && node->type && node->type->isReference;
        return (isReference || ast::isAny<ast::MacroStatement, ast::OpaqueExpression>(node)) &&
               ast::anywhere(node, [this](NodePtr each) { return isIt(each); });
    }

    // Notes what changes it and where it is asked for, and what these stand in; false if it is
    // changed otherwise.
    bool note(NodePtr node) {
        if (isOutOfSight(node)) return false;
        std::unordered_set<std::string_view> names;
        ast::addAssigned(node, names);
        bool isChanging = isDeclaration(node), isRound = node == place_;
        if (names.contains(variable_->name)) {
            const NodePtr operand = bare(ast::changedOperand(node));
            const bool isOther = operand && operand->symbol && operand->symbol != variable_;
            if (!isOther && !isChange(node)) return false;
            isChanging |= !isOther;
        }
        for (const NodePtr child : node->children()) {
            if (!child) continue;
            if (!note(child)) return false;
            isChanging |= changing_.contains(child);
            isRound |= round_.contains(child);
        }
        if (isChanging) changing_.insert(node);
        if (isRound) round_.insert(node);
        return true;
    }

    bool isDeclaration(NodePtr node) const { return node == variable_->declaration; }
    bool isChange(NodePtr node) const { return node && isIt(ast::changedOperand(node)); }

    bool changesIt(NodePtr node) const { return changing_.contains(node); }
    bool isRoundPlace(NodePtr node) const { return round_.contains(node); }

    // ---- values --------------------------------------------------------------------------------

    // A number that its type holds.
    Interval held(Interval value) const {
        const ast::Type* type = variable_->type;
        if (type && type->kind == ast::TypeKind::Bool)
            return isIn(value, {0, 1}) ? value : Interval{0, 1};
        const NumberType number = numberOf(type);
        if (number.isSigned && number.bits >= 32) return value;
        const int bits = std::min(40, number.bits - (number.isSigned ? 1 : 0));
        const Interval whole{number.isSigned ? -(1L << bits) : 0,
                             bits >= 40 ? Interval::unbounded : (1L << bits) - 1};
        return isIn(value, whole) ? value : whole;
    }

    Interval valueOf(NodePtr e) const {
        e = bare(e);
        if (!e) return everything;
        if (isIt(e)) return *now_;
        if (const auto constant = constantValue(e)) return only(*constant);
        if (isNegation(e) || isComparison(e)) return {0, 1};
        if (ast::is<ast::Conditional>(e))
            return joined(valueOf(e->child(ast::Conditional::then)),
                          valueOf(e->child(ast::Conditional::otherwise)));
        if (!ast::is<ast::Binary>(e) || e->symbol) return everything;
        const Interval a = valueOf(e->child(ast::Binary::left)),
                       b = valueOf(e->child(ast::Binary::right));
        const std::string_view op = operatorOf(e);
        if (op == "+") return sum(a, b);
        if (op == "-") return sum(a, negated(b));
        const bool isOne = b.least == b.most && b.least > 0;
        if (op == "%" && isOne) return {a.least < 0 ? 1 - b.least : 0, b.least - 1};
        if (op == "&" && isOne) return {0, b.least};
        if ((op == "^" || op == "xor") && isIn(a, {0, 1}) && isIn(b, {0, 1})) return {0, 1};
        return everything;
    }

    // `v = e`, `v += e`, `++v`: of the variable, on the way through an expression.
    void change(NodePtr node) {
        const bool isAssign = node->is<ast::Assign>();
        const std::string_view op = isAssign ? node->child(ast::Assign::op)->text()
                                    : node->is<ast::Postfix>()
                                        ? node->child(ast::Postfix::op)->text()
                                        : node->child(ast::Unary::op)->text();
        const Interval by = isAssign ? valueOf(node->child(ast::Assign::value)) : Interval{1, 1};
        Interval value = everything;
        if (op == "=") value = by;
        if (op == "+=" || op == "++") value = sum(*now_, by);
        if (op == "-=" || op == "--") value = sum(*now_, negated(by));
        if (op == "^=" && isIn(*now_, {0, 1}) && isIn(by, {0, 1})) value = {0, 1};
        set(held(value));
    }

    void set(State value) {
        now_ = value;
        seen_ = joinedStates(seen_, now_);
    }

    // One change alone is followed, of several nothing is known; nor of statements of other forms.
    void evaluate(NodePtr node) {
        if (!now_) return;
        const bool isAlone = isChange(bare(node)) &&
                             std::ranges::none_of(bare(node)->children(),
                                                  [this](NodePtr c) { return changesIt(c); });
        if (isAlone)
            change(bare(node));
        else if (changesIt(node))
            set(held(everything));
        if (isRoundPlace(node)) found_ = joinedStates(found_, now_);
    }

    // The condition holds, or not; what it changes is changed.
    void assume(NodePtr condition, bool holds) {
        condition = bare(condition);
        if (!now_ || !condition) return;
        const std::string_view op = operatorOf(condition);
        const bool isBoth = holds ? op == "&&" || op == "and" : op == "||" || op == "or";
        if (ast::is<ast::Binary>(condition) && isBoth) {
            assume(condition->child(ast::Binary::left), holds);
            return assume(condition->child(ast::Binary::right), holds);
        }
        if (isNegation(condition)) return assume(condition->child(ast::Unary::operand), !holds);
        if (const auto value = constantValue(condition)) {
            if ((*value != 0) != holds) now_ = std::nullopt;
            return;
        }
        if (!ast::is<ast::Binary>(condition) || !isComparison(condition) || condition->symbol)
            return compare(condition, holds ? "!=" : "==", {0, 0});
        const NodePtr left = condition->child(ast::Binary::left),
                      right = condition->child(ast::Binary::right);
        const std::string_view told = op == "not_eq" ? "!=" : op;
        const std::string_view here = holds ? told : opposite(told);
        const bool isRight = isIt(right) || isChange(bare(right));
        if (changesIt(isRight ? left : right)) return evaluate(condition);
        isRight ? compare(right, mirrored(here), valueOf(left))
                : compare(left, here, valueOf(right));
    }

    // v, ++v or v++
    void compare(NodePtr e, std::string_view op, Interval other) {
        e = bare(e);
        const bool isBefore = ast::is<ast::Postfix>(e);
        if (!isIt(e) && !isChange(e)) return evaluate(e);
        if (!isBefore) evaluate(e);
        if (now_ && haveOneSign(other)) now_ = narrowed(*now_, op, other);
        if (isBefore) evaluate(e);
    }

    // -1 is large beside a number without a sign.
    bool haveOneSign(Interval other) const {
        return !isUnsigned(numberOf(variable_->type)) || other.least >= 0;
    }

    // ---- statements ----------------------------------------------------------------------------

    void run(NodePtr node) {
        if (!node || !now_) return;
        if (isJump(node)) {
            evaluate(node);
            now_ = std::nullopt;
            return;
        }
        if (node == place_) found_ = joinedStates(found_, now_);
        switch (node->kind()) {
        case ast::Kind::If:
            return branch(node);
        case ast::Kind::Compound:
            for (const NodePtr each : node->children()) run(each);
            return;
        default:
            if (changesIt(node) || isRoundPlace(node)) statement(node);
        }
    }

    void statement(NodePtr node) {
        switch (node->kind()) {
        case ast::Kind::Declaration:
            return declare(node->child(ast::Declaration::declarators));
        case ast::Kind::ExpressionStatement:
            return evaluate(node->child(ast::ExpressionStatement::expression));
        case ast::Kind::For:
            run(node->child(ast::For::initializer));
            return loop(node, node->child(ast::For::condition), node->child(ast::For::step),
                        node->child(ast::For::body));
        case ast::Kind::While:
            return loop(node, node->child(ast::While::condition), nullptr,
                        node->child(ast::While::body));
        case ast::Kind::DoWhile:
            return doLoop(node);
        case ast::Kind::RangeFor:
            return rangeLoop(node);
        case ast::Kind::On:
            return perhaps(node->child(ast::On::body));
        default:
            return evaluate(node);
        }
    }

    void perhaps(NodePtr body) {
        const State before = now_;
        run(body);
        now_ = joinedStates(now_, before);
    }

    void declare(NodePtr declarators) {
        if (!declarators) return;
        for (const NodePtr each : declarators->children()) {
            if (!isDeclaration(each)) {
                evaluate(each);
                continue;
            }
            const NodePtr value = singleInitializer(each->child(ast::InitDeclarator::initializer));
            set(held(value ? valueOf(value) : everything));
        }
    }

    void branch(NodePtr node) {
        if (changesIt(node->child(ast::If::initializer))) return evaluate(node);
        const NodePtr condition = node->child(ast::If::condition);
        const State before = now_;
        assume(condition, true);
        run(node->child(ast::If::then));
        const State then = std::exchange(now_, before);
        assume(condition, false);
        run(node->child(ast::If::otherwise));
        now_ = joinedStates(now_, then);
    }

    // A bound that still moves after a few rounds may be anything.
    static State widened(State before, State now, int round) {
        constexpr int most = 4;
        if (round < most || !before || !now) return now;
        return Interval{now->least < before->least ? -Interval::unbounded : now->least,
                        now->most > before->most ? Interval::unbounded : now->most};
    }

    // Runs the rounds of a loop from its head on until they bring nothing new; `round` leaves in
    // now_ what comes back to the head.
    template <class Round>
    void rounds(NodePtr loop, const Round& round) {
        const State outside = seen_;
        seen_ = std::nullopt;
        State head = now_;
        for (int k = 0; k < 16; ++k) {
            now_ = head;
            round();
            const State next = widened(head, joinedStates(head, now_), k);
            if (next == head) break;
            head = next;
        }
        now_ = head;
        const bool mayLeave = ast::anywhere(loop, isJump);
        afterJumps_ = mayLeave ? seen_ : State();
        seen_ = joinedStates(joinedStates(outside, seen_), head);
    }

    // What comes to the end of the body, or to a `continue` in it.
    void runBody(NodePtr body) {
        const State begin = now_, before = std::exchange(seen_, now_);
        run(body);
        if (ast::anywhere(body, [](NodePtr each) { return each->is<ast::Continue>(); }))
            now_ = joinedStates(joinedStates(now_, begin), seen_);
        seen_ = joinedStates(seen_, before);
    }

    void loop(NodePtr node, NodePtr condition, NodePtr step, NodePtr body) {
        rounds(node, [&] {
            assume(condition, true);
            runBody(body);
            evaluate(step);
        });
        if (condition)
            assume(condition, false);
        else
            now_ = std::nullopt;
        now_ = joinedStates(now_, afterJumps_);
    }

    void doLoop(NodePtr node) {
        const NodePtr condition = node->child(ast::DoWhile::condition);
        State end;
        rounds(node, [&] {
            runBody(node->child(ast::DoWhile::body));
            end = now_;
            assume(condition, true);
        });
        now_ = end;
        assume(condition, false);
        now_ = joinedStates(now_, afterJumps_);
    }

    void rangeLoop(NodePtr node) {
        const State before = now_;
        const NodePtr list = bare(node->child(ast::RangeFor::range));
        State each = everything;
        if (isDeclaration(node) && ast::is<ast::BracedInitializer>(list)) {
            each = std::nullopt;
            for (const NodePtr value : list->children()) each = joinedStates(each, valueOf(value));
        }
        rounds(node, [&] {
            if (isDeclaration(node)) now_ = each ? State(held(*each)) : State();
            runBody(node->child(ast::RangeFor::body));
        });
        now_ = joinedStates(joinedStates(now_, before), afterJumps_);
    }

    const Symbol* const variable_;
    const NodePtr place_;
    std::unordered_set<NodePtr> changing_, round_;  // and what they stand in
    State now_, seen_, afterJumps_, found_;
};

}  // namespace

std::optional<Interval> intervalAt(NodePtr body, const Symbol* variable, NodePtr statement) {
    const ast::Type* type = variable->type;
    const bool isNumber = type && !type->isReference &&
                          (type->kind == ast::TypeKind::Bool || numberOf(type).bits > 0);
    return isNumber ? Follower(variable, statement).followed(body) : std::nullopt;
}

}  // namespace hpcc::analysis
