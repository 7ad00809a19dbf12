// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/every_second.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "analysis/constant.hpp"
#include "analysis/loop.hpp"
#include "analysis/reader.hpp"
#include "ast/copy.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "nests/known_conditions.hpp"
#include "nests/parity.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// Of one loop.
class Halving {
public:
    Halving(Context& context, const Nest& nest, const Loop& loop)
        : context_(context), nest_(nest), loop_(loop), reaches_(context, nest) {}

    NodePtr triplet = nullptr, body = nullptr;
    std::vector<NodePtr> conditions;

    bool run() {
        if (!hasFixedBounds()) return false;
        visit(bodyOf(loop_));
        return std::ranges::any_of(groups_, [&](const auto& group) { return take(group.second); });
    }

private:
    /// Conditions that are true in the same iterations, or in the others.
    struct Group {
        std::vector<std::pair<NodePtr, bool>> places;  // with: true where the first one is
        Parity parity;                                 // of the first one
    };

    NodePtr made(const std::string& text) {
        return context_.expression(text, {}, loop_.statement->child(ast::Overall::headers));
    }
    NodePtr part(uint32_t which) const { return tripletOf(loop_)->child(which); }

    bool hasFixedBounds() const {
        if (!loop_.isInnermost || loop_.kind != Loop::Kind::Overall || loop_.jumps ||
            loop_.touchesForeign)
            return false;
        const auto isBound = [&](NodePtr e) {
            return !e || (reaches_.isFixed(e) && isIntegral(e));
        };
        const NodePtr step = part(ast::Triplet::step);
        return (!step || analysis::constantValue(step) == 1) && isBound(part(ast::Triplet::low)) &&
               isBound(part(ast::Triplet::high));
    }

    // ---- the conditions ------------------------------------------------------------------------

    void visit(NodePtr node) {
        if (!node) return;
        if (node->is<ast::If>()) note(node->child(ast::If::condition));
        if (node->is<ast::Conditional>()) note(node->child(ast::Conditional::condition));
        if (analysis::isComparison(node) || joinsConditions(node)) note(node);
        for (const NodePtr child : node->children()) visit(child);
    }

    /// What a condition is made of.
    void note(NodePtr e) {
        e = ast::withoutParentheses(e);
        if (analysis::isNegation(e)) return note(e->child(ast::Unary::operand));
        if (joinsConditions(e)) {
            note(e->child(ast::Binary::left));
            return note(e->child(ast::Binary::right));
        }
        const auto parity =
            noted_.insert(e).second ? parityOf(nest_, loop_, reaches_, e) : std::nullopt;
        if (!parity) return;
        const auto [found, isNew] = groups_.try_emplace(parity->key());
        Group& group = found->second;
        if (isNew) group.parity = *parity;
        group.places.emplace_back(e, parity->isOdd == group.parity.isOdd);
        if (isNew) return;
        append(group.parity.notNegative, parity->notNegative);
        append(group.parity.bits, parity->bits);
    }

    /// True if nothing is left of the body where these conditions are true, or where they are not.
    bool take(const Group& group) {
        Known whole, none;
        for (const auto& [place, isAsFirst] : group.places)
            whole[place] = isAsFirst, none[place] = !isAsFirst;
        const NodePtr all = bodyOf(loop_), taken = specialised(context_, all, whole),
                      left = specialised(context_, all, none);
        if ((taken == nullptr) == (left == nullptr)) return false;
        Parity parity = group.parity;
        if (!taken) parity.isOdd = !parity.isOdd;
        conditions.clear();
        if (!std::ranges::all_of(parity.notNegative, [&](NodePtr e) { return requireSign(e); }) ||
            !std::ranges::all_of(parity.bits, [&](NodePtr e) { return requireBit(e); }))
            return false;
        requireRange();
        body = taken ? taken : left;
        triplet = context_.arena.rebuilt(
            tripletOf(loop_), tripletOf(loop_),
            std::vector<NodePtr>{start(parity), part(ast::Triplet::high), made("2")});
        return true;
    }

    // ---- what they take for granted ------------------------------------------------------------

    bool requireBit(NodePtr e) {
        if (!reaches_.isFixed(e)) return false;
        if (!analysis::isNeverNegative(e)) require("($e) >= 0", e);
        require("($e) <= 1", e);
        return true;
    }

