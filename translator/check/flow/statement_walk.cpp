// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/flow/statement_walk.hpp"

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

bool StatementWalk::walkBody(NodePtr body) {
    labels_.clear();
    for (int walk = 0; walk < mostWalks; ++walk) {
        walkBegins();
        labelsChanged_ = false;
        everTouched.reset();
        state = State::begin();
        if (body->is<ast::FunctionTry>())
            tryBlock(body->child(ast::FunctionTry::body), body->child(ast::FunctionTry::handlers));
        else
            statement(body);
        if (!labelsChanged_) return true;
    }
    return false;
}

void StatementWalk::statement(NodePtr node) {
    if (!node) return;
    const bool inSwitch = !targets_.empty() && targets_.back().construct->is<ast::Switch>();
    if (!state.isReached() && !mayStandUnreached(node, state.cause, inSwitch)) {
        if (state.cause) unreachable(node, state.cause);
        state.relax();  // told once; what follows is not judged
    }
    state.mayHaveEnded = false;
    dispatch(node);
}

void StatementWalk::tryStatement(NodePtr node) {
    tryBlock(node->child(ast::Try::body), node->child(ast::Try::handlers));
}

void StatementWalk::opaqueStatement(NodePtr node) {
    opaque(node);
    mayLeave();
}

void StatementWalk::statements(NodePtr list) {
    const std::size_t mark = scopeOpens();
    const int depth = directiveDepth;
    analysis::forEachStatement(
        list, [&](std::string_view gap) { directives(gap); },
        [&](NodePtr each) { statement(each); });
    directiveDepth = depth;
    scopeCloses(mark);
}

// Of the statements between #if and #endif only some exist.
void StatementWalk::directives(std::string_view gap) {
    analysis::forEachCondition(gap, [&](int opened) {
        directiveDepth += opened;
        if (!state.isReached()) state.relax();
        state.doubt();
    });
}

void StatementWalk::mayLeave() {
    state.doubtLast();
    if (targets_.empty()) return;
    targets_.back().broken.join(state);
    targets_.back().continued.join(state);
}

// ---- branches ----------------------------------------------------------------------------------

