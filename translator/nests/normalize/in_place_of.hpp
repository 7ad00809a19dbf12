// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <utility>

#include "ast/rewriter.hpp"
#include "ast/symbol.hpp"

namespace hpcc::nests {

/// Puts something made for each place where a variable stands.
class InPlaceOf : public ast::Rewriter {
public:
    /// `make` gets the place.
    InPlaceOf(ast::Arena& arena, ast::NodePtr name, std::function<ast::NodePtr(ast::NodePtr)> make)
        : Rewriter(arena, 0), name_(name), make_(std::move(make)) {}

    ast::NodePtr rewriteIdentifier(ast::NodePtr node) override {
        return node->symbol == name_->symbol ? make_(node) : node;
    }

private:
    ast::NodePtr name_;
    std::function<ast::NodePtr(ast::NodePtr)> make_;
};

}  // namespace hpcc::nests
