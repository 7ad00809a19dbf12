// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/constant.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "analysis/operators.hpp"
#include "analysis/written_parts.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"

namespace hpcc::analysis {

using ast::SymbolKind;

NodePtr bare(NodePtr expression) { return ast::withoutParentheses(expression); }

bool isStable(const Symbol* symbol) {
    if (!symbol || symbol->isReassigned) return false;
    return symbol->kind == SymbolKind::Variable || symbol->kind == SymbolKind::Parameter ||
           symbol->kind == SymbolKind::Field;
}

NodePtr singleInitializer(NodePtr initializer) {
    if (!initializer) return nullptr;
    if (initializer->is<ast::EqualInitializer>())
        return bare(initializer->child(ast::EqualInitializer::value));
    return initializer->children().size() == 1 ? bare(initializer->child(0)) : nullptr;
}

thread_local int Descent::depth = 0;

// ---- constants -------------------------------------------------------------------------------

namespace {

using Value = std::optional<long long>;

constexpr long long most = 1LL << 48;  // sums and products of a few fit

// Of two integers, or of truth values.
Value combined(std::string_view op, long long a, long long b) {
    long long result = 0;
    if (op == "+") return a + b;
    if (op == "-") return a - b;
    if (op == "*") return __builtin_mul_overflow(a, b, &result) ? Value() : result;
    if ((op == "/" || op == "%") && b != 0) return op == "/" ? a / b : a % b;
    if (op == "==") return a == b;
    if (op == "!=" || op == "not_eq") return a != b;
    if (op == "<") return a < b;
    if (op == "<=") return a <= b;
    if (op == ">") return a > b;
    if (op == ">=") return a >= b;
    return std::nullopt;
}

// What is beyond its type would wrap round, or be an error.
Value fitting(Value value, NodePtr node) {
    if (!value || *value > most || *value < -most) return std::nullopt;
    const ast::Type* type = node->type;
    if (!type || type->kind != ast::TypeKind::Integer || type->number.bits == 0) return value;
    const auto [bits, isSigned] = type->number;
    if (bits == 64) return isSigned || *value >= 0 ? value : std::nullopt;
    const long long end = 1LL << (isSigned ? bits - 1 : bits);
    return *value < end && *value >= (isSigned ? -end : 0) ? value : std::nullopt;
}

// 7, 7ul, 0x7.
Value ofLiteral(std::string_view text) {
    while (!text.empty() && std::string_view("uUlL").find(text.back()) != text.npos)
        text.remove_suffix(1);
    const bool isHexadecimal = text.starts_with("0x") || text.starts_with("0X");
    if (isHexadecimal) text.remove_prefix(2);
    if (!isHexadecimal && text.size() > 1 && text.front() == '0') return std::nullopt;
    long long value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value, isHexadecimal ? 16 : 10);
    const bool isWhole = error == std::errc() && end == text.data() + text.size();
    return isWhole ? Value(value) : std::nullopt;
}

Value ofName(NodePtr name, const Bindings& bindings) {
    const auto bound = bindings.find(name->text());
    if (bound != bindings.end()) return bound->second;
    const Symbol* symbol = name->symbol;
    if (!symbol) return ast::asConstant(name);
    if (symbol->kind == SymbolKind::Enumerator)
        return symbol->initializer ? constantValue(symbol->initializer) : std::nullopt;
    const bool isConstant = isStable(symbol) && ast::isInteger(symbol->type) &&
                            symbol->type->isConst && symbol->kind == SymbolKind::Variable;
    return isConstant ? fitting(constantValue(singleInitializer(symbol->initializer)), name)
                      : std::nullopt;
}

// table[2], table[2].di, of a constant whose elements are written out.
Value ofPart(NodePtr part, const Bindings& bindings) {
    const NodePtr written = ast::isInteger(part->type) ? writtenPart(part, bindings) : nullptr;
    return written ? constantValue(written) : std::nullopt;
}

Value ofUnary(NodePtr unary, const Bindings& bindings) {
    const auto value = constantValue(unary->child(ast::Unary::operand), bindings);
    const std::string_view op = unary->child(ast::Unary::op)->text();
    if (!value) return std::nullopt;
    if (op == "-") return -*value;
    if (op == "+") return *value;
    return op == "!" || op == "not" ? Value(*value == 0) : std::nullopt;
}

Value ofBinary(NodePtr binary, const Bindings& bindings) {
    const NodePtr left = binary->child(ast::Binary::left),
                  right = binary->child(ast::Binary::right);
    const std::string_view op = binary->child(ast::Binary::op)->text();
    const auto a = constantValue(left, bindings), b = constantValue(right, bindings);
    if (op == "&&" || op == "and" || op == "||" || op == "or") {
        const bool isDecisive = op == "||" || op == "or";
        if (a && (*a != 0) == isDecisive) return isDecisive;
        return a && b ? Value(*b != 0) : std::nullopt;
    }
    if (!a || !b) return std::nullopt;
    const bool wraps =
        (*a < 0 || *b < 0) && (isUnsigned(numberOf(left)) || isUnsigned(numberOf(right)));
    return wraps ? std::nullopt : combined(op, *a, *b);
}

// std::abs(d), std::min(d, 2)
Value ofCall(NodePtr call, const Bindings& bindings) {
    const NodePtr callee = call->child(ast::Call::callee);
    const auto arguments = call->child(ast::Call::arguments)->children();
    if (!ast::isMathematical(callee) || arguments.empty() || arguments.size() > 2)
        return std::nullopt;
    const auto a = constantValue(arguments[0], bindings);
    const std::string_view name = callee->symbol->name;
    if (!a || !ast::isInteger(call->type)) return std::nullopt;
    if (arguments.size() == 1) return name.ends_with("abs") ? Value(std::abs(*a)) : std::nullopt;
    const auto b = constantValue(arguments[1], bindings);
    if (!b || (name != "min" && name != "max")) return std::nullopt;
    return name == "min" ? std::min(*a, *b) : std::max(*a, *b);
}

}  // namespace

