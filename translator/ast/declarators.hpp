// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions about declarators that every stage asks.
#pragma once

#include <span>

#include "ast/node.hpp"

namespace hpcc::ast {

// The name that a declarator declares: `p` of "*const p[3]", `f` of "(*f)(int)", `X::f`. Null for
// abstract declarators and structured bindings. May be an Identifier, QualifiedName, TemplateName,
// OperatorName, ConversionName or DestructorName.
NodePtr declaredName(NodePtr declarator);

// The FunctionDeclarator that makes the declared entity a function; null for variables (also for
// function pointers).
NodePtr functionDeclarator(NodePtr declarator);

// What a Declaration declares besides types: none of `struct S {};`.
std::span<const NodePtr> declaratorsOf(NodePtr declaration);

// Of an InitDeclarator or ConditionDeclaration; the initializer may be null.
struct DeclaredParts {
    NodePtr declarator, initializer;
};
DeclaredParts declaredIn(NodePtr node);

// `e` of a lambda `[&](double t) { return e; }` that changes nothing, returns a value and gives
// each of its parameters a name; null of others.
NodePtr valueOfLambda(NodePtr lambda);

// The parameters of a FunctionDefinition or Lambda; null if it has none written.
NodePtr parametersOf(NodePtr function);

// The Specifiers of a multiarray type: `const char` of "static const char *[[-]]".
NodePtr elementSpecifiers(NodePtr multiarrayType);

}  // namespace hpcc::ast
