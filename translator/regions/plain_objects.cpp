// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/plain_objects.hpp"

#include <algorithm>

#include "analysis/loop.hpp"
#include "ast/declarators.hpp"
#include "ast/scope.hpp"
#include "ast/search.hpp"
#include "ast/specifiers.hpp"
#include "diagnostics/engine.hpp"
#include "regions/combining.hpp"

namespace hpcc::regions {
namespace {

using analysis::bare;

bool isEnumeration(const ast::Type* type) {
    return type && type->classSymbol && ast::is<ast::Enum>(type->classSymbol->declaration);
}

// The words before the type.
NodePtr wordsOf(NodePtr declaration) {
    const NodePtr specifiers = declaration->child(ast::Declaration::specifiers);
    return ast::is<ast::Specifiers>(specifiers) ? specifiers->child(ast::Specifiers::before)
                                                : nullptr;
}

// Its initializers are the same whenever they are evaluated.
bool isFixed(NodePtr declaration) {
    const NodePtr words = wordsOf(declaration);
    if (ast::holdsWord(words, "constexpr")) return true;
    return ast::holdsWord(words, "const") &&
           std::ranges::all_of(ast::declaratorsOf(declaration), [](NodePtr each) {
               const NodePtr value = each->child(ast::InitDeclarator::initializer);
               return value && !value->contains(ast::call) &&
                      ast::allOf<ast::Identifier>(value).empty() &&
                      ast::allOf<ast::QualifiedName>(value).empty();
           });
}

}  // namespace

bool isPlain(const ast::Type* type) { return ast::isNumber(type) || isEnumeration(type); }

bool isOwnArray(const ast::Type* type) {
    if (!type || type->isReference) return false;
    if (ast::isStandardArray(type))
        return ast::isNumber(type->arguments.front()) || isOwnArray(type->arguments.front());
    return type->kind == ast::TypeKind::CArray &&
           (ast::isNumber(type->element) || isOwnArray(type->element));
}

bool isOwnValue(const ast::Type* type) {
    return (isPlain(type) || isRecord(type) || isOwnArray(type)) && !type->isReference;
}

std::string whyNotOwn(NodePtr declaration) {
    const NodePtr list = declaration->child(ast::Declaration::declarators);
    const NodePtr words = wordsOf(declaration);
    if (!list) return "it declares something else than numbers";
    bool areKnown = true, isShared = false;
    for (const NodePtr each : words ? words->children() : std::span<const NodePtr>()) {
        const std::string_view word = each ? each->text() : "";
        const bool isStatic = word == "static" || word == "thread_local";
        isShared |= isStatic;
        areKnown &= isStatic || word == "const" || word == "constexpr" || word.empty();
    }
    if (isShared && !isFixed(declaration)) {
        const NodePtr name = ast::declaredName(list->child(0)->child(0));
        return (name ? diagnostics::quoted(name->text()) : "a variable") +
               " is static: what one iteration leaves there, the next one finds";
    }
    return areKnown ? "" : "it declares something else than numbers";
}

std::optional<CalledMember> memberCalled(NodePtr call, const Symbol* own) {
    const NodePtr callee = bare(call->child(ast::Call::callee));
    CalledMember called;
    std::string_view name;
    if (ast::is<ast::Member>(callee)) {
        called.object = bare(callee->child(ast::Member::base));
        name = callee->child(ast::Member::name)->text();
    } else if (ast::is<ast::Identifier>(callee) && callee->symbol) {
        const bool isObject = isRecord(callee->symbol->type);
        if (isObject) called.object = callee;
        if (!isObject && !own) return std::nullopt;
        name = isObject ? "operator()" : callee->text();
    }
    if (called.object && !ast::isAny<ast::Identifier, ast::Subscript>(called.object))
        return std::nullopt;
    const NodePtr object = called.object;
    const ast::Type* type = !object          ? nullptr
                            : object->symbol ? object->symbol->type
                                             : object->type;
    if (object && !isRecord(type)) return std::nullopt;
    called.classSymbol = object ? type->classSymbol : own;
    if (!called.classSymbol || !called.classSymbol->members || name.empty()) return std::nullopt;
    const Symbol* const found = called.classSymbol->members->findHere(name);
    if (!found || found->kind != ast::SymbolKind::Function || found->previous ||
        !ast::is<ast::FunctionDefinition>(found->declaration))
        return std::nullopt;
    called.definition = found->declaration;
    return called;
}

bool isNumberOf(const Symbol* classSymbol, std::string_view name) {
    const NodePtr declaration = classSymbol->declaration;
    const NodePtr members =
        ast::is<ast::Class>(declaration) ? declaration->child(ast::Class::members) : nullptr;
    return members && std::ranges::any_of(members->children(), [&](NodePtr member) {
               if (!ast::is<ast::Declaration>(member) || ast::holdsWord(wordsOf(member), "static"))
                   return false;
               const NodePtr list = member->child(ast::Declaration::declarators);
               return list && std::ranges::any_of(list->children(), [&](NodePtr each) {
                          const NodePtr declared =
                              ast::declaredName(each->child(ast::InitDeclarator::declarator));
                          return declared && declared->text() == name;
                      });
           });
}

}  // namespace hpcc::regions
