// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/parity.hpp"

#include <algorithm>
#include <set>

#include "analysis/dependence.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/type.hpp"

namespace hpcc::nests {
namespace {

using analysis::bare;
using analysis::constantValue;
using analysis::isComparison;
using analysis::isNegation;
using analysis::operatorOf;
using ast::NodePtr;

NodePtr leftOf(NodePtr binary) { return bare(binary->child(ast::Binary::left)); }
NodePtr rightOf(NodePtr binary) { return bare(binary->child(ast::Binary::right)); }

bool isOneOf(std::string_view op, std::initializer_list<std::string_view> all) {
    return std::ranges::find(all, op) != all.end();
}

bool isXor(NodePtr e) { return ast::is<ast::Binary>(e) && isOneOf(operatorOf(e), {"^", "xor"}); }

/// e & 1.
bool isLastBit(NodePtr e) {
    return ast::is<ast::Binary>(e) && isOneOf(operatorOf(e), {"&", "bitand"}) &&
           constantValue(rightOf(e)) == 1;
}
/// e & 1, e % 2.
bool isRemainder(NodePtr e) {
    return isLastBit(e) ||
           (ast::is<ast::Binary>(e) && operatorOf(e) == "%" && constantValue(rightOf(e)) == 2);
}

class Asked {
public:
    Asked(const Nest& nest, const Loop& loop, const Reaches& reaches)
        : nest_(nest), loop_(loop), reaches_(reaches) {}

    Parity parity;  // of what has been added

    /// Adds a sum that is even where the condition is true.
    bool addCondition(NodePtr e) {
        const analysis::Descent descent;
        e = bare(e);
        if (descent.isTooDeep()) return false;
        if (isNegation(e)) return addOne() && addCondition(e->child(ast::Unary::operand));
        if (const NodePtr inside = wrapped(e)) return addCondition(inside);
        if (isRemainder(e)) return addOne() && isIntegral(e) && add(leftOf(e));
        if (isXor(e)) return addOne() && addBit(leftOf(e)) && addBit(rightOf(e));
        return isComparison(e) && addComparison(e);
    }

private:
    bool addOne() {
        parity.isOdd = !parity.isOdd;
        return true;
    }

    bool addComparison(NodePtr e) {
        const std::string_view op = operatorOf(e);
        if (isOneOf(op, {"!=", "not_eq"})) {
            addOne();
        } else if (op != "==") {
            return addOrder(e, op);
        }
        NodePtr left = leftOf(e), right = rightOf(e);
        if (constantValue(left)) std::swap(left, right);
        // A remainder is 0 whatever the sign is.
        return constantValue(right) == 0 && isRemainder(unwrapped(left))
                   ? add(leftOf(unwrapped(left)))
                   : addBit(left) && addBit(right);
    }

    /// `> 0` and `>= 1` of 0 and 1 is `== 1`.
    bool addOrder(NodePtr e, std::string_view op) {
        const auto bound = constantValue(rightOf(e));
        if (!bound) return false;
        const bool isUp = op.starts_with('>');
        const long long first = *bound + (op == ">" || op == "<=" ? 1 : 0);
        if (first != 1) return false;
        if (isUp) addOne();
        return addBit(leftOf(e));
    }

    /// What is 0 or 1.
    bool addBit(NodePtr e) {
        const analysis::Descent descent;
        e = bare(e);
        if (descent.isTooDeep()) return false;
        if (const auto number = constantValue(e)) return (*number == 0 || *number == 1) && add(e);
        if (const NodePtr inside = wrapped(e)) return addBit(inside);
        if (isXor(e)) return addBit(leftOf(e)) && addBit(rightOf(e));
        if (isRemainder(e)) {
            if (!isLastBit(e) && !analysis::isUnsigned(analysis::numberOf(e)))
                parity.notNegative.push_back(leftOf(e));
            return add(leftOf(e));
        }
        if (isNegation(e) || isComparison(e)) return addOne() && addCondition(e);
        if (!isFree(e)) return false;
        if (!e->type || e->type->kind != ast::TypeKind::Bool) parity.bits.push_back(e);
        return add(e);
    }

    /// Any integer.
    bool add(NodePtr e, bool isSubtracted = false) {
        const analysis::Descent descent;
        e = bare(e);
        if (descent.isTooDeep() || !isIntegral(e)) return false;
        if (const auto number = constantValue(e)) return (*number & 1) == 0 || addOne();
        if (isGlobalIndexOf(e, loop_)) {
            parity.alternates = !parity.alternates;
            return true;
        }
        if (const NodePtr inside = wrapped(e)) return add(inside, isSubtracted);
        const std::string_view op = operatorOf(e);
        if (ast::is<ast::Unary>(e)) {
            if (op == "~") addOne();
            return isOneOf(op, {"-", "+", "~"}) &&
                   add(e->child(ast::Unary::operand), isSubtracted != (op == "-"));
        }
        if (isOneOf(op, {"+", "-", "^", "xor"}))
            return add(leftOf(e), isSubtracted) && add(rightOf(e), isSubtracted != (op == "-"));
        if (op == "*") return addProduct(leftOf(e), rightOf(e), e);
        if (isRemainder(e)) return add(leftOf(e), isSubtracted);
        return addTerm(e, isSubtracted);
    }