StatementWalk::Branches StatementWalk::condition(NodePtr expression) {
    expression = bare(expression);
    if (const auto value = literalCondition(expression)) {
        const State never = State::never(expression);
        return *value ? Branches{state, never} : Branches{never, state};
    }
    if (ast::is<ast::ConditionDeclaration>(expression)) {
        declare(expression, expression);
        return {state, state};
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
    state = logic == Logic::And ? left.whenTrue : left.whenFalse;
    const Branches right = condition(expression->child(ast::Binary::right));
    return logic == Logic::And ? Branches{right.whenTrue, joined(left.whenFalse, right.whenFalse)}
                               : Branches{joined(left.whenTrue, right.whenTrue), right.whenFalse};
}

// A branch that a constant condition excludes is not called unreachable: `if (debug)`.
void StatementWalk::branch(NodePtr node) {
    const std::size_t mark = scopeOpens();
    statement(node->child(ast::If::initializer));
    Branches branches = condition(node->child(ast::If::condition));
    const bool isReached = branches.whenTrue.isReached() || branches.whenFalse.isReached();
    if (isReached && !branches.whenTrue.isReached()) branches.whenTrue.relax();
    if (isReached && !branches.whenFalse.isReached()) branches.whenFalse.relax();
    state = branches.whenTrue;
    statement(node->child(ast::If::then));
    const State afterThen = state;
    state = branches.whenFalse;
    statement(node->child(ast::If::otherwise));
    if (isConstexprIf(node))
        state.joinEither(afterThen);
    else
        state.join(afterThen);
    scopeCloses(mark);
}

// A process that runs one `on (p)` runs the next one, too.
void StatementWalk::on(NodePtr node) {
    const Symbol* group = bare(node->child(ast::On::group))->symbol;
    evaluate(node->child(ast::On::group));
    if (typeOf(node->child(ast::On::group))->kind == TypeKind::Target)
        return statement(node->child(ast::On::body));
    const State skipped = state;
    if (isStable(group)) state.assigned = state.assignedOn(group);
    statement(node->child(ast::On::body));
    const State::Membership membership = {group, state.assigned};
    state.join(skipped);
    if (!isStable(group) || !state.isReached()) return;
    std::erase_if(state.members, [&](const auto& each) { return each.group == group; });
    if (state.members.size() < mostGroups) state.members.push_back(membership);
}

void StatementWalk::at(NodePtr node) {
    evaluate(node->child(ast::At::location));
    const State skipped = state;
    statement(node->child(ast::At::body));
    state.join(skipped);
}

// ---- loops -------------------------------------------------------------------------------------

// The body from `state`; afterwards `state` is where break leads, and the result where the next
// round begins.
State StatementWalk::loopBody(NodePtr node, NodePtr body, std::size_t mark, NodePtr step) {
    targets_.push_back({node, true, State::never(node), State::never(node)});
    statement(body);
    const Target target = targets_.back();
    targets_.pop_back();
    state.join(target.continued);
    if (step) evaluate(step);
    const State back = state;
    loopRepeats(mark, back);
    state = target.broken;
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
void StatementWalk::testedLoop(NodePtr node, NodePtr test, NodePtr body, NodePtr step) {
    const bool runsOnce = surelyHolds(test);
    const std::size_t scope = scopeOpens(), mark = loopBegins();
    Branches branches = test ? condition(test) : Branches{state, State::never(node)};
    if (!branches.whenTrue.isReached()) branches.whenTrue.relax();
    state = branches.whenTrue;
    const State back = loopBody(node, body, mark, step);
    state = joined(behindLoop(branches.whenFalse, back, runsOnce), state);
    if (!state.isReached()) state.cause = node;
    scopeCloses(scope);
}

void StatementWalk::whileLoop(NodePtr node) {
    testedLoop(node, node->child(ast::While::condition), node->child(ast::While::body), nullptr);
}

void StatementWalk::doLoop(NodePtr node) {
    const std::size_t mark = loopBegins();
    targets_.push_back({node, true, State::never(node), State::never(node)});
    statement(node->child(ast::DoWhile::body));
    const Target target = targets_.back();
    targets_.pop_back();
    state.join(target.continued);
    const NodePtr cause = state.cause ? state.cause : node;
    const bool endReached = state.isReached();
    const Branches branches = condition(node->child(ast::DoWhile::condition));
    loopRepeats(mark, branches.whenTrue);
    state = joined(branches.whenFalse, target.broken);
    if (!state.isReached()) state = State::never(endReached ? node : cause);
}

void StatementWalk::forLoop(NodePtr node) {
    const std::size_t scope = scopeOpens();
    statement(node->child(ast::For::initializer));
    testedLoop(node, node->child(ast::For::condition), node->child(ast::For::body),
               node->child(ast::For::step));
    scopeCloses(scope);
}

void StatementWalk::rangeLoop(NodePtr node) {
    const std::size_t scope = scopeOpens();
    statement(node->child(ast::RangeFor::initializer));
    evaluate(node->child(ast::RangeFor::range));
    repeated(node, node->child(ast::RangeFor::body));
    scopeCloses(scope);
}

// A process runs as many iterations as it holds locations: perhaps none.
void StatementWalk::overall(NodePtr node) {
    for (NodePtr header : node->child(ast::Overall::headers)->children()) {
        evaluate(header->child(ast::OverallHeader::range));
        evaluate(header->child(ast::OverallHeader::triplet));
    }
    repeated(node, node->child(ast::Overall::body));
}

void StatementWalk::repeated(NodePtr node, NodePtr body) {
    const std::size_t mark = loopBegins();
    const State skipped = state;
    const State back = loopBody(node, body, mark, nullptr);
    state.join(skipped);
    state.join(back);
}

void StatementWalk::macroStatement(NodePtr node) {
    evaluate(node->child(ast::MacroStatement::head));
    state.doubt();
    repeated(node, node->child(ast::MacroStatement::body));
    state.doubt();
}

// ---- labels, jumps, switch, exceptions --------------------------------------------------------

void StatementWalk::switchStatement(NodePtr node) {
    const std::size_t scope = scopeOpens();
    statement(node->child(ast::Switch::initializer));
    const NodePtr chosen = node->child(ast::Switch::condition);
    if (ast::is<ast::ConditionDeclaration>(chosen))
        declare(chosen, chosen);
    else
        evaluate(chosen);
    switches_.push_back({state, false, {}});
    targets_.push_back({node, false, State::never(node), State::never(node)});
    state = State::never(nullptr);
    statement(node->child(ast::Switch::body));
    const Target target = targets_.back();
    const SwitchFrame frame = switches_.back();
    targets_.pop_back();
    switches_.pop_back();
    state.join(target.broken);
    if (!targets_.empty()) targets_.back().continued.join(target.continued);
    if (!frame.hasDefault) {
        State past = frame.entry;  // no case applies
        if (past.isReached() && mayBeExhaustive(chosen, frame.covered)) past.relax();
        state.join(past);
    }
    scopeCloses(scope);
}

void StatementWalk::caseLabel(NodePtr node) {
    const bool isDefault = node->is<ast::Default>();
    if (switches_.empty()) {  // of a macro's switch
        state.relax();
    } else {
        SwitchFrame& frame = switches_.back();
        frame.hasDefault |= isDefault;
        if (!isDefault)
            if (const Symbol* symbol = bare(node->child(ast::Case::value))->symbol)
                frame.covered.push_back(symbol);
        state.join(frame.entry);
    }
    statement(node->child(isDefault ? +ast::Default::body : +ast::Case::body));
}

void StatementWalk::label(NodePtr node) {
    const auto known = labels_.find(node->child(ast::Label::name)->text());
    if (known != labels_.end()) state.join(known->second);
    if (!state.isReached()) state.relax();  // only jumped to from below, or by a macro
    loopBegins();
    statement(node->child(ast::Label::body));
}

void StatementWalk::jump(NodePtr node) {
    if (node->is<ast::Return>()) {
        evaluate(node->child(ast::Return::value));
    } else if (node->is<ast::Goto>()) {
        State& there = labels_[node->child(ast::Goto::target)->text()];
        const State before = there;
        there.join(state);
        labelsChanged_ |= there.reach != before.reach || there.assigned != before.assigned ||
                          there.touched != before.touched;
    } else {
        const bool continues = node->is<ast::Continue>();
        for (auto target = targets_.rbegin(); target != targets_.rend(); ++target) {
            if (continues && !target->takesContinue) continue;
            (continues ? target->continued : target->broken).join(state);
            break;
        }
    }
    state = State::never(node);
}

// An exception may leave the body anywhere: a handler can rely only on what was so before it.
void StatementWalk::tryBlock(NodePtr body, NodePtr handlers) {
    State entry = state;
    statement(body);
    State after = state;
    entry.touched |= everTouched;
    for (NodePtr handler : handlers->children()) {
        if (!ast::is<ast::Handler>(handler)) continue;
        state = entry;
        statement(handler->child(ast::Handler::body));
        after.join(state);
    }
    state = after;
}

}  // namespace hpcc::check::flow