    bool requireSign(NodePtr e) {
        const analysis::Descent descent;
        e = ast::withoutParentheses(e);
        if (descent.isTooDeep()) return false;
        if (analysis::isNeverNegative(e)) return true;
        const std::string_view op = analysis::operatorOf(e);
        if (ast::is<ast::Binary>(e) && (op == "+" || op == "*"))
            return requireSign(e->child(ast::Binary::left)) &&
                   requireSign(e->child(ast::Binary::right));
        if (const NodePtr value = valueInNest(nest_, loop_, e))
            return holdsAll(analysis::numberOf(e->symbol->type), value)
                       ? requireSign(value)
                       : requireSmall(value, analysis::numberOf(e->symbol->type).bits - 1);
        if (!reaches_.isFixed(e)) return false;
        require("($e) >= 0", e);
        return true;
    }
    static bool holdsAll(ast::NumberType type, NodePtr value) {
        const ast::NumberType number = analysis::numberOf(value);
        return (type.bits >= 64 && type.isSigned && value->is<ast::GlobalIndex>()) ||
               (number.bits > 0 && analysis::holdsAllOf(type, number));
    }

    /// A sum of global indices that so many bits hold.
    bool requireSmall(NodePtr e, int bits) {
        e = ast::withoutParentheses(e);
        if (bits < 4) return false;
        if (ast::is<ast::Binary>(e) && analysis::operatorOf(e) == "+")
            return requireSmall(e->child(ast::Binary::left), bits - 1) &&
                   requireSmall(e->child(ast::Binary::right), bits - 1);
        const Loop* over =
            ast::is<ast::GlobalIndex>(e)
                ? nest_.loopNamed(
                      ast::withoutParentheses(e->child(ast::GlobalIndex::operand))->text())
                : nullptr;
        if (!over || !over->range || !reaches_.isFixed(over->range)) return false;
        require(("($e).size() <= " + std::to_string(1L << bits)).c_str(), over->range);
        return true;
    }

    void require(const char* question, NodePtr e) {
        const NodePtr asked = context_.expression(question, {{"$e", copied(e)}}, loop_.range);
        const auto isSame = [&](NodePtr other) { return ast::print(other) == ast::print(asked); };
        if (std::ranges::none_of(conditions, isSame)) conditions.push_back(asked);
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

    // ---- the loop ------------------------------------------------------------------------------

    /// The first iteration in which the condition is true.
    NodePtr start(const Parity& parity) {
        const NodePtr low = part(ast::Triplet::low);
        NodePtr sum = low ? context_.expression("($l)", {{"$l", copied(low)}}, low) : nullptr;
        for (const Parity::Term& term : parity.terms) sum = with(sum, term);
        if (!sum) return made(parity.isOdd ? "1" : "0");
        if (parity.isOdd) sum = context_.expression("$s + 1", {{"$s", sum}}, sum);
        const NodePtr skipped = context_.expression("($s) & 1", {{"$s", sum}}, sum);
        if (!low) return skipped;
        return context_.expression("$l + ($s)", {{"$l", copied(low)}, {"$s", skipped}}, low);
    }

    /// Of narrow numbers the last bit, so that their sum does not overflow.
    NodePtr with(NodePtr sum, const Parity::Term& term) {
        const bool isWide = ast::is<ast::GlobalIndex>(term.value) ||
                            analysis::numberOf(term.value) == ast::NumberType{64, true};
        const std::string text = isWide ? "($t)" : "(($t) & 1)";
        const std::string op = term.isSubtracted ? " - " : " + ";
        const NodePtr value = copied(term.value);
        if (sum) return context_.expression("$s" + op + text, {{"$s", sum}, {"$t", value}}, sum);
        return context_.expression(term.isSubtracted ? "-" + text : text, {{"$t", value}}, value);
    }
    NodePtr copied(NodePtr e) { return ast::copy(context_.arena, e); }

    Context& context_;
    const Nest& nest_;
    const Loop& loop_;
    Reaches reaches_;
    std::unordered_set<NodePtr> noted_;
    std::map<std::string, Group> groups_;
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
