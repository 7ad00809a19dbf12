// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/nest_rewriter.hpp"

#include <cctype>
#include <utility>

#include "ast/attributes.hpp"
#include "ast/independent.hpp"
#include "ast/print.hpp"

namespace hpcc::nests {

using ast::NodePtr;

namespace {

/// Names without template arguments, "Grid<T>::relax", and of operators no more than that word.
std::string withoutArguments(const std::string& name) {
    std::string text;
    int depth = 0;
    for (const char c : name) {
        if (c == '<') ++depth;
        if (depth == 0 && (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':'))
            text += c;
        if (c == '>') --depth;
    }
    return text;
}

/// m of `[[hpspmd::divided(m)]]`; "" if there is none.
std::string_view methodOf(NodePtr statement) {
    for (const ast::Attribute& each : ast::attributesOf(statement))
        if (each.name == "divided") return each.arguments;
    return {};
}

}  // namespace

NodePtr NestRewriter::named(NodePtr name, NodePtr node) {
    std::string scope = scope_;
    if (name) scope += (scope.empty() ? "" : "::") + withoutArguments(ast::print(name));
    std::swap(scope, scope_);
    const NodePtr result =
        ast::is<ast::FunctionDefinition>(node) ? inside(node) : rewriteChildren(node);
    std::swap(scope, scope_);
    return result;
}

NodePtr NestRewriter::inside(NodePtr function) {
    Surroundings surroundings(surroundings_.macros(), policies_, function);
    std::optional<Mentions> mentions;
    NodePtr outer = std::exchange(function_, function);
    std::swap(surroundings, surroundings_);
    std::swap(mentions, mentions_);
    const bool isPromised = std::exchange(isPromised_, false);
    const std::string_view method = std::exchange(method_, {});
    const NodePtr result = rewriteChildren(function);
    std::swap(surroundings, surroundings_);
    std::swap(mentions, mentions_);
    function_ = outer;
    isPromised_ = isPromised;
    method_ = method;
    return result;
}

NodePtr NestRewriter::rewriteAttributed(NodePtr statement) {
    const bool isPromised =
        std::exchange(isPromised_, isPromised_ || ast::isAssertedIndependent(statement));
    const std::string_view method = std::exchange(method_, methodOf(statement));
    const NodePtr result = rewriteChildren(statement);
    isPromised_ = isPromised;
    method_ = method;
    return result;
}

const Mentions& NestRewriter::mentions() {
    if (!mentions_) mentions_.emplace(function_);
    return *mentions_;
}

}  // namespace hpcc::nests
