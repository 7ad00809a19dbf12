// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which variables of a function no other code can reach.
#pragma once

#include <string_view>
#include <unordered_set>

#include "ast/node.hpp"

namespace hpcc::ast {

/// The variables of one function (a FunctionDefinition or Lambda) that nothing but its own
/// statements can change: parameters taken by value and local variables that are const, or nowhere
/// captured (but by a lambda that only computes a value), bound to a reference, or handed to code
/// that might keep or change them.
///
///     void f(double [[-]] a, Index n) {
///         Range x = a.rng(0);                    // a, x: confined
///         overall (i = x for :) a[i] = g(n);     // n: perhaps g takes it by reference
///     }
///
/// Judged by names, so that it is on the safe side.
class Confined {
public:
    Confined() = default;
    explicit Confined(NodePtr function);

    bool contains(std::string_view name) const { return names_.contains(name); }

private:
    std::unordered_set<std::string_view> names_;
};

}  // namespace hpcc::ast
