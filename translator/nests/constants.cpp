#include "nests/constants.hpp"

#include "ast/purity.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"

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

bool isConstantInteger(const ast::Symbol& symbol) {
    const ast::Type* const type = symbol.type;
    return symbol.kind == ast::SymbolKind::Variable && type && type->isConst &&
           type->kind == ast::TypeKind::Integer && !type->isReference &&
           (type->spelled == "int" || type->spelled == "long" || type->spelled == "Index");
}

/// What a name of a constant stands for, declared before it; null for other names.
NodePtr definitionOf(NodePtr name) {
    const NodePtr initializer =
        name->symbol && isConstantInteger(*name->symbol) ? name->symbol->initializer : nullptr;
    const bool isOne = initializer && initializer->children().size() == 1;  // = e, {e} or (e)
    if (!isOne) return nullptr;
    const source::Span use = name->origin()->span(), definition = initializer->span();
    const bool isBefore = use.text != definition.text || definition.end <= use.begin;
    return isBefore ? initializer->child(0) : nullptr;
}

std::optional<long> ofName(NodePtr name, const Constants& constants) {
    const auto found = constants.find(name->text());
    if (found != constants.end()) return found->second;
    const NodePtr definition = definitionOf(name);
    return definition ? valueOf(definition, {}) : std::nullopt;
}

}  // namespace

std::optional<long> valueOf(NodePtr expression, const Constants& constants) {
    expression = ast::withoutParentheses(expression);
    std::optional<long> value = ast::asConstant(expression);
    if (ast::is<ast::Identifier>(expression)) {
        value = ofName(expression, constants);
    } else if (ast::is<ast::Unary>(expression)) {
        value = ofUnary(expression, constants);
    } else if (ast::is<ast::Binary>(expression)) {
        value = ofBinary(expression, constants);
    }
    return value && *value >= -most && *value <= most ? value : std::nullopt;
}

}  // namespace hpcc::nests