std::optional<long long> constantValue(NodePtr expression, const Bindings& bindings) {
    const Descent descent;
    expression = bare(expression);
    if (!expression || descent.isTooDeep()) return std::nullopt;
    switch (expression->kind()) {
    case ast::Kind::NumberLiteral:
        return fitting(ofLiteral(expression->text()), expression);
    case ast::Kind::KeywordLiteral:
        if (expression->text() == "true") return 1;
        return expression->text() == "false" ? Value(0) : std::nullopt;
    case ast::Kind::Identifier:
    case ast::Kind::QualifiedName:
        return ofName(expression, bindings);
    case ast::Kind::Subscript:
    case ast::Kind::Member:
        return fitting(ofPart(expression, bindings), expression);
    case ast::Kind::Call:
        return fitting(ofCall(expression, bindings), expression);
    case ast::Kind::Unary:
        return fitting(ofUnary(expression, bindings), expression);
    case ast::Kind::Binary:
        return fitting(ofBinary(expression, bindings), expression);
    default:
        return std::nullopt;
    }
}

std::optional<long> constantDistance(const ast::IndexSubscript& subscript) {
    if (!subscript.distance) return 0;
    const auto value = constantValue(subscript.distance);
    if (!value) return std::nullopt;
    return static_cast<long>(subscript.negative ? -*value : *value);
}

bool isConstexprIf(NodePtr ifStatement) {
    const std::string_view text = ifStatement->text().substr(std::string_view("if").size());
    const std::size_t word = text.find_first_not_of(" \t\r\n");
    return word != text.npos && text.substr(word).starts_with("constexpr");
}

std::optional<NodePtr> compiledBranch(NodePtr ifStatement) {
    const auto value = isConstexprIf(ifStatement)
                           ? constantValue(ifStatement->child(ast::If::condition))
                           : std::nullopt;
    if (!value) return std::nullopt;
    return ifStatement->child(*value != 0 ? ast::If::then : ast::If::otherwise);
}

}  // namespace hpcc::analysis
