// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls: of the runtime, of the standard library, of functions and lambdas of the program.
#include "ast/effects.hpp"
#include "ast/plain_macros.hpp"
#include "ast/search.hpp"
#include "check/annotator.hpp"
#include "check/callee.hpp"
#include "check/library.hpp"

namespace hpcc::check {

using ast::RuntimeResult;
using ast::StandardShape;

namespace {

NodePtr argumentOf(NodePtr call, uint32_t k) { return call->child(ast::Call::arguments)->child(k); }

NodePtr explicitArgument(NodePtr callee) {
    if (ast::is<ast::QualifiedName>(callee)) callee = callee->child(ast::QualifiedName::name);
    return ast::is<ast::TemplateName>(callee)
               ? callee->child(ast::TemplateName::arguments)->child(0)
               : nullptr;
}

// std::pow(x, 2): the widest of them; an integer counts as a double.
const Type* computedFrom(NodePtr numbers) {
    const Type* result = nullptr;
    for (const NodePtr each : numbers->children()) {
        const Type* type = isInteger(typeOf(each)) ? doubleType() : typeOf(each);
        if (type->kind != TypeKind::Floating) return unknownType();
        if (!result || result->spelled == "float" || type->spelled == "long double") result = type;
    }
    return result ? result : unknownType();
}

// An argument has another rank than the formal.
bool differsInRank(const Type& function, NodePtr arguments) {
    const auto given = arguments->children();
    for (std::size_t k = 0; k < std::min(given.size(), function.parameters.size()); ++k) {
        const Type *formal = function.parameters[k], *own = typeOf(given[k]);
        if (formal->kind == TypeKind::Multiarray && own->kind == TypeKind::Multiarray &&
            formal->slots.size() != own->slots.size())
            return true;
    }
    return false;
}

// "[[-,S_1]]"
std::string_view slotsSpelled(const Type& multiarray) {
    return std::string_view(multiarray.spelled).substr(multiarray.spelled.rfind("[["));
}
bool namesSlots(const Type& multiarray) {
    return slotsSpelled(multiarray).find_first_not_of("[]-*,") != std::string_view::npos;
}

}  // namespace

const Type* Annotator::libraryCall(const Symbol& function, NodePtr call) {
    const Type* first = typeOf(argumentOf(call, 0));
    const bool isArray = first->kind == TypeKind::Multiarray;
    switch (function.result) {
    case RuntimeResult::Element:
        return isArray ? first->element : first;
    case RuntimeResult::FirstArgument:
        return first;
    case RuntimeResult::Clone:
        return isArray ? multiarrayOf(arena(), first->element, false, first->slots) : first;
    case RuntimeResult::Like: {
        if (!isArray) return unknownType();
        const NodePtr other = explicitArgument(call->child(ast::Call::callee));
        return multiarrayOf(arena(), other ? typeOf(other) : first->element, false, first->slots);
    }
    case RuntimeResult::Arithmetic:
        return valueOf(arena(), computedFrom(call->child(ast::Call::arguments)));
    case RuntimeResult::SameNumber: {
        const NodePtr other = explicitArgument(call->child(ast::Call::callee));
        const Type* type = valueOf(arena(), other ? typeOf(other) : first);
        const bool isPromoted = isInteger(type) && type->number.bits < 32 && function.name == "abs";
        return isPromoted ? intType() : isNumber(type) ? type : unknownType();
    }
    case RuntimeResult::TruthOfNumbers:
        return isNumber(first) ? boolType() : unknownType();
    case RuntimeResult::SomeNumber:
        return unknownType();
    case RuntimeResult::Integer:
        if (function.name == "size") return builtinType(arena(), "unsigned long");  // std::size
        [[fallthrough]];
    default:
        return fixedResult(function.result);
    }
}

// The result of a function whose slots are template parameters has those of the argument from which
// they are deduced; unknown if that is not in sight.
const Type* Annotator::resultOf(const Type& function, NodePtr arguments) {
    const Type* result = function.result ? function.result : unknownType();
    if (result->kind != TypeKind::Multiarray || !namesSlots(*result)) return result;
    const auto given = arguments->children();
    for (std::size_t k = 0; k < std::min(given.size(), function.parameters.size()); ++k) {
        const Type *formal = function.parameters[k], *own = typeOf(given[k]);
        if (formal->kind != TypeKind::Multiarray || own->kind != TypeKind::Multiarray) continue;
        if (slotsSpelled(*formal) != slotsSpelled(*result)) continue;
        const bool isSame = formal->element->spelled == result->element->spelled;
        return multiarrayOf(arena(), isSame ? own->element : result->element, result->elementConst,
                            own->slots);
    }
    return unknownType();
}

// The common result type of the overloads that take these arguments, members of an object perhaps.
const Type* Annotator::overloadedCall(const Symbol& function, NodePtr arguments,
                                      const Type* object) {
    const Type* result = nullptr;
    for (const Symbol* each : overloadsOf(function)) {
        if (!each->type || each->type->kind != TypeKind::Function) return unknownType();
        if (!acceptsCount(*each->type, arguments->children().size())) continue;
        if (differsInRank(*each->type, arguments)) continue;
        const Type* own = inInstance(resultOf(*each->type, arguments), object);
        if (result && nameOf(result) != nameOf(own)) return unknownType();
        result = own;
    }
    if (!result) return unknownType();
    const bool vague = result->isDependent && result->kind != TypeKind::Multiarray;
    return vague ? unknownType() : valueOf(arena(), result);
}

const Type* Annotator::constructed(const Symbol& symbol, NodePtr callee) {
    return symbol.kind == SymbolKind::Class ? instance(symbol, callee) : symbol.type;
}

// Of numbers: of other things it may be made of what they refer to.
const Type* Annotator::madePair(NodePtr arguments) {
    const auto given = arguments->children();
    const bool areNumbers = given.size() == 2 && std::ranges::all_of(given, [](NodePtr each) {
                                return isNumber(typeOf(each));
                            });
    return areNumbers
               ? pairOf(valueOf(arena(), typeOf(given[0])), valueOf(arena(), typeOf(given[1])))
               : unknownType();
}

const Type* Annotator::callType(NodePtr node) {
    const NodePtr callee = node->child(ast::Call::callee);
    if (typeOf(callee)->called) {
        const Type* result = typeOf(callee)->result;
        return result ? valueOf(arena(), result) : unknownType();
    }
    const NodePtr name = calledName(callee);
    const Type* object = unknownType();
    if (callee != name) {
        const Type* base = typeOf(callee->child(0));
        if (ast::is<ast::PointerMember>(callee)) base = pointee(base);
        object = base;
        if (const RuntimeResult* result = memberResult(base->kind, name->text()))
            return fixedResult(*result);
        const StandardShape shape =
            base->classSymbol ? base->classSymbol->shape : StandardShape::None;
        const std::string_view word = name->text();
        if (shape != StandardShape::None && base->kind == TypeKind::Class) {
            if (word == "size") return builtinType(arena(), "unsigned long");
            if (word == "get" && base->classSymbol->name != "reference_wrapper") {
                const Type* element = standardElement(base);
                return isUnknown(element) ? element : pointerTo(arena(), element);
            }
            const bool isElement = word == "at" || word == "front" || word == "back" ||
                                   word == "value" || word == "get";
            return isElement ? standardElement(base) : unknownType();
        }
    }
    const Symbol* symbol = name->symbol;
    if (symbol && (symbol->kind == SymbolKind::Class || symbol->kind == SymbolKind::Alias))
        return constructed(*symbol, callee);
    if (symbol && symbol->kind == SymbolKind::Function) {
        if (symbol->type->kind == TypeKind::Function)
            return overloadedCall(*symbol, node->child(ast::Call::arguments), object);
        return libraryCall(*symbol, node);
    }
    if (callee->text() == "std::make_pair") return madePair(node->child(ast::Call::arguments));
    const Type* type = typeOf(callee);
    if (type->kind == TypeKind::Function) return type->result ? type->result : unknownType();
    const bool isCallable =
        type->classSymbol && type->classSymbol->shape == StandardShape::Callable;
    if (isCallable && !type->arguments.empty() && type->arguments[0]->kind == TypeKind::Function &&
        type->arguments[0]->result)
        return type->arguments[0]->result;
    return unknownType();
}

// A variable handed to a function that may take it by reference may come back changed. The
// runtime's functions take groups, ranges and indices by value.
void Annotator::reassignArguments(NodePtr call) {
    const Symbol* callee = calledName(call->child(ast::Call::callee))->symbol;
    const bool isNumber =
        callee && callee->kind == SymbolKind::Alias && check::isNumber(callee->type);
    if (isNumber || (callee && callee->kind == SymbolKind::Class)) return;
    const bool isLibrary =
        callee && !callee->declaration && callee->result != RuntimeResult::FirstArgument;
    if (isLibrary) return;
    const Type* function =
        callee && callee->type && callee->type->kind == TypeKind::Function && !callee->previous
            ? callee->type
            : nullptr;
    const auto arguments = call->child(ast::Call::arguments)->children();
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const bool isKnown = function && k < function->parameters.size();
        const Type* formal = isKnown ? function->parameters[k] : nullptr;
        if (formal && (!formal->isReference || formal->isConst)) continue;
        const Type* given = typeOf(arguments[k]);
        const bool isConstant = given->isConst && !given->isReference && check::isNumber(given);
        if (ast::is<ast::Identifier>(arguments[k]) && !isConstant) reassign(arguments[k]);
    }
}

