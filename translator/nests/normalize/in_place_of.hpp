// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <map>
#include <utility>

#include "ast/rewriter.hpp"
#include "ast/symbol.hpp"
#include "nests/context.hpp"

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

/// Puts chosen expressions in the place of calls.
class InPlaceOfCalls : public ast::Rewriter {
public:
    InPlaceOfCalls(ast::Arena& arena, const std::map<ast::NodePtr, ast::NodePtr>& chosen)
        : Rewriter(arena), chosen_(chosen) {}

    ast::NodePtr rewriteCall(ast::NodePtr call) override {
        const auto found = chosen_.find(call);
        return found == chosen_.end() ? rewriteChildren(call) : found->second;
    }

private:
    const std::map<ast::NodePtr, ast::NodePtr>& chosen_;
};

/// `t[k].di` of `t[k]`.
ast::NodePtr memberOf(Context& context, ast::NodePtr object, const ast::Symbol& field,
                      ast::NodePtr place);

/// True if the body does nothing with the variable but ask for its members or elements and copy it,
/// and if `isCopy`, calls nothing that might change them or what they are copies of. Of no
/// variable: true if other expressions may stand for names in it.
bool asksForMembers(ast::NodePtr body, const ast::Symbol* variable, bool isCopy);

/// True if the node gives the variable, or a part of it, another name by which it may be changed: a
/// reference, a pointer, a parameter.
bool givesAnotherName(ast::NodePtr node, const ast::Symbol* variable);

}  // namespace hpcc::nests
