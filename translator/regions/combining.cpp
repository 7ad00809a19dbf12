// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/combining.hpp"

#include <algorithm>

#include "analysis/constant.hpp"
#include "ast/known_calls.hpp"

namespace hpcc::regions {
namespace {

using analysis::bare;
using ast::NodePtr;
using ast::Symbol;

bool names(NodePtr node, const Symbol* symbol) {
    return ast::is<ast::Identifier>(node) && node->symbol == symbol;
}

bool mentions(NodePtr node, const Symbol* symbol) {
    if (!node) return false;
    return names(node, symbol) || std::ranges::any_of(node->children(), [&](NodePtr child) {
               return mentions(child, symbol);
           });
}

bool isOneOf(NodePtr a, NodePtr b, const Symbol* symbol) {
    return (names(bare(a), symbol) && !mentions(b, symbol)) ||
           (names(bare(b), symbol) && !mentions(a, symbol));
}

// The operation that `op` without its `=` is: - subtracts from a sum.
bool combines(std::string_view op, std::string_view sign) {
    if (op == "and") op = "&&";
    if (op == "or") op = "||";
    return op == sign || (op == "-" && sign == "+");
}

int assignedMentions(NodePtr value, const Symbol* symbol, std::string_view sign) {
    value = bare(value);
    if (ast::is<ast::Binary>(value)) {
        const NodePtr left = value->child(ast::Binary::left),
                      right = value->child(ast::Binary::right);
        const std::string_view op = value->child(ast::Binary::op)->text();
        const bool isOrdered = op != "-" || names(bare(left), symbol);
        return combines(op, sign) && isOrdered && isOneOf(left, right, symbol) ? 2 : 0;
    }
    if (!ast::is<ast::Call>(value) || !ast::isMathematicalCall(value)) return 0;
    const auto arguments = value->child(ast::Call::arguments)->children();
    const std::string_view callee = value->child(ast::Call::callee)->text();
    const bool isExtreme = (sign == "min" || sign == "max") && callee.ends_with(sign);
    return isExtreme && arguments.size() == 2 && isOneOf(arguments[0], arguments[1], symbol) ? 2
                                                                                             : 0;
}

// The one statement of a branch, `m = e;`
NodePtr soleAssignment(NodePtr statement) {
    if (ast::is<ast::Compound>(statement) && statement->children().size() == 1)
        statement = statement->child(0);
    if (!ast::is<ast::ExpressionStatement>(statement)) return nullptr;
    const NodePtr assign = statement->child(ast::ExpressionStatement::expression);
    return ast::is<ast::Assign>(assign) && assign->child(ast::Assign::op)->text() == "=" ? assign
                                                                                         : nullptr;
}

}  // namespace

int combinedMentions(NodePtr changing, const Symbol* variable, std::string_view sign) {
    if (!changing->is<ast::Assign>()) return sign == "+" ? 1 : 0;
    const NodePtr value = changing->child(ast::Assign::value);
    std::string_view op = changing->child(ast::Assign::op)->text();
    if (op == "=") return assignedMentions(value, variable, sign);
    op.remove_suffix(1);
    return combines(op, sign) && !mentions(value, variable) ? 1 : 0;
}

std::optional<KeptExtreme> keptExtreme(NodePtr statement) {
    const NodePtr assign = soleAssignment(statement->child(ast::If::then));
    const NodePtr condition = bare(statement->child(ast::If::condition));
    if (!assign || statement->child(ast::If::otherwise) || !ast::is<ast::Binary>(condition))
        return std::nullopt;
    const NodePtr target = bare(assign->child(ast::Assign::target)),
                  value = bare(assign->child(ast::Assign::value)),
                  left = bare(condition->child(ast::Binary::left)),
                  right = bare(condition->child(ast::Binary::right));
    if (!ast::is<ast::Identifier>(target) || !target->symbol || mentions(value, target->symbol))
        return std::nullopt;
    const std::string_view op = condition->child(ast::Binary::op)->text();
    const bool isLess = op == "<" || op == "<=", isMore = op == ">" || op == ">=";
    const bool isOnRight = names(right, target->symbol) && left->text() == value->text(),
               isOnLeft = names(left, target->symbol) && right->text() == value->text();
    if (isOnRight == isOnLeft || isLess == isMore) return std::nullopt;
    return KeptExtreme{target->symbol, isMore == isOnRight ? "max" : "min"};
}

}  // namespace hpcc::regions
