// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/constant.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "analysis/lengths.hpp"
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

// An integer and its type, which has no bits where it is not known. Numbers of 64 bits without a
// sign are here what they are modulo 2^64, from -2^63.
struct Number {
    long long value = 0;
    NumberType type;

    bool isHuge() const { return value < 0 && isUnsigned(type); }
};
using Value = std::optional<Number>;

constexpr long long most = 1LL << 48;  // sums and products of a few fit
constexpr long long farthest = 1LL << 31;
constexpr NumberType ofInt{32, true}, ofSize{64, false};

Value evaluated(NodePtr expression, const Bindings& bindings);

// What is beyond a type with a sign is an error; without, it wraps round.
Value inType(long long value, NumberType type) {
    const auto [bits, isSigned] = type;
    if (bits == 64) return Number{value, type};
    const long long end = bits == 0 ? most : 1LL << (isSigned ? bits - 1 : bits);
    if (bits > 0 && !isSigned) return Number{value & (end - 1), type};
    return -end <= value && value < end ? Value({value, type}) : std::nullopt;
}

Number converted(long long value, NumberType to) {
    const int rest = 64 - to.bits;
    const auto bits = static_cast<unsigned long long>(value) << rest;
    return {
        to.isSigned ? static_cast<long long>(bits) >> rest : static_cast<long long>(bits >> rest),
        to};
}

Number truth(bool value) { return {value ? 1 : 0, ofInt}; }

NumberType promoted(NumberType type) { return type.bits > 0 && type.bits < 32 ? ofInt : type; }

// C++'s usual arithmetic conversions.
NumberType common(NumberType a, NumberType b) {
    if (a.bits == 0 || b.bits == 0) return {};
    a = promoted(a), b = promoted(b);
    if (a.bits != b.bits) return a.bits > b.bits ? a : b;
    return a.isSigned ? b : a;
}

template <class T>
Value compared(std::string_view op, T a, T b) {
    if (op == "==") return truth(a == b);
    if (op == "!=" || op == "not_eq") return truth(a != b);
    if (op == "<") return truth(a < b);
    if (op == "<=") return truth(a <= b);
    if (op == ">") return truth(a > b);
    return op == ">=" ? Value(truth(a >= b)) : std::nullopt;
}

// Of two numbers of one type.
Value combined(std::string_view op, long long a, long long b, NumberType type) {
    const bool wraps = isUnsigned(type);
    const auto x = static_cast<unsigned long long>(a), y = static_cast<unsigned long long>(b);
    long long result = 0;
    bool isOver = false;
    if (op == "+") {
        isOver = __builtin_add_overflow(a, b, &result);
    } else if (op == "-") {
        isOver = __builtin_sub_overflow(a, b, &result);
    } else if (op == "*") {
        isOver = __builtin_mul_overflow(a, b, &result);
    } else if ((op == "/" || op == "%") && b != 0) {
        if (b == -1 && !wraps) return op == "/" ? combined("-", 0, a, type) : Number{0, type};
        if (op == "/")
            result = wraps ? static_cast<long long>(x / y) : a / b;
        else
            result = wraps ? static_cast<long long>(x % y) : a % b;
    } else {
        return wraps ? compared(op, x, y) : compared(op, a, b);
    }
    return isOver && !wraps ? std::nullopt : inType(result, type);
}

// 7, 7ul, 0x7; of what the translator has written itself the type is not known.
Value ofLiteral(NodePtr literal) {
    std::string_view text = literal->text();
    const std::string_view suffix = text.substr(text.find_last_not_of("uUlL") + 1);
    text.remove_suffix(suffix.size());
    const bool isHexadecimal = text.starts_with("0x") || text.starts_with("0X");
    if (isHexadecimal) text.remove_prefix(2);
    if (!isHexadecimal && text.size() > 1 && text.front() == '0') return std::nullopt;
    long long value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value, isHexadecimal ? 16 : 10);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    if (numberOf(literal).bits > 0) return inType(value, numberOf(literal));
    if (suffix.find_first_of("uU") != suffix.npos) return std::nullopt;
    return inType(value, suffix.empty() && value <= INT32_MAX ? ofInt : NumberType{64, true});
}

