// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/halo/transfer.hpp"

#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "ast/visitor.hpp"
#include "check/facts.hpp"
#include "check/flow/class_code.hpp"
#include "check/flow/tracked.hpp"
#include "check/words.hpp"

#include <algorithm>
#include <set>

namespace hpcc::check::halo {

using flow::Step;

namespace {

bool isStatic(NodePtr declaration) {
    if (!declaration->is<ast::Declaration>()) return false;
    const std::string_view text = declaration->text();
    return text.starts_with("static ") || text.starts_with("thread_local ");
}

}  // namespace

void Transfer::run(const Step& step) {
    statement_ = step.statement;
    const NodePtr construct = step.kind == Step::Kind::Leave ? step.node : step.statement;
    if (ast::isAny<ast::For, ast::RangeFor, ast::While, ast::DoWhile>(construct)) pass(construct);
    switch (step.kind) {
    case Step::Kind::Evaluate:
        evaluate(step.node);
        return;
    case Step::Kind::Return:
        giveAway(step.node);
        return;
    case Step::Kind::Declare:
        return declare(step.part, isStatic(step.node));
    case Step::Kind::Nest:
        return nest(step.node);
    case Step::Kind::Opaque:
        return opaque(step.node);
    case Step::Kind::Destroy:
        return unknownCall();
    case Step::Kind::Forget:
        return forgetAll();
    case Step::Kind::Assume:
    case Step::Kind::Leave:
    case Step::Kind::Doubt:
        return drop(step);
    }
}

// A loop begins another round, or ends: what was written before was in other rounds.
void Transfer::pass(NodePtr loop) {
    for (Storage& each : state.storages())
        for (Side& side : each.fresh.sides())
            for (PartialWrite& write : side.partial) write.pass(loop);
}

// ---- declarations ------------------------------------------------------------------------------

void Transfer::declare(NodePtr node, bool isStatic) {
    if (node->is<ast::RangeFor>()) {
        const NodePtr range = bare(node->child(ast::RangeFor::range));
        bindNew(node, nullptr, typeOf(node), true);
        if (ast::is<ast::BracedInitializer>(range)) return bindOneOf(node, range);
        const bool isStandard = flow::isStandardClass(typeOf(range));
        if (flow::mayHaveOperators(typeOf(range)) && !isStandard) unknownCall();
        return;
    }
    const auto [declarator, value] = ast::declaredIn(node);
    const bool isReference = flow::bindsReference(declarator);
    if (isReference && handles_.pathOf(singleInitializer(value))) return;  // another name of it
    bindNew(node, value, typeOf(node), isReference);
    writeElements(node);
    if (isStatic)  // made in an earlier call, perhaps
        for (const std::size_t handle : handles_.under({node->symbol, ""}))
            bind(handle, foreign(handles_.type(handle), node->symbol));
}

// for (auto each : {a, b})
void Transfer::bindOneOf(NodePtr node, NodePtr list) {
    const auto handle = handles_.find(Path{node->symbol, ""});
    if (!handle) return;
    std::vector<int> listed;
    for (NodePtr each : list->children()) listed.push_back(evaluate(each).storage);
    if (std::ranges::find(listed, State::none) != listed.end()) return;
    const std::size_t rank = handles_.type(*handle)->slots.size();
    const Source one = make(Freshness(rank, Side::unknown()), Origin::Made, nullptr);
    if (one.storage == State::none) return;
    for (const int each : listed) state.noteAliases(one.storage, each);
    bind(*handle, one);
}

void Transfer::bindNew(NodePtr node, NodePtr initializer, const Type* type, bool isReference) {
    const bool isHandle = type->kind == TypeKind::Multiarray;
    const NodePtr value = initializer ? singleInitializer(initializer) : nullptr;
    const bool keepsSource = (isHandle || isWriteHaloSchedule(type)) && initializer &&
                             initializer->children().size() > 0;
    Source source;
    if (isReference && value) {
        source = mayChange(value);
        if (!keepsSource) source = {};
    } else if (keepsSource) {
        source = evaluate(value ? value : initializer->child(0));
    } else {
        giveAway(ast::is<ast::EqualInitializer>(initializer) ? value : initializer);
    }
    const bool isBound = isReference && (!value || typeOf(value)->kind == TypeKind::Class);
    if (!isBound && flow::mayRunCode(type)) unknownCall();
    if (!node->symbol) return;
    for (const std::size_t handle : handles_.under({node->symbol, ""})) {
        const bool isItself = handles_.path(handle).fields.empty();
        if (isItself && isWriteHaloSchedule(type) && source.storage == State::none) continue;
        const bool isMade = isItself && source.storage != State::none;
        const bool isNull = isItself && !initializer && !isReference;
        if (isMade)
            bind(handle, source);
        else
            bind(handle, make(Freshness(handles_.type(handle)->slots.size(), Side::unknown()),
                              isNull ? Origin::Made : Origin::Foreign, node->symbol));
    }
}

// ---- what is not looked into -------------------------------------------------------------------

void Transfer::opaque(NodePtr node) {
    const bool mayBeAny = ast::isUnknownName(node);
    for (std::size_t h = 0; h < handles_.count(); ++h) {
        const Symbol* root = handles_.path(h).root;
        if (!handles_.isTwin(h) && (mayBeAny || holdsWord(node->text(), root->name)))
            loseObject({root, ""});
    }
    unknownCall();
}

// ---- joins -------------------------------------------------------------------------------------

namespace {

// The variables that an expression is computed from, those behind stable variables included.
struct Sources : ast::Visitor {
    std::set<const Symbol*> variables;
    bool areFixed = true;  // nothing among them changes while the function runs

