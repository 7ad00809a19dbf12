// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Labels, jumps, switch and exceptions.
#include "check/facts.hpp"
#include "check/flow/constants.hpp"
#include "check/flow/statement_walk.hpp"

namespace hpcc::check::flow {

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
