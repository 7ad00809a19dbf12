// Types as far as the translator understands them; everything else is Unknown, and unknown op T =
// unknown.
#pragma once

#include <string>
#include <vector>

namespace hpcc::ast {

struct Symbol;

enum class TypeKind {
    Unknown,
    Void,
    Bool,
    Integer,
    Floating,
    String,
    Class,
    Range,
    Group,
    Dimension,
    Location,
    Index,  // a distributed index
    Multiarray,
    Function
};

enum class SlotKind { Distributed, Sequential };  // the - and * of a multiarray

struct Type {
    TypeKind kind = TypeKind::Unknown;
    bool isConst = false;
    bool isReference = false;
    std::string spelled;                  // as the user wrote it, for messages
    const Type* element = nullptr;        // of a multiarray, pointer or array
    bool elementConst = false;            // const T [[..]]
    std::vector<SlotKind> slots;          // of a multiarray; its size is the rank
    const Symbol* classSymbol = nullptr;  // of a class
    const Type* result = nullptr;         // of a function
    std::vector<const Type*> parameters;
};

}  // namespace hpcc::ast
