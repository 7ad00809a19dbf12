// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the translator knows about the runtime's and the standard library's names; the names
// themselves are listed in runtime_names.def and standard_names.def.
#pragma once

#include <cstdint>

namespace hpcc::ast {

// The type of a call of a library's function.
enum class RuntimeResult : uint8_t {
    Unknown,
    Void,
    Bool,
    Integer,
    Floating,
    Range,
    Group,
    Dimension,
    Location,
    Target,
    Element,        // the elements' type of the first argument, an array or an overall expression
    Like,           // like(a), like<U>(a)
    Clone,          // a's type with elements that may be changed
    FirstArgument,  // std::move(a)
    // Mathematics: takes numbers and computes another one, or
    Arithmetic,      // std::sqrt(x): a floating-point number
    SameNumber,      // std::abs(x): one of the same type
    TruthOfNumbers,  // std::isnan(x)
    SomeNumber       // std::ldexp(x, n)
};

constexpr bool isMathematics(RuntimeResult result) { return result >= RuntimeResult::Arithmetic; }

// How the elements of a standard class template are reached.
enum class StandardShape : uint8_t {
    None,
    Sequence,     // v[k], v.at(k), v.front(), for (auto &e : v): the first template argument
    Associative,  // m[k], m.at(k): the second one; elements are pairs of both
    Handle,       // *p, p->x, p.value(), p.get(): the first one
    Pair,         // first, second
    Callable,     // f(..): the result of the function type that is the first one
    Opaque,       // std::complex: a value of its own
    Stream        // std::cout
};

}  // namespace hpcc::ast
