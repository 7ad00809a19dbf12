// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/fixed_handles.hpp"

#include <algorithm>

#include "analysis/harmless_calls.hpp"
#include "analysis/numbers.hpp"
#include "ast/comments.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "nests/code_of_program.hpp"
#include "nests/kernel_templates.hpp"
#include "nests/names.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

bool isContainer(const ast::Type* type) {
    if (!type) return false;
    if (type->kind == ast::TypeKind::CArray) return true;
    return ast::isStandardSequence(type) && type->classSymbol->name != "list" &&
           type->classSymbol->name != "initializer_list";
}

bool isPointer(const ast::Type* type) {
    if (!type) return false;
    if (type->kind == ast::TypeKind::Pointer) return true;
    return type->kind == ast::TypeKind::Class && type->classSymbol &&
           type->classSymbol->shape == ast::StandardShape::Handle &&
           type->classSymbol->name != "reference_wrapper";
}

/// Characters may be part of anything.
bool isByte(const ast::Type* type) {
    return type->kind == ast::TypeKind::Integer && type->number.bits <= 8;
}

/// Integers of literals and names, which always have a value.
bool isTotal(NodePtr e) {
    e = ast::withoutParentheses(e);
    if (ast::is<ast::NumberLiteral>(e)) return true;
    if (ast::is<ast::Unary>(e)) return ast::isPure(e) && isTotal(e->child(ast::Unary::operand));
    if (ast::is<ast::Binary>(e)) {
        const std::string_view op = e->child(ast::Binary::op)->text();
        const bool divides = op == "/" || op == "%";
        const NodePtr right = e->child(ast::Binary::right);
        if (divides && ast::asConstant(right).value_or(0) <= 0) return false;
        return (divides || op == "+" || op == "-" || op == "*" || op == "&" || op == "^") &&
               isTotal(e->child(ast::Binary::left)) && isTotal(right);
    }
    return isPlainBase(e) && analysis::isNumber(e->type);
}

bool follow(NodePtr e, std::vector<Premise>& premises) {
    e = ast::withoutParentheses(e);
    if (isPlainBase(e)) return true;
    NodePtr pointer = nullptr;
    if (ast::is<ast::Member>(e)) return follow(e->child(ast::Member::base), premises);
    if (ast::is<ast::PointerMember>(e)) pointer = e->child(ast::PointerMember::base);
    if (ast::is<ast::Unary>(e) && e->child(ast::Unary::op)->text() == "*")
        pointer = e->child(ast::Unary::operand);
    if (pointer) {
        if (!isPointer(pointer->type) || !follow(pointer, premises)) return false;
        premises.push_back({pointer, nullptr});
        return true;
    }
    if (!ast::is<ast::Subscript>(e)) return false;
    const NodePtr object = e->child(ast::Subscript::base);
    const NodePtr subscripts = e->child(ast::Subscript::subscripts);
    if (!isContainer(object->type) || subscripts->children().size() != 1 ||
        !isTotal(subscripts->child(0)) || !follow(object, premises))
        return false;
    premises.push_back({object, subscripts->child(0)});
    return true;
}

}  // namespace

bool isPlainBase(NodePtr base) {
    if (ast::is<ast::PointerMember>(base))
        return base->child(ast::PointerMember::base)->text() == "this";
    if (ast::is<ast::Member>(base)) return isPlainBase(base->child(ast::Member::base));
    return ast::isSimple(base);
}

NodePtr askedAt(NodePtr call) {
    const NodePtr callee = ast::is<ast::Call>(call) ? call->child(ast::Call::callee) : nullptr;
    if (!ast::is<ast::Member>(callee) || callee->child(ast::Member::name)->text() != "at")
        return nullptr;
    const NodePtr container = callee->child(ast::Member::base);
    const bool isOne = call->child(ast::Call::arguments)->children().size() == 1;
    return isOne && ast::isStandardSequence(container->type) ? container : nullptr;
}

HandlePath pathOf(NodePtr handle) {
    HandlePath path;
    path.isKnown = follow(handle, path.premises);
    return path;
}

bool isNumberPath(NodePtr e) {
    e = ast::withoutParentheses(e);
    return !ast::is<ast::Identifier>(e) &&
           (analysis::isNumber(e->type) || typeParameterOf(e->type)) && pathOf(e).isKnown;
}

