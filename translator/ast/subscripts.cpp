// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/subscripts.hpp"

#include <algorithm>
#include <charconv>

#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/symbol.hpp"

namespace hpcc::ast {
namespace {

bool isIndexName(NodePtr node) {
    if (!is<Identifier>(node)) return false;
    if (node->type) return node->type->kind == TypeKind::Index;
    return node->symbol && node->symbol->kind == SymbolKind::DistributedIndex;
}

}  // namespace

bool isWholeTriplet(NodePtr triplet) {
    return is<Triplet>(triplet) &&
           std::ranges::none_of(triplet->children(), [](NodePtr part) { return part; });
}

std::optional<long> asConstant(NodePtr expression) {
    expression = withoutParentheses(expression);
    if (is<Unary>(expression) && expression->child(Unary::op)->text() == "-") {
        const auto value = asConstant(expression->child(Unary::operand));
        return value ? std::optional(-*value) : std::nullopt;
    }
    if (!is<NumberLiteral>(expression) && !is<Identifier>(expression)) return std::nullopt;
    std::string_view text = expression->text();
    while (text.ends_with('l') || text.ends_with('L')) text.remove_suffix(1);
    if (text.size() > 1 && text.front() == '0') return std::nullopt;
    long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    constexpr long most = 1L << 48;
    return value <= most ? std::optional(value) : std::nullopt;
}

std::optional<IndexSubscript> asIndexSubscript(NodePtr subscript) {
    subscript = withoutParentheses(subscript);
    if (isIndexName(subscript)) return IndexSubscript{subscript};
    if (!is<Binary>(subscript)) return std::nullopt;
    const NodePtr index = withoutParentheses(subscript->child(Binary::left));
    const std::string_view op = subscript->child(Binary::op)->text();
    if (!isIndexName(index) || (op != "+" && op != "-")) return std::nullopt;
    return IndexSubscript{index, subscript->child(Binary::right), op == "-"};
}

const Type* multiarrayType(NodePtr expression) {
    const Type* type = expression->type;
    return type && type->kind == TypeKind::Multiarray ? type : nullptr;
}

std::string nameForUser(NodePtr array) {
    return print(multiarrayType(array->origin()) ? array->origin() : array);
}

bool hasUnknownType(NodePtr expression) {
    const Type* type = expression->type;
    return !type || type->kind == TypeKind::Unknown || type->isDependent;
}

bool isIndexValue(NodePtr expression) {
    const Type* type = expression->type;
    return asIndexSubscript(expression) ||
           (type && (type->kind == TypeKind::Index || type->kind == TypeKind::ShiftedIndex));
}

bool isDirectAccess(NodePtr subscript) {
    const NodePtr base = subscript->child(Subscript::base);
    const Type* type = multiarrayType(base);
    if (!type || !isSimple(base)) return false;
    const auto subscripts = subscript->child(Subscript::subscripts)->children();
    if (subscripts.size() != type->slots.size()) return false;
    for (size_t r = 0; r < subscripts.size(); ++r) {
        const bool distributed = type->slots[r] == SlotKind::Distributed;
        if (distributed != asIndexSubscript(subscripts[r]).has_value()) return false;
    }
    return true;
}

}  // namespace hpcc::ast
