// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of nests inside function templates: their texts know T by a name of their own, and when
// the program runs each instance gets the type that stands for it.
//
//     template <class T> void scale(T [[-]] a, T by) { overall (i = x for :) a[i] *= by; }
//     HPSPMD_KERNEL_OF((class heat_7_9_T), (TYPE(heat_7_9_T)), .. INOUT(heat_7_9_T, a) ..)
#pragma once

#include <string>
#include <vector>

#include "analysis/instance_types.hpp"
#include "ast/node.hpp"
#include "ast/type.hpp"

namespace hpcc::nests {

class Plans;

using analysis::isOfTemplate;
using analysis::typeParameterOf;

/// The type of an expression, which may be a call by the name of a type: `T(2)`.
const ast::Type* convertedType(ast::NodePtr expression);

/// True if it calls a mathematical function for numbers of which some have such types.
bool isMathematicalOfTemplate(ast::NodePtr call);

/// The type parameters of the templates that `place` stands in. What seems to be of such a type may
/// be a member of another instance of a class template: C++ is asked for each (KernelWriter).
///
///     template <class U> void Field<U>::step() { .. }  // U is also the T of `Field`
struct TypeParameter {
    const ast::Symbol* symbol;
    const ast::Symbol* ofClass = nullptr;  // of a member that is defined outside of its class
};
std::vector<TypeParameter> typeParametersRound(const Plans& plans, ast::NodePtr place);

/// A parameter that a kernel uses: T, and what it is called there.
struct KernelType {
    const ast::Symbol* parameter;
    std::string word;
};

}  // namespace hpcc::nests
