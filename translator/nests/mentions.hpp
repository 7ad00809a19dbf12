// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "ast/node.hpp"

namespace hpcc::nests {

/// Where the identifiers of a function or statement stand in it, and where variables are declared.
class Mentions {
public:
    Mentions() = default;
    explicit Mentions(ast::NodePtr node);

    const std::vector<ast::NodePtr>& of(std::string_view name) const;
    /// The InitDeclarator that declares it; null if none or several do.
    ast::NodePtr declarator(std::string_view name) const;
    /// True if `name` has one declaration, with an array made there: `t = new double [[x]]`.
    bool isNewArray(std::string_view name) const;

private:
    struct Name {
        std::vector<ast::NodePtr> mentions;
        size_t declarations = 0;
        ast::NodePtr declarator = nullptr;
    };
    void visit(ast::NodePtr node);

    std::unordered_map<std::string_view, Name> names_;
};

}  // namespace hpcc::nests
