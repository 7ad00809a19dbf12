// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What calls do: collectives, the runtime's inquiries, functions of the program, of libraries.
#include "ast/symbol.hpp"
#include "check/alignment/library_calls.hpp"
#include "check/alignment/objects.hpp"
#include "check/alignment/walk.hpp"
#include "check/callee.hpp"
#include "check/flow/returning.hpp"
#include "check/wording.hpp"

#include <algorithm>

namespace hpcc::check::alignment {
namespace {

using ast::Kind;
using ast::SymbolKind;

// const hpspmd::Procs1 -> Procs1
std::string_view className(const Type* type) {
    std::string_view name = type->spelled;
    if (name.starts_with("const ")) name.remove_prefix(6);
    if (const auto colon = name.rfind("::"); colon != name.npos) name.remove_prefix(colon + 2);
    return name;
}

bool isGridType(const Type* type) {
    return type->kind == TypeKind::Group && !type->isReference &&
           className(type).starts_with("Procs");
}

// Its constructor is a collective.
bool isMeasured(const Type* type) {
    return type->kind == TypeKind::Range && !type->isReference &&
           className(type) == "MeasuredRange";
}

// The functions of the program that a call may mean; empty if one of them is not in sight.
std::vector<const Symbol*> chosen(const Symbol* symbol, std::size_t count) {
    std::vector<const Symbol*> functions;
    for (; symbol; symbol = symbol->previous) {
        if (!symbol->declaration || !symbol->type || symbol->type->kind != TypeKind::Function)
            return {};
        if (acceptsCount(*symbol->type, count)) functions.push_back(symbol);
    }
    return functions;
}

// The grids among the fields of a class, which its constructors make.
const Symbol* gridField(const Symbol& classSymbol) {
    if (!classSymbol.members) return nullptr;
    for (const Symbol* each : classSymbol.members->symbols()) {
        const bool isGrid = each->kind == SymbolKind::Field && each->type && isGridType(each->type);
        const bool isMade =
            isGrid &&
            !(each->initializer && isKind(singleInitializer(each->initializer), TypeKind::Group));
        if (isMade) return each;
    }
    return nullptr;
}

bool initializes(NodePtr constructor, const Symbol* field) {
    const NodePtr list = constructor->child(ast::FunctionDefinition::initializers);
    return list && std::ranges::any_of(list->children(),
                                       [&](NodePtr each) { return each && each->symbol == field; });
}

bool isStandardObject(NodePtr callee) {
    const Type* type = typeOf(callee);
    return type->spelled.starts_with("std::") && type->kind == TypeKind::Unknown;
}

bool isInitializedByUser(const Symbol& classSymbol) {
    return classSymbol.members && classSymbol.members->findHere("(constructor)");
}

}  // namespace

Coherence Walk::call(NodePtr node) {
    if (summaries_.macros().mayBeMacro(node)) return macro(node);
    const NodePtr callee = bare(node->child(ast::Call::callee));
    const NodePtr arguments = node->child(ast::Call::arguments);
    if (callee->is<ast::Lambda>()) return calledLambda(node, callee);
    if (callee->is<ast::Member>() || callee->is<ast::PointerMember>())
        return memberCall(node, callee);
    const Symbol* symbol = callee->symbol;
    const NodePtr value = isStable(symbol) ? singleInitializer(symbol->initializer) : nullptr;
    if (ast::is<ast::Lambda>(value)) return calledLambda(node, value);
    if (symbol && (symbol->kind == SymbolKind::Class || symbol->kind == SymbolKind::Alias))
        return construct(node, typeOf(node), arguments);
    if (const std::string name = adlibFunction(symbol); !name.empty()) return adlibCall(node, name);
    if (isAssertedCoherent(symbol)) {
        evaluateAll(arguments);
        return {};
    }
    if (symbol && symbol->kind == SymbolKind::Function) {
        const auto functions = chosen(symbol, arguments->children().size());
        if (!functions.empty()) return userCall(node, functions, arguments);
    }
    return libraryCall(node);
}

// What a macro makes of its arguments is not known: it may give them other values.
Coherence Walk::macro(NodePtr node) {
    const NodePtr arguments = node->child(ast::Call::arguments);
    if (node->child(ast::Call::callee)->text() != "assert") return unknownCall(arguments);
    evaluateChildren(arguments);
    return {};
}

std::vector<Coherence> Walk::evaluateAll(NodePtr arguments) {
    std::vector<Coherence> values;
    if (arguments)
        for (NodePtr each : arguments->children()) values.push_back(evaluate(each));
    return values;
}

// ---- Adlib and grids ---------------------------------------------------------------------------

Coherence Walk::adlibCall(NodePtr node, const std::string& name) {
    const NodePtr arguments = node->child(ast::Call::arguments);
    const std::vector<Coherence> values = evaluateAll(arguments);
    if (isOneSided(name)) return oneSidedCall(node, name, values);
    const bool isShift = name.ends_with("shift") || name.ends_with("skew");
    for (std::size_t k = 0; k < values.size(); ++k) {
        const NodePtr each = arguments->child(static_cast<uint32_t>(k));
        const bool isArray = isKind(each, TypeKind::Multiarray);
        if (isArray) containment(node, name, each);
        const NodePtr inner = bare(each);
        const bool isPart = isArray && !ast::is<ast::Identifier>(inner);
        if (isPart || (isShift && k >= 2)) equalArgument(node, name, each, values[k]);
        if (isArray && ast::is<ast::Identifier>(inner) && inner->symbol)
            state_.values.set({inner->symbol, "[]"}, {});
    }
    collective(node, {node, name});
    return {};
}

// get(local, section), fetchAdd(old, section, by): the local array will hold what this process
// alone has asked for, and old values are those of its turn.
Coherence Walk::oneSidedCall(NodePtr node, const std::string& name,
                             const std::vector<Coherence>& values) {
    const bool tells = name == "Adlib::get" || name == "Adlib::fetchAdd";
    const NodePtr local = bare(node->child(ast::Call::arguments)->child(0));
    if (!tells || !ast::is<ast::Identifier>(local) || !local->symbol) return {};
    Coherence told = control();
    for (const Coherence& each : values) told |= each;
    if (name == "Adlib::fetchAdd")
        told |= source(Source::everywhere(node, "each process is told the values of its own turn"));
    const Variable elements{local->symbol, "[]"};
    set(elements, state_.values.of(elements) | told);
    return {};
}

// `T v(..)`, `T(..)`, `new T(..)`: a value of the type.
Coherence Walk::construct(NodePtr place, const Type* type, NodePtr given) {
    const NodePtr single = given ? singleInitializer(given) : nullptr;
    if ((isGridType(type) && !(single && isKind(single, TypeKind::Group))) ||
        (isMeasured(type) && given && !single)) {
        const std::string name = type->spelled;
        if (given) {
            for (NodePtr each : given->children()) {
                const Coherence value = evaluate(each);
                equalArgument(place, name, each, value);
            }
        }
        collective(place, {place, name});
        return {};
    }
    if (isSchedule(type) && given && !(single && isSchedule(typeOf(single)))) {
        for (NodePtr each : given->children()) {
            evaluate(each);
            containment(place, "Adlib::" + type->classSymbol->name, each);
        }
        collective(place, {place, "Adlib::" + type->classSymbol->name});
        return {};
    }
    const Symbol* classSymbol = type->kind == TypeKind::Class ? type->classSymbol : nullptr;
    const bool isCopy = single && typeOf(single)->classSymbol == classSymbol && classSymbol;
    const bool isMade = classSymbol && classSymbol->declaration && !type->isReference && !isCopy &&
                        !ast::is<ast::EqualInitializer>(given);
    if (!isMade) return initializer(given);
    if (!isInitializedByUser(*classSymbol)) {
        if (const Symbol* grid = gridField(*classSymbol))
            collective(place, {grid->declaration, grid->type->spelled});
        return initializer(given);
    }
    const std::size_t count = given ? given->children().size() : 0;
    const auto functions = chosen(classSymbol->members->findHere("(constructor)"), count);
    if (functions.size() != 1) return initializer(given);
    const NodePtr definition = summaries_.functions().definition(*functions[0]);
    const Symbol* grid = gridField(*classSymbol);
    if (definition && grid && !initializes(definition, grid))
        collective(place, {grid->declaration, grid->type->spelled});
    return userCall(place, functions, given);
}

// ---- functions of the program ------------------------------------------------------------------

// Whether a call may run an override: not `object.f()` of a variable, nor `Base::f()`.
bool Walk::isDynamic(NodePtr call, const Symbol& function) const {
    const NodePtr callee =
        call->is<ast::Call>() ? bare(call->child(ast::Call::callee)) : NodePtr(nullptr);
    if (!callee || callee->is<ast::QualifiedName>()) return false;
    const Symbol* object =
        callee->is<ast::Member>() ? plainVariable(bare(callee->child(ast::Member::base))) : nullptr;
    const bool isOfVariable = object && object->type && object->type->kind == TypeKind::Class &&
                              !object->type->isReference;
    return !isOfVariable && summaries_.functions().mayBeOverridden(function);
}

// One of those in sight, or another one: a collective that any of them reaches is perhaps reached.
Coherence Walk::virtualCall(NodePtr node, const Symbol& function, NodePtr arguments) {
    std::vector<const Symbol*> called = summaries_.functions().overriders(function);
    called.insert(called.begin(), &function);
    const Coherence value = unknownCall(arguments);
    for (const Symbol* each : called) {
        Collective reached = summaries_.of(*each).collective;
        if (!reached.place) continue;
        reached.isSure = false;
        collective(node, reached);
        break;
    }
    return value;
}

// Of several overloads only what all of them do is known.
Coherence Walk::userCall(NodePtr node, const std::vector<const Symbol*>& functions,
                         NodePtr arguments) {
    results_.erase(node);
    if (functions.size() == 1 && isDynamic(node, *functions[0]))
        return virtualCall(node, *functions[0], arguments);
    const Summary first = summaries_.of(*functions[0]);
    const bool agree = std::ranges::all_of(functions, [&](const Symbol* each) {
        return each == functions[0] || summaries_.functions().definition(*each) ==
                                           summaries_.functions().definition(*functions[0]);
    });
    if (agree && first.isKnown) return summarized(node, *functions[0], first, arguments);
    const bool allReach = std::ranges::all_of(functions, [&](const Symbol* each) {
        return summaries_.of(*each).collective.place != nullptr;
    });
    const Coherence value = unknownCall(arguments);
    if (allReach) collective(node, first.collective);
    return value;
}

Coherence Walk::summarized(NodePtr node, const Symbol& function, const Summary& summary,
                           NodePtr arguments) {
    const std::vector<Coherence> values = evaluateAll(arguments);
    const auto translated = [&](const Coherence& parameters, const std::vector<Coherence>& values) {
        Coherence value;
        for (std::size_t k = 0; k < values.size() && k < mostSources; ++k)
            if (parameters.perhaps[k])
                value |= parameters.surely[k] ? values[k] : values[k].weakened();
        return value;
    };
    const auto argumentAt = [&](std::size_t k) {
        return arguments->child(static_cast<uint32_t>(k));
    };
    methodArguments(node, function, arguments, values);
    for (const auto& [k, inner] : summary.given)
        if (k < values.size()) containment(node, function.name, argumentAt(k));
    if (summary.collective.place) collective(node, summary.collective);
    for (std::size_t k = 0; k < values.size() && k < mostSources; ++k) {
        if (!summary.decisive.perhaps[k] || !state_.isReached) continue;
        const Coherence who = summary.decisive.surely[k] ? values[k] : values[k].weakened();
        for (const bool isSure : {true, false})
            if (const Source* source = differing(isSure ? who.surely : who.perhaps))
                find({isSure ? Id::DecisiveArgument : Id::PerhapsDecisiveArgument, argumentAt(k),
                      summary.decided.name, node, *source, textOf(argumentAt(k)), function.name,
                      summary.decided});
        decideLater(node, summary.decided, {{argumentAt(k), who, Id::DecisiveArgument}});
    }
    forgetShared();
    const auto differingHere = [&](const Outcome& outcome, NodePtr place, std::string reason) {
        const Source& inner = outcome.source;
        Source made = Source::everywhere(place, std::move(reason));
        made.origin = inner.origin ? inner.origin : inner.place;
        made.originReason = inner.origin ? inner.originReason : inner.reason;
        const Coherence value = source(std::move(made));
        return outcome.isSure ? value : value.weakened();
    };
    for (const auto& [changed, outcome] : summary.changed) {
        const auto& [k, part] = changed;
        const NodePtr argument = k < values.size() ? bare(argumentAt(k)) : nullptr;
        if (!argument) continue;
        const auto place = placeOf(argument);
        const bool isPart = !part.empty();
        if (isPart && !(place && place->part.empty())) {
            loseSight(argument);
            continue;
        }
        std::vector<Coherence> old = values;
        if (isPart) old[k] = state_.values.of({place->symbol, part});
        Coherence value = translated(outcome.on, old) | control();
        if (outcome.source.place)
            value |= differingHere(outcome, argument,
                                   "'" + function.name + "' changes '" + textOf(argument) +
                                       "' to what differs between processes");
        if (isPart)
            set({place->symbol, part}, value);
        else
            assign(argument, value);
    }
    const auto resultOf = [&](const Outcome& outcome) {
        Coherence result = translated(outcome.on, values);
        if (outcome.source.place)
            result |= differingHere(
                outcome, node, "'" + function.name + "' returns what differs between processes");
        return result;
    };
    const Coherence result = resultOf(summary.result);
    Composed& object = results_[node] = {result, {}};
    for (const auto& [part, outcome] : summary.resultParts) object.parts[part] = resultOf(outcome);
    if (flow::neverReturns(node)) state_.end();
    return result;
}

// Whatever is named may be changed by a function out of sight.
Coherence Walk::unknownCall(NodePtr arguments) {
    for (std::size_t k = 0; arguments && k < arguments->children().size(); ++k) {
        const NodePtr inner = bare(arguments->child(static_cast<uint32_t>(k)));
        if (!ast::is<ast::Identifier>(inner)) evaluate(inner);
        if (const Symbol* symbol = rootOf(inner)) forget(symbol);
    }
    forgetShared();
    return {};
}

// std::swap(a, b), and std::exchange(a, value), which returns what a was.
Coherence Walk::exchange(NodePtr node) {
    const NodePtr arguments = node->child(ast::Call::arguments);
    const NodePtr one = bare(arguments->child(0)), other = bare(arguments->child(1));
    const Coherence first = evaluate(one), second = evaluate(other);
    const bool isSwap = node->child(ast::Call::callee)->text().ends_with("swap");
    assign(one, second | control());
    if (isSwap) assign(other, first | control());
    return isSwap ? Coherence() : first;
}

// ---- functions of libraries --------------------------------------------------------------------

Coherence Walk::libraryCall(NodePtr node) {
    const NodePtr callee = bare(node->child(ast::Call::callee));
    const NodePtr arguments = node->child(ast::Call::arguments);
    const bool isName = callee->is<ast::Identifier>() || callee->is<ast::QualifiedName>();
    if (!isName) {  // std::random_device{}(), f()()
        const Coherence object = evaluate(callee);
        return object | unknownCall(arguments);
    }
    if (endsProcess(callee)) {
        evaluateAll(arguments);
        leave(function_, node);
        return {};
    }
    if (flow::neverReturns(node)) {
        evaluateAll(arguments);
        state_.end();
        return {};
    }
    const bool isRuntime = callee->symbol && !callee->symbol->declaration;
    const bool isObject = isStandardObject(callee);  // distribution(generator)
    const bool computes = isStandardComputation(callee) || isRuntime || isObject;
    if (exchangesValues(callee) && arguments->children().size() == 2) return exchange(node);
    Coherence value = isObject ? read(callee) : Coherence();
    std::vector<Coherence> values;
    if (computes)
        values = evaluateAll(arguments);
    else
        unknownCall(arguments);
    for (const Coherence& each : values) value |= each;
    if (const auto place = placeOf(node)) value = state_.values.of(*place);  // std::get<0>(t)
    if (const auto part = resultPart(node)) value = *part;                   // std::get<0>(f())
    if (mayChangeArguments(callee))
        for (NodePtr each : arguments->children())
            if (const Symbol* symbol = rootOf(each)) forget(symbol);
    const bool isGetline = callee->text().ends_with("getline") && values.size() >= 2;
    if (isGetline) assign(arguments->child(1), values[0] | control());
    if (const std::string reason = differingResult(callee); !reason.empty())
        value |= source(Source::everywhere(node, reason));
    for (std::size_t k = 0; k < arguments->children().size(); ++k) {
        const std::string reason = differingArgument(node, k);
        if (reason.empty()) continue;
        NodePtr argument = bare(arguments->child(static_cast<uint32_t>(k)));
        if (ast::is<ast::Unary>(argument)) argument = bare(argument->child(ast::Unary::operand));
        if (argument->symbol) escaped_.erase(argument->symbol);
        assign(argument, source(Source::everywhere(node, reason)) | control());
    }
    return value;
}

}  // namespace hpcc::check::alignment
