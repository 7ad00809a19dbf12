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

/// True of an operator of numbers, and of one of the program's classes whose functions, all that
/// may be meant, are in sight and do nothing but compute from their operands; an assignment and an
/// increment change the first one. It is not asked of `=`, which a plain value has none of its own
/// for.
bool isHarmlessOperator(ast::NodePtr expression);

/// True of a subscript that is such an operator and names a part of its object, which therefore is
/// changed by what assigns it.
bool namesOwnPart(ast::NodePtr subscript);

/// A constructor that only computes the members of its object, from its arguments and constants.
bool isHarmlessConstructor(ast::NodePtr definition);

/// An initializer that only computes, from constants.
bool isHarmlessInitializer(ast::NodePtr initializer);

/// True if code with these effects may call a function of the program that assigns variables.
bool mayAssignByCalls(const ast::Effects& effects);

/// What isHarmlessCall says, of a FunctionDefinition that reads no variables from outside.
bool isHarmlessFunction(ast::NodePtr definition);

/// The same of a member function that reads nothing from outside but the members of its object.
bool computesFromOwn(ast::NodePtr definition);

/// What isHarmlessCall says, where parameters of templates stand for numbers: `T(2)`, `twice(v)`.
bool isHarmlessForNumbers(ast::NodePtr call);

/// True of a lambda that does nothing but compute a value, and reads no elements.
bool isHarmlessLambda(ast::NodePtr lambda);

/// True of a member function that does nothing but compute from its parameters and its object,
/// whose members it may change.
bool onlyChangesObject(ast::NodePtr definition);

/// Those of the templates round a call that must do so, for what a function does with them:
/// `hpspmd::detail::areNumbers<T>`; "" if there are none.
std::string numbersPremise(ast::NodePtr call);

/// A mathematical function, a conversion or an inquiry: no function of the program's is looked
/// into.
bool computesByName(ast::NodePtr call);

/// The lambda that an `auto` variable stands for; null if it is none.
ast::NodePtr lambdaOf(const ast::Symbol* variable);

/// True if a call that names a function may run another one: that of a derived class, or a
/// specialisation.
bool mayVary(ast::NodePtr definition);

/// The FunctionDefinition or Lambda of this file that a call of this name runs; null if that is not
/// known, or may be another one.
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

/// True of a member of the object that a function belongs to, which the function names as it is.
bool isOwnMember(const ReadVariable& variable);

/// What a harmless call or operator reads besides its arguments.
std::vector<ReadVariable> readByFunctions(ast::NodePtr harmless);

/// True for a function of the program's, or of unknown origin. False for one of the libraries, and
/// for a class of which an object is made.
bool isForeignFunction(ast::NodePtr callee);

}  // namespace hpcc::analysis
