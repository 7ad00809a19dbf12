// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>
#include <vector>

#include "ast/node.hpp"

namespace hpcc::ast {

/// `hpspmd::reduce(+ : s, t)`
struct Attribute {
    NodePtr node = nullptr;
    std::string_view name;       ///< reduce
    std::string_view arguments;  ///< + : s, t
};

/// Those of the namespace hpspmd, in the program's order; of an Attributed.
std::vector<Attribute> attributesOf(NodePtr attributed);

/// True if an attribute hpspmd::<name> stands before the statement or declaration.
bool hasAttribute(NodePtr node, std::string_view name);

/// Without white space at its ends.
std::string_view trimmed(std::string_view text);

/// The parts between separators outside of brackets, trimmed; none if the text is empty.
std::vector<std::string_view> parts(std::string_view text, char separator = ',');

}  // namespace hpcc::ast
