// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/lane_width.hpp"

#include <algorithm>

#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "nests/extremes.hpp"
#include "nests/lane_values.hpp"
#include "nests/wide_values.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

bool isRoot(NodePtr e) {
    return ast::is<ast::Call>(e) && mathematicalName(e->child(ast::Call::callee)) == "sqrt";
}

/// True of a division, but by a constant, and of a root.
bool isSlow(NodePtr e) {
    if (isRoot(e)) return true;
    const NodePtr divisor = ast::is<ast::Binary>(e) && e->child(ast::Binary::op)->text() == "/"
                                ? e->child(ast::Binary::right)
                            : ast::is<ast::Assign>(e) && e->child(ast::Assign::op)->text() == "/="
                                ? e->child(ast::Assign::value)
                                : nullptr;
    return divisor && !ast::is<ast::NumberLiteral>(ast::withoutParentheses(divisor));
}

/// True of a call that is computed in packs without one.
bool isInPacks(NodePtr call) {
    const std::string_view name = mathematicalName(call->child(ast::Call::callee));
    return ast::convertedToNumber(call) || !extremeOf(call).empty() || isRoot(call) ||
           name == "abs" || name == "fabs";
}

/// True if an expression or statement needs but registers of doubles.
bool isOfDoubles(const Nest& nest, const Varying& varying, NodePtr e) {
    if (!e || ast::is<ast::Subscripts>(e)) return true;
    if (ast::isExpression(e) && varying.varies(e)) {
        const std::string word = laneWord(e->type);
        const bool isOwnElement = ast::is<ast::Subscript>(e) && !accessAt(nest, e);
        if ((!word.empty() && word != "double") || isOwnElement ||
            (ast::is<ast::Call>(e) && !isInPacks(e)))
            return false;
    }
    return std::ranges::all_of(e->children(),
                               [&](NodePtr each) { return isOfDoubles(nest, varying, each); });
}

}  // namespace

bool isWide(const Nest& nest, const Loop& loop, const Varying& varying,
            const std::map<size_t, LaneRow>& rows) {
    const NodePtr body = bodyOf(loop);
    const bool mayWaste = ast::anywhere(body, [&](NodePtr each) {
        return ast::isAny<ast::For, ast::While, ast::DoWhile>(each) && varying.wayOf(each).leaves &&
               !ast::anywhere(each, isSlow);
    });
    return rows.empty() && loop.scratch.empty() && !mayWaste && isOfDoubles(nest, varying, body);
}

}  // namespace hpcc::nests
