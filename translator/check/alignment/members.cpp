// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of methods.
#include "ast/symbol.hpp"
#include "check/alignment/library_calls.hpp"
#include "check/alignment/objects.hpp"
#include "check/alignment/walk.hpp"
#include "check/callee.hpp"
#include "check/library.hpp"
#include "check/wording.hpp"

#include <algorithm>

namespace hpcc::check::alignment {
Coherence Walk::memberCall(NodePtr node, NodePtr callee) {
    const NodePtr base = bare(callee->child(0));
    const NodePtr name = callee->child(1);
    const NodePtr arguments = node->child(ast::Call::arguments);
    const Type* type = typeOf(base);
    const bool isRuntime = callee->is<ast::Member>() && memberResult(type->kind, name->text());
    if (isRuntime || type->kind == TypeKind::Location) return runtimeMember(node, callee);
    const bool isOwn = base->text() == "this";
    const Coherence object = isOwn ? Coherence() : evaluate(base);
    const std::string_view word = name->text();
    if (isSchedule(type) && isOneOf(word, {"execute", "start", "finish", "restore", "now", "every",
                                           "add", "write", "close", "next"})) {
        collective(node, {node, "Adlib::" + type->classSymbol->name + "::" + std::string(word)});
        return {};
    }
    const Symbol* symbol = name->symbol;
    const bool isFunction = symbol && symbol->kind == ast::SymbolKind::Function;
    if (isFunction && symbol->declaration) {
        std::vector<const Symbol*> methods;
        for (const Symbol* each = symbol; each; each = each->previous)
            if (each->type && acceptsCount(*each->type, arguments->children().size()))
                methods.push_back(each);
        if (!methods.empty()) {
            const Coherence result = userCall(node, methods, arguments);
            const bool isChanged = !isOwn && !std::ranges::all_of(methods, [](auto each) {
                return isQualified(*each, "const");
            });
            if (const Symbol* variable = isChanged ? rootOf(base) : nullptr) forget(variable);
            return result;
        }
    }
    if (isStandardQuestion(word)) {
        if (pointsInside(word)) loseSight(base);
        const auto place = placeOf(node);
        Coherence value = place                 ? state_.values.of(*place)
                          : word == "has_value" ? object.weakened()
                                                : object;
        for (const Coherence& each : evaluateAll(arguments)) value |= each;
        return value;
    }
    const bool isStandard = type->spelled.starts_with("std::") || type->kind == TypeKind::String ||
                            (type->classSymbol && !type->classSymbol->declaration);
    if (isStandard) {
        standardChange(base, word, evaluateAll(arguments));
        return object;
    }
    unknownCall(arguments);
    if (ast::is<ast::Identifier>(base) && base->symbol) forget(base->symbol);
    return {};
}

// v.push_back(e), v.clear(), v.resize(n): what a variable of the standard library holds then.
void Walk::standardChange(NodePtr base, std::string_view method,
                          const std::vector<Coherence>& arguments) {
    const Symbol* symbol = plainVariable(base);
    if (!symbol) {
        if (const Symbol* outer = rootOf(base)) forget(outer);
        return;
    }
    Coherence given;
    for (const Coherence& each : arguments) given |= each;
    if (addsElements(method)) {
        assignSomeElement(symbol, given | control());
        set({symbol, ""}, state_.values.of({symbol, ""}) | control());
    } else {
        forget(symbol);
        set({symbol, ""}, (method == "resize" ? given : given.weakened()) | control());
    }
}

// rank(), crd() and the like, of groups, dimensions, ranges, arrays and locations.
Coherence Walk::runtimeMember(NodePtr node, NodePtr callee) {
    const NodePtr base = bare(callee->child(ast::Member::base));
    const std::string_view name = callee->child(ast::Member::name)->text();
    Coherence value = evaluate(base);
    for (const Coherence& each : evaluateAll(node->child(ast::Call::arguments))) value |= each;
    const Symbol* symbol = ast::is<ast::Identifier>(base) ? base->symbol : nullptr;
    Source made;
    made.place = node;
    const std::string what = "'" + textOf(node) + "'";
    const TypeKind kind = typeOf(base)->kind;
    if (kind == TypeKind::Group && name == "rank") {
        made.reason = what + " is another number in each process";
        const int rank = isStable(symbol) ? gridRank(symbol) : -1;
        if (rank == 0) return value;
        for (int r = 0; r < rank; ++r) {
            RangeFacts axis;
            axis.grid = symbol;
            axis.axis = r;
            made.along.push_back(axis);
        }
        made.isEverywhere = rank < 0;
    } else if (kind == TypeKind::Group && name == "amMember") {
        if (!mayHaveOutsiders(symbol)) return value;
        made.reason = what + " is true in the members of '" + symbol->name + "' only";
        made.members = symbol;
    } else if (name == "crd" && (kind == TypeKind::Dimension || kind == TypeKind::Range)) {
        made.reason = what + " is another number at each coordinate";
        made.along = {rangeFacts(base)};
    } else if (name == "localBlocks" || name == "localBlock" || name == "localExtent") {
        made.reason = what + " tells what this process holds";
        const NodePtr number = node->child(ast::Call::arguments)->child(0);
        const auto r = number ? constantValue(number) : 0;
        const bool isArray = kind == TypeKind::Multiarray;
        made.along = {!isArray ? rangeFacts(base)
                      : r      ? dimensionFacts(base, static_cast<std::size_t>(*r))
                               : RangeFacts{}};
        if (made.along[0].format == "CollapsedRange") return value;
    } else if (name == "held" && kind == TypeKind::Location) {
        made.reason = what + " is true in the processes that hold the location";
        const NodePtr range = rangeOfLocation(base);
        made.along = {range ? rangeFacts(range) : RangeFacts{}};
    } else {
        return value;
    }
    return value | source(std::move(made));
}

}  // namespace hpcc::check::alignment
