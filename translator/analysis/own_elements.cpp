// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/own_elements.hpp"

#include "analysis/constant.hpp"
#include "analysis/harmless_calls.hpp"
#include "analysis/lengths.hpp"
#include "ast/declarators.hpp"
#include "ast/purity.hpp"
#include "ast/scope.hpp"
#include "ast/search.hpp"

namespace hpcc::analysis {
namespace {

using ast::NodePtr;
using ast::Symbol;

/// The one value that a member function without parameters returns; null of others.
NodePtr returnedBy(const Symbol& function) {
    const NodePtr definition = function.declaration;
    if (!ast::is<ast::FunctionDefinition>(definition) || mayVary(definition)) return nullptr;
    const NodePtr parameters = ast::parametersOf(definition);
    const NodePtr body = definition->child(ast::FunctionDefinition::body);
    const bool isPlain = (!parameters || parameters->children().empty()) &&
                         ast::is<ast::Compound>(body) && body->children().size() == 1 &&
                         ast::is<ast::Return>(body->child(0));
    return isPlain ? ast::withoutParentheses(body->child(0)->child(ast::Return::value)) : nullptr;
}

/// v of `v` and `this->v`, a member of the object itself; null of others.
const Symbol* fieldOf(NodePtr e) {
    e = ast::withoutParentheses(e);
    if (ast::is<ast::PointerMember>(e) && e->child(ast::PointerMember::base)->text() == "this")
        e = e->child(ast::PointerMember::name);
    const bool isField = ast::is<ast::Identifier>(e) && e->symbol &&
                         e->symbol->kind == ast::SymbolKind::Field && e->symbol->type &&
                         !e->symbol->type->isReference;
    return isField ? e->symbol : nullptr;
}

/// The member that is asked by `v.begin()` or `std::begin(v)`, where the question has one of two
/// names; null of other calls.
const Symbol* askedFor(NodePtr call, std::string_view question, std::string_view ofConstant) {
    if (!ast::is<ast::Call>(call)) return nullptr;
    const NodePtr callee = call->child(ast::Call::callee);
    const auto arguments = call->child(ast::Call::arguments)->children();
    if (ast::is<ast::Member>(callee) && arguments.empty()) {
        const std::string_view name = callee->child(ast::Member::name)->text();
        const NodePtr base = callee->child(ast::Member::base);
        return name == question || name == ofConstant ? fieldOf(base) : nullptr;
    }
    const std::string_view name = callee->text();
    const bool isIt =
        name == "std::" + std::string(question) || name == "std::" + std::string(ofConstant);
    return isIt && arguments.size() == 1 ? fieldOf(arguments[0]) : nullptr;
}

/// The array or container with whose first element the object's begin.
const Symbol* beginsWith(NodePtr begin) {
    const Symbol* held = fieldOf(begin);
    if (held && held->type->kind == ast::TypeKind::CArray) return held;
    held = askedFor(begin, "begin", "cbegin");
    return held ? held : askedFor(begin, "data", "data");
}

/// `v.end()`, or that beginning and a number of steps.
bool endsIn(NodePtr end, const Symbol* held) {
    if (askedFor(end, "end", "cend") == held) return true;
    if (!ast::is<ast::Binary>(end) || end->child(ast::Binary::op)->text() != "+" ||
        beginsWith(ast::withoutParentheses(end->child(ast::Binary::left))) != held)
        return false;
    const NodePtr steps = ast::withoutParentheses(end->child(ast::Binary::right));
    const Symbol* const own = fieldOf(steps);
    return constantValue(steps) || askedFor(steps, "size", "size") == held ||
           (own && ast::isNumber(own->type));
}

/// What all functions of a name agree on; null if they do not.
template <class Answer>
const Symbol* ofAll(const ast::Type& object, const char* name, const Answer& answer) {
    const Symbol* result = nullptr;
    const Symbol* const last = object.classSymbol->members->findHere(name);
    for (const Symbol* each = last; each; each = each->previous) {
        const NodePtr value = returnedBy(*each);
        const Symbol* const own = value ? answer(value) : nullptr;
        if (!own || (result && own != result)) return nullptr;
        result = own;
    }
    return result;
}

}  // namespace

const Symbol* heldBy(const ast::Type* object) {
    if (!ast::isObject(object) || ast::isStandardSequence(object) ||
        !object->classSymbol->members || !ast::is<ast::Class>(object->classSymbol->declaration))
        return nullptr;
    const Symbol* const held = ofAll(*object, "begin", beginsWith);
    const auto endOf = [held](NodePtr value) { return endsIn(value, held) ? held : nullptr; };
    return held && ofAll(*object, "end", endOf) ? held : nullptr;
}

const ast::Type* elementHeldBy(const ast::Type* object) {
    const Symbol* const held = heldBy(object);
    const ast::Type* const type = held ? held->type : nullptr;
    if (!type) return nullptr;
    if (type->kind == ast::TypeKind::CArray) return type->element;
    if (!ast::isStandardSequence(type)) return nullptr;
    const ast::Type* const element = type->arguments.front();
    const bool isParameter =
        element->classSymbol && element->classSymbol->kind == ast::SymbolKind::TemplateParameter;
    if (!isParameter) return element;
    return object->arguments.size() == 1 ? object->arguments.front() : nullptr;
}

std::optional<long long> lengthHeldBy(const ast::Type* object, NodePtr array) {
    const bool isArray =
        array->type->kind == ast::TypeKind::CArray || ast::isStandardArray(array->type);
    const auto length = isArray ? lengthOf(array) : std::nullopt;
    const auto isWhole = [&](NodePtr end) {
        const auto steps =
            ast::is<ast::Binary>(end) ? constantValue(end->child(ast::Binary::right)) : length;
        return steps == length ? array->symbol : nullptr;
    };
    return length && ofAll(*object, "end", isWhole) ? length : std::nullopt;
}

}  // namespace hpcc::analysis
