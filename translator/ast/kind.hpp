// Node kinds and the slots of each, generated from nodes.def.
#pragma once

#include <cstdint>
#include <string_view>

namespace hpcc::ast {

enum class Kind : uint16_t {
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

std::string_view kindName(Kind kind);  // "Overall"
Category categoryOf(Kind kind);
Arity arityOf(Kind kind);
int kindCount();

}  // namespace hpcc::ast
