// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of numbers inside templates, as far as they are the same thing in all instances.
#pragma once

#include "ast/node.hpp"
#include "ast/type.hpp"

namespace hpcc::analysis {

/// The parameter of a template that the type is, const and references apart; null if it is none.
const ast::Symbol* typeParameterOf(const ast::Type* type);

/// That of a variable that `auto` declares, if what it begins with has none that is known.
const ast::Type* undeducedType();

/// True if the expression's type may depend on what stands for a template's parameters.
bool isOfTemplate(ast::NodePtr expression);

/// What type parameters must stand for, so that a type is what it is taken for.
enum class Premise { Numbers, NoNarrowNumbers, FloatingNumbers };

/// The type of a number in each instance of the templates round it: a number's or a parameter's.
struct InstanceType {
    const ast::Type* type = nullptr;  // null: instances differ, or it is not known
    Premise premise = Premise::Numbers;
};

///     2 * v   T, if T is no narrower than int: 2 * v of a short is an int
///     2.5 * v double
///     i` * v  T, if T is a floating-point type
///     2.5F * v   not known: float or double
///
/// Also of a variable that `auto` declares, of `= v`, `(v)` and `{v}`, with which one begins, and
/// of calls of functions, whose results are those of their `return` statements.
InstanceType typeInInstances(ast::NodePtr expression);

/// What a function returns in all of its `return` statements.
InstanceType resultInInstances(ast::NodePtr definition);

}  // namespace hpcc::analysis
