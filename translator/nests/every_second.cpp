// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/every_second.hpp"

#include <algorithm>
#include <unordered_map>

#include "analysis/constant.hpp"
#include "analysis/loop.hpp"
#include "analysis/numbers.hpp"
#include "ast/copy.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "ast/search.hpp"
#include "nests/pieces.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

bool isOperation(NodePtr e, std::string_view op) {
    return ast::is<ast::Binary>(e) && e->child(ast::Binary::op)->text() == op;
}

NodePtr leftOf(NodePtr binary) { return ast::withoutParentheses(binary->child(ast::Binary::left)); }
NodePtr rightOf(NodePtr binary) {
    return ast::withoutParentheses(binary->child(ast::Binary::right));
}

/// What `!` negates, however often.
NodePtr withoutNegations(NodePtr e) {
    e = ast::withoutParentheses(e);
    while (ast::is<ast::Unary>(e) && e->child(ast::Unary::op)->text() == "!")
        e = ast::withoutParentheses(e->child(ast::Unary::operand));
    return e;
}

/// A condition that is true where `sum`, and `rest` if there is one, and 1 if `isOdd`, add up to an
/// even number.
struct Parity {
    NodePtr sum = nullptr;  // of the loop's variable and what is fixed in the loop
    NodePtr rest = nullptr;
    bool isOdd = false;
    bool isSigned = false;  // only where the sum is not negative
};

/// Of one loop.
class Halving {
public:
    Halving(Context& context, const Nest& nest, const Loop& loop)
        : context_(context), nest_(nest), loop_(loop), reaches_(context, nest) {}

    NodePtr triplet = nullptr, body = nullptr;
    std::vector<NodePtr> conditions;

    bool run() {
        if (!hasFixedBounds() || !findParity()) return false;
        Known whole, none;
        for (const NodePtr place : places_) whole[place] = true, none[place] = false;
        const NodePtr all = bodyOf(loop_), taken = specialised(context_, all, whole),
                      left = specialised(context_, all, none);
        if ((taken == nullptr) == (left == nullptr)) return false;
        if (!taken) parity_.isOdd = !parity_.isOdd;
        if (!requireSigns()) return false;
        requireRange();
        body = taken ? taken : left;
        triplet = context_.arena.rebuilt(
            tripletOf(loop_), tripletOf(loop_),
            std::vector<NodePtr>{start(), part(ast::Triplet::high), made("2")});
        return true;
    }

private:
    NodePtr made(const std::string& text) {
        return context_.expression(text, {}, loop_.statement->child(ast::Overall::headers));
    }
    NodePtr part(uint32_t which) const { return tripletOf(loop_)->child(which); }

    bool hasFixedBounds() const {
        if (!loop_.isInnermost || loop_.kind != Loop::Kind::Overall || loop_.jumps ||
            loop_.touchesForeign)
            return false;
        const auto isBound = [&](NodePtr e) {
            return !e || (reaches_.isFixed(e) && isOfSigned(e));
        };
        const NodePtr step = part(ast::Triplet::step);
        return (!step || analysis::constantValue(step) == 1) && isBound(part(ast::Triplet::low)) &&
               isBound(part(ast::Triplet::high));
    }

    bool findParity() {
        for (const NodePtr each : ast::allOf<ast::If>(bodyOf(loop_))) {
            const NodePtr place = withoutNegations(each->child(ast::If::condition));
            const NodePtr value = resolved(context_, nest_, loop_, place);
            const auto parity = parityOf(value);
            if (!parity || (!places_.empty() && ast::print(value) != text_)) continue;
            places_.push_back(place);
            text_ = ast::print(value);
            parity_ = *parity;
        }
        return !places_.empty();
    }

    std::optional<Parity> parityOf(NodePtr e) const {
        e = ast::withoutParentheses(e);
        if (ast::is<ast::Unary>(e) && e->child(ast::Unary::op)->text() == "!") {
            auto parity = parityOf(e->child(ast::Unary::operand));
            if (parity) parity->isOdd = !parity->isOdd;
            return parity;
        }
        if (const NodePtr sum = dividend(e)) return Parity{.sum = sum, .isOdd = true};
        const bool isEqual = isOperation(e, "==");
        if (!isEqual && !isOperation(e, "!=")) return std::nullopt;
        const NodePtr left = leftOf(e), right = rightOf(e);
        return dividend(left) ? compared(left, right, isEqual) : compared(right, left, isEqual);
    }

    std::optional<Parity> compared(NodePtr remainder, NodePtr rest, bool isEqual) const {
        Parity parity{.sum = dividend(remainder), .isOdd = !isEqual};
        const auto number = analysis::constantValue(rest);
        if (!parity.sum || !isFree(rest) || (number && *number != 0 && *number != 1))
            return std::nullopt;
        parity.isSigned = isOperation(remainder, "%") && number != 0;
        if (!number) parity.rest = rest;
        if (number == 1) parity.isOdd = isEqual;
        return parity;
    }

    /// s of `s % 2` and `s & 1`, if each iteration of the loop adds 1 to it, or takes 1 from it.
    NodePtr dividend(NodePtr e) const {
        if (!isRemainder(e)) return nullptr;
        return isAlternating(leftOf(e)) ? leftOf(e) : nullptr;
    }
    static bool isRemainder(NodePtr e) {
        return (isOperation(e, "%") && analysis::constantValue(rightOf(e)) == 2) ||
               (isOperation(e, "&") && analysis::constantValue(rightOf(e)) == 1);
    }

