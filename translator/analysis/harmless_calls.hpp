// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ast/effects.hpp"
#include "ast/node.hpp"

namespace hpcc::analysis {

/// A call of which is known that it only computes a value from its arguments: of a mathematical
/// function (`std::sqrt`), a conversion (`double(e)`), an inquiry (`x.size()`), or a function of
/// this file that does nothing else. It neither asks for the active process group nor changes a
/// variable.
bool isHarmlessCall(ast::NodePtr call);

/// True if code with these effects may call a function of the program that assigns variables.
bool mayAssignByCalls(const ast::Effects& effects);

/// What isHarmlessCall says, of a FunctionDefinition that reads no variables from outside.
bool isHarmlessFunction(ast::NodePtr definition);

/// The same, where parameters of templates stand for numbers: `T(2)`, `twice(v)`.
bool isHarmlessForNumbers(ast::NodePtr call);

/// Those of the templates round a call that must do so, for what a function does with them:
/// `hpspmd::detail::areNumbers<T>`; "" if there are none.
std::string numbersPremise(ast::NodePtr call);

/// The FunctionDefinition or Lambda of this file that a call of this name runs, unless another one
/// overrides it; null if that is not known.
ast::NodePtr definitionOf(ast::NodePtr callee);

/// The overloads among which each instance of a template round a call chooses; none if the call
/// runs one function, or if they are not known.
std::vector<const ast::Symbol*> choicesOf(ast::NodePtr callee);

/// The class of the object `f` that is called as `f(x)`; null if it is no object.
const ast::Type* calledObject(ast::NodePtr callee);

/// Its type: that of the instance of a template, or of the overload, that the call runs. Null if
/// it is not known.
const ast::Type* calledType(ast::NodePtr callee);

/// A variable outside of functions, or a member of the object that they belong to.
struct ReadVariable {
    std::string_view name;
    const ast::Symbol* number = nullptr;  // what is read of it: it, or a member; null if not known
    bool isMemory = false;                // elements that others may change by another name
};

/// What a harmless call reads besides its arguments.
std::vector<ReadVariable> readByFunctions(ast::NodePtr harmlessCall);

/// True for a function of the program's, or of unknown origin. False for one of the libraries, and
/// for a class of which an object is made.
bool isForeignFunction(ast::NodePtr callee);

}  // namespace hpcc::analysis