Value ofName(NodePtr name, const Bindings& bindings) {
    const auto bound = bindings.find(name->text());
    if (bound != bindings.end()) return Number{bound->second, numberOf(name)};
    const Symbol* symbol = name->symbol;
    if (!symbol) {
        if (const auto length = typeLength(name)) return Number{*length, ofSize};
        const auto number = ast::asConstant(name);
        return number
                   ? inType(*number, std::labs(*number) > INT32_MAX ? NumberType{64, true} : ofInt)
                   : std::nullopt;
    }
    const bool isEnumerator = symbol->kind == SymbolKind::Enumerator;
    if (isEnumerator)
        return symbol->initializer ? evaluated(symbol->initializer, {}) : std::nullopt;
    const bool isConstant = isStable(symbol) && ast::isInteger(symbol->type) &&
                            symbol->type->isConst && symbol->kind == SymbolKind::Variable;
    const auto value =
        isConstant ? evaluated(singleInitializer(symbol->initializer), {}) : std::nullopt;
    if (!value || symbol->type->kind == ast::TypeKind::Bool)
        return value ? Value(truth(value->value != 0)) : std::nullopt;
    const NumberType type = numberOf(symbol->type);
    return type.bits > 0 ? converted(value->value, type) : value;
}

// table[2], table[2].di, of a constant whose elements are written out.
Value ofPart(NodePtr part, const Bindings& bindings) {
    const NodePtr written = ast::isInteger(part->type) ? writtenPart(part, bindings) : nullptr;
    const auto value = written ? evaluated(written, {}) : std::nullopt;
    const NumberType type = numberOf(part);
    return value && type.bits > 0 ? converted(value->value, type) : value;
}

Value ofUnary(NodePtr unary, const Bindings& bindings) {
    const auto value = evaluated(unary->child(ast::Unary::operand), bindings);
    if (!value) return std::nullopt;
    const std::string_view op = operatorOf(unary);
    const NumberType type = promoted(value->type);
    if (op == "-") return combined("-", 0, value->value, type);
    if (op == "+") return Number{value->value, type};
    return isNegation(unary) ? Value(truth(value->value == 0)) : std::nullopt;
}

Value ofBinary(NodePtr binary, const Bindings& bindings) {
    const NodePtr left = binary->child(ast::Binary::left),
                  right = binary->child(ast::Binary::right);
    const std::string_view op = operatorOf(binary);
    const auto a = evaluated(left, bindings), b = evaluated(right, bindings);
    if (ast::isShortCircuit(binary)) {
        const bool isDecisive = op == "||" || op == "or";
        if (a && (a->value != 0) == isDecisive) return truth(isDecisive);
        return a && b ? Value(truth(b->value != 0)) : std::nullopt;
    }
    if (!a || !b) return std::nullopt;
    constexpr long long mostBits = 30;
    if (op == "<<")
        return a->value >= 0 && b->value >= 0 && b->value <= mostBits
                   ? combined("*", a->value, 1LL << b->value, promoted(a->type))
                   : std::nullopt;
    const NumberType type = common(a->type, b->type);
    if (type.bits > 0)
        return combined(op, converted(a->value, type).value, converted(b->value, type).value, type);
    const bool mayWrap = isUnsigned(a->type) || isUnsigned(b->type);
    const auto result = mayWrap && (a->value < 0 || b->value < 0)
                            ? std::nullopt
                            : combined(op, a->value, b->value, type);
    return result && mayWrap && result->value < 0 ? std::nullopt : result;
}

Value ofConditional(NodePtr choice, const Bindings& bindings) {
    const auto condition = evaluated(choice->child(ast::Conditional::condition), bindings),
               then = evaluated(choice->child(ast::Conditional::then), bindings),
               otherwise = evaluated(choice->child(ast::Conditional::otherwise), bindings);
    const NumberType type = then && otherwise ? common(then->type, otherwise->type) : NumberType();
    if (!condition || type.bits == 0) return std::nullopt;
    return converted(condition->value != 0 ? then->value : otherwise->value, type);
}

