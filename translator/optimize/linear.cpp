// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/linear.hpp"

#include <algorithm>
#include <utility>

#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::optimize {
namespace {

bool isSignedInteger(NodePtr node) {
    return ast::mayRearrange(node->type || !node->symbol ? node->type : node->symbol->type);
}

bool isNumberInquiry(NodePtr call) {
    const ast::RuntimeMember* inquiry = ast::inquiryOf(call);
    return inquiry && inquiry->result == ast::RuntimeResult::Integer;
}

Sum single(Term term) {
    Sum sum;
    sum.push_back(std::move(term));
    return sum;
}

class SumReader {
public:
    explicit SumReader(Keys& keys) : keys_(keys) {}

    Sum read(NodePtr node) {
        node = ast::withoutParentheses(node);
        if (long value = 0; ast::is<ast::NumberLiteral>(node) && asPlainInteger(node, value))
            return single({value, {}});
        if (ast::is<ast::Binary>(node)) return binary(node);
        if (ast::is<ast::Unary>(node) && node->child(ast::Unary::op)->text() == "-") {
            Sum sum = read(node->child(ast::Unary::operand));
            for (Term& term : sum) term.coefficient = -term.coefficient;
            return sum;
        }
        if (ast::is<ast::Identifier>(node)) return identifier(node);
        if (const int shift = shiftKey(node); shift >= 0) return single({1, {shift}});
        const int atom = keys_.atom(node);
        return single({1, {atom >= 0 ? atom : keys_.opaque(node)}});
    }

private:
    Sum binary(NodePtr node) {
        const std::string_view op = node->child(ast::Binary::op)->text();
        if (op != "+" && op != "-" && op != "*") return single({1, {keys_.opaque(node)}});
        if (!mayRearrange(node)) return single({1, {keys_.opaque(node)}});
        Sum left = read(node->child(ast::Binary::left));
        Sum right = read(node->child(ast::Binary::right));
        if (op == "*") return product(left, right, node);
        for (Term& term : right) {
            if (op == "-") term.coefficient = -term.coefficient;
            left.push_back(std::move(term));
        }
        return left;
    }

    Sum product(const Sum& left, const Sum& right, NodePtr node) {
        if (left.size() * right.size() > 12) return single({1, {keys_.opaque(node)}});
        // An opaque part must be evaluated once.
        if ((left.size() > 1 && hasOpaque(right)) || (right.size() > 1 && hasOpaque(left)))
            return single({1, {keys_.opaque(node)}});
        Sum sum;
        sum.reserve(left.size() * right.size());
        for (const Term& l : left)
            for (const Term& r : right) {
                Term& term = sum.emplace_back(l);
                term.coefficient *= r.coefficient;
                term.factors.insert(term.factors.end(), r.factors.begin(), r.factors.end());
            }
        return sum;
    }

    bool hasOpaque(const Sum& sum) const {
        for (const Term& term : sum)
            for (const int factor : term.factors)
                if (keys_[factor].kind == KeyKind::Opaque) return true;
        return false;
    }

    /// What a schema made is Index arithmetic; what the user wrote is judged by its names.
    bool mayRearrange(NodePtr node) const {
        if (ast::is<ast::Identifier>(node)) {
            long value = 0;
            return asPlainInteger(node, value) || isSignedInteger(node) || isMade(node);
        }
        if (ast::is<ast::NumberLiteral>(node)) {
            long value = 0;
            return asPlainInteger(node, value);
        }
        if (ast::is<ast::Binary>(node))
            return mayRearrange(node->child(ast::Binary::left)) &&
                   mayRearrange(node->child(ast::Binary::right));
        if (ast::is<ast::Unary>(node)) return mayRearrange(node->child(ast::Unary::operand));
        if (ast::is<ast::Parenthesized>(node)) return mayRearrange(node->child(0));
        // i.sub, a.stride(0), x.size(), bounded(..) are of type Index.
        if (ast::is<ast::Member>(node)) return isIndexMember(node);
        if (ast::is<ast::Call>(node))
            return isNumberInquiry(node) || node->child(0)->text().starts_with("hpspmd::detail::");
        return false;
    }

    /// A temporary of an earlier pass, `a_at_i`: hpspmd::Index.
    bool isMade(NodePtr identifier) const {
        const int variable = keys_.graph().names().find(identifier);
        if (variable < 0) return false;
        const NodePtr specifiers = keys_.graph().names()[variable].specifiers;
        return specifiers && specifiers->text().find("hpspmd::Index") != std::string_view::npos;
    }

    bool isIndexMember(NodePtr member) const {
        const NodePtr base = member->child(ast::Member::base);
        if (base->type && base->type->kind == ast::TypeKind::Index) return true;
        const std::string_view name = member->child(ast::Member::name)->text();
        return name == "localBase" || name == "localStep" || name == "globalBase" ||
               name == "globalStep";
    }