    bool isAlternating(NodePtr e) const {
        if (isVariable(e)) return true;
        if (!isOperation(e, "+") && !isOperation(e, "-")) return false;
        const NodePtr left = leftOf(e), right = rightOf(e);
        return (isAlternating(left) && isFree(right)) || (isFree(left) && isAlternating(right));
    }
    bool isVariable(NodePtr e) const {
        return e->is<ast::GlobalIndex>() &&
               isNamed(e->child(ast::GlobalIndex::operand), loop_.variable);
    }
    bool isFree(NodePtr e) const { return isOfSigned(e) && reaches_.isFixedIn(e, loop_); }

    /// That remainders are 0 and 1.
    bool requireSigns() {
        if (parity_.isSigned && !requireNotNegative(parity_.sum)) return false;
        const NodePtr rest = parity_.rest;
        if (!rest || isOperation(rest, "&")) return true;
        if (isRemainder(rest) && analysis::isNeverNegative(leftOf(rest))) return true;
        if (!reaches_.isFixed(rest)) return false;
        require("($e) >= 0", rest);
        require("($e) <= 1", rest);
        return true;
    }

    bool requireNotNegative(NodePtr e) {
        if (analysis::isNeverNegative(e)) return true;
        if (isOperation(e, "+"))
            return requireNotNegative(leftOf(e)) && requireNotNegative(rightOf(e));
        if (!reaches_.isFixed(e)) return false;
        require("($e) >= 0", e);
        return true;
    }
    void require(const char* question, NodePtr e) {
        conditions.push_back(
            context_.expression(question, {{"$e", ast::copy(context_.arena, e)}}, loop_.range));
    }

    /// The first element may not be asked for any more.
    void requireRange() {
        const NodePtr origin = nest_.loops.front().statement;
        std::vector<NodePtr> arguments{context_.made(loop_.range, origin)};
        for (const uint32_t which : {ast::Triplet::low, ast::Triplet::high})
            arguments.push_back(part(which) ? context_.made(part(which), origin)
                                            : made("hpspmd::detail::none"));
        if (part(ast::Triplet::low) || part(ast::Triplet::high))
            conditions.push_back(context_.expression("hpspmd::detail::Run($arguments)",
                                                     {{"$arguments", arguments}}, origin));
    }

    /// The first iteration in which the condition is true.
    NodePtr start() {
        const NodePtr first = part(ast::Triplet::low) ? part(ast::Triplet::low) : made("0");
        NodePtr sum = AtFirst(*this, first).rewrite(ast::copy(context_.arena, parity_.sum));
        if (parity_.rest)
            sum = context_.expression(
                "($s) + ($r)", {{"$s", sum}, {"$r", ast::copy(context_.arena, parity_.rest)}},
                first);
        if (parity_.isOdd) sum = context_.expression("($s) + 1", {{"$s", sum}}, first);
        const NodePtr skipped = context_.expression("($s) & 1", {{"$s", sum}}, first);
        if (!part(ast::Triplet::low)) return skipped;
        return context_.expression(
            "$l + ($s)", {{"$l", ast::copy(context_.arena, first)}, {"$s", skipped}}, first);
    }

    /// Puts the first index in the place of the loop's variable.
    class AtFirst : public ast::Rewriter {
    public:
        AtFirst(Halving& halving, NodePtr first)
            : Rewriter(halving.context_.arena), halving_(halving), first_(first) {}
        NodePtr rewriteGlobalIndex(NodePtr node) override {
            if (!halving_.isVariable(node)) return node;
            return halving_.context_.expression(
                "($l)", {{"$l", ast::copy(halving_.context_.arena, first_)}}, node);
        }

    private:
        Halving& halving_;
        NodePtr first_;
    };

    Context& context_;
    const Nest& nest_;
    const Loop& loop_;
    Reaches reaches_;
    Parity parity_;
    std::string text_;
    std::vector<NodePtr> places_;
};

class Stepping : public ast::Rewriter {
public:
    using Rewriter::Rewriter;
    std::unordered_map<NodePtr, NodePtr> inPlaceOf;  // triplets and bodies

    NodePtr rewriteTriplet(NodePtr node) override {
        const auto found = inPlaceOf.find(node);
        return found == inPlaceOf.end() ? rewriteChildren(node) : found->second;
    }
    NodePtr rewriteOverall(NodePtr node) override {
        const auto found = inPlaceOf.find(node->child(ast::Overall::body));
        if (found == inPlaceOf.end()) return rewriteChildren(node);
        return ast::rebuild(
            arena(), node,
            std::vector<NodePtr>{rewrite(node->child(ast::Overall::headers)), found->second});
    }
};

}  // namespace

std::optional<EverySecond> everySecond(Context& context, const Nest& nest) {
    if (nest.callsForeign) return std::nullopt;
    EverySecond result;
    Stepping stepping(context.arena);
    for (const Loop& loop : nest.loops) {
        Halving halving(context, nest, loop);
        if (!halving.run()) continue;
        stepping.inPlaceOf[tripletOf(loop)] = halving.triplet;
        stepping.inPlaceOf[bodyOf(loop)] = halving.body;
        result.conditions.insert(result.conditions.end(), halving.conditions.begin(),
                                 halving.conditions.end());
    }
    if (stepping.inPlaceOf.empty()) return std::nullopt;
    result.overall = stepping.rewrite(nest.loops.front().statement);
    return result;
}

}  // namespace hpcc::nests
