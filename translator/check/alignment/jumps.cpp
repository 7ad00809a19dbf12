// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches, jumps, labels, switch, exceptions.
#include "analysis/statement_forms.hpp"
#include "ast/symbol.hpp"
#include "ast/visitor.hpp"
#include "check/alignment/walk.hpp"
#include "check/flow/constants.hpp"

#include <algorithm>

namespace hpcc::check::alignment {
namespace {

struct Labels : ast::Visitor {
    std::map<std::string_view, NodePtr> places;
    void visitLabel(NodePtr node) override {
        places[node->child(ast::Label::name)->text()] = node;
        visitChildren(node);
    }
    void visitLambda(NodePtr) override {}
};

const Type* resultTypeOf(NodePtr function) {
    const Type* type = function->symbol ? function->symbol->type : nullptr;
    return type && type->kind == TypeKind::Function && type->result ? type->result : unknownType();
}

}  // namespace

NodePtr Walk::labelPlace(std::string_view name) {
    if (!labelPlaces_) {
        Labels labels;
        labels.visit(function_->child(ast::FunctionDefinition::body));
        labelPlaces_ = std::move(labels.places);
    }
    const auto place = labelPlaces_->find(name);
    return place == labelPlaces_->end() ? nullptr : place->second;
}

// Whoever jumps is missing until the end of `target`; the others may not even know.
void Walk::leave(NodePtr target, NodePtr jump) {
    const Coherence who = control();
    const auto branch = std::find_if(guards_.rbegin(), guards_.rend(),
                                     [](const Guard& each) { return each.who.any(); });
    if (state_.isReached && who.any())
        state_.add({target, jump, who, branch == guards_.rend() ? nullptr : branch->place});
    state_.end();
}

void Walk::jump(NodePtr node) {
    if (node->is<ast::Return>()) {
        const bool isLambda = !lambdas_.empty();
        const Type* type = isLambda ? unknownType() : resultTypeOf(function_);
        Composed here = evaluateObject(node->child(ast::Return::value), type);
        const auto function =
            std::find_if(targets_.rbegin(), targets_.rend(), [](const Target& each) {
                return each.construct->is<ast::FunctionDefinition>() ||
                       each.construct->is<ast::Lambda>();
            });
        here |= control();
        if (state_.isReached) result_ = result_ ? meet(*result_, here) : std::move(here);
        function->broken.join(state_, control().surely);
        return leave(function->construct, node);
    }
    if (node->is<ast::Goto>()) {
        const std::string_view name = node->child(ast::Goto::target)->text();
        const NodePtr place = labelPlace(name);
        const bool isForward = place && place->span().begin > node->span().begin;
        if (!isForward) return state_.end();
        labels_.try_emplace(name, State::never()).first->second.join(state_, control().surely);
        return leave(place, node);
    }
    const bool continues = node->is<ast::Continue>();
    for (auto target = targets_.rbegin(); target != targets_.rend(); ++target) {
        const bool isSwitch = target->construct->is<ast::Switch>();
        const bool takes = target->body || (isSwitch && !continues);
        if (!takes) continue;
        (continues ? target->continued : target->broken).join(state_, control().surely);
        return leave(continues ? target->body : target->construct, node);
    }
    state_.end();  // of a macro's loop
}

// Rounds made by a backward goto are not judged.
void Walk::label(NodePtr node) {
    const auto jumps = labels_.find(node->child(ast::Label::name)->text());
    if (jumps != labels_.end()) state_.join(jumps->second, control().surely);
    state_.isReached = true;
    std::erase_if(state_.left, [&](const Left& each) { return each.target == node; });
    statement(node->child(ast::Label::body));
}

// ---- switch ------------------------------------------------------------------------------------

void Walk::switchStatement(NodePtr node) {
    statement(node->child(ast::Switch::initializer));
    const NodePtr chosen = node->child(ast::Switch::condition);
    const Coherence who = test(chosen);
    switches_.push_back({state_, State::never(), false});
    targets_.push_back({node, nullptr, State::never(), State::never()});
    guards_.push_back({chosen, who, true});
    state_.end();
    statement(node->child(ast::Switch::body));
    const SourceSet divided = control().surely;
    guards_.pop_back();
    const SwitchFrame frame = std::move(switches_.back());
    switches_.pop_back();
    state_.join(targets_.back().broken, divided);
    targets_.pop_back();
    state_.join(frame.passed, divided);
    if (!frame.hasDefault) state_.join(frame.entry, divided);
    state_.comeBack(node);
}

// Who has left in an earlier case would not have come to this one.
void Walk::caseLabel(NodePtr node) {
    const bool isDefault = node->is<ast::Default>();
    if (switches_.empty()) {  // of a macro's switch
        state_.isReached = true;
    } else {
        SwitchFrame& frame = switches_.back();
        frame.hasDefault |= isDefault;
        if (!state_.isReached) {
            frame.passed.join(state_, control().surely);
            state_ = frame.entry;
        } else {
            state_.join(frame.entry, control().surely);
        }
    }
    statement(node->child(isDefault ? +ast::Default::body : +ast::Case::body));
}

// ---- exceptions --------------------------------------------------------------------------------

// An exception that nothing here catches ends the job, or is the caller's affair.
void Walk::raise(NodePtr node) {
    const auto target = std::find_if(targets_.rbegin(), targets_.rend(), [](const Target& each) {
        return each.construct->is<ast::Try>() || each.construct->is<ast::FunctionTry>();
    });
    if (target == targets_.rend()) return state_.end();
    target->broken.join(state_, control().surely);
    leave(target->construct, node);
}

// Any call may throw, in some processes or in all: a handler runs under what is known to differ
// about the `throw` statements of the body.
void Walk::tryBlock(NodePtr node, NodePtr body, NodePtr handlers) {
    State caught = state_;
    targets_.push_back({node, nullptr, State::never(), State::never()});
    statement(body);
    caught.join(targets_.back().broken, control().surely);
    targets_.pop_back();
    caught.join(state_, control().surely);
    caught.isReached = true;
    Guard guard{node, {}, true};
    for (const Left& each : caught.left)
        if (each.target == node) guard = {each.jump, each.who, true};
    caught.comeBack(node);
    State after = state_;
    guards_.push_back(guard);
    for (NodePtr handler : handlers->children()) {
        if (!ast::is<ast::Handler>(handler)) continue;
        state_ = caught;
        statement(handler->child(ast::Handler::body));
        after.join(state_, control().surely);
    }
    guards_.pop_back();
    state_ = std::move(after);
    state_.comeBack(node);
}

// ---- if and else ------------------------------------------------------------------------------

// Where all processes that came have gone elsewhere, it is the condition alone that tells who is
// missing behind: `if (quiet) { if (p.rank() > 0) return; print(); return; }`
void Walk::allAreGone(const State& before) {
    if (state_.isReached || !before.isReached) return;
    Coherence here;
    for (const Guard& each : guards_) here |= each.who;
    for (const Left& each : before.left) here |= each.who;
    for (Left& each : state_.left)
        if (before.whoLeftFor(each.target).none()) each.who = here;
    std::erase_if(state_.left, [](const Left& each) { return each.who.none(); });
}

void Walk::branch(NodePtr node) {
    statement(node->child(ast::If::initializer));
    const NodePtr condition = node->child(ast::If::condition);
    const NodePtr then = node->child(ast::If::then), otherwise = node->child(ast::If::otherwise);
    const Coherence who = test(condition);
    const auto known = flow::literalCondition(bare(condition));
    const State before = state_;
    guards_.push_back({condition, who, !known});
    if (known == false) state_.end();
    statement(then);
    allAreGone(before);
    const State afterThen = state_;
    state_ = before;
    if (known == true) state_.end();
    statement(otherwise);
    allAreGone(before);
    const SourceSet divided = control().surely;
    guards_.pop_back();
    state_.join(afterThen, divided);
    forgiveAlike(condition, {then, otherwise});
}

}  // namespace hpcc::check::alignment
