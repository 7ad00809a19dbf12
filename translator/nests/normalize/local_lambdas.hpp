// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/analyse.hpp"
#include "nests/context.hpp"

namespace hpcc::nests {

/// Lambdas in nests that give the value of one expression, in the places where they are called:
///
///     auto at = [&](int d) { return a[i + d, j]; };   ->   b[i, j] = a[i + (-1), j] + a[i + 1, j];
///     b[i, j] = at(-1) + at(1);
///
///     [&] { if (c) return a[i - 1]; return 0.0; }()   ->   (c ? a[i - 1] : 0.0)
class LocalLambdas {
public:
    LocalLambdas(Context& context, const Surroundings& surroundings)
        : context_(context), surroundings_(surroundings) {}

    /// The block without the lambdas that it declares, if all that is done with them is to call
    /// them.
    ast::NodePtr inlined(ast::NodePtr block);
    /// The value of a lambda that is called where it stands; else the call itself.
    ast::NodePtr atOnce(ast::NodePtr call);

private:
    ast::NodePtr valueOf(ast::NodePtr lambda, ast::NodePtr call);
    ast::NodePtr numberOf(ast::NodePtr e, const ast::Type* type, ast::NodePtr place);
    bool meansTheSame(ast::NodePtr lambda, ast::NodePtr statement) const;

    Context& context_;
    const Surroundings& surroundings_;
};

}  // namespace hpcc::nests
