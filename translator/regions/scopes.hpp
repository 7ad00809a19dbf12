// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names that a function has declared on the way to a place in it.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "ast/symbol.hpp"

namespace hpcc::regions {

using ast::NodePtr;
using ast::Symbol;

// What a declaration, the head of a loop or branch, or a list of parameters declares. Blocks and
// bodies are not looked into.
std::vector<NodePtr> namesDeclared(NodePtr node);

class Scopes {
public:
    void open() { scopes_.emplace_back(); }
    void close() { scopes_.pop_back(); }

    // Names that are in sight from here on.
    void note(NodePtr declaration);

    // What a name means here; nothing if the function does not declare it.
    std::optional<const Symbol*> find(std::string_view name) const;

private:
    std::vector<std::vector<std::pair<std::string_view, const Symbol*>>> scopes_;
};

}  // namespace hpcc::regions