    bool addProduct(NodePtr left, NodePtr right, NodePtr whole) {
        if (constantValue(left)) std::swap(left, right);
        const auto number = constantValue(right);
        if (!number) return addTerm(whole, false);
        return (*number & 1) == 0 ? ast::isPure(left) && isIntegral(left) : add(left);
    }

    bool addTerm(NodePtr e, bool isSubtracted) {
        if (!isFree(e)) return false;
        parity.terms.push_back({e, isSubtracted});
        return true;
    }

    bool isFree(NodePtr e) const { return isIntegral(e) && reaches_.isFixedIn(e, loop_); }

    /// What a constant of the loop's body, or a conversion, has as its value, if that is 0 in the
    /// same cases, and even, and 0 or 1 for what is that.
    NodePtr wrapped(NodePtr e) const {
        const NodePtr inside = ast::is<ast::Identifier>(e) && loop_.declared.contains(e->text())
                                   ? bare(valueInNest(nest_, loop_, e))
                                   : bare(ast::convertedToNumber(e));
        if (!inside || !isIntegral(e) || !isIntegral(inside)) return nullptr;
        const bool isTruth = e->type && e->type->kind == ast::TypeKind::Bool;
        return !isTruth || isTruthValue(inside) ? inside : nullptr;
    }
    NodePtr unwrapped(NodePtr e) const {
        e = bare(e);
        while (const NodePtr inside = wrapped(e)) e = inside;
        return e;
    }

    /// True if it has as a `bool` the value that it has as an integer, but for its sign.
    bool isTruthValue(NodePtr e) const {
        e = unwrapped(e);
        if (isRemainder(e) || isNegation(e)) return true;
        if (isXor(e)) return isTruthValue(leftOf(e)) && isTruthValue(rightOf(e));
        return isComparison(e) || (e->type && e->type->kind == ast::TypeKind::Bool);
    }

    const Nest& nest_;
    const Loop& loop_;
    const Reaches& reaches_;
};

}  // namespace

std::string Parity::key() const {
    std::set<std::string> odd;  // those that are there an odd number of times
    for (const Term& term : terms) {
        const auto [place, isNew] = odd.insert(ast::print(term.value));
        if (!isNew) odd.erase(place);
    }
    std::string key;
    for (const std::string& each : odd) key += each + "\n";
    return key;
}

std::optional<Parity> parityOf(const Nest& nest, const Loop& loop, const Reaches& reaches,
                               NodePtr condition) {
    Asked asked(nest, loop, reaches);
    if (!asked.addCondition(condition) || !asked.parity.alternates) return std::nullopt;
    return std::move(asked.parity);
}

NodePtr valueInNest(const Nest& nest, const Loop& loop, NodePtr name) {
    if (!ast::is<ast::Identifier>(name) || !name->symbol) return nullptr;
    const analysis::IterationSpace& space = nest.dependences().space();
    return space.valueOf(name, space.loopAt(headerOf(loop))).expression;
}

bool isIntegral(NodePtr e) {
    e = bare(e);
    if (constantValue(e) || e->is<ast::GlobalIndex>()) return true;
    const bool isConversion = ast::is<ast::Call>(e) && ast::convertedToNumber(e);
    const NodePtr typed = isConversion ? e->child(ast::Call::callee) : e;
    const ast::Type* type =
        typed->symbol && (isConversion || !e->type) ? typed->symbol->type : e->type;
    if (type && type->kind == ast::TypeKind::Bool) return true;
    if (analysis::numberOf(type).bits > 0) return true;
    if (type && type->kind != ast::TypeKind::Unknown) return false;
    const std::string_view op = operatorOf(e);
    if (ast::is<ast::Unary>(e))
        return isOneOf(op, {"-", "+", "~", "!", "not"}) &&
               isIntegral(e->child(ast::Unary::operand));
    return ast::is<ast::Binary>(e) && !op.empty() && isIntegral(leftOf(e)) &&
           isIntegral(rightOf(e));
}

bool isGlobalIndexOf(NodePtr e, const Loop& loop) {
    e = bare(e);
    return ast::is<ast::GlobalIndex>(e) &&
           isNamed(e->child(ast::GlobalIndex::operand), loop.variable);
}

}  // namespace hpcc::nests