FixedNames::FixedNames(NodePtr nest, const Surroundings& surroundings)
    : surroundings_(surroundings) {
    changed_ = ast::effectsOf(nest).declared;
    isKnown_ = !ast::holdsDirective(nest->origin()->text());
    callsForeign_ = codeOfProgram(nest, {}).place;
    note(nest);
}

void FixedNames::note(NodePtr node) {
    if (ast::is<ast::Call>(node)) {
        if (surroundings_.macros().mayBeMacro(node)) isKnown_ = false;
        if (!analysis::isHarmlessCall(node)) callsForeign_ = true;
    }
    const NodePtr target = ast::changedOperand(node);
    const NodePtr bare = target ? ast::withoutParentheses(target) : nullptr;
    if (bare && isNumberPath(bare) && !isByte(bare->type)) {
        if (ast::isAny<ast::Member, ast::PointerMember>(bare))
            changedMembers_.insert(bare->children().back()->text());
        storesIntegers_ |= bare->type->kind != ast::TypeKind::Floating;
    } else {
        ast::addAssigned(node, changed_);
        const bool isElement = bare && ast::is<ast::Subscript>(bare) &&
                               ast::multiarrayType(bare->child(ast::Subscript::base));
        const bool isName = ast::is<ast::Identifier>(bare);
        const bool isReference = isName && bare->type && bare->type->isReference;
        storesForeign_ |=
            bare && !isElement && (!isName || (isReference && !analysis::isNumber(bare->type)));
        storesIntegers_ |= isReference;
    }
    if (ast::is<ast::Lambda>(node) || ast::is<ast::OpaqueStatement>(node) ||
        ast::is<ast::OpaqueExpression>(node) || ast::is<ast::OpaqueDeclaration>(node))
        isKnown_ = false;
    for (const NodePtr child : node->children())
        if (child) note(child);
}

/// True of a constant number and of a table of such, which nothing can change.
static bool isConstantTable(const ast::Symbol* symbol) {
    const bool isVariable = symbol && symbol->kind == ast::SymbolKind::Variable;
    const ast::Type* type = isVariable ? symbol->type : nullptr;
    if (!type || type->isReference) return false;
    while (type->kind == ast::TypeKind::CArray && type->element) type = type->element;
    return type->isConst && ast::isNumber(type);
}

/// A name that a foreign statement, or an element stored through another name, might change counts
/// as changed.
bool FixedNames::keepsName(NodePtr name) const {
    if (changed_.contains(name->text()) || changedMembers_.contains(name->text())) return false;
    if (isConstantTable(name->symbol)) return true;
    const ast::Type* type = name->type;
    const bool isNumber = analysis::isNumber(type);
    if (isNumber && type->isReference && !type->isConst) return false;
    if (!callsForeign_ && !storesForeign_ && !(storesIntegers_ && isNumber)) return true;
    return surroundings_.confined().contains(name->text());
}

bool FixedNames::keeps(NodePtr part) const {
    const bool isChanged = ast::isAny<ast::Member, ast::PointerMember>(part) &&
                           changedMembers_.contains(part->children().back()->text());
    return !isChanged && keepsParts(part);
}

bool FixedNames::keepsParts(NodePtr node) const {
    if (ast::isAny<ast::Member, ast::PointerMember>(node)) return keeps(node->child(0));
    if (ast::is<ast::Identifier>(node)) return keepsName(node);
    if (ast::is<ast::QualifiedName>(node))
        return !callsForeign_ && !storesForeign_ && !storesIntegers_ &&
               std::ranges::none_of(ast::namesIn(node),
                                    [&](std::string_view name) { return changed_.contains(name); });
    return std::ranges::all_of(node->children(),
                               [&](NodePtr child) { return !child || keeps(child); });
}

bool FixedNames::keep(NodePtr handle) const {
    if (!isKnown_) return false;
    // What lies behind a pointer is nobody's own.
    if (callsForeign_ || storesForeign_)
        for (const Premise& premise : pathOf(handle).premises)
            if (!premise.subscript) return false;
    return keepsParts(handle);
}

}  // namespace hpcc::nests
