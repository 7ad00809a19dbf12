// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/independent.hpp"

#include "ast/attributes.hpp"

namespace hpcc::ast {

bool isAssertedIndependent(NodePtr statement) { return hasAttribute(statement, "independent"); }

}  // namespace hpcc::ast