// Overloads of one name may come from several files and namespaces; a name knows only those of its
// own. The callee's symbol becomes the head of a chain of them all.
void Annotator::joinOverloads(NodePtr callee) {
    const bool isPlain = callee->is<ast::Identifier>();
    const bool isQualified = callee->is<ast::QualifiedName>() &&
                             callee->child(ast::QualifiedName::name)->is<ast::Identifier>();
    const Symbol* symbol = callee->symbol;
    if (!symbol || symbol->kind != SymbolKind::Function || !(isPlain || isQualified)) return;
    const Scope* place = scope();
    if (isQualified) {
        const NodePtr qualifier = callee->child(ast::QualifiedName::qualifier);
        place = qualifier ? membersOf(qualifier->symbol) : unit_.scope;
    }
    const std::vector<const Symbol*> all =
        isPlain ? place->overloads(symbol->name) : place->allHere(symbol->name);
    if (all.size() <= overloadsOf(*symbol).size()) return;
    const Symbol* chain = nullptr;
    for (const Symbol* each : all) {
        Symbol copy = *each;
        copy.previous = chain;
        chain = arena().makeSymbol(copy);
    }
    callee->symbol = chain;
}

// A macro that only computes is known as a mathematical function is.
void Annotator::knowMacro(NodePtr call) {
    const NodePtr callee = call->child(ast::Call::callee);
    if (!callee->is<ast::Identifier>() || callee->symbol || !unit_.text) return;
    if (!plainMacros_) plainMacros_ = ast::plainMacros(*unit_.text);
    if (!plainMacros_->contains(callee->text())) return;
    const bool changes = ast::anywhere(call->child(ast::Call::arguments), [](NodePtr each) {
        return ast::changedOperand(each) != nullptr;
    });
    if (changes) return;  // perhaps more than once
    Symbol symbol;
    symbol.name = "(macro)";
    symbol.kind = SymbolKind::Function;
    symbol.type = unknownType();
    symbol.result = RuntimeResult::SomeNumber;
    callee->symbol = arena().makeSymbol(symbol);
    callee->type = unknownType();
}

void Annotator::visitCall(NodePtr node) {
    visitChildren(node);
    knowMacro(node);
    joinOverloads(node->child(ast::Call::callee));
    choose(node);
    node->type = callType(node);
    applyPattern(node);
    ast::addAssigned(node, assigned_);
    reassignArguments(node);
}

}  // namespace hpcc::check
