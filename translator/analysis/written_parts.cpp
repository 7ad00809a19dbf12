// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/written_parts.hpp"

#include <algorithm>
#include <iterator>

#include "analysis/plain_values.hpp"
#include "ast/comments.hpp"
#include "ast/scope.hpp"
#include "ast/search.hpp"

namespace hpcc::analysis {
namespace {

using ast::SymbolKind;

/// A macro may stand for several values of a list.
bool isOneValue(NodePtr value) {
    if (ast::isAny<ast::NumberLiteral, ast::CharacterLiteral, ast::KeywordLiteral, ast::Operator,
                   ast::BracedInitializer, ast::Arguments>(value))
        return true;
    if (ast::isAny<ast::Identifier, ast::QualifiedName>(value)) return value->symbol;
    if (ast::isAny<ast::Call, ast::Subscript, ast::Member>(value))
        return isOneValue(value->child(0));
    return ast::isAny<ast::Parenthesized, ast::Unary, ast::Binary, ast::FunctionalCast>(value) &&
           std::ranges::all_of(value->children(), [&](NodePtr child) {
               return child == value->child(0) && value->is<ast::FunctionalCast>()
                          ? ast::isAny<ast::BuiltinType, ast::Identifier, ast::QualifiedName>(child)
                          : isOneValue(child);
           });
}

/// `{-1, 1}` of `= {-1, 1}`, `{-1, 1}` and `Offset{-1, 1}`; null of others, and where it is not
/// known how many values there are.
NodePtr listOf(NodePtr value) {
    if (ast::is<ast::EqualInitializer>(value)) value = bare(value->child(0));
    if (ast::is<ast::FunctionalCast>(value)) value = value->child(ast::FunctionalCast::arguments);
    const bool isKnown = ast::is<ast::BracedInitializer>(value) &&
                         !ast::holdsDirective(value->text()) &&
                         std::ranges::all_of(value->children(), isOneValue);
    return isKnown ? value : nullptr;
}

const ast::Type* elementOf(const ast::Type* table) {
    return table->kind == ast::TypeKind::CArray ? table->element : table->arguments.front();
}

/// A list of numbers, or of one object or list in braces for each element: without the inner
/// braces, `{1, 2, {3, 4}}` counts otherwise.
bool isWhole(NodePtr list, const ast::Type* table) {
    const ast::Type* const element = elementOf(table);
    return ast::isNumber(element) || std::ranges::all_of(list->children(), [&](NodePtr each) {
               const ast::Type* own = each->type;
               const bool isObject = own && own->kind == element->kind &&
                                     own->classSymbol == element->classSymbol &&
                                     element->kind != ast::TypeKind::CArray;
               return isObject || listOf(each);
           });
}

NodePtr elementAmong(NodePtr list, size_t k, const ast::Type* table) {
    const bool isStandard = ast::isStandardArray(table);
    if (isStandard && list->children().size() == 1)  // {{1, 2, 3}}
        if (const NodePtr inner = listOf(list->child(0)); inner && list->child(0) == inner)
            list = inner;
    return isWhole(list, table) && k < list->children().size() ? list->children()[k] : nullptr;
}

NodePtr ofVariable(NodePtr name) {
    const Symbol* symbol = name->symbol;
    const ast::Type* type = symbol ? symbol->type : nullptr;
    if (!isStable(symbol) || symbol->kind != SymbolKind::Variable || !type || type->isReference)
        return nullptr;
    bool isConst = type->isConst;
    while (!isConst && type->kind == ast::TypeKind::CArray) {
        type = type->element;
        isConst = type->isConst;
    }
    return isConst ? symbol->initializer : nullptr;
}

NodePtr ofElement(NodePtr subscript, const Bindings& bindings) {
    const NodePtr base = bare(subscript->child(ast::Subscript::base));
    const auto subscripts = subscript->child(ast::Subscript::subscripts)->children();
    const bool isTable = base->type && (base->type->kind == ast::TypeKind::CArray ||
                                        ast::isStandardSequence(base->type));
    if (!isTable || subscripts.size() != 1) return nullptr;
    const NodePtr list = listOf(writtenPart(base, bindings));
    const auto k = list ? constantValue(subscripts[0], bindings) : std::nullopt;
    return k && *k >= 0 ? elementAmong(list, static_cast<size_t>(*k), base->type) : nullptr;
}

/// Without bases and constructors, a list in braces gives the members their values.
bool isListed(const ast::Type* type) {
    const NodePtr definition = type && type->classSymbol ? type->classSymbol->declaration : nullptr;
    if (!ast::is<ast::Class>(definition) || type->classSymbol->members->findHere("(constructor)"))
        return false;
    const std::string_view text = definition->text();
    return !text.starts_with("union") && text.find("mutable") == text.npos &&
           !ast::holdsDirective(text);
}

/// `{{-1, 0}, 0.5}` without the inner braces gives the first member two values.
bool isForOne(const Symbol* field, NodePtr value) {
    return ast::isNumber(field->type) || listOf(value);
}

NodePtr ofMember(NodePtr member, const Bindings& bindings) {
    const NodePtr base = member->child(ast::Member::base);
    const auto fields = fieldsOf(base->type);
    const auto field = std::ranges::find(fields, member->child(ast::Member::name)->symbol);
    if (field == fields.end() || !isListed(base->type)) return nullptr;
    const NodePtr list = listOf(writtenPart(base, bindings));
    if (!list) return nullptr;
    const size_t own = static_cast<size_t>(field - fields.begin());
    for (size_t k = 0; k <= own; ++k)
        if (k >= list->children().size() || !isForOne(fields[k], list->children()[k]))
            return nullptr;
    return list->children()[own];
}

}  // namespace

std::vector<const Symbol*> fieldsOf(const ast::Type* type) {
    const Symbol* symbol = type && type->kind == ast::TypeKind::Class ? type->classSymbol : nullptr;
    std::vector<const Symbol*> fields;
    if (!symbol || !symbol->members || !symbol->members->included().empty() ||
        symbol->members->isOpen())
        return fields;
    std::ranges::copy_if(symbol->members->symbols(), std::back_inserter(fields),
                         [](const Symbol* each) { return each->kind == SymbolKind::Field; });
    return fields;
}

bool isPartOfConstant(NodePtr e) {
    const NodePtr table = ast::is<ast::Subscript>(e) ? tableOf(e) : nullptr;
    const ast::Type* type = table ? table->symbol->type : nullptr;
    while (type && !type->isConst && type->kind == ast::TypeKind::CArray) type = type->element;
    return type && type->isConst;
}

NodePtr writtenPart(NodePtr part, const Bindings& bindings) {
    const Descent descent;
    part = bare(part);
    if (descent.isTooDeep()) return nullptr;
    if (ast::isAny<ast::Identifier, ast::QualifiedName>(part)) return ofVariable(part);
    if (ast::is<ast::Subscript>(part)) return ofElement(part, bindings);
    return ast::is<ast::Member>(part) ? ofMember(part, bindings) : nullptr;
}

std::optional<long long> writtenCount(NodePtr initializer, const ast::Type* container) {
    const NodePtr list = listOf(initializer);
    if (!list || !isWhole(list, container)) return std::nullopt;
    return static_cast<long long>(list->children().size());
}

}  // namespace hpcc::analysis
