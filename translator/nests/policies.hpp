// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ast/node.hpp"

namespace hpcc::ast {
class Scope;
}

namespace hpcc::nests {

/// Classes of a file by which templates are told what to compute:
///
///     struct Minmod { static double phi(double a, double b) { return ..; } };
///     template <class Limiter> void slopes(..) { overall (i = x for :) s[i] = Limiter::phi(..); }
class Policies {
public:
    /// `scope`: of the file; null if it has none.
    explicit Policies(const ast::Scope* scope) : scope_(scope) {}

    /// Under which condition a call of a template parameter's function computes a value and
    /// nothing else: "hpspmd::detail::isOneOfClasses<Limiter, ::Minmod, ::Superbee>"; "" if under
    /// none. So it is with calls of an object `const G &g`, where nothing that `function`, round
    /// the call, changes is perhaps a number of the object.
    std::string premiseOf(ast::NodePtr call, ast::NodePtr function) const;

private:
    void collect(const ast::Scope& scope, const std::string& prefix) const;

    /// By the name of the function, the classes, declared one after the other.
    using Classes = std::map<std::string_view, std::vector<std::pair<ast::NodePtr, std::string>>>;

    const ast::Scope* scope_;
    mutable std::optional<Classes> classes_;  // looked for when first asked: few nests do
};

/// The table of a template parameter in which an element is: "W::w" of `W::w[d]`; "" of others.
std::string tableOfParameter(ast::NodePtr element);

}  // namespace hpcc::nests
