#include "nests/constants.hpp"

#include "ast/purity.hpp"
#include "ast/subscripts.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

constexpr long most = 1L << 30;

std::optional<long> applied(std::string_view op, long a, long b) {
    if (op == "+") return a + b;
    if (op == "-") return a - b;
    if (op == "*") return a * b;
    if ((op == "/" || op == "%") && b != 0) return op == "/" ? a / b : a % b;
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "<") return a < b;
    if (op == "<=") return a <= b;
    if (op == ">") return a > b;
    if (op == ">=") return a >= b;
    return std::nullopt;
}

std::optional<long> ofUnary(NodePtr unary, const Constants& constants) {
    const auto value = valueOf(unary->child(ast::Unary::operand), constants);
    const std::string_view op = unary->child(ast::Unary::op)->text();
    if (!value) return std::nullopt;
    if (op == "-") return -*value;
    if (op == "+") return *value;
    if (op == "!") return *value == 0;
    return std::nullopt;
}

std::optional<long> ofBinary(NodePtr binary, const Constants& constants) {
    const std::string_view op = binary->child(ast::Binary::op)->text();
    const auto left = valueOf(binary->child(ast::Binary::left), constants);
    const auto right = valueOf(binary->child(ast::Binary::right), constants);
    if (op == "&&" || op == "||") {
        const bool isDecisive = op == "||";
        if (left && (*left != 0) == isDecisive) return isDecisive;
        if (left && right) return *right != 0;
        return std::nullopt;
    }
    return left && right ? applied(op, *left, *right) : std::nullopt;
}

}  // namespace

std::optional<long> valueOf(NodePtr expression, const Constants& constants) {
    expression = ast::withoutParentheses(expression);
    std::optional<long> value = ast::asConstant(expression);
    if (ast::is<ast::Identifier>(expression)) {
        const auto found = constants.find(expression->text());
        if (found != constants.end()) value = found->second;
    } else if (ast::is<ast::Unary>(expression)) {
        value = ofUnary(expression, constants);
    } else if (ast::is<ast::Binary>(expression)) {
        value = ofBinary(expression, constants);
    }
    return value && *value >= -most && *value <= most ? value : std::nullopt;
}

}  // namespace hpcc::nests
