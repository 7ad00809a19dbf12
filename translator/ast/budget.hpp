// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "ast/node.hpp"

namespace hpcc::ast {

/// `[[hpspmd::budget(messages = 8, bytes = 8 * n)]]`: what each process may send in an execution of
/// the statement or function behind it.
struct Budget {
    NodePtr attribute = nullptr;  ///< null: there is none
    std::string messages, bytes;  ///< expressions; "" allows any number
    std::string wrong;            ///< an argument that is none of these
};

Budget budgetOf(NodePtr attributed);

}  // namespace hpcc::ast
