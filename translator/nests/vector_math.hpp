// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/context.hpp"

namespace hpcc::nests {

/// A call of a function of the C library that there is for several numbers at once
/// (hpspmd/many.hpp), with numbers of type double or of type float.
bool isForMany(ast::NodePtr call);

/// The same, where --vector-math asks for those functions.
inline bool isOfMany(const Context& context, ast::NodePtr call) {
    return context.usesVectorMath && isForMany(call);
}

/// The same call of that function, with these arguments.
ast::NodePtr callOfMany(Context& context, ast::NodePtr call, std::vector<ast::NodePtr> arguments);

}  // namespace hpcc::nests
