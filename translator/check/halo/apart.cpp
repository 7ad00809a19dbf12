#include "check/halo/apart.hpp"

#include "ast/symbol.hpp"
#include "check/facts.hpp"
#include "check/flow/constants.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace hpcc::check::halo {
namespace {

using ast::SymbolKind;
using Names = std::unordered_set<std::string_view>;

constexpr int deepest = 12;

// constant + the sum of factor * part; parts are known by their text.
struct Linear {
    std::map<std::string_view, long long> parts;
    long long constant = 0;

    void add(const Linear& other, long long factor) {
        for (const auto& [part, own] : other.parts) parts[part] += factor * own;
        constant += factor * other.constant;
    }
};

class Reader {
public:
    Reader(NodePtr nest, const Names& changed) : nest_(nest), changed_(changed) {}

    std::optional<Linear> read(NodePtr node, int depth = deepest) const {
        node = bare(node);
        if (!node || depth == 0) return std::nullopt;
        if (const auto value = constantValue(node)) return Linear{{}, *value};
        if (node->is<ast::Identifier>()) return variable(node, depth);
        if (node->is<ast::Binary>())
            if (auto result = binary(node, depth)) return result;
        if (!isFixed(node)) return std::nullopt;
        return Linear{{{node->text(), 1}}, 0};
    }

private:
    std::optional<Linear> variable(NodePtr node, int depth) const {
        const Symbol* symbol = node->symbol;
        const bool isNamed = symbol && symbol->kind == SymbolKind::Variable && isStable(symbol);
        const NodePtr value = isNamed ? singleInitializer(symbol->initializer) : nullptr;
        if (value && isStableThroughout(value))
            if (auto result = read(value, depth - 1)) return result;
        if (!isFixed(node)) return std::nullopt;
        return Linear{{{node->text(), 1}}, 0};
    }

    std::optional<Linear> binary(NodePtr node, int depth) const {
        const std::string_view op = node->child(ast::Binary::op)->text();
        auto left = read(node->child(ast::Binary::left), depth - 1);
        const auto right = read(node->child(ast::Binary::right), depth - 1);
        if (!left || !right) return std::nullopt;
        if (op == "+" || op == "-") {
            left->add(*right, op == "+" ? 1 : -1);
            return left;
        }
        if (op != "*" || !(left->parts.empty() || right->parts.empty())) return std::nullopt;
        Linear product;
        if (left->parts.empty())
            product.add(*right, left->constant);
        else
            product.add(*left, right->constant);
        return product;
    }

    // Names, numbers and operators only, the same in all iterations.
    bool isFixed(NodePtr node) const {
        node = bare(node);
        if (!node || constantValue(node)) return node != nullptr;
        if (node->is<ast::Binary>())
            return isFixed(node->child(ast::Binary::left)) &&
                   isFixed(node->child(ast::Binary::right));
        const Symbol* symbol = node->is<ast::Identifier>() ? node->symbol : nullptr;
        const bool isValue =
            symbol && (symbol->kind == SymbolKind::Variable ||
                       symbol->kind == SymbolKind::Parameter || symbol->kind == SymbolKind::Field);
        const bool isInner =
            isValue && symbol->declaration && nest_->span().contains(symbol->declaration->span());
        return isValue && !isInner && !changed_.contains(node->text());
    }

    // What an initializer names has the value that it had there.
    static bool isStableThroughout(NodePtr node) {
        if (!node) return true;
        if (node->is<ast::Identifier>()) return isStable(node->symbol);
        return std::ranges::all_of(node->children(),
                                   [](NodePtr each) { return isStableThroughout(each); });
    }

    NodePtr nest_;
    const Names& changed_;
};

// e of e % m
std::optional<std::pair<NodePtr, long long>> remainder(NodePtr node) {
    node = bare(node);
    if (!ast::is<ast::Binary>(node) || node->child(ast::Binary::op)->text() != "%")
        return std::nullopt;
    const auto modulus = constantValue(node->child(ast::Binary::right));
    if (!modulus || *modulus < 2) return std::nullopt;
    return std::pair(node->child(ast::Binary::left), *modulus);
}

// Is a - b, modulo `modulus` if that is not 0, never 0?
bool differ(const std::optional<Linear>& a, const std::optional<Linear>& b, long long modulus) {
    if (!a || !b) return false;
    Linear difference = *a;
    difference.add(*b, -1);
    long long divisor = modulus;
    for (const auto& [part, factor] : difference.parts) divisor = std::gcd(divisor, factor);
    return divisor == 0 ? difference.constant != 0 : difference.constant % divisor != 0;
}

}  // namespace

bool areApart(NodePtr a, NodePtr b, NodePtr nest, const Names& changed) {
    const Reader reader(nest, changed);
    if (differ(reader.read(a), reader.read(b), 0)) return true;
    const auto left = remainder(a), right = remainder(b);
    if (!left || !right || left->second != right->second) return false;
    return differ(reader.read(left->first), reader.read(right->first), left->second);
}

}  // namespace hpcc::check::halo
