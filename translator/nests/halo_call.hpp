// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ast/node.hpp"

namespace hpcc::nests {

/// A call of writeHalo, and what it exchanges.
struct HaloCall {
    ast::NodePtr statement = nullptr;
    std::vector<ast::NodePtr> arguments;
    std::vector<std::string> arrays;
    bool isJoint = false;  // of several arrays
};

/// The call that a statement is.
std::optional<HaloCall> haloCallIn(ast::NodePtr statement);

}  // namespace hpcc::nests
