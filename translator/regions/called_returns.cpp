// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/called_returns.hpp"

#include <algorithm>

#include "analysis/constant.hpp"
#include "analysis/switch_parts.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/type.hpp"

namespace hpcc::regions {

bool holdsReturn(NodePtr statement) {
    if (!statement || statement->is<ast::Lambda>()) return false;
    return statement->is<ast::Return>() || std::ranges::any_of(statement->children(), holdsReturn);
}

bool returnsAlways(NodePtr statement) {
    if (ast::isAny<ast::Return, ast::Throw>(statement)) return true;
    if (ast::is<ast::Compound>(statement))
        return !statement->children().empty() && returnsAlways(statement->children().back());
    return ast::is<ast::If>(statement) && statement->child(ast::If::otherwise) &&
           returnsAlways(statement->child(ast::If::then)) &&
           returnsAlways(statement->child(ast::If::otherwise));
}

std::vector<ReturnedCase> returnedCases(NodePtr statement) {
    if (!ast::is<ast::Switch>(statement) || statement->child(ast::Switch::initializer)) return {};
    const NodePtr asked = ast::withoutParentheses(statement->child(ast::Switch::condition));
    if (!ast::isPure(asked) || !analysis::isSwitchable(asked->type)) return {};
    std::vector<ReturnedCase> cases;
    for (const analysis::SwitchPart& part :
         analysis::partsOf(statement).value_or(std::vector<analysis::SwitchPart>())) {
        const bool isBehindDefault = !cases.empty() && cases.back().values.empty();
        if (isBehindDefault || part.statements.size() != 1) return {};
        const NodePtr only = part.statements.front();
        const NodePtr result =
            ast::is<ast::Return>(only) ? only->child(ast::Return::value) : nullptr;
        if (!result || ast::is<ast::BracedInitializer>(result)) return {};
        cases.push_back({part.isDefault ? std::vector<NodePtr>() : part.values, result});
    }
    return cases;
}

bool isChoice(std::span<const NodePtr> statements) {
    if (statements.empty()) return false;
    const NodePtr first = statements.front();
    if (const auto cases = returnedCases(first); !cases.empty())
        return cases.back().values.empty() || isChoice(statements.subspan(1));
    if (ast::is<ast::Return>(first)) {
        const NodePtr value = first->child(ast::Return::value);
        return value && !ast::is<ast::BracedInitializer>(value);
    }
    if (ast::is<ast::Compound>(first)) return isChoice(first->children());
    if (!ast::is<ast::If>(first) || first->child(ast::If::initializer) ||
        analysis::isConstexprIf(first) || !ast::isExpression(first->child(ast::If::condition)))
        return false;
    const NodePtr then = first->child(ast::If::then), otherwise = first->child(ast::If::otherwise);
    if (!returnsAlways(then) || !isChoice(std::span(&then, 1))) return false;
    return otherwise ? isChoice(std::span(&otherwise, 1)) : isChoice(statements.subspan(1));
}

bool areBranches(std::span<const NodePtr> statements) {
    for (std::size_t k = 0; k < statements.size(); ++k) {
        const NodePtr each = statements[k];
        const bool isLast = k + 1 == statements.size();
        if (ast::is<ast::Return>(each)) return true;
        if (!holdsReturn(each)) continue;
        if (ast::is<ast::Compound>(each)) return isLast && areBranches(each->children());
        if (!ast::is<ast::If>(each)) return false;
        const NodePtr then = each->child(ast::If::then),
                      otherwise = each->child(ast::If::otherwise);
        if (!areBranches(std::span(&then, 1))) return false;
        if (otherwise && !areBranches(std::span(&otherwise, 1))) return false;
        if (isLast) return true;
        if (!returnsAlways(then) && !(otherwise && returnsAlways(otherwise))) return false;
    }
    return true;
}

bool leavesLoop(std::span<const NodePtr> statements) {
    if (statements.empty() || !ast::isAny<ast::For, ast::While, ast::DoWhile>(statements.front()))
        return false;
    const auto isOther = [](NodePtr each) {
        return ast::isAny<ast::Switch, ast::RangeFor, ast::Lambda>(each) ||
               (ast::is<ast::Return>(each) &&
                ast::is<ast::BracedInitializer>(each->child(ast::Return::value)));
    };
    const auto behind = statements.subspan(1);
    return !ast::anywhere(statements.front(), isOther) &&
           std::ranges::none_of(behind, ast::is<ast::Declaration>) && areBranches(behind);
}

}  // namespace hpcc::regions
