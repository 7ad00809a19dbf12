// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What calls of the runtime's members do: known by the type of the object and the name together. A
// class of the program may have a member of the same name.
#pragma once

#include <string_view>

#include "ast/node.hpp"
#include "ast/runtime_names.hpp"
#include "ast/type.hpp"

namespace hpcc::ast {

enum class Takes : uint8_t { Nothing, Dimension, Location, Group, Any };

// None of them has an effect, and they answer the same until the object is assigned.
enum class Answers : uint8_t {
    Value,        // a number, range or group; an error if the object is null
    ValueOfNull,  // the same, of a null object, too
    Elements,     // where the elements lie, also of a null array
    Parts         // blocks or locations, made anew each time
};

struct RuntimeMember {
    TypeKind owner;
    std::string_view name;
    RuntimeResult result;
    Takes takes;
    Answers answers;
};

std::span<const RuntimeMember> runtimeMembers();

// A dimension is a range too.
bool hasMembersOf(TypeKind kind, TypeKind owner);

// The member of that name that objects of this kind have; null if there is none.
const RuntimeMember* runtimeMember(TypeKind kind, std::string_view name);

// The inquiry that `call` makes, as a.rng(0), p.dim(1), x.size(); null if it is any other call.
const RuntimeMember* inquiryOf(NodePtr call);

// `v.size()`, `v.empty()`, `std::size(v)`, `std::ssize(v)` of a container of the standard library.
bool asksContainer(NodePtr call);

// A function of Adlib or the runtime, by its name: `Adlib::sum`, `hpspmd::create`.
bool isLibraryName(NodePtr callee);

// std::sqrt, fabs, std::max: of numbers it computes another one, and does nothing else. Of objects
// std::max asks their class.
bool isMathematical(NodePtr callee);

// The same of a call with numbers: it runs no code of the program's.
bool isMathematicalCall(NodePtr call);

// Calls exp, log, sin ..: a function of which the C library has one for several numbers at once
// (hpspmd/many.hpp).
bool hasVectorForm(NodePtr call);

// True if a function may change the variable that is this argument. False if it takes it by value
// or by reference to const.
bool mayAssign(NodePtr callee, std::size_t argument);

}  // namespace hpcc::ast
