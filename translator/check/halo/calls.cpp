// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a call does to arrays.
#include "check/callee.hpp"

#include "ast/symbol.hpp"
#include "check/facts.hpp"
#include "check/flow/class_code.hpp"
#include "check/halo/transfer.hpp"
#include "check/library.hpp"

#include <algorithm>

namespace hpcc::check::halo {
namespace {

using ast::SymbolKind;

NodePtr argumentOf(NodePtr call, std::size_t k) {
    return call->child(ast::Call::arguments)->child(static_cast<uint32_t>(k));
}

std::size_t argumentCount(NodePtr call) {
    return call->child(ast::Call::arguments)->children().size();
}

// The name of a function of the library scope `space` of namespace hpspmd; "" for any other.
std::string_view libraryName(NodePtr callee, std::string_view space) {
    const Symbol* symbol = callee->symbol;
    if (!symbol || symbol->declaration || symbol->kind != SymbolKind::Function) return "";
    const Symbol* hpspmd = libraryScope()->findHere("hpspmd");
    const Symbol* scope = space.empty() ? hpspmd : hpspmd->members->findHere(space);
    return scope->members->findHere(symbol->name) == symbol ? symbol->name : std::string_view();
}

bool isStandardName(NodePtr callee) {
    if (callee->text().starts_with("std::")) return true;
    const Symbol* symbol = callee->symbol;
    if (!symbol || symbol->declaration) return false;
    const Symbol* known = libraryScope()->findHere("std")->members->findHere(symbol->name);
    return known == symbol || libraryScope()->findHere(symbol->name) == symbol;
}

std::string_view lastName(NodePtr callee) {
    std::string_view text = callee->text();
    text = text.substr(0, text.find('<'));
    const auto colon = text.rfind("::");
    return colon == text.npos ? text : text.substr(colon + 2);
}

bool mayBeCallable(NodePtr argument) {
    const Type* type = typeOf(argument);
    return type->kind == TypeKind::Function || ast::is<ast::Lambda>(bare(argument)) ||
           (type->classSymbol && type->classSymbol->shape == ast::StandardShape::Callable);
}

}  // namespace

Source Transfer::call(NodePtr node) {
    if (results_.macros().mayBeMacro(node)) {
        if (node->child(ast::Call::callee)->text() == "assert")
            evaluateChildren(node->child(ast::Call::arguments));
        else
            opaque(node);
        return {};
    }
    const NodePtr callee = bare(node->child(ast::Call::callee));
    if (const auto name = libraryName(callee, "Adlib"); !name.empty()) {
        collective(node, name);
        return {};
    }
    if (const auto name = libraryName(callee, ""); !name.empty()) return runtimeCall(node, name);
    if (callee->symbol && callee->symbol->kind == SymbolKind::Class &&
        !callee->symbol->declaration) {  // a class of the libraries: Index(3), BlockRange(n, d)
        evaluateChildren(node->child(ast::Call::arguments));
        return {};
    }
    const auto values = node->child(ast::Call::arguments)->children();
    if (callee->symbol && callee->symbol->kind == SymbolKind::Alias && values.size() == 1)
        return evaluate(values[0]);  // a cast: Field(a), Field being double [[-,-]]
    Source result;
    if (memberCall(node, result)) return result;
    if (isStandardName(callee)) return standardCall(node);
    if (const NodePtr body = results_.calledBody(node)) {
        const Result* known = results_.of(body);
        if (known && known->isKnown) return knownCall(node, known->summary, body);
    }
    unknownFunction(node);
    for (NodePtr argument : results_.declaredRefreshed(node)) {
        const Source source = evaluate(argument);
        if (source.storage == State::none) continue;
        const std::size_t rank = state[source.storage].fresh.rank();
        refresh(source, std::vector(rank, std::pair(allCells, allCells)));
    }
    return {};
}

// ---- the libraries -----------------------------------------------------------------------------

Source Transfer::runtimeCall(NodePtr node, std::string_view name) {
    const NodePtr first = argumentOf(node, 0);
    const Source source = evaluate(first);
    for (std::size_t k = 1; k < argumentCount(node); ++k) evaluate(argumentOf(node, k));
    if (name == "coherent") return source;
    const std::size_t rank = typeOf(node)->slots.size();
    if (!isKind(node, TypeKind::Multiarray)) return {};
    const bool copies = name == "clone" && source.storage != State::none && !source.isPart;
    if (name == "clone" && !copies)
        return make(Freshness(rank, Side::unknown()), Origin::Made, nullptr);
    Freshness fresh = copies ? state[source.storage].fresh : Freshness(rank, Side::fresh());
    for (Side& side : fresh.sides())
        if (side.isInitial) side = Side::unknown();
    return make(fresh, Origin::Made, nullptr);
}

// a.rng(0), a.data(), halo.execute(); false for methods of other classes.
bool Transfer::memberCall(NodePtr node, Source& result) {
    const NodePtr callee = bare(node->child(ast::Call::callee));
    if (!ast::is<ast::Member>(callee)) return false;
    const NodePtr base = bare(callee->child(ast::Member::base));
    const std::string_view name = callee->child(ast::Member::name)->text();
    const Type* type = typeOf(base);
    if (isWriteHaloSchedule(type)) {
        if (const auto handle = handles_.find(base)) {
            schedule(node, *handle, name);
        } else {
            evaluate(base);
            unknownCall();
        }
        return true;
    }
    if (isAdlibClass(type,
                     "WriteHalos")) {  // of these arrays, or all that its constructor was given
        evaluate(base);
        for (std::size_t k = 0; k < argumentCount(node); ++k)
            loseTrack(evaluate(argumentOf(node, k)));
        unknownCall();
        return true;
    }
    if (flow::isStandardClass(type)) {
        evaluate(base);
        result = standardCall(node);
        if (flow::mayRunCode(type)) unknownCall();  // of the elements
        return true;
    }
    if (!memberResult(type->kind, name)) return false;
    const Source source = evaluate(base);
    evaluateChildren(node->child(ast::Call::arguments));
    if (name == "data") loseTrack(source);
    return true;
}

void Transfer::schedule(NodePtr node, std::size_t handle, std::string_view name) {
    const bool runs = name == "execute" || name == "finish";
    const NodePtr other = argumentOf(node, 0);
    const Source source =
        other ? evaluate(other) : Source{state.storageOf(handle), state.isPart(handle)};
    const NodePtr made = handles_.path(handle).root->initializer;
    const bool isWhole = made && !made->is<ast::EqualInitializer>() && made->children().size() == 1;
    if (!runs || source.storage == State::none || !isWhole) return loseTrack(source);
    const std::size_t rank = state[source.storage].fresh.rank();
    refresh(source, std::vector(rank, std::pair(allCells, allCells)));
}

// Containers and algorithms keep the arrays that they get, and may call what they get.
Source Transfer::standardCall(NodePtr node) {
    const std::string_view name = lastName(bare(node->child(ast::Call::callee)));
    const std::size_t count = argumentCount(node);
    const bool isFree = !ast::is<ast::Member>(bare(node->child(ast::Call::callee)));
    if (isFree && count == 2 && name == "swap") {
        exchange(argumentOf(node, 0), argumentOf(node, 1));
        return {};
    }
    const bool passes = name == "move" || name == "forward" || name == "as_const";
    if (isFree && count == 1 && passes) return evaluate(argumentOf(node, 0));
    if (isFree && count == 2 && name == "exchange" && handles_.find(argumentOf(node, 0))) {
        const Source before = evaluate(argumentOf(node, 0));
        const Source after = evaluate(argumentOf(node, 1));
        bind(*handles_.find(argumentOf(node, 0)), after);
        return before;
    }
    bool calls = false;
    for (std::size_t k = 0; k < count; ++k) {
        const NodePtr argument = argumentOf(node, k);
        calls |= mayBeCallable(argument) || flow::mayRunCode(typeOf(argument));
        const bool isArithmetic =
            name == "to_string" || takesNumber(node, k) || typeOf(argument)->isConst;
        const bool mayBeChanged =
            isFree && !isArithmetic && ast::is<ast::Subscript>(bare(argument));
        mayBeChanged ? mayChange(argument) : giveAway(argument);
    }
    if (calls) unknownCall();
    return {};
}

void Transfer::exchange(NodePtr a, NodePtr b) {
    const auto first = handles_.pathOf(a), second = handles_.pathOf(b);
    evaluate(a);
    evaluate(b);
    if (flow::mayRunCode(typeOf(a))) {  // their class moves them, or exchanges them, itself
        unknownCall();
        mayChange(a);
        mayChange(b);
        return;
    }
    if (!first || !second) {
        change(a);
        return change(b);
    }
    const auto fields = handles_.under(*first);
    for (const std::size_t handle : fields) {
        const Path& path = handles_.path(handle);
        const auto other = handles_.find(
            Path{second->root, second->fields + path.fields.substr(first->fields.size())});
        if (!other || handles_.areTooMany()) continue;
        const Source x{state.storageOf(handle), state.isPart(handle)};
        const Source y{state.storageOf(*other), state.isPart(*other)};
        bind(handle, y);
        bind(*other, x);
    }
    const bool areMatched = fields.size() == handles_.under(*second).size();
    if (areMatched) return;
    loseObject(*first);
    loseObject(*second);
}

// ---- functions of the program ------------------------------------------------------------------

Source Transfer::knownCall(NodePtr node, const Summary& summary, NodePtr body) {
    const NodePtr callee = bare(node->child(ast::Call::callee));
    if (callee->is<ast::Member>()) evaluate(callee->child(ast::Member::base));
    std::vector<std::pair<NodePtr, Source>> arguments;
    const bool runsCode = passArguments(node, body, arguments);
    if (runsCode) unknownCall();
    struct Bound {
        const Effect* effect;
        NodePtr expression;
        std::optional<std::size_t> handle;
        Source source;
    };
    std::vector<Bound> bound;
    for (const Effect& effect : summary.effects) {
        const Actual actual = actualOf(effect.path.root, node, body);
        Bound each{&effect, actual.expression, std::nullopt, {}};
        std::optional<Path> path;
        if (actual.isOwn) path = effect.path;
        if (actual.expression) path = handles_.pathOf(actual.expression);
        if (path && actual.expression)
            path->fields +=
                (actual.isObject ? "." + effect.path.root->name : "") + effect.path.fields;
        if (path) each.handle = handles_.find(*path);
        if (each.handle && state.storageOf(*each.handle) == State::none)
            bind(*each.handle, foreign(handles_.type(*each.handle), path->root));
        if (each.handle)
            each.source = {state.storageOf(*each.handle), state.isPart(*each.handle)};
        else if (effect.path.fields.empty() && !actual.isObject)
            for (const auto& [argument, source] : arguments)
                if (argument == actual.expression) each.source = source;
        bound.push_back(each);
    }
    for (const Bound& each : bound) requireFresh(each.expression, *each.effect, each.source);
    const bool losesName = std::ranges::any_of(bound, [](const Bound& each) {
        return each.effect->names != Effect::itself && !each.handle;
    });
    if (summary.reachesUnknown || losesName) unknownCall();
    for (const Bound& each : bound) {
        apply(*each.effect, each.source, node, body);
        if (each.effect->isEscaped && each.handle) state.share(*each.handle);
    }
    std::vector<std::pair<std::size_t, Source>> renamed;
    for (const Bound& each : bound)
        if (each.effect->names != Effect::itself && each.handle)
            renamed.emplace_back(*each.handle, each.effect->names == Effect::unknown
                                                   ? Source{}
                                                   : bound[each.effect->names].source);
    for (const auto& [handle, source] : renamed) bind(handle, source);
    if (runsCode) unknownCall();  // the parameters end
    return {};
}

// Whether code runs that makes or ends the parameters.
bool Transfer::passArguments(NodePtr node, NodePtr body,
                             std::vector<std::pair<NodePtr, Source>>& passed) {
    bool runsCode = false;
    const auto given = node->child(ast::Call::arguments)->children();
    for (std::size_t k = 0; k < given.size(); ++k) {
        const NodePtr each = given[k];
        const Type* formal = formalType(body, k);
        const bool isMade = formal->kind == TypeKind::Class && isMadeFrom(*formal, each);
        const bool isElement = ast::is<ast::Subscript>(bare(each)) && !takesNumber(node, k);
        const int renumberings = renumberings_;
        const Source source = isElement || isVague(formal) ? mayChange(each)
                              : isMade                     ? giveAway(each)
                                                           : evaluate(each);
        if (renumberings_ != renumberings)
            for (auto& [argument, storage] : passed) storage = {};
        passed.emplace_back(each, source);
        runsCode |= mayBeCallable(each) || (isMade && flow::mayRunCode(formal));
    }
    for (std::size_t k = given.size(); NodePtr value = defaultValue(body, k); ++k) {
        giveAway(value);
        runsCode |= flow::mayRunCode(formalType(body, k));
    }
    return runsCode;
}

namespace {

// No path fills ghost cells.
bool onlyWrites(const Side& side) {
    return !side.isUnknown && side.floor == 0 && (!side.isKnown || side.most == 0);
}

}  // namespace

void Transfer::apply(const Effect& effect, const Source& source, NodePtr node, NodePtr body) {
    const bool leavesAlone = std::ranges::all_of(effect.after.sides(), [](const Side& side) {
        return side.isOnlyInitial() && side.floor == 0 && side.partial.empty();
    });
    if (source.storage == State::none) {
        if (!leavesAlone) unknownCall();
        return;
    }
    if (effect.isEscaped) escape(source);
    const bool isWalked = nest_ && statement_->span().contains(body->span());  // a lambda
    if (leavesAlone || (isWalked && std::ranges::all_of(effect.after.sides(), onlyWrites))) return;
    if (nest_ || source.isPart || state[source.storage].fresh.rank() != effect.after.rank())
        return loseTrack(source);
    statements_[node] = statement_;
    for (const int alias : state.aliasesOf(source.storage)) state[alias].fresh.set(Side::unknown());
    std::vector<Side>& sides = state[source.storage].fresh.sides();
    for (std::size_t k = 0; k < sides.size(); ++k) {
        Side after = effect.after.sides()[k], before = sides[k];
        if (after.write) after.write = node;
        for (PartialWrite& each : after.partial)
            each = {node, elementsOf(each, node), false, each.isSure, each.filled};
        if (!after.isInitial) {
            sides[k] = after;
            continue;
        }
        before.refresh(after.floor);
        after.isInitial = false;
        const bool isElse = after.isKnown || after.isUnknown;
        const bool mayFill = after.isUnknown || (after.isKnown && after.most > before.least);
        if (mayFill) before.doubtStale();  // the path that fills nothing may not exist here
        const std::vector<PartialWrite> added = std::move(after.partial);
        after.partial = before.partial;
        if (isElse) before.join(after);
        for (const PartialWrite& each : added) before.add(each);
        sides[k] = before;
    }
}

// Out of sight: it may do anything to the arrays that it can reach.
void Transfer::unknownFunction(NodePtr node) {
    const NodePtr callee = bare(node->child(ast::Call::callee));
    if (ast::is<ast::Member>(callee)) {
        const NodePtr base = callee->child(ast::Member::base);
        if (const auto path = handles_.pathOf(base))
            loseObject(*path);
        else
            mayChange(base);
    } else {
        evaluate(callee);
    }
    for (std::size_t k = 0; k < argumentCount(node); ++k) {
        const NodePtr argument = argumentOf(node, k);
        if (isKind(argument, TypeKind::Multiarray)) {
            const Source source = giveAway(argument);
            loseTrack(source);
            if (source.storage != State::none) state[source.storage].origin = Origin::Foreign;
        } else if (takesNumber(node, k)) {
            evaluate(argument);
        } else {
            mayChange(argument);
        }
    }
    unknownCall();
}

}  // namespace hpcc::check::halo
