// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes types and asks them simple questions.
#pragma once

#include "ast/arena.hpp"
#include "ast/type.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

namespace hpcc::check {

using ast::isInteger;
using ast::isNumber;
using ast::NodePtr;
using ast::NumberType;
using ast::SlotKind;
using ast::Symbol;
using ast::Type;
using ast::TypeKind;

// Types without parts; they live for ever.
const Type* unknownType();
const Type* undeclaredType();  // unknown, and no declaration is in sight
const Type* voidType();
const Type* boolType();
const Type* intType();
const Type* globalIndexType();  // hpspmd::Index, the type of i`
const Type* doubleType();
const Type* stringType();
const Type* rangeType();
const Type* groupType();
const Type* dimensionType();
const Type* locationType();
const Type* targetType();
const Type* indexType();
const Type* shiftedIndexType();
const Type* streamType();

// The type that a list of C++'s type words names: "unsigned", "long double", "char".
const Type* builtinType(ast::Arena& arena, std::string_view words);

const Type* multiarrayOf(ast::Arena& arena, const Type* element, bool elementConst,
                         std::vector<SlotKind> slots);
const Type* pointerTo(ast::Arena& arena, const Type* element);
const Type* cArrayOf(ast::Arena& arena, const Type* element);
const Type* constantOf(ast::Arena& arena, const Type* type);
const Type* referenceTo(ast::Arena& arena, const Type* type);
const Type* valueOf(ast::Arena& arena, const Type* type);  // without const and reference

// In a member of an instance of a class template, what `Vec` and its parameter T stand for.
const Type* inInstance(const Type* type, const Type* object);

inline const Type* typeOf(NodePtr node) { return node && node->type ? node->type : unknownType(); }
inline bool isKind(NodePtr node, TypeKind kind) { return typeOf(node)->kind == kind; }

bool isIndex(const Type* type);  // a distributed index, shifted or not
bool isRange(const Type* type);  // Range or Dimension
bool isUnknown(const Type* type);

inline bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}
bool isOneOf(std::string_view word, const auto& words) {
    return std::ranges::find(words, word) != std::ranges::end(words);
}

std::string nameOf(const Type* type);    // "const double [[-,*]]"
std::string describe(const Type* type);  // "a range", "a multiarray of type 'double [[-]]'"

}  // namespace hpcc::check