    Sum identifier(NodePtr node) {
        if (long value = 0; asPlainInteger(node, value))
            return single({value, {}});  // a made number
        const int variable = keys_.variable(node);
        long value = 0;
        if (isLiteralConstant(variable, value)) return single({value, {}});
        return single({1, {variable}});
    }

    /// `const int k = 2;`
    bool isLiteralConstant(int key, long& value) const {
        const int number = keys_[key].variable;
        if (number < firstVariable) return false;
        const Variable& variable = keys_.graph().names()[number - firstVariable];
        return variable.isConstant() && ast::is<ast::EqualInitializer>(variable.initializer) &&
               ast::is<ast::InitDeclarator>(variable.declaration) &&
               asPlainInteger(variable.initializer->child(0), value) &&
               ast::is<ast::NumberLiteral>(variable.initializer->child(0));
    }

    /// `i.shift` of an index over the range x is `x.str()`.
    int shiftKey(NodePtr node) {
        if (!ast::is<ast::Member>(node) || node->child(1)->text() != "shift") return -1;
        const NodePtr index = node->child(0);
        const FlowGraph& graph = keys_.graph();
        const int number = ast::is<ast::Identifier>(index) ? graph.names().find(index) : -1;
        if (number < 0) return -1;
        const NodePtr arguments = graph.names()[number].initializer;
        if (!ast::is<ast::Arguments>(arguments) || arguments->children().size() < 2) return -1;
        const NodePtr range = arguments->children()[0];
        if (!ast::is<ast::Identifier>(range)) return -1;
        const int key = keys_.variable(range);
        if (keys_[key].variable < firstVariable || !graph.isConstant(keys_[key].variable))
            return -1;
        return keys_.inquiry(key, "str", -1, range);
    }

    Keys& keys_;
};

bool isStride(const Key& key) { return key.kind == KeyKind::Inquiry && key.text == "stride"; }

/// Made of strides, alignment and numbers only: how far a shift moves.
bool isShift(const Keys& keys, const Term& term) {
    return std::ranges::all_of(term.factors, [&](int factor) {
        const Key& key = keys[factor];
        return key.kind == KeyKind::Inquiry || (key.kind == KeyKind::Member && key.text == "shift");
    });
}

int rankOf(const Keys& keys, const Term& term) {
    int rank = 0;
    for (const int factor : term.factors) rank = std::max(rank, keys[factor].rank);
    return rank;
}

/// The term without its sign.
int termKey(Keys& keys, const Term& term) {
    int result = -1;
    for (const int factor : term.factors)
        result = result < 0 ? factor : keys.binary(KeyKind::Product, result, factor);
    const long size = std::abs(term.coefficient);
    if (result < 0) return keys.literal(size);
    return size == 1 ? result : keys.binary(KeyKind::Product, result, keys.literal(size));
}

}  // namespace

void normalize(const Keys& keys, Sum& sum) {
    auto end = sum.begin();  // of what is merged
    for (auto each = sum.begin(); each != sum.end(); ++each) {
        std::ranges::sort(each->factors, {}, [&](int factor) {
            const Key& key = keys[factor];
            return std::tuple(!isStride(key), key.rank, factor);
        });
        const auto same = std::ranges::find(sum.begin(), end, each->factors, &Term::factors);
        if (same != end)
            same->coefficient += each->coefficient;
        else if (end++ != each)
            *std::prev(end) = std::move(*each);
    }
    sum.erase(end, sum.end());
    std::erase_if(sum, [](const Term& term) { return term.coefficient == 0; });
}

Sum sumOf(Keys& keys, NodePtr subscript) {
    Sum sum = SumReader(keys).read(subscript);
    normalize(keys, sum);
    return sum;
}

int sumKey(Keys& keys, const Sum& sum) {
    int result = -1;
    for (const Term& term : sum) {
        const int key = termKey(keys, term);
        if (result < 0)
            result = term.coefficient < 0 ? keys.negation(key) : key;
        else
            result =
                keys.binary(term.coefficient < 0 ? KeyKind::Difference : KeyKind::Sum, result, key);
    }
    return result;
}

int offsetKey(Keys& keys, Sum sum) {
    if (sum.empty()) return -1;
    Sum shifts;
    std::erase_if(sum, [&](const Term& term) {
        const bool shift = isShift(keys, term);
        if (shift) shifts.push_back(term);
        return shift;
    });
    std::ranges::stable_sort(sum, {}, [&](const Term& term) { return rankOf(keys, term); });
    // A positive term first: `a - b`, not `-b + a`.
    std::stable_partition(shifts.begin(), shifts.end(),
                          [](const Term& term) { return term.coefficient > 0; });
    if (sum.empty()) return sumKey(keys, shifts);
    const int base = sumKey(keys, sum);
    if (shifts.empty()) return base;
    if (shifts.front().coefficient > 0)
        return keys.binary(KeyKind::Sum, base, sumKey(keys, shifts));
    for (Term& term : shifts) term.coefficient = -term.coefficient;
    return keys.binary(KeyKind::Difference, base, sumKey(keys, shifts));
}

}  // namespace hpcc::optimize
