// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/flow/assignment.hpp"

#include "analysis/directives.hpp"
#include "check/facts.hpp"
#include "check/flow/constants.hpp"

#include <algorithm>

namespace hpcc::check::flow {
namespace {

using ast::Kind;

constexpr int mostWalks = 5;
constexpr std::size_t mostGroups = 8;

// A statement that does nothing by itself, or that code written with care puts behind a jump:
// `break` in a switch, `return 0;` behind a throw, or a call or loop that does not end.
bool mayStandUnreached(NodePtr node, NodePtr cause, bool inSwitch) {
    switch (node->kind()) {
    case Kind::Compound:
    case Kind::Sequence:
    case Kind::Label:
    case Kind::Case:
    case Kind::Default:
    case Kind::EmptyStatement:
    case Kind::OpaqueStatement:
        return true;
    case Kind::Break:
        return inSwitch;
    case Kind::Return:
        return !cause || cause->is<ast::Call>() || cause->is<ast::Throw>() ||
               cause->is<ast::While>() || cause->is<ast::DoWhile>() || cause->is<ast::For>();
    case Kind::Declaration: {
        const NodePtr declarators = node->child(ast::Declaration::declarators);
        return !declarators || std::ranges::none_of(declarators->children(), [](NodePtr each) {
            return each->child(ast::InitDeclarator::initializer);
        });
    }
    default:
        return node->category() == ast::Category::Declaration;
    }
}

}  // namespace

bool Assignment::run(NodePtr body) {
    labels_.clear();
    for (int walk = 0; walk < mostWalks; ++walk) {
        live_.clear();
        findings_.clear();
        values_.clear();
        directiveDepth_ = 0;
        labelsChanged_ = false;
        everTouched_.reset();
        state_ = State::begin();
        if (body->is<ast::FunctionTry>())
            tryBlock(body->child(ast::FunctionTry::body), body->child(ast::FunctionTry::handlers));
        else
            statement(body);
        if (!labelsChanged_) return true;
    }
    return false;
}

void Assignment::statement(NodePtr node) {
    if (!node) return;
    const bool inSwitch = !targets_.empty() && targets_.back().construct->is<ast::Switch>();
    if (!state_.isReached() && !mayStandUnreached(node, state_.cause, inSwitch)) {
        if (state_.cause)
            findings_.push_back({Id::UnreachableStatement, node, nullptr, 0, state_.cause});
        state_.relax();  // told once; what follows is not judged
    }
    state_.mayHaveEnded = false;
    dispatch(node);
}

void Assignment::tryStatement(NodePtr node) {
    tryBlock(node->child(ast::Try::body), node->child(ast::Try::handlers));
}

void Assignment::opaqueStatement(NodePtr node) {
    assignNamesIn(node);
    mayLeave();
}

void Assignment::statements(NodePtr list) {
    const std::size_t mark = live_.size();
    const int depth = directiveDepth_;
    analysis::forEachStatement(
        list, [&](std::string_view gap) { directives(gap); },
        [&](NodePtr each) { statement(each); });
    directiveDepth_ = depth;
    live_.resize(mark);
}

// Of the statements between #if and #endif only some exist.
void Assignment::directives(std::string_view gap) {
    analysis::forEachCondition(gap, [&](int opened) {
        directiveDepth_ += opened;
        if (!state_.isReached()) state_.relax();
        state_.doubt();
    });
}

void Assignment::mayLeave() {
    state_.doubtLast();
    if (targets_.empty()) return;
    targets_.back().broken.join(state_);
    targets_.back().continued.join(state_);
}

// ---- branches ----------------------------------------------------------------------------------

Assignment::Branches Assignment::condition(NodePtr expression) {
    expression = bare(expression);
    if (const auto value = literalCondition(expression)) {
        const State never = State::never(expression);
        return *value ? Branches{state_, never} : Branches{never, state_};
    }
    if (ast::is<ast::ConditionDeclaration>(expression)) {
        declare(expression, expression);
        return {state_, state_};
    }
    const Logic logic = logicOf(expression);
    if (logic == Logic::Not) {
        const Branches operand = condition(expression->child(ast::Unary::operand));
        return {operand.whenFalse, operand.whenTrue};
    }
    if (logic == Logic::None) {
        return test(expression);
    }
    const Branches left = condition(expression->child(ast::Binary::left));
    state_ = logic == Logic::And ? left.whenTrue : left.whenFalse;
    const Branches right = condition(expression->child(ast::Binary::right));
    return logic == Logic::And ? Branches{right.whenTrue, joined(left.whenFalse, right.whenFalse)}
                               : Branches{joined(left.whenTrue, right.whenTrue), right.whenFalse};
}

// A branch that a constant condition excludes is not called unreachable: `if (debug)`.
void Assignment::branch(NodePtr node) {
    const std::size_t mark = live_.size();
    statement(node->child(ast::If::initializer));
    Branches branches = condition(node->child(ast::If::condition));
    const bool isReached = branches.whenTrue.isReached() || branches.whenFalse.isReached();
    if (isReached && !branches.whenTrue.isReached()) branches.whenTrue.relax();
    if (isReached && !branches.whenFalse.isReached()) branches.whenFalse.relax();
    state_ = branches.whenTrue;
    statement(node->child(ast::If::then));
    const State afterThen = state_;
    state_ = branches.whenFalse;
    statement(node->child(ast::If::otherwise));
    if (isConstexprIf(node))
        state_.joinEither(afterThen);
    else
        state_.join(afterThen);
    live_.resize(mark);
}

// A process that runs one `on (p)` runs the next one, too.
void Assignment::on(NodePtr node) {
    const Symbol* group = bare(node->child(ast::On::group))->symbol;
    evaluate(node->child(ast::On::group));
    if (typeOf(node->child(ast::On::group))->kind == TypeKind::Target)
        return statement(node->child(ast::On::body));
    const State skipped = state_;
    if (isStable(group)) state_.assigned = state_.assignedOn(group);
    statement(node->child(ast::On::body));
    const State::Membership membership = {group, state_.assigned};
    state_.join(skipped);
    if (!isStable(group) || !state_.isReached()) return;
    std::erase_if(state_.members, [&](const auto& each) { return each.group == group; });
    if (state_.members.size() < mostGroups) state_.members.push_back(membership);
}

void Assignment::at(NodePtr node) {
    evaluate(node->child(ast::At::location));
    const State skipped = state_;
    statement(node->child(ast::At::body));
    state_.join(skipped);
}

// ---- loops -------------------------------------------------------------------------------------

// The body from `state`; afterwards `state` is where break leads, and the result where the next
// round begins.
State Assignment::loopBody(NodePtr node, NodePtr body, std::size_t mark, NodePtr step) {
    targets_.push_back({node, true, State::never(node), State::never(node)});
    statement(body);
    const Target target = targets_.back();
    targets_.pop_back();
    state_.join(target.continued);
    if (step) evaluate(step);
    const State back = state_;
    loopRepeats(mark, back);
    state_ = target.broken;
    return back;
}

// Where the condition is false: at first, or behind a round.
static State behindLoop(State exit, const State& back, bool runsOnce) {
    if (!exit.isReached()) return exit;
    exit.touched |= back.touched;
    if (runsOnce) exit.assigned |= back.assigned;
    return exit;
}

// A loop whose condition stands before its body; none is always true.
void Assignment::testedLoop(NodePtr node, NodePtr test, NodePtr body, NodePtr step) {
    const bool runsOnce = surelyHolds(test);
    const std::size_t scope = live_.size(), mark = loopBegins();
    Branches branches = test ? condition(test) : Branches{state_, State::never(node)};
    if (!branches.whenTrue.isReached()) branches.whenTrue.relax();
    state_ = branches.whenTrue;
    const State back = loopBody(node, body, mark, step);
    state_ = joined(behindLoop(branches.whenFalse, back, runsOnce), state_);
    if (!state_.isReached()) state_.cause = node;
    live_.resize(scope);
}

void Assignment::whileLoop(NodePtr node) {
    testedLoop(node, node->child(ast::While::condition), node->child(ast::While::body), nullptr);
}

void Assignment::doLoop(NodePtr node) {
    const std::size_t mark = loopBegins();
    targets_.push_back({node, true, State::never(node), State::never(node)});
    statement(node->child(ast::DoWhile::body));
    const Target target = targets_.back();
    targets_.pop_back();
    state_.join(target.continued);
    const NodePtr cause = state_.cause ? state_.cause : node;
    const bool endReached = state_.isReached();
    const Branches branches = condition(node->child(ast::DoWhile::condition));
    loopRepeats(mark, branches.whenTrue);
    state_ = joined(branches.whenFalse, target.broken);
    if (!state_.isReached()) state_ = State::never(endReached ? node : cause);
}

void Assignment::forLoop(NodePtr node) {
    const std::size_t scope = live_.size();
    statement(node->child(ast::For::initializer));
    testedLoop(node, node->child(ast::For::condition), node->child(ast::For::body),
               node->child(ast::For::step));
    live_.resize(scope);
}

void Assignment::rangeLoop(NodePtr node) {
    const std::size_t scope = live_.size();
    statement(node->child(ast::RangeFor::initializer));
    evaluate(node->child(ast::RangeFor::range));
    repeated(node, node->child(ast::RangeFor::body));
    live_.resize(scope);
}

// A process runs as many iterations as it holds locations: perhaps none.
void Assignment::overall(NodePtr node) {
    for (NodePtr header : node->child(ast::Overall::headers)->children()) {
        evaluate(header->child(ast::OverallHeader::range));
        evaluate(header->child(ast::OverallHeader::triplet));
    }
    repeated(node, node->child(ast::Overall::body));
}

void Assignment::repeated(NodePtr node, NodePtr body) {
    const std::size_t mark = loopBegins();
    const State skipped = state_;
    const State back = loopBody(node, body, mark, nullptr);
    state_.join(skipped);
    state_.join(back);
}

void Assignment::macroStatement(NodePtr node) {
    evaluate(node->child(ast::MacroStatement::head));
    state_.doubt();
    repeated(node, node->child(ast::MacroStatement::body));
    state_.doubt();
}

// ---- labels, jumps, switch, exceptions --------------------------------------------------------

void Assignment::switchStatement(NodePtr node) {
    const std::size_t scope = live_.size();
    statement(node->child(ast::Switch::initializer));
    const NodePtr chosen = node->child(ast::Switch::condition);
    if (ast::is<ast::ConditionDeclaration>(chosen))
        declare(chosen, chosen);
    else
        evaluate(chosen);
    switches_.push_back({state_, false, {}});
    targets_.push_back({node, false, State::never(node), State::never(node)});
    state_ = State::never(nullptr);
    statement(node->child(ast::Switch::body));
    const Target target = targets_.back();
    const SwitchFrame frame = switches_.back();
    targets_.pop_back();
    switches_.pop_back();
    state_.join(target.broken);
    if (!targets_.empty()) targets_.back().continued.join(target.continued);
    if (!frame.hasDefault) {
        State past = frame.entry;  // no case applies
        if (past.isReached() && mayBeExhaustive(chosen, frame.covered)) past.relax();
        state_.join(past);
    }
    live_.resize(scope);
}

void Assignment::caseLabel(NodePtr node) {
    const bool isDefault = node->is<ast::Default>();
    if (switches_.empty()) {  // of a macro's switch
        state_.relax();
    } else {
        SwitchFrame& frame = switches_.back();
        frame.hasDefault |= isDefault;
        if (!isDefault)
            if (const Symbol* symbol = bare(node->child(ast::Case::value))->symbol)
                frame.covered.push_back(symbol);
        state_.join(frame.entry);
    }
    statement(node->child(isDefault ? +ast::Default::body : +ast::Case::body));
}

void Assignment::label(NodePtr node) {
    const auto known = labels_.find(node->child(ast::Label::name)->text());
    if (known != labels_.end()) state_.join(known->second);
    if (!state_.isReached()) state_.relax();  // only jumped to from below, or by a macro
    loopBegins();
    statement(node->child(ast::Label::body));
}

void Assignment::jump(NodePtr node) {
    if (node->is<ast::Return>()) {
        evaluate(node->child(ast::Return::value));
    } else if (node->is<ast::Goto>()) {
        State& there = labels_[node->child(ast::Goto::target)->text()];
        const State before = there;
        there.join(state_);
        labelsChanged_ |= there.reach != before.reach || there.assigned != before.assigned ||
                          there.touched != before.touched;
    } else {
        const bool continues = node->is<ast::Continue>();
        for (auto target = targets_.rbegin(); target != targets_.rend(); ++target) {
            if (continues && !target->takesContinue) continue;
            (continues ? target->continued : target->broken).join(state_);
            break;
        }
    }
    state_ = State::never(node);
}

// An exception may leave the body anywhere: a handler can rely only on what was so before it.
void Assignment::tryBlock(NodePtr body, NodePtr handlers) {
    State entry = state_;
    statement(body);
    State after = state_;
    entry.touched |= everTouched_;
    for (NodePtr handler : handlers->children()) {
        if (!ast::is<ast::Handler>(handler)) continue;
        state_ = entry;
        statement(handler->child(ast::Handler::body));
        after.join(state_);
    }
    state_ = after;
}

}  // namespace hpcc::check::flow
