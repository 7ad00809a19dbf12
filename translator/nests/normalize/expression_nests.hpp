// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

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
    std::vector<ast::NodePtr> nestOver(ast::NodePtr values, ast::NodePtr body,
                                       ast::FreshNames::Given& given);

private:
    ast::NodePtr withSimpleRange(ast::NodePtr header, ast::FreshNames::Given& given,
                                 std::vector<ast::NodePtr>& statements);
    ast::NodePtr overall(ast::NodePtr header, ast::NodePtr body);
};

/// sum of `hpspmd::Adlib::sum`; "" if that is not the library's.
std::string_view libraryFunction(ast::NodePtr call);

}  // namespace hpcc::nests