// Index(d), (int)d, static_cast<std::size_t>(d)
Value ofConversion(NodePtr operand, const ast::Type* to, const Bindings& bindings) {
    const auto value = evaluated(operand, bindings);
    if (!value || !to) return std::nullopt;
    if (to->kind == ast::TypeKind::Bool) return truth(value->value != 0);
    const NumberType type = numberOf(to);
    return type.bits > 0 ? Value(converted(value->value, type)) : std::nullopt;
}

// std::abs(d), std::min(d, 2), weights.size()
Value ofCall(NodePtr call, const Bindings& bindings) {
    if (const auto length = askedLength(call))
        return Number{*length, numberOf(call).bits > 0 ? numberOf(call) : ofSize};
    const NodePtr callee = call->child(ast::Call::callee);
    const auto arguments = call->child(ast::Call::arguments)->children();
    if (!ast::isMathematical(callee) || arguments.empty() || arguments.size() > 2)
        return std::nullopt;
    const auto a = evaluated(arguments[0], bindings);
    const std::string_view name = callee->symbol->name;
    if (!a || a->isHuge() || !ast::isInteger(call->type)) return std::nullopt;
    const NumberType type = numberOf(call);
    if (arguments.size() == 1)
        return name.ends_with("abs") ? inType(std::abs(a->value), type) : std::nullopt;
    const auto b = evaluated(arguments[1], bindings);
    if (!b || b->isHuge() || (name != "min" && name != "max")) return std::nullopt;
    return inType(name == "min" ? std::min(a->value, b->value) : std::max(a->value, b->value),
                  type);
}

Value evaluated(NodePtr expression, const Bindings& bindings) {
    const Descent descent;
    expression = bare(expression);
    if (!expression || descent.isTooDeep()) return std::nullopt;
    if (const NodePtr operand = ast::convertedToNumber(expression))
        return ofConversion(operand, expression->type, bindings);
    switch (expression->kind()) {
    case ast::Kind::NumberLiteral:
        return ofLiteral(expression);
    case ast::Kind::KeywordLiteral:
        if (expression->text() == "true") return truth(true);
        return expression->text() == "false" ? Value(truth(false)) : std::nullopt;
    case ast::Kind::Identifier:
    case ast::Kind::QualifiedName:
        return ofName(expression, bindings);
    case ast::Kind::Subscript:
    case ast::Kind::Member:
        return ofPart(expression, bindings);
    case ast::Kind::Call:
        return ofCall(expression, bindings);
    case ast::Kind::Unary:
        return ofUnary(expression, bindings);
    case ast::Kind::Binary:
        return ofBinary(expression, bindings);
    case ast::Kind::Conditional:
        return ofConditional(expression, bindings);
    case ast::Kind::Sizeof: {
        const auto size = sizeInBytes(expression->child(ast::Sizeof::operand));
        return size ? Value({*size, ofSize}) : std::nullopt;
    }
    default:
        return std::nullopt;
    }
}

}  // namespace

std::optional<long long> constantValue(NodePtr expression, const Bindings& bindings) {
    const auto number = evaluated(expression, bindings);
    const bool isKnown = number && !number->isHuge() && std::abs(number->value) <= most;
    return isKnown ? std::optional(number->value) : std::nullopt;
}

std::optional<double> decimalValue(NodePtr literal) {
    const std::string text(literal->text());
    const bool isDecimal = ast::is<ast::NumberLiteral>(literal) &&
                           text.find_first_not_of("0123456789.e+-") == text.npos;
    return isDecimal ? std::optional(std::strtod(text.c_str(), nullptr)) : std::nullopt;
}

std::optional<long> constantDistance(const ast::IndexSubscript& subscript,
                                     const Bindings& bindings) {
    if (!subscript.distance) return 0;
    const auto number = evaluated(subscript.distance, bindings);
    const bool isKnown = number && std::abs(number->value) < farthest;
    if (!isKnown) return std::nullopt;
    return static_cast<long>(subscript.negative ? -number->value : number->value);
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
