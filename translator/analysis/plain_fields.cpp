// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/plain_fields.hpp"

#include <algorithm>

#include "analysis/plain_values.hpp"
#include "analysis/written_parts.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/specifiers.hpp"

namespace hpcc::analysis {

using ast::NodePtr;
using ast::Symbol;

namespace {

bool hasPlainName(const ast::Type* type) {
    if (!ast::isNumber(type) || type->isConst || type->isReference) return false;
    return type->kind == ast::TypeKind::Bool || type->spelled == "double" ||
           type->spelled == "float" || ast::numberNamed(type->spelled).bits > 0;
}

/// A number on the right of `=`, which mentions nothing; or none at all.
bool isListedField(const Symbol* field) {
    const NodePtr value = field->initializer;
    const bool isAlone = !ast::anywhere(value, ast::is<ast::Identifier>);
    return hasPlainName(field->type) && !field->isInUnion &&
           (!value || (ast::is<ast::EqualInitializer>(value) && isAlone)) &&
           ast::is<ast::InitDeclarator>(field->declaration) &&
           ast::is<ast::Identifier>(field->declaration->child(ast::InitDeclarator::declarator));
}

bool isListedMember(NodePtr member) {
    if (ast::is<ast::FunctionDefinition>(member))  // that is no constructor
        return ast::is<ast::Specifiers>(member->child(ast::FunctionDefinition::specifiers));
    if (ast::is<ast::Declaration>(member)) {
        const NodePtr specifiers = member->child(ast::Declaration::specifiers);
        return !ast::isSpecifiedAsOneOf(specifiers, {"static", "mutable", "volatile", "alignas"});
    }
    return ast::isAny<ast::AccessSpecifier, ast::EmptyDeclaration>(member);
}

}  // namespace

std::vector<const Symbol*> plainFieldsOf(const ast::Type* type) {
    if (!ast::isObject(type) || type->isReference || !type->arguments.empty() ||
        !isPlainValue(type))
        return {};
    const NodePtr definition = type->classSymbol->declaration;
    auto fields = fieldsOf(type);
    const bool isPlain =
        ast::is<ast::Class>(definition) && std::ranges::all_of(fields, isListedField) &&
        std::ranges::all_of(definition->child(ast::Class::members)->children(), isListedMember);
    if (!isPlain) fields.clear();
    return fields;
}

NodePtr initialValueOf(const Symbol& field) {
    return field.initializer ? field.initializer->child(ast::EqualInitializer::value) : nullptr;
}

std::vector<PlainField> numbersOf(const ast::Type& type) {
    const bool isPair = type.kind == ast::TypeKind::Class && type.classSymbol &&
                        type.classSymbol->shape == ast::StandardShape::Pair &&
                        type.arguments.size() == 2;
    if (isPair && std::ranges::all_of(type.arguments, hasPlainName))
        return {{"first", type.arguments[0]}, {"second", type.arguments[1]}};
    ast::Type object = type;
    object.isReference = false;
    std::vector<PlainField> fields;
    for (const Symbol* each : plainFieldsOf(&object))
        fields.push_back({each->name, each->type, each});
    return fields;
}

std::optional<std::vector<NodePtr>> valuesFor(NodePtr object, const ast::Type& type) {
    object = ast::withoutParentheses(object);
    const NodePtr callee = ast::is<ast::Call>(object) ? object->child(ast::Call::callee) : nullptr;
    if (callee && callee->text() == "std::make_pair")
        object = object->child(ast::Call::arguments);
    else if (ast::is<ast::FunctionalCast>(object) && object->type &&
             object->type->classSymbol == type.classSymbol)
        object = object->children().back();
    if (!ast::is<ast::BracedInitializer>(object) && !(callee && object->is<ast::Arguments>()))
        return std::nullopt;
    const auto values = object->children();
    const bool areNumbers = std::ranges::all_of(
        values, [](NodePtr each) { return ast::isExpression(each) && ast::isNumber(each->type); });
    if (!areNumbers || values.size() > numbersOf(type).size()) return std::nullopt;
    return std::vector(values.begin(), values.end());
}

}  // namespace hpcc::analysis
