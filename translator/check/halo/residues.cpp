#include "check/halo/residues.hpp"

#include "ast/symbol.hpp"
#include "check/facts.hpp"
#include "check/flow/constants.hpp"

#include <algorithm>

namespace hpcc::check::halo {
namespace {

using ast::SymbolKind;
using Names = std::unordered_set<std::string_view>;

constexpr int deepest = 24;

bool isAny(std::string_view op, std::string_view a, std::string_view b) {
    return op == a || op == b;
}

// The same in all iterations of the nest.
bool isInvariant(NodePtr node, const Names& changed) {
    if (!node) return true;
    if (node->is<ast::GlobalIndex>() || node->is<ast::Lambda>()) return false;
    if (node->is<ast::Identifier>()) {
        const Symbol* symbol = node->symbol;
        if (symbol && symbol->kind == SymbolKind::DistributedIndex) return false;
        return !changed.contains(node->text());
    }
    return std::ranges::all_of(node->children(),
                               [&](NodePtr child) { return isInvariant(child, changed); });
}

class Reader {
public:
    Reader(long long modulus, const Names& changed) : modulus_(modulus), changed_(changed) {}

    std::optional<Residues> read(NodePtr node, int depth) const {
        node = bare(node);
        if (!node || depth == 0) return std::nullopt;
        if (node->is<ast::GlobalIndex>()) {
            const NodePtr index = bare(node->child(ast::GlobalIndex::operand));
            const bool isIndex =
                index->symbol && index->symbol->kind == SymbolKind::DistributedIndex;
            return isIndex ? std::optional(Residues{{index->symbol, 1}}) : std::nullopt;
        }
        const bool isVariable = node->is<ast::Identifier>() && isStable(node->symbol) &&
                                node->symbol->kind == SymbolKind::Variable;
        if (isVariable)
            if (const NodePtr value = singleInitializer(node->symbol->initializer))
                return read(value, depth - 1);
        if (node->is<ast::Binary>()) return binary(node, depth);
        const bool isConverted = node->is<ast::Cast>() || node->is<ast::NamedCast>();
        if (isConverted && isInteger(typeOf(node))) return read(node->children().back(), depth - 1);
        return isInvariant(node, changed_) ? std::optional(Residues{}) : std::nullopt;
    }

private:
    std::optional<Residues> binary(NodePtr node, int depth) const {
        const std::string_view op = node->child(ast::Binary::op)->text();
        const NodePtr left = node->child(ast::Binary::left);
        const NodePtr right = node->child(ast::Binary::right);
        const bool isSum = op == "+" || op == "-" || (op == "^" && modulus_ == 2);
        if (isSum) {
            auto sum = read(left, depth - 1);
            const auto other = read(right, depth - 1);
            if (!sum || !other) return std::nullopt;
            for (const auto& [index, factor] : *other)
                (*sum)[index] += op == "-" ? -factor : factor;
            return sum;
        }
        const auto number = constantValue(right);
        const bool keeps = number && ((op == "%" && *number != 0 && *number % modulus_ == 0) ||
                                      (isAny(op, "&", "bitand") && *number == 1 && modulus_ == 2));
        if (keeps) return read(left, depth - 1);
        if (op == "*") {
            const auto factor = number ? number : constantValue(left);
            auto product = factor ? read(number ? left : right, depth - 1) : std::nullopt;
            if (product)
                for (auto& each : *product) each.second *= *factor % modulus_;
            if (product) return product;
        }
        return isInvariant(node, changed_) ? std::optional(Residues{}) : std::nullopt;
    }

    long long modulus_;
    const Names& changed_;
};

}  // namespace

std::optional<Residues> residuesOf(NodePtr expression, long long modulus, const Names& changed) {
    if (!expression) return Residues{};
    return Reader(modulus, changed).read(expression, deepest);
}

namespace {

// e % m, e & 1
std::optional<Congruence> remainder(NodePtr node) {
    node = bare(node);
    if (ast::is<ast::Identifier>(node) && isStable(node->symbol) && node->symbol->initializer)
        node = bare(singleInitializer(node->symbol->initializer));
    if (!ast::is<ast::Binary>(node)) return std::nullopt;
    const std::string_view op = node->child(ast::Binary::op)->text();
    const auto number = constantValue(node->child(ast::Binary::right));
    const NodePtr left = node->child(ast::Binary::left);
    if (op == "%" && number && *number > 1) return Congruence{left, *number, true};
    if (isAny(op, "&", "bitand") && number == 1) return Congruence{left, 2, true};
    return std::nullopt;
}

}  // namespace

std::optional<Congruence> congruenceOf(NodePtr condition) {
    condition = bare(condition);
    if (!condition) return std::nullopt;
    if (flow::logicOf(condition) == flow::Logic::Not) {
        auto inner = congruenceOf(condition->child(ast::Unary::operand));
        if (inner) inner->isEqual = !inner->isEqual;
        return inner;
    }
    const bool isName = condition->is<ast::Identifier>() && isStable(condition->symbol) &&
                        condition->symbol->kind == SymbolKind::Variable;
    if (isName) return congruenceOf(singleInitializer(condition->symbol->initializer));
    if (auto whole = remainder(condition)) {  // true if it is not 0
        whole->isEqual = false;
        return whole;
    }
    if (!condition->is<ast::Binary>()) return std::nullopt;
    const std::string_view op = condition->child(ast::Binary::op)->text();
    if (op != "==" && op != "!=" && op != "not_eq") return std::nullopt;
    auto found = remainder(condition->child(ast::Binary::left));
    NodePtr value = condition->child(ast::Binary::right);
    if (!found) {
        found = remainder(value);
        value = condition->child(ast::Binary::left);
    }
    if (!found || !isInvariant(value, {})) return std::nullopt;
    found->isEqual = op == "==";
    return found;
}

}  // namespace hpcc::check::halo
