// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/pieces.hpp"

#include <algorithm>

#include "analysis/dependence.hpp"
#include "analysis/numbers.hpp"
#include "ast/copy.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "nests/known_conditions.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

constexpr size_t mostCuts = 8;

/// Puts what constants of a loop's body stand for in their place.
class Resolving : public ast::Rewriter {
public:
    Resolving(Context& context, const Nest& nest, const Loop& loop)
        : Rewriter(context.arena), context_(context), nest_(nest), loop_(loop) {}

    NodePtr rewriteIdentifier(NodePtr name) override {
        if (!loop_.declared.contains(name->text()) || depth_ > 8) return name;
        analysis::IterationSpace& space = nest_.dependences().space();
        const NodePtr value = space.valueOf(name, space.loopAt(headerOf(loop_))).expression;
        if (!value || !isSame(name->symbol->type, value)) return name;
        ++depth_;
        const NodePtr resolved = rewrite(ast::copy(context_.arena, value));
        --depth_;
        return context_.expression("($e)", {{"$e", resolved}}, name);
    }

private:
    /// True if it is converted without a change.
    static bool isSame(const ast::Type* type, NodePtr value) {
        if (!type) return false;
        if (type->kind == ast::TypeKind::Bool) return isQuestion(value);
        const ast::NumberType number = analysis::numberOf(type);
        return number.bits >= (isRemainder(value) ? 32 : 64) && number.isSigned &&
               analysis::isInteger(value);
    }

    static bool isRemainder(NodePtr e) {
        e = ast::withoutParentheses(e);
        if (!ast::is<ast::Binary>(e)) return false;
        const std::string_view op = e->child(ast::Binary::op)->text();
        const auto by = analysis::constantValue(e->child(ast::Binary::right));
        return (op == "%" || op == "&") && by && *by > 0 && *by < 1L << 31;
    }

    Context& context_;
    const Nest& nest_;
    const Loop& loop_;
    int depth_ = 0;
};

class PieceSearch {
public:
    PieceSearch(Context& context, const Nest& nest, const Loop& loop, const Reaches& reaches)
        : context_(context), nest_(nest), loop_(loop), reaches_(reaches) {}

    std::optional<Pieces> run() {
        visit(bodyOf(loop_));
        if (pieces_.cuts.empty() || pieces_.cuts.size() > mostCuts) return std::nullopt;
        return std::move(pieces_);
    }

private:
    void visit(NodePtr node) {
        if (!node) return;
        if (ast::isExpression(node) && note(node)) return;
        if (node->is<ast::InitDeclarator>())
            return visit(node->child(ast::InitDeclarator::initializer));
        for (const NodePtr child : node->children()) visit(child);
    }

    /// Notes the expression if it is such a condition; true if it is one.
    bool note(NodePtr e) {
        const bool isConstant = e->is<ast::Identifier>() && loop_.declared.contains(e->text());
        if (!e->is<ast::Binary>() && !isConstant) return false;
        const NodePtr value = resolved(context_, nest_, loop_, e);
        std::vector<Cut> cuts;
        if (!isPiecewise(value, cuts) || cuts.empty()) return false;
        const std::string text = ast::print(value);
        const auto known = std::ranges::find_if(pieces_.conditions, [&](const Condition& other) {
            return ast::print(other.value) == text;
        });
        if (known != pieces_.conditions.end()) {
            known->places.push_back(e);
            return true;
        }
        pieces_.conditions.push_back({{e}, value});
        for (const Cut& cut : cuts) add(cut);
        return true;
    }

    void add(const Cut& cut) {
        const auto isSame = [&](const Cut& other) {
            return other.shift == cut.shift && other.isBehind == cut.isBehind &&
                   ast::print(other.value) == ast::print(cut.value);
        };
        if (std::ranges::none_of(pieces_.cuts, isSame)) pieces_.cuts.push_back(cut);
    }

    bool isPiecewise(NodePtr e, std::vector<Cut>& cuts) const {
        e = ast::withoutParentheses(e);
        if (analysis::isNegation(e)) return isPiecewise(e->child(ast::Unary::operand), cuts);
        if (e->is<ast::Unary>()) return false;
        if (ast::is<ast::Binary>(e) && ast::isShortCircuit(e))
            return isPiecewise(e->child(ast::Binary::left), cuts) &&
                   isPiecewise(e->child(ast::Binary::right), cuts);
        return isComparison(e, cuts) || reaches_.isFixedIn(e, loop_);
    }

    bool isComparison(NodePtr e, std::vector<Cut>& cuts) const {
        if (!e->is<ast::Binary>()) return false;
        const std::string_view op = e->child(ast::Binary::op)->text();
        const NodePtr left = e->child(ast::Binary::left), right = e->child(ast::Binary::right);
        const auto leftShift = shiftOf(left), rightShift = shiftOf(right);
        if (leftShift.has_value() == rightShift.has_value()) return false;
        const NodePtr other = ast::withoutParentheses(leftShift ? right : left);
        const long shift = leftShift ? *leftShift : *rightShift;
        if (!analysis::isInteger(other) || !reaches_.isFixedIn(other, loop_)) return false;
        // Of no sign it is compared with a number that wraps round.
        if (shift != 0 && !analysis::numberOf(other).isSigned) return false;
        const bool isEquation = op == "==" || op == "!=";
        const bool isBelow = op == "<" || op == ">=", isAbove = op == ">" || op == "<=";
        if (!isEquation && !isBelow && !isAbove) return false;
        if (isEquation || (leftShift ? isBelow : isAbove)) cuts.push_back({other, shift, false});
        if (isEquation || (leftShift ? isAbove : isBelow)) cuts.push_back({other, shift, true});
        return true;
    }

    /// 1 of i` + 1; nothing if it is not the loop's variable.
    std::optional<long> shiftOf(NodePtr e) const {
        e = ast::withoutParentheses(e);
        if (isVariable(e)) return 0;
        if (!e->is<ast::Binary>()) return std::nullopt;
        const std::string_view op = e->child(ast::Binary::op)->text();
        const auto shift = analysis::constantValue(e->child(ast::Binary::right));
        if ((op != "+" && op != "-") || !shift || std::abs(*shift) > 1L << 20 ||
            !isVariable(ast::withoutParentheses(e->child(ast::Binary::left))) ||
            analysis::numberOf(e->child(ast::Binary::right)) == ast::NumberType{64, false})
            return std::nullopt;
        return op == "+" ? *shift : -*shift;
    }

    bool isVariable(NodePtr e) const {
        return e->is<ast::GlobalIndex>() &&
               isNamed(e->child(ast::GlobalIndex::operand), loop_.variable);
    }

    Context& context_;
    const Nest& nest_;
    const Loop& loop_;
    const Reaches& reaches_;
    Pieces pieces_;
};

}  // namespace

NodePtr resolved(Context& context, const Nest& nest, const Loop& loop, NodePtr expression) {
    return ast::withoutParentheses(Resolving(context, nest, loop).rewrite(expression));
}

std::optional<Pieces> piecesOf(Context& context, const Nest& nest, const Loop& loop,
                               const Reaches& reaches) {
    if (!loop.isInnermost || loop.kind != Loop::Kind::Overall || loop.touchesForeign ||
        nest.callsForeign)
        return std::nullopt;
    return PieceSearch(context, nest, loop, reaches).run();
}

}  // namespace hpcc::nests
