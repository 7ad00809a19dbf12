// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the evaluation of an expression may change.
#pragma once

#include <functional>

#include "optimize/names.hpp"

namespace hpcc::optimize {

/// Of one expression, initializer or declarator; lambdas in it are only made, not run.
StepEffects effectsOfStep(const Names& names, NodePtr node);

/// Of all steps of a function or lambda, without the lambdas inside; and of each loop over a range
/// what its binding may change. Where they are wanted is asked one after the other.
void forEachStep(const Names& names, NodePtr body,
                 const std::function<StepEffects&(NodePtr step)>& effectsOf);

/// An element of a multiarray: `a.data()[e]`, or `p[e]` with `auto *const p = a.data()`.
bool isElementAccess(const Names& names, NodePtr node);

}  // namespace hpcc::optimize
