// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/nest_rewriter.hpp"

#include <utility>

#include "ast/independent.hpp"

namespace hpcc::nests {

using ast::NodePtr;

NodePtr NestRewriter::inside(NodePtr function) {
    Surroundings surroundings(surroundings_.macros(), function);
    std::optional<Mentions> mentions;
    NodePtr outer = std::exchange(function_, function);
    std::swap(surroundings, surroundings_);
    std::swap(mentions, mentions_);
    const bool isPromised = std::exchange(isPromised_, false);
    const NodePtr result = rewriteChildren(function);
    std::swap(surroundings, surroundings_);
    std::swap(mentions, mentions_);
    function_ = outer;
    isPromised_ = isPromised;
    return result;
}

NodePtr NestRewriter::rewriteAttributed(NodePtr statement) {
    const bool isPromised =
        std::exchange(isPromised_, isPromised_ || ast::isAssertedIndependent(statement));
    const NodePtr result = rewriteChildren(statement);
    isPromised_ = isPromised;
    return result;
}

const Mentions& NestRewriter::mentions() {
    if (!mentions_) mentions_.emplace(function_);
    return *mentions_;
}

}  // namespace hpcc::nests
