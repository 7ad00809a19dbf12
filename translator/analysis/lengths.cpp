// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/lengths.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/operators.hpp"
#include "analysis/written_parts.hpp"
#include "ast/known_calls.hpp"
#include "ast/search.hpp"

namespace hpcc::analysis {
namespace {

using ast::TypeKind;
using Length = std::optional<long long>;

/// N of `std::array<T, N>`, if that is a literal.
Length lengthOfStandard(const ast::Type* array) {
    if (!ast::isStandardArray(array)) return std::nullopt;
    const std::string_view text = array->spelled;
    const size_t comma = text.rfind(','), end = text.rfind('>');
    if (comma == text.npos || end == text.npos) return std::nullopt;
    const size_t first = text.find_first_not_of(' ', comma + 1);
    long long length = 0;
    const auto [rest, error] = std::from_chars(text.data() + first, text.data() + end, length);
    return error == std::errc() && rest == text.data() + end ? Length(length) : std::nullopt;
}

/// The symbol of a variable, parameter or member that is a C array.
const Symbol* arraySymbol(NodePtr array) {
    if (ast::is<ast::Member>(array)) return array->child(ast::Member::name)->symbol;
    if (ast::is<ast::PointerMember>(array)) return array->child(ast::PointerMember::name)->symbol;
    return array->symbol;
}

/// 2, 3 of `int m[2][3]`; empty if they are not known. `double w[3]` as a parameter is a pointer.
std::vector<long long> extentsDeclared(const Symbol* symbol) {
    const NodePtr declaration = symbol ? symbol->declaration : nullptr;
    const bool isParameter = ast::is<ast::Parameter>(declaration);
    if (!isParameter && !ast::is<ast::InitDeclarator>(declaration)) return {};
    NodePtr declarator = declaration->child(isParameter ? +ast::Parameter::declarator
                                                        : +ast::InitDeclarator::declarator);
    std::vector<long long> extents;
    for (; ast::is<ast::ArrayDeclarator>(declarator);
         declarator = declarator->child(ast::ArrayDeclarator::declarator)) {
        const NodePtr size = declarator->child(ast::ArrayDeclarator::size);
        const Length extent =
            size ? constantValue(size)
            : isParameter
                ? std::nullopt
                : writtenCount(declaration->child(ast::InitDeclarator::initializer), symbol->type);
        if (!extent) return {};
        extents.insert(extents.begin(), *extent);
    }
    if (isParameter && ast::is<ast::Identifier>(declarator)) return {};
    return extents;
}

std::vector<long long> extentsOf(NodePtr array) {
    array = bare(array);
    const bool isFirst = operatorOf(array) == "*";
    if (!isFirst && !ast::is<ast::Subscript>(array)) return extentsDeclared(arraySymbol(array));
    std::vector<long long> extents =
        extentsOf(array->child(isFirst ? +ast::Unary::operand : +ast::Subscript::base));
    if (!extents.empty()) extents.erase(extents.begin());
    return extents;
}

Length bytesOf(const ast::Type& type) {
    if (type.kind == TypeKind::Bool) return 1;
    if (type.kind == TypeKind::Integer && type.number.bits > 0) return type.number.bits / 8;
    if (type.kind != TypeKind::Floating) return std::nullopt;
    const std::string_view name = type.spelled;
    if (name.ends_with("float")) return 4;
    return name.ends_with("double") && name.find("long") == name.npos ? Length(8) : std::nullopt;
}

/// The one argument of the template in `std::tuple_size_v<..>`, if that is its name.
NodePtr argumentOf(NodePtr name, const std::string& wanted) {
    if (!ast::is<ast::QualifiedName>(name)) return nullptr;
    const NodePtr space = name->child(ast::QualifiedName::qualifier),
                  instance = name->child(ast::QualifiedName::name);
    if (!space || space->text() != "std" || !ast::is<ast::TemplateName>(instance) ||
        instance->child(ast::TemplateName::name)->text() != wanted)
        return nullptr;
    const auto arguments = instance->child(ast::TemplateName::arguments)->children();
    return arguments.size() == 1 ? arguments[0] : nullptr;
}

/// e of `decltype(e)`; null of other types.
NodePtr declaredExpression(NodePtr type) {
    if (!ast::is<ast::TypeName>(type) || type->child(ast::TypeName::declarator)) return nullptr;
    const NodePtr words = type->child(ast::TypeName::specifiers);
    const NodePtr core =
        ast::is<ast::Specifiers>(words) ? words->child(ast::Specifiers::core) : nullptr;
    return ast::is<ast::DecltypeType>(core) ? core->child(ast::DecltypeType::expression) : nullptr;
}

}  // namespace

Length lengthOf(NodePtr container) {
    container = bare(container);
    const ast::Type* type = container->type;
    if (!type) return std::nullopt;
    if (type->kind == TypeKind::CArray) {
        const auto extents = extentsOf(container);
        return extents.empty() ? std::nullopt : Length(extents.front());
    }
    if (ast::isStandardArray(type)) return lengthOfStandard(type);
    const bool isVector = ast::isStandardSequence(type) && type->classSymbol->name == "vector";
    return isVector ? writtenCount(writtenPart(container), type) : std::nullopt;
}

Length askedLength(NodePtr call) {
    if (!ast::asksContainer(call)) return std::nullopt;
    const NodePtr callee = call->child(ast::Call::callee);
    if (!ast::is<ast::Member>(callee)) return lengthOf(call->child(ast::Call::arguments)->child(0));
    const bool isSize = callee->child(ast::Member::name)->text() == "size";
    return isSize ? lengthOf(callee->child(ast::Member::base)) : std::nullopt;
}

Length typeLength(NodePtr name) {
    if (!ast::is<ast::QualifiedName>(name)) return std::nullopt;
    const bool isValue = name->child(ast::QualifiedName::name)->text() == "value";
    const std::string suffix = isValue ? "" : "_v";
    const NodePtr trait = isValue ? name->child(ast::QualifiedName::qualifier) : name;
    if (const NodePtr type = argumentOf(trait, "tuple_size" + suffix))
        return lengthOfStandard(type->type);
    const NodePtr type = argumentOf(trait, "extent" + suffix);
    const NodePtr array = type ? declaredExpression(type) : nullptr;  // 0 of a reference
    const bool isArray = ast::isAny<ast::Identifier, ast::Member>(array) && array->type &&
                         array->type->kind == TypeKind::CArray && !array->type->isReference;
    return isArray ? lengthOf(array) : std::nullopt;
}

Length sizeInBytes(NodePtr operand) {
    operand = bare(operand);
    const ast::Type* type = operand->type;
    if (!type) return std::nullopt;
    if (ast::isStandardArray(type)) {
        const Length length = lengthOfStandard(type), size = bytesOf(*type->arguments.front());
        return length && size && *length > 0 ? Length(*length * *size) : std::nullopt;
    }
    if (type->kind != TypeKind::CArray) return bytesOf(*type);
    if (!ast::isExpression(operand)) return std::nullopt;
    const auto extents = extentsOf(operand);
    size_t dimensions = 0;
    for (; type->kind == TypeKind::CArray; type = type->element) ++dimensions;
    const Length size = bytesOf(*type);
    if (extents.size() != dimensions || !size) return std::nullopt;
    return std::accumulate(extents.begin(), extents.end(), *size, std::multiplies<>());
}

}  // namespace hpcc::analysis
