#include "nests/linear.hpp"

#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"
#include "nests/slots.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class Reader {
public:
    Reader(long modulus, const Loop* innermost, const Reaches& reaches)
        : modulus_(modulus), innermost_(innermost), reaches_(reaches) {}

    std::optional<Linear> of(NodePtr e) const {
        e = ast::withoutParentheses(e);
        if (const auto constant = ast::asConstant(e)) return Linear{{}, {}, *constant};
        if (const Loop* loop = loopOf(e)) return Linear{{{loop, 1}}, {}, 0};
        if (const auto [operand, modulus] = asRemainder(e); operand && modulus == modulus_)
            return of(operand);
        if (ast::is<ast::Binary>(e))
            if (const auto sum = ofBinary(e)) return sum;
        if (ast::is<ast::Unary>(e) && e->child(ast::Unary::op)->text() == "-")
            return scaled(of(e->child(ast::Unary::operand)), -1);
        return ofOther(e);
    }

private:
    /// The loop of i` and of k.
    const Loop* loopOf(NodePtr e) const {
        const bool isGlobal = ast::is<ast::GlobalIndex>(e);
        if (isGlobal) e = ast::withoutParentheses(e->child(ast::GlobalIndex::operand));
        if (!ast::is<ast::Identifier>(e)) return nullptr;
        const Loop* loop = enclosing(innermost_, e->text());
        const auto kind = isGlobal ? Loop::Kind::Overall : Loop::Kind::Counting;
        return loop && loop->kind == kind ? loop : nullptr;
    }

    static std::optional<Linear> scaled(const std::optional<Linear>& e, long factor) {
        if (!e) return std::nullopt;
        return Linear().add(*e, factor);
    }

    std::optional<Linear> ofBinary(NodePtr e) const {
        const std::string_view op = e->child(ast::Binary::op)->text();
        const NodePtr left = e->child(ast::Binary::left), right = e->child(ast::Binary::right);
        if (op == "*") {
            if (const auto factor = ast::asConstant(left)) return scaled(of(right), *factor);
            if (const auto factor = ast::asConstant(right)) return scaled(of(left), *factor);
            return std::nullopt;
        }
        if (op != "+" && op != "-") return std::nullopt;
        auto a = of(left);
        const auto b = of(right);
        if (!a || !b) return std::nullopt;
        return a->add(*b, op == "+" ? 1 : -1);
    }

    std::optional<Linear> ofOther(NodePtr e) const {
        const bool isInteger = e->type && e->type->kind == ast::TypeKind::Integer;
        if (!isInteger || !reaches_.isFixed(e)) return std::nullopt;
        return Linear{{}, {{ast::print(e), 1}}, 0};
    }

    long modulus_;
    const Loop* innermost_;
    const Reaches& reaches_;
};

template <class Key>
void addTo(std::map<Key, long>& sum, const std::map<Key, long>& more, long factor) {
    for (const auto& [key, value] : more)
        if ((sum[key] += factor * value) == 0) sum.erase(key);
}

}  // namespace

Linear& Linear::add(const Linear& more, long factor) {
    addTo(loops, more.loops, factor);
    addTo(others, more.others, factor);
    constant += factor * more.constant;
    return *this;
}

std::optional<Linear> linear(NodePtr expression, long modulus, const Loop* innermost,
                             const Reaches& reaches) {
    return Reader(modulus, innermost, reaches).of(expression);
}

std::pair<NodePtr, long> asRemainder(NodePtr e) {
    e = ast::withoutParentheses(e);
    if (!ast::is<ast::Binary>(e)) return {nullptr, 0};
    const std::string_view op = e->child(ast::Binary::op)->text();
    const long by = ast::asConstant(e->child(ast::Binary::right)).value_or(0);
    if (op == "%" && by > 1 && (by & (by - 1)) == 0) return {e->child(ast::Binary::left), by};
    if (op == "&" && by == 1) return {e->child(ast::Binary::left), 2};
    return {nullptr, 0};
}

}  // namespace hpcc::nests
