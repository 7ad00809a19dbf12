// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/lane_first.hpp"

#include <algorithm>

#include "analysis/constant.hpp"
#include "analysis/loop.hpp"
#include "analysis/operators.hpp"
#include "ast/copy.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/specifiers.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

NodePtr conditionIn(NodePtr node) {
    if (ast::is<ast::Conditional>(node)) return node->child(ast::Conditional::condition);
    return ast::is<ast::If>(node) ? node->child(ast::If::condition) : nullptr;
}

/// c of `k > c`, `c == k` ..; nothing of other expressions.
std::optional<long> comparedWith(NodePtr e, std::string_view counter) {
    if (!ast::is<ast::Binary>(e) || !analysis::isComparison(e)) return std::nullopt;
    const NodePtr left = ast::withoutParentheses(e->child(ast::Binary::left)),
                  right = ast::withoutParentheses(e->child(ast::Binary::right));
    const auto isCounter = [counter](NodePtr each) {
        return ast::is<ast::Identifier>(each) && each->text() == counter;
    };
    if (isCounter(left)) return analysis::constantValue(right);
    return isCounter(right) ? analysis::constantValue(left) : std::nullopt;
}

}  // namespace

NodePtr withFirstApart(Context& context, const Varying& varying, NodePtr loop,
                       const std::vector<NodePtr>& parts) {
    constexpr long most = 2;  // iterations apart
    const auto counting = ast::is<ast::For>(loop) ? analysis::countingLoop(loop) : std::nullopt;
    const auto first = counting ? analysis::constantValue(counting->first) : std::nullopt;
    const NodePtr body = loop->children().back();
    const bool isFit = first && counting->isOwn && counting->step == 1 &&
                       (counting->op == "<" || counting->op == "<=") && *first >= 0 &&
                       ast::isPure(counting->bound) && !ast::anywhere(body, [](NodePtr each) {
                           return ast::isAny<ast::For, ast::While, ast::DoWhile, ast::Break>(each);
                       });
    if (!isFit) return nullptr;
    const std::string counter(counting->name->text());
    long rest = *first;
    ast::anywhere(body, [&](NodePtr each) {
        const NodePtr condition = conditionIn(each);
        if (!condition || varying.varies(condition)) return false;
        ast::anywhere(condition, [&](NodePtr e) {
            const auto with = comparedWith(e, counter);
            if (with && *with < *first + most) rest = std::max(rest, *with + 1);
            return false;
        });
        return false;
    });
    const bool isDeduced = ast::holdsWord(
        loop->child(ast::For::initializer)->child(ast::Declaration::specifiers), "auto");
    if (rest == *first || isDeduced) return nullptr;
    const std::string type = ast::print(
                          loop->child(ast::For::initializer)->child(ast::Declaration::specifiers)),
                      begin = std::to_string(rest), declared = type + " " + counter + " = ";
    const auto copy = [&](size_t part) { return ast::copy(context.arena, parts[part]); };
    return context.statement("{\n    for (" + declared + std::to_string(*first) + "; ($c) && " +
                                 counter + " < " + begin + "; $s)\n        $b;\n    for (" +
                                 declared + begin + "; $c2; $s2)\n        $b2;\n}",
                             {{"$c", parts[ast::For::condition]},
                              {"$s", parts[ast::For::step]},
                              {"$b", parts[ast::For::body]},
                              {"$c2", copy(ast::For::condition)},
                              {"$s2", copy(ast::For::step)},
                              {"$b2", copy(ast::For::body)}},
                             loop);
}

}  // namespace hpcc::nests
