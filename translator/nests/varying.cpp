// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/varying.hpp"

#include <algorithm>

#include "analysis/plain_values.hpp"
#include "ast/effects.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"

namespace hpcc::nests {

using ast::NodePtr;

namespace {

std::map<std::string_view, int> mentionsIn(NodePtr node) {
    std::map<std::string_view, int> result;
    for (const NodePtr each : ast::allOf<ast::Identifier>(node)) ++result[each->text()];
    return result;
}

}  // namespace

/// What varies makes more vary, until nothing changes any more.
Varying::Varying(const Loop& loop) : loop_(loop), mentions_(mentionsIn(bodyOf(loop))) {
    names_.insert(loop.variable);
    do {
        hasChanged_ = false;
        partial_.clear();
        common_.clear();
        homes_.clear();
        depth_ = ways_[loop.statement].continues;
        for (const ast::Symbol* vector : loop.scratch) homes_[vector->name] = {depth_, 1};
        rounds_ = {{loop.statement, depth_}};
        scan(bodyOf(loop_));
    } while (hasChanged_);
}

/// How long a container is does not.
bool Varying::varies(NodePtr e) const {
    if (!e || (ast::is<ast::Call>(e) && ast::asksContainer(e))) return false;
    return (ast::is<ast::Identifier>(e) && names_.contains(e->text())) ||
           std::ranges::any_of(e->children(), [this](NodePtr each) { return varies(each); });
}

void Varying::scan(NodePtr statement) {
    if (!statement) return;
    if (ast::is<ast::Declaration>(statement)) return declare(statement, depth_);
    if (ast::isAny<ast::For, ast::While, ast::DoWhile>(statement)) return scanLoop(statement);
    if (ast::isAny<ast::Break, ast::Continue>(statement)) return jump(statement);
    if (ast::isExpression(statement)) return assignIn(statement);
    const bool differs =
        ast::is<ast::If>(statement) && varies(statement->child(ast::If::condition));
    depth_ += differs;
    for (const NodePtr child : statement->children()) scan(child);
    depth_ -= differs;
}

void Varying::scanLoop(NodePtr loop) {
    Way& way = ways_[loop];
    const int outer = depth_;
    if (varies(conditionOf(loop))) set(way.leaves);
    const NodePtr first = ast::is<ast::For>(loop) ? loop->child(ast::For::initializer) : nullptr;
    if (!ast::is<ast::Declaration>(first)) assignIn(first);
    depth_ += way.leaves;
    if (ast::is<ast::Declaration>(first)) declare(first, depth_);
    if (way.leaves) bringInto(loop, outer);
    assignIn(conditionOf(loop));
    depth_ += way.continues;
    rounds_.push_back({loop, depth_});
    scan(bodyOf(loop));
    rounds_.pop_back();
    depth_ -= way.continues;
    if (ast::is<ast::For>(loop)) assignIn(loop->child(ast::For::step));
    depth_ = outer;
}

/// Numbers declared in front of a loop that nothing outside of it mentions live inside of it.
void Varying::bringInto(NodePtr loop, int outer) {
    for (const auto& [name, count] : mentionsIn(loop)) {
        const auto home = homes_.find(name);
        if (home != homes_.end() && home->second.depth == outer &&
            home->second.loops == static_cast<int>(rounds_.size()) && mentions_[name] == count + 1)
            home->second.depth = depth_;
    }
}

void Varying::declare(NodePtr declaration, int depth) {
    const NodePtr list = declaration->child(ast::Declaration::declarators);
    if (!list) return;
    for (const NodePtr each : list->children()) {
        const NodePtr name = analysis::variableOf(each->child(ast::InitDeclarator::declarator));
        if (!name) continue;
        assignIn(each->child(ast::InitDeclarator::initializer));
        homes_.insert_or_assign(name->text(), Home{depth, static_cast<int>(rounds_.size())});
        if (varies(each->child(ast::InitDeclarator::initializer))) vary(name->text());
    }
}

/// Vectors that change places all have what one of them has.
void Varying::exchange(NodePtr call, NodePtr one, NodePtr other) {
    for (const auto& [from, to] : {std::pair(one, other), std::pair(other, one)}) {
        const auto home = homes_.find(to->text());
        if (home == homes_.end()) continue;
        const auto partner = homes_.find(from->text());
        const bool areTogether =
            partner != homes_.end() && partner->second.loops == home->second.loops;
        const bool isPartial = home->second.depth < depth_ || !areTogether;
        if (isPartial) partial_.insert(call);
        if (isPartial || varies(from)) vary(to->text());
    }
}

void Varying::assignIn(NodePtr e) {
    ast::anywhere(e, [this](NodePtr each) {
        if (const auto [one, other] = exchangedBy(each); one) exchange(each, one, other);
        NodePtr target = ast::withoutParentheses(ast::changedOperand(each));
        bool differs = each->is<ast::Assign>() && varies(each->child(ast::Assign::value));
        for (; ast::is<ast::Subscript>(target); target = target->child(ast::Subscript::base))
            differs |= varies(target->child(ast::Subscript::subscripts));
        const auto home =
            ast::is<ast::Identifier>(target) ? homes_.find(target->text()) : homes_.end();
        if (home == homes_.end()) return false;
        const bool isPartial = home->second.depth < depth_;
        if (isPartial) partial_.insert(each);
        if (isPartial || differs) vary(target->text());
        return false;
    });
}

void Varying::jump(NodePtr statement) {
    const Round& round = rounds_.back();
    Way& way = ways_[round.loop];
    const bool isDeeper = depth_ > round.bodyDepth;
    if (ast::is<ast::Continue>(statement)) {
        if (isDeeper) return set(way.continues);
    } else if (isDeeper || way.continues) {
        set(way.breaks);
        return set(way.leaves);
    }
    common_.insert(statement);
}

}  // namespace hpcc::nests
