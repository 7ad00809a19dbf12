// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/reductions.hpp"

#include "ast/effects.hpp"
#include "lower/triplets.hpp"

namespace hpcc::lower {

using ast::NodePtr;

NodePtr lowerOverallExpression(Context& context, NodePtr overall) {
    const auto headers = overall->child(ast::OverallExpression::headers)->children();
    NodePtr value = overall->child(ast::OverallExpression::expression);
    for (size_t depth = headers.size(); depth-- > 0;) {
        const NodePtr header = headers[depth];
        const NodePtr index = header->child(ast::OverallHeader::index);
        const bool used = ast::namesIn(value).contains(index->text());
        value = context.expression(
            used ? "hpspmd::detail::overall($x, $triplet, [&](const hpspmd::DistributedIndex &$i) "
                   "{ return $e; })"
                 : "hpspmd::detail::overall($x, $triplet, [&](const hpspmd::DistributedIndex &) "
                   "{ return $e; })",
            {{"$x", header->child(ast::OverallHeader::range)},
             {"$triplet", lowerTriplet(context, header->child(ast::OverallHeader::triplet))},
             {"$i", index},
             {"$e", value}},
            header);
    }
    return value;
}

}  // namespace hpcc::lower
