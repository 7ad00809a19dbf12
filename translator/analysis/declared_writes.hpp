// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What declarations tell of what functions may change.
#pragma once

#include <optional>

#include "analysis/element_writes.hpp"

namespace hpcc::analysis {

// f of n::f, s.f, p->f, f<int>.
NodePtr lastName(NodePtr callee);

// T of T(a[i]).
bool namesType(NodePtr callee);

// A function of the standard library or the runtime.
bool isOfStandard(NodePtr callee);

// A class whose operators and constructors are the program's, or not known.
bool isOfProgram(const ast::Type* type);

// True if a parameter or variable is a reference or pointer by which what it names may be changed.
// `declarator`: null if it is not known.
bool mayChangeThrough(NodePtr declarator, const ast::Type* type);

// All overloads of it are `const`.
bool areConstMethods(const Symbol* function);

// What is known of argument k of a call by the overloads that it may mean: nothing if none of them
// can change it.
std::optional<Writing> declaredWriting(const Symbol* function, std::size_t k, std::size_t count);

}  // namespace hpcc::analysis
