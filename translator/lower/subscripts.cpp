#include "lower/subscripts.hpp"

#include <algorithm>
#include <charconv>

#include "ast/purity.hpp"
#include "ast/symbol.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

bool isIndexName(NodePtr node) {
    if (!ast::is<ast::Identifier>(node)) return false;
    if (node->type) return node->type->kind == ast::TypeKind::Index;
    return node->symbol && node->symbol->kind == ast::SymbolKind::DistributedIndex;
}

}  // namespace

std::optional<long> asConstant(NodePtr expression) {
    expression = ast::withoutParentheses(expression);
    if (ast::is<ast::Unary>(expression) && expression->child(ast::Unary::op)->text() == "-") {
        const auto value = asConstant(expression->child(ast::Unary::operand));
        return value ? std::optional(-*value) : std::nullopt;
    }
    if (!ast::is<ast::NumberLiteral>(expression)) return std::nullopt;
    const std::string_view text = expression->text();
    if (text.size() > 1 && text.front() == '0') return std::nullopt;
    long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<long> IndexSubscript::constantDistance() const {
    if (!distance) return 0;
    const auto value = asConstant(distance);
    if (!value) return std::nullopt;
    return negative ? -*value : *value;
}

std::optional<IndexSubscript> asIndexSubscript(NodePtr subscript) {
    subscript = ast::withoutParentheses(subscript);
    if (isIndexName(subscript)) return IndexSubscript{subscript};
    if (!ast::is<ast::Binary>(subscript)) return std::nullopt;
    const NodePtr index = ast::withoutParentheses(subscript->child(ast::Binary::left));
    const std::string_view op = subscript->child(ast::Binary::op)->text();
    if (!isIndexName(index) || (op != "+" && op != "-")) return std::nullopt;
    return IndexSubscript{index, subscript->child(ast::Binary::right), op == "-"};
}

const ast::Type* multiarrayType(NodePtr expression) {
    const ast::Type* type = expression->type;
    return type && type->kind == ast::TypeKind::Multiarray ? type : nullptr;
}

bool hasUnknownType(NodePtr expression) {
    const ast::Type* type = expression->type;
    return !type || type->kind == ast::TypeKind::Unknown || type->isDependent;
}

bool isIndexValue(NodePtr expression) {
    const ast::Type* type = expression->type;
    return asIndexSubscript(expression) || (type && (type->kind == ast::TypeKind::Index ||
                                                     type->kind == ast::TypeKind::ShiftedIndex));
}

bool isDirectAccess(NodePtr subscript) {
    const NodePtr base = subscript->child(ast::Subscript::base);
    const ast::Type* type = multiarrayType(base);
    if (!type || !ast::isSimple(base)) return false;
    const auto subscripts = subscript->child(ast::Subscript::subscripts)->children();
    if (subscripts.size() != type->slots.size()) return false;
    for (size_t r = 0; r < subscripts.size(); ++r) {
        const bool distributed = type->slots[r] == ast::SlotKind::Distributed;
        if (distributed != asIndexSubscript(subscripts[r]).has_value()) return false;
    }
    return true;
}

}  // namespace hpcc::lower
