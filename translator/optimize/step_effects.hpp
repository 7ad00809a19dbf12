// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the evaluation of an expression may change.
#pragma once

#include "optimize/names.hpp"

namespace hpcc::optimize {

/// Of one expression, initializer or declarator; lambdas in it are only made, not run.
StepEffects effectsOfStep(const Names& names, NodePtr node);

/// Adds what the node itself may change, without what stands below it; of a loop over a range what
/// its binding may change.
void addOwnEffects(const Names& names, NodePtr node, StepEffects& effects);

/// True if a node of the kind may have effects of its own.
constexpr bool hasOwnEffects(ast::Kind kind) {
    switch (kind) {
    case ast::Kind::Assign:
    case ast::Kind::Postfix:
    case ast::Kind::Unary:
    case ast::Kind::Binary:
    case ast::Kind::Call:
    case ast::Kind::New:
    case ast::Kind::Delete:
    case ast::Kind::Throw:
    case ast::Kind::FunctionalCast:
    case ast::Kind::InitDeclarator:
    case ast::Kind::ConditionDeclaration:
    case ast::Kind::RangeFor:
    case ast::Kind::Lambda:
        return true;
    default:
        return false;
    }
}

/// `a.data()`
bool isDataCall(NodePtr node);

/// An element of a multiarray: `a.data()[e]`, or `p[e]` with `auto *const p = a.data()`.
bool isElementAccess(const Names& names, NodePtr node);

}  // namespace hpcc::optimize
