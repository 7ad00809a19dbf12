// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls in the body of a loop.
#include <algorithm>

#include "ast/declarators.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/scope.hpp"
#include "regions/body_reader.hpp"
#include "regions/combining.hpp"

namespace hpcc::regions {

using analysis::bare;
using ast::SymbolKind;

namespace {

// Nothing that it does to the parameter is seen outside.
bool isTaken(const ast::Type* type) {
    return type && (isPlain(type) || isRecord(type)) && (!type->isReference || type->isConst);
}

}  // namespace

// Of a template, T is what the arguments are.
bool BodyReader::isPlainCall(NodePtr call) {
    const NodePtr callee = call->child(ast::Call::callee);
    const bool isDeduced =
        ast::is<ast::Identifier>(callee) &&
        std::ranges::all_of(call->child(ast::Call::arguments)->children(),
                            [](NodePtr each) { return each && isNumber(each->type); });
    const Symbol* function = callee->symbol;
    return isPlainFunction(function) && (isDeduced || !function->isTemplate);
}

bool BodyReader::isPlainFunction(const Symbol* function) {
    if (!function || function->kind != SymbolKind::Function || function->previous ||
        !ast::is<ast::FunctionDefinition>(function->declaration))
        return false;
    const NodePtr definition = function->declaration;
    if (!seen_.insert({definition, false}).second) return true;
    Body body;
    const Arrays none;
    const Operations nothing;
    BodyReader inside(body, {definition, none, nothing});
    return computes(definition, inside);
}

// It changes nothing but its own variables and, if the loop has made the object, this one.
bool BodyReader::isPlainMember(const CalledMember& called) {
    const NodePtr object = called.object;
    const bool mayChange = object ? ast::is<ast::Identifier>(object) &&
                                        declared_.contains(object->symbol) &&
                                        !object->symbol->type->isReference
                                  : mayChangeObject_;
    if (!seen_.insert({called.definition, mayChange}).second) return true;
    Body body;
    const Arrays none;
    const Operations nothing;
    BodyReader inside(body, {called.definition, none, nothing});
    inside.class_ = called.classSymbol;
    inside.mayChangeObject_ = mayChange;
    return computes(called.definition, inside);
}

bool BodyReader::computes(NodePtr definition, BodyReader& inside) {
    const NodePtr declarator =
        ast::functionDeclarator(definition->child(ast::FunctionDefinition::declarator));
    if (!declarator) return false;
    std::set<std::string> assumed = assumedNumbers(definition);
    inside.depth_ = inFunction;
    inside.seen_ = seen_;
    for (const NodePtr each : declarator->child(ast::FunctionDeclarator::parameters)->children()) {
        if (!ast::is<ast::Parameter>(each) || !each->symbol || !isTaken(each->symbol->type))
            return false;
        inside.declared_.insert(each->symbol);
        if (each->symbol->type->classSymbol) assumed.erase(each->symbol->type->classSymbol->name);
    }
    if (!assumed.empty()) return false;
    inside.read(definition->child(ast::FunctionDefinition::body));
    return !inside.body_.obstacle && inside.body_.others.empty();
}

void BodyReader::operated(NodePtr node) {
    const Symbol* function = node->symbol;
    if (!function || function->kind != SymbolKind::Function) return;
    NodePtr first = node->child(node->is<ast::Unary>() ? uint32_t{ast::Unary::operand} : 0);
    first = bare(first);
    const ast::Type* const type = first->type;
    const ast::Scope* const members =
        type && type->classSymbol ? type->classSymbol->members : nullptr;
    const Symbol* const member = members ? members->findHere(function->name) : nullptr;
    const bool mayChange = ast::is<ast::Identifier>(first) && declared_.contains(first->symbol);
    bool isPlain = true;
    for (const Symbol* each = function; each && isPlain; each = each->previous) {
        isPlain = ast::is<ast::FunctionDefinition>(each->declaration);
        if (!isPlain || !seen_.insert({each->declaration, mayChange}).second) continue;
        Body body;
        const Arrays none;
        const Operations nothing;
        BodyReader inside(body, {each->declaration, none, nothing});
        if (member) inside.class_ = type->classSymbol;
        inside.mayChangeObject_ = member && mayChange;
        isPlain = computes(each->declaration, inside);
    }
    if (!isPlain) fail(node, quoted(function->name) + " is not known to do nothing but compute");
}

// What a function reads of it.
void BodyReader::object(NodePtr call, NodePtr object) {
    if (!object || declared_.contains(object->symbol)) return;
    if (ast::is<ast::Subscript>(object)) {
        isPartOfMember_ = true;
        return access(object, false);
    }
    tally_.mention(call, object->symbol);
    part(object);
}

void BodyReader::call(NodePtr node) {
    if (isSize(node)) {
        const NodePtr owner = bare(bare(node->child(ast::Call::callee))->child(ast::Member::base));
        if (ast::is<ast::Subscript>(owner)) read(owner->child(ast::Subscript::subscripts));
        return read(node->child(ast::Call::arguments));
    }
    const NodePtr callee = node->child(ast::Call::callee);
    const auto member = memberCalled(node, class_);
    const bool isPlain = member ? isPlainMember(*member)
                                : isConversion(node) || isLimit(callee) ||
                                      ast::isMathematicalCall(node) || isPlainCall(node);
    if (!isPlain)
        fail(node, "it calls " + quoted(callee->text()) +
                       ", which is not known to do nothing but compute");
    if (member && isPlain) object(node, member->object);
    read(node->child(ast::Call::arguments));
}

bool computesOnly(NodePtr call) {
    Body body;
    const Arrays none;
    const Operations nothing;
    return BodyReader(body, {nullptr, none, nothing}).isPlainCall(call);
}

}  // namespace hpcc::regions