    void visitIdentifier(NodePtr node) override {
        const Symbol* symbol = node->symbol;
        if (symbol && symbol->kind == ast::SymbolKind::Enumerator) return;
        areFixed &= isStable(symbol) && !symbol->type->isReference;
        if (!symbol || !variables.insert(symbol).second) return;
        if (symbol->kind == ast::SymbolKind::Variable) visit(symbol->initializer);
    }
    void visitMember(NodePtr node) override {
        areFixed &= isStable(node->child(ast::Member::name)->symbol);
        visit(node->child(ast::Member::base));
    }
    void visitCall(NodePtr node) override { change(node); }
    void visitLambda(NodePtr node) override { change(node); }
    void visitAssign(NodePtr node) override { change(node); }
    void visitPostfix(NodePtr node) override { change(node); }
    void visitPointerMember(NodePtr node) override { change(node); }
    void visitOpaqueExpression(NodePtr node) override { change(node); }
    void visitConditionDeclaration(NodePtr node) override { change(node); }
    void change(NodePtr node) {
        areFixed = false;
        visitChildren(node);
    }
};

Sources sourcesOf(NodePtr expression) {
    Sources sources;
    sources.visit(expression);
    return sources;
}

// Whether the outcome of a condition may tell which way the program came.
// False only if `condition` is made of values that never change, and `write` stands under no
// condition on any of them: then a path that leads past `write` may take both branches.
//
//     for (int k = 0; k < n; ++k) {
//         if (k % 2 == 0) Adlib::writeHalo(a);     true: which branch is taken depends on k
//         if (periodic) Adlib::writeHalo(b);       false, for a parameter `periodic`
bool mayCorrelate(NodePtr condition, const flow::Surroundings* write) {
    const Sources own = sourcesOf(condition);
    if (!own.areFixed) return true;
    if (!write) return false;
    return std::ranges::any_of(write->conditions, [&](NodePtr each) {
        const Sources other = sourcesOf(each);
        return std::ranges::any_of(
            own.variables, [&](const Symbol* symbol) { return other.variables.contains(symbol); });
    });
}

}  // namespace

// Of paths that may not exist nothing is told.
void Transfer::drop(const Step& step) {
    const auto mayNotExist = [&](NodePtr write) {
        if (step.kind == Step::Kind::Doubt || !write) return true;
        if (step.kind == Step::Kind::Leave && step.node->span().contains(write->span()))
            return false;
        return !step.part || mayCorrelate(step.part, surroundings(write));
    };
    for (Storage& each : state.storages())
        for (Side& side : each.fresh.sides()) {
            if (side.isMixed() && mayNotExist(side.write)) side.forgetStale();
            std::erase_if(side.partial, [&](const PartialWrite& each) {
                return !each.isSure && mayNotExist(each.write);
            });
        }
}

void Transfer::forgetAll() {
    for (Storage& each : state.storages()) each.fresh.set(Side::unknown());
}

// ---- nests -------------------------------------------------------------------------------------

namespace {

bool isTouched(const std::vector<bool>& touched, int storage) {
    return storage >= 0 && storage < static_cast<int>(touched.size()) &&
           touched[static_cast<std::size_t>(storage)];
}

}  // namespace

// Reads see the state at the entry, writes count at the end. What calls inside do to an array, in
// some iterations perhaps, is not followed.
void Transfer::nest(NodePtr node) {
    const State entry = state;
    Nest inside;
    inside.entry = &entry;
    nest_ = &inside;
    walk(node);
    nest_ = nullptr;
    std::vector<bool> touched(entry.storages().size());
    for (std::size_t k = 0; k < touched.size(); ++k) {
        const int storage = static_cast<int>(k);
        if (!entry.areUsed(storage) || !state.areUsed(storage)) continue;
        touched[k] = state[storage].fresh != entry[storage].fresh;
        if (touched[k]) state[storage].fresh.set(Side::unknown());
    }
    judge(inside, node, touched);
    judgeTargets(inside);
    judgeDependence(inside, node);
    if (!inside.calls.empty()) unknownCall();
    if (inside.writesUnknown) unknownWrite();
    for (const int storage : inside.doubted) mayWrite({storage, false});
    for (const Write& each : inside.writes) {
        const bool isLost = isTouched(touched, each.target.storage) ||
                            mayBeReached(inside, each.how ? each.how->access : each.place);
        isLost ? mayWrite(each.target) : write(each.target, each.place, each.how);
    }
}

// Every expression of a nest, in source order.
void Transfer::walk(NodePtr node) {
    if (!node) return;
    if (node->is<ast::InitDeclarator>() || node->is<ast::ConditionDeclaration>())
        return declare(node);
    if (node->is<ast::RangeFor>()) {
        walk(node->child(ast::RangeFor::initializer));
        evaluate(node->child(ast::RangeFor::range));
        declare(node);
        return walk(node->child(ast::RangeFor::body));
    }
    switch (node->category()) {
    case ast::Category::Expression:
        evaluate(node);
        return;
    case ast::Category::Type:
    case ast::Category::Declarator:
        return;
    default:
        break;
    }
    const bool isUnread = node->is<ast::OpaqueStatement>() || node->is<ast::OpaqueDeclaration>();
    if (isUnread) return opaque(node);
    walkChildren(node);
}

// Indices end with the `overall` or `at` that binds them.
void Transfer::walkChildren(NodePtr node) {
    std::vector<const Symbol*>& indices = nest_->indices;
    const std::size_t before = indices.size();
    if (node->is<ast::At>()) indices.push_back(node->symbol);
    for (NodePtr child : node->children()) walk(child);
    if (node->is<ast::OverallHeader>())
        indices.push_back(node->symbol);
    else if (!node->is<ast::OverallHeaders>())
        indices.resize(before);
}

}  // namespace hpcc::check::halo
