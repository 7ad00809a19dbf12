// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <variant>

#include "ast/confined.hpp"
#include "ast/macro_names.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "nests/nest.hpp"
#include "nests/policies.hpp"

namespace hpcc::nests {

/// What a nest must know of the function that it stands in.
class Surroundings {
public:
    /// Of a nest in a FunctionDefinition or Lambda.
    Surroundings(const ast::MacroNames& macros, const Policies& policies, ast::NodePtr function)
        : macros_(&macros), policies_(&policies), function_(function) {}

    /// As Policies::premiseOf says.
    std::string premiseOf(ast::NodePtr call) const { return policies_->premiseOf(call, function_); }
    ast::NodePtr function() const { return function_; }

    const ast::MacroNames& macros() const { return *macros_; }
    /// Looked for when first asked: few nests do.
    const ast::Confined& confined() const {
        if (!confined_) confined_ = function_ ? ast::Confined(function_) : ast::Confined();
        return *confined_;
    }

    /// True if it is a constant from outside of the function, whose values the C++ compiler knows.
    /// Those of a table of the function it reads again behind each store of an independent loop.
    bool hasConstant(const ast::Symbol& table) const {
        const ast::Type& type = *table.type;
        const bool isConstant = type.isConst || (type.element && type.element->isConst);
        return isConstant && table.declaration && function_ &&
               !function_->origin()->span().contains(table.declaration->span());
    }

private:
    const ast::MacroNames* macros_;
    const Policies* policies_;
    ast::NodePtr function_;
    mutable std::optional<ast::Confined> confined_;
};

/// What an `overall` and the loops in it compute, or why that cannot be told.
///
///     overall (i = x for 1 : n - 2)                     loops: i over x, k = 1 .. n - 2
///         for (Index k = 1; k < n - 1; ++k)             accesses: b[i, k] written,
///             b[i, k] = a[i - 1, k] + a[i, k + 1];                a[i - 1, k], a[i, k + 1] read
std::variant<Nest, Obstacle> analyse(ast::NodePtr overall, const Surroundings& surroundings);

}  // namespace hpcc::nests
