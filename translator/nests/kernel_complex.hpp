// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

#include "ast/node.hpp"
#include "ast/type.hpp"

namespace hpcc::nests {

/// double, float or a template's parameter if it is std::complex of that, perhaps by reference;
/// else null.
const ast::Type* complexPart(const ast::Type* type);
/// The same for the value of an expression of which hpcc knows only what it is made of: `z * w
/// + 1.0`.
const ast::Type* complexPart(ast::NodePtr expression);

/// What a call of a member or function takes the complex number `of` for: "real", "imag", "norm",
/// "abs" or "conj"; "" if it is something else, as `std::exp(z)`.
struct ComplexCall {
    std::string_view name;
    ast::NodePtr of;
};
ComplexCall complexCall(ast::NodePtr call);

}  // namespace hpcc::nests
