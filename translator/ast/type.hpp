// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types as far as the translator understands them; everything else is Unknown, and unknown op T =
// unknown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
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
    Target,        // where nests run
    Index,         // a distributed index
    ShiftedIndex,  // i + e, i - e
    Multiarray,
    Pointer,
    CArray,
    Function
};

enum class SlotKind { Distributed, Sequential };  // the - and * of a multiarray

// Width and sign of an integer; no bits where they are not known, as of an enumeration.
struct NumberType {
    std::uint8_t bits = 0;
    bool isSigned = false;

    friend bool operator==(NumberType, NumberType) = default;
};

struct Type {
    TypeKind kind = TypeKind::Unknown;
    bool isConst = false;
    bool isReference = false;
    NumberType number;                    // of an integer
    std::string spelled;                  // as the user wrote it, for messages
    const Type* element = nullptr;        // of a multiarray, pointer or C array
    bool elementConst = false;            // const T [[..]]
    std::vector<SlotKind> slots;          // of a multiarray; its size is the rank
    const Symbol* classSymbol = nullptr;  // of a class, or of the template parameter that it is
    const Type* result = nullptr;         // of a function
    std::vector<const Type*> parameters;
    std::size_t requiredParameters = 0;  // those without default value
    const Symbol* called = nullptr;      // of a callee: the overload or instance that the call runs
    bool isVariadic = false;             // takes further arguments: f(int, ...), packs
    std::vector<const Type*> arguments;  // of a class template: vector<T> has {T}
    bool isDependent = false;            // mentions a template parameter
};

// Of C++'s words for an integer in any order ("unsigned long int"), and of the names of
// standard_names.def and the runtime ("std::int64_t", "hpspmd::Index").
NumberType numberNamed(std::string_view name);

// An integer of which sums may be rearranged: overflow is an error of the program anyway. Narrow
// ones are calculated with as `int`. Null is allowed.
bool mayRearrange(const Type* type);

// Integer or Bool; and Floating, too. Null is allowed.
bool isInteger(const Type* type);
bool isNumber(const Type* type);

// A range, group, array, index ..: a value of the language's types. Null is allowed.
bool isHandleType(const Type* type);

// An object of a class that may have operators and conversions of its own: no number, no
// std::complex, no enumeration. Null is allowed.
bool isObject(const Type* type);

// A std::vector, std::array, std::span, std::list .. of anything.
bool isStandardSequence(const Type* type);
bool isStandardArray(const Type* type);

// Whether `type` mentions the template parameter: T [[-]], vector<T>, T * mention T.
bool mentions(const Type& type, const Symbol& templateParameter);

}  // namespace hpcc::ast
