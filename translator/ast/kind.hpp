// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Node kinds and the slots of each, generated from nodes.def.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hpcc::ast {

enum class Kind : uint8_t {
#define NODE(category, name, ...) name,
#define LIST(category, name) name,
#define LEAF(category, name) name,
#include "ast/nodes.def"
#undef NODE
#undef LIST
#undef LEAF
};

enum class Category : uint8_t { Unit, Declaration, Statement, Expression, Type, Declarator, Part };
enum class Arity : uint8_t { Node, List, Leaf };

// One struct per kind names its slots: node->child(Overall::body). The number of slots is
// slotCount.
#define NODE(category, kindName, ...)                    \
    struct kindName {                                    \
        static constexpr Kind kind = Kind::kindName;     \
        enum Slot : uint32_t { __VA_ARGS__, slotCount }; \
    };
#define LIST(category, kindName)                     \
    struct kindName {                                \
        static constexpr Kind kind = Kind::kindName; \
    };
#define LEAF(category, kindName) LIST(category, kindName)
#include "ast/nodes.def"
#undef NODE
#undef LIST
#undef LEAF

struct KindFacts {
    std::string_view name;
    Category category;
    Arity arity;
};

inline constexpr std::array kindFacts = {
#define NODE(category, name, ...) KindFacts{#name, Category::category, Arity::Node},
#define LIST(category, name) KindFacts{#name, Category::category, Arity::List},
#define LEAF(category, name) KindFacts{#name, Category::category, Arity::Leaf},
#include "ast/nodes.def"
#undef NODE
#undef LIST
#undef LEAF
};

inline const KindFacts& factsOf(Kind kind) { return kindFacts[static_cast<std::size_t>(kind)]; }
inline std::string_view kindName(Kind kind) { return factsOf(kind).name; }  // "Overall"
inline Category categoryOf(Kind kind) { return factsOf(kind).category; }
inline Arity arityOf(Kind kind) { return factsOf(kind).arity; }

// What no C++ has.
constexpr bool isExtension(Kind kind) {
    switch (kind) {
    case Kind::On:
    case Kind::At:
    case Kind::Overall:
    case Kind::OverallExpression:
    case Kind::Triplet:
    case Kind::Split:
    case Kind::Section:
    case Kind::GlobalIndex:
    case Kind::NewMultiarray:
    case Kind::MultiarrayType:
    case Kind::HpspmdAttribute:
        return true;
    default:
        return false;
    }
}

// Expressions that bind tighter than any operator between two operands: names, calls, a[i] ..
constexpr bool isPrimary(Kind kind) {
    switch (kind) {
    case Kind::Identifier:
    case Kind::QualifiedName:
    case Kind::NumberLiteral:
    case Kind::Parenthesized:
    case Kind::Call:
    case Kind::Subscript:
    case Kind::Member:
    case Kind::PointerMember:
        return true;
    default:
        return false;
    }
}

inline int kindCount() { return static_cast<int>(kindFacts.size()); }

}  // namespace hpcc::ast
