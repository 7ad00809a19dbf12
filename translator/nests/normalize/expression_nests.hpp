// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "nests/nest_rewriter.hpp"

namespace hpcc::nests {

/// A pass that writes nests for expressions `overall (i = x for t, j = y for u) e`.
class ExpressionNests : public NestRewriter {
protected:
    using NestRewriter::NestRewriter;

    /// Its ranges, and its triplets if that is asked for, are the same for all indices, and it may
    /// be written twice, and one of both evaluated.
    static bool canBeNest(ast::NodePtr values, bool isBox);

    /// `overall (i = x for t) overall (j = y for u) body`, behind names for ranges that have none.
    using Headers = std::span<const ast::NodePtr>;
    std::vector<ast::NodePtr> nestOver(Headers headers, ast::NodePtr body,
                                       ast::FreshNames::Given& given);

    /// A copy of an expression with the index of another header in place of each name.
    ast::NodePtr withIndices(const std::map<std::string_view, ast::NodePtr>& headers,
                             ast::NodePtr expression);

    ast::NodePtr overall(ast::NodePtr header, ast::NodePtr body);

private:
    ast::NodePtr withSimpleRange(ast::NodePtr header, ast::FreshNames::Given& given,
                                 std::vector<ast::NodePtr>& statements);
};

std::span<const ast::NodePtr> headersOf(ast::NodePtr values);
ast::NodePtr expressionOf(ast::NodePtr values);
ast::NodePtr indexOf(ast::NodePtr header);

/// sum of `hpspmd::Adlib::sum`; "" if that is not the library's.
std::string_view libraryFunction(ast::NodePtr call);

}  // namespace hpcc::nests
