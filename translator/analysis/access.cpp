// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/access.hpp"

#include <algorithm>

#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/specifiers.hpp"
#include "ast/type.hpp"
#include "source/name.hpp"

namespace hpcc::analysis {

NodePtr Loop::range() const {
    return header->is<ast::OverallHeader>() ? header->child(ast::OverallHeader::range) : nullptr;
}

NodePtr Loop::triplet() const {
    return header->is<ast::OverallHeader>() ? header->child(ast::OverallHeader::triplet) : nullptr;
}

bool Access::isIn(const Loop& wanted) const {
    for (const Loop* each = loop; each; each = each->outer)
        if (each->one == wanted.one) return true;
    return false;
}

IterationSpace::IterationSpace(const std::vector<NodePtr>& nests, std::optional<Names> changed)
    : changed_(changed.value_or(Names())), isChangeKnown_(changed) {
    for (const NodePtr nest : nests) {
        ast::Effects effects = ast::effectsOf(nest);
        if (!isChangeKnown_) changed_.merge(effects.assigned);
        declared_.merge(effects.declared);
        mayJump_ |= effects.mayJump;
        walk(nest, nullptr);
    }
}

void IterationSpace::walkChildren(NodePtr node, const Loop* loop) {
    for (const NodePtr child : node->children())
        if (child) walk(child, loop);
}

const Loop* IterationSpace::enter(NodePtr header, NodePtr name, const Loop* outer) {
    Loop& loop = loops_.emplace_back(Loop{header, name, outer});
    loop.one = &loop;
    loopAt_[header] = &loop;
    return &loop;
}

bool IterationSpace::counts(const CountingLoop& loop) const {
    const std::string_view name = loop.name->text();
    if (!loop.isOwn) return false;
    if (isChangeKnown_ && !changed_.contains(name)) return true;  // nor by another loop's body
    return !ast::effectsOf(loop.statement->child(ast::For::body)).assigned.contains(name);
}

void IterationSpace::enterFor(NodePtr node, const Loop* outer) {
    const auto counting = countingAhead(node);
    if (!counting || !counts(*counting)) return walkChildren(node, outer);
    walk(node->child(ast::For::initializer), outer);
    const Loop* loop = enter(node, counting->name, outer);
    loopAt_[node]->counting = counting;
    for (const uint32_t part : {ast::For::condition, ast::For::step, ast::For::body})
        walk(node->child(part), loop);
}

void IterationSpace::enterRangeFor(NodePtr node, const Loop* outer) {
    const NodePtr name = node->child(ast::RangeFor::declarator),
                  body = node->child(ast::RangeFor::body);
    const bool keeps =
        ast::is<ast::Identifier>(name) && !ast::effectsOf(body).assigned.contains(name->text());
    if (!keeps) return walkChildren(node, outer);
    walk(node->child(ast::RangeFor::range), outer);
    walk(body, enter(node, name, outer));
}

void IterationSpace::noteParent(NodePtr node) {
    if (!node->contains(ast::subscript)) return;
    for (const NodePtr child : node->children())
        if (child) parents_[child] = node;
}

void IterationSpace::walk(NodePtr node, const Loop* loop) {
    noteParent(node);
    switch (node->kind()) {
    case ast::Kind::Overall:
        noteParent(node->child(ast::Overall::headers));
        for (const NodePtr header : node->child(ast::Overall::headers)->children()) {
            noteParent(header);
            walkChildren(header, loop);
            loop = enter(header, header->child(ast::OverallHeader::index), loop);
        }
        return walk(node->child(ast::Overall::body), loop);
    case ast::Kind::At:
        walk(node->child(ast::At::location), loop);
        return walk(node->child(ast::At::body), enter(node, node->child(ast::At::index), loop));
    case ast::Kind::For:
        return enterFor(node, loop);
    case ast::Kind::RangeFor:
        return enterRangeFor(node, loop);
    case ast::Kind::Subscript:
        innermost_[node] = loop;
        return walkChildren(node, loop);
    case ast::Kind::InitDeclarator: {
        const NodePtr name = node->child(ast::InitDeclarator::declarator);
        const auto [value, isNew] = values_.try_emplace(
            name->symbol,
            Value{singleInitializer(node->child(ast::InitDeclarator::initializer)), loop});
        if (!isNew) value->second = {};
        return walkChildren(node, loop);
    }
    case ast::Kind::Compound:
        noteDeclarations(node, loop);
        return walkChildren(node, loop);
    default:
        return walkChildren(node, loop);
    }
}

namespace {

// True if it declares variables that are made anew each time, under one name.
bool declaresNew(NodePtr declaration) {
    const NodePtr specifiers = declaration->child(ast::Declaration::specifiers);
    for (const std::string_view word : {"static", "thread_local", "extern"})
        if (ast::isSpecifiedAs(specifiers, word)) return false;
    return !ast::anywhere(declaration, [](NodePtr each) {
        return each->is<ast::InitDeclarator>() && each->type && each->type->isReference;
    });
}

}  // namespace

void IterationSpace::noteDeclarations(NodePtr block, const Loop* loop) {
    for (std::size_t k = 0; k < block->children().size(); ++k) {
        const NodePtr declarators = ast::is<ast::Declaration>(block->child(k))
                                        ? block->child(k)->child(ast::Declaration::declarators)
                                        : nullptr;
        if (!declarators || !declaresNew(block->child(k))) continue;
        for (const NodePtr each : declarators->children()) {
            const NodePtr name = each->child(ast::InitDeclarator::declarator);
            if (!ast::is<ast::Identifier>(name) || !name->symbol) continue;
            const auto [at, isNew] =
                declaredAt_.try_emplace(name->symbol, Declared{block, k, loop});
            if (!isNew) at->second = {};
        }
    }
}

const IterationSpace::Declared* IterationSpace::declared(const Symbol* variable) const {
    const auto found = declaredAt_.find(variable);
    return found == declaredAt_.end() || !found->second.block ? nullptr : &found->second;
}

const Loop* IterationSpace::loopAt(NodePtr header) const {
    const auto found = loopAt_.find(header);
    return found == loopAt_.end() ? nullptr : found->second;
}

void IterationSpace::join(NodePtr header, NodePtr with) {
    loopAt_.at(header)->one = loopAt_.at(with)->one;
}

const Access& IterationSpace::access(NodePtr subscript) const {
    const auto [place, isNew] = accesses_.try_emplace(subscript);
    Access& access = place->second;
    if (!isNew) return access;
    access.node = subscript;
    for (const NodePtr each : subscript->child(ast::Subscript::subscripts)->children())
        access.subscripts.push_back({each});
    const auto loop = innermost_.find(subscript);
    access.loop = loop == innermost_.end() ? nullptr : loop->second;
    access.path = {subscript};
    for (auto up = parents_.find(subscript); up != parents_.end(); up = parents_.find(up->second))
        access.path.push_back(up->second);
    std::ranges::reverse(access.path);
    access.guards = guardsOn(access.path, skips_);
    return access;
}

// By names, which a pass gives to nests that it joins, but not of another variable of that name.
const Loop* IterationSpace::loopOf(NodePtr name, const Loop* place) const {
    for (; place; place = place->outer)
        if (place->name->text() == name->text() &&
            (place->name->symbol == name->symbol || !values_.contains(name->symbol)))
            return place;
    return nullptr;
}

bool IterationSpace::isStableThroughout(NodePtr node) {
    if (!node) return true;
    if (node->is<ast::Identifier>()) return !node->symbol || isStable(node->symbol);
    return std::ranges::all_of(node->children(), isStableThroughout);
}

bool IterationSpace::hasFixedNames(NodePtr node) const {
    if (!node) return true;
    if (node->is<ast::Identifier>())
        return source::isName(node->text()) && !changed_.contains(node->text()) &&
               !declared_.contains(node->text());
    return std::ranges::all_of(node->children(), [this](NodePtr c) { return hasFixedNames(c); });
}

bool IterationSpace::isFixed(NodePtr node) const {
    return node && ast::isPure(node) && hasFixedNames(node);
}

// To the end of the iteration.
bool IterationSpace::keepsValue(NodePtr node, const Loop* place) const {
    if (!node) return true;
    if (node->is<ast::Identifier>())
        return hasFixedNames(node) || loopOf(node, place) || isStable(node->symbol);
    return std::ranges::all_of(node->children(), [&](NodePtr c) { return keepsValue(c, place); });
}

IterationSpace::Value IterationSpace::valueOf(NodePtr name, const Loop* place) const {
    const Symbol* symbol = name->symbol;
    if (!isStable(symbol) || symbol->kind != ast::SymbolKind::Variable) return {};
    const auto own = values_.find(symbol);
    if (own == values_.end()) {
        const NodePtr value = singleInitializer(symbol->initializer);
        return isFixed(value) && isStableThroughout(value) ? Value{value, nullptr} : Value();
    }
    const Value& value = own->second;
    if (!value.expression || !keepsValue(value.expression, value.place)) return {};
    for (; place != value.place; place = place->outer)
        if (!place) return {};
    return value;
}

}  // namespace hpcc::analysis
