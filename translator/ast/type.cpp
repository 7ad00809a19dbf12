// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/type.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "ast/node.hpp"
#include "ast/symbol.hpp"

namespace hpcc::ast {
namespace {

struct NamedNumber {
    std::string_view name;
    NumberType number;
};

constexpr std::array named = {
    NamedNumber{"Index", {64, true}},
#define STANDARD_INTEGER(name, bits, isSigned) NamedNumber{#name, {bits, isSigned}},
#include "ast/standard_names.def"
};

NumberType numberOfWords(std::string_view words) {
    std::istringstream in{std::string(words)};
    NumberType number{32, true};
    for (std::string word; in >> word;) {
        if (word == "long")
            number.bits = 64;
        else if (word == "short")
            number.bits = 16;
        else if (word == "char")
            number.bits = 8;
        else if (word == "unsigned")
            number.isSigned = false;
        else if (word != "int" && word != "signed")
            return {};
    }
    return number;
}

}  // namespace

NumberType numberNamed(std::string_view name) {
    for (const std::string_view space : {"std::", "hpspmd::"})
        if (name.starts_with(space)) name.remove_prefix(space.size());
    const auto found = std::ranges::find(named, name, &NamedNumber::name);
    return found == named.end() ? numberOfWords(name) : found->number;
}

bool mayRearrange(const Type* type) {
    return type && type->kind == TypeKind::Integer && type->number.bits > 0 &&
           (type->number.isSigned || type->number.bits < 32);
}

bool isInteger(const Type* type) {
    return type && (type->kind == TypeKind::Integer || type->kind == TypeKind::Bool);
}

bool isNumber(const Type* type) {
    return isInteger(type) || (type && type->kind == TypeKind::Floating);
}

bool isHandleType(const Type* type) {
    if (!type) return false;
    switch (type->kind) {
    case TypeKind::Range:
    case TypeKind::Group:
    case TypeKind::Dimension:
    case TypeKind::Location:
    case TypeKind::Index:
    case TypeKind::ShiftedIndex:
    case TypeKind::Multiarray:
        return true;
    default:
        return false;
    }
}

bool isObject(const Type* type) {
    return type && type->kind == TypeKind::Class && type->classSymbol &&
           type->classSymbol->shape != StandardShape::Opaque &&
           !is<Enum>(type->classSymbol->declaration);
}

bool isStandardSequence(const Type* type) {
    return type && type->kind == TypeKind::Class && type->classSymbol && !type->arguments.empty() &&
           type->classSymbol->shape == StandardShape::Sequence;
}

bool isStandardArray(const Type* type) {
    return isStandardSequence(type) && type->classSymbol->name == "array";
}

bool mentions(const Type& type, const Symbol& templateParameter) {
    const auto inside = [&](const Type* part) {
        return part && mentions(*part, templateParameter);
    };
    return type.classSymbol == &templateParameter || inside(type.element) || inside(type.result) ||
           std::ranges::any_of(type.arguments, inside) ||
           std::ranges::any_of(type.parameters, inside);
}

}  // namespace hpcc::ast
