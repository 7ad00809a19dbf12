// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/standard_sums.hpp"

#include <algorithm>

#include "analysis/harmless_calls.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "ast/search.hpp"
#include "nests/names.hpp"
#include "nests/normalize/standard_loops.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;
using Position = StandardLoops::Position;

/// Of one or two containers.
struct Sum {
    Position first, last, other;
    NodePtr start = nullptr;
};

/// What a call asks for; without a start if it is none.
Sum sumOf(NodePtr call) {
    const std::string_view name = call->child(ast::Call::callee)->text();
    const auto given = call->child(ast::Call::arguments)->children();
    const bool isProduct = name == "std::inner_product" && given.size() == 4;
    if (!isProduct && !(name == "std::accumulate" && given.size() == 3)) return {};
    Sum sum{StandardLoops::positionOf(given[0]), StandardLoops::positionOf(given[1]), {}, nullptr};
    if (isProduct) sum.other = StandardLoops::positionOf(given[2]);
    const NodePtr start = given.back();
    const bool isKnown = sum.first.container && sum.last.container && !sum.first.isEnd &&
                         (!isProduct || (sum.other.container && !sum.other.isEnd)) &&
                         ast::isNumber(start->type) && ast::isPure(start);
    if (isKnown) sum.start = start;
    return sum;
}

bool isSum(NodePtr e) { return ast::is<ast::Call>(e) && sumOf(e).start; }

/// The expression that a statement computes and assigns; null of others.
NodePtr valueOf(NodePtr statement) {
    if (ast::is<ast::ExpressionStatement>(statement)) {
        const NodePtr e = statement->child(ast::ExpressionStatement::expression);
        return ast::is<ast::Assign>(e) ? e->child(ast::Assign::value) : nullptr;
    }
    const NodePtr all = ast::is<ast::Declaration>(statement)
                            ? statement->child(ast::Declaration::declarators)
                            : nullptr;
    return all && all->children().size() == 1
               ? all->child(0)->child(ast::InitDeclarator::initializer)
               : nullptr;
}

/// Nothing in it changes anything, whatever comes first.
bool onlyComputes(NodePtr e) {
    if (isSum(e)) return true;
    if (ast::is<ast::Lambda>(e) || ast::changedOperand(e)) return false;
    if (ast::is<ast::Call>(e) && !analysis::isHarmlessCall(e)) return false;
    return std::ranges::all_of(e->children(),
                               [](NodePtr child) { return !child || onlyComputes(child); });
}

class Sums : public ast::Rewriter {
public:
    Sums(Context& context, ast::FreshNames::Counts& counts)
        : Rewriter(context.arena, 0), context_(context), counts_(counts), loops_(context, counts) {}

    std::vector<NodePtr> before;

    NodePtr rewriteConditional(NodePtr e) override { return e; }
    NodePtr rewriteBinary(NodePtr e) override {
        return ast::isShortCircuit(e) ? e : rewriteChildren(e);
    }
    NodePtr rewriteCall(NodePtr call) override {
        const Sum sum = sumOf(call);
        if (!sum.start) return rewriteChildren(call);
        const std::string word(rootOf(sum.first.container)->text());
        ast::Type type = *sum.start->type;
        type.isConst = type.isReference = false;
        const NodePtr name = context_.variable(context_.names.next(word + "_sum", counts_),
                                               context_.arena.makeType(type), call);
        const auto again = [&] { return ast::copy(context_.arena, name); };
        const NodePtr loop = loops_.counted(sum.first, sum.last, [&](NodePtr counter) {
            const NodePtr one = loops_.elementAt(sum.first.container, counter);
            if (!sum.other.container)
                return context_.statement("$s = $t + $e;",
                                          {{"$s", again()}, {"$t", again()}, {"$e", one}}, call);
            const NodePtr other = loops_.elementAt(
                sum.other.container, loops_.moved(counter, sum.first.offset, sum.other.offset));
            return context_.statement(
                "$s = $t + $e * $o;",
                {{"$s", again()}, {"$t", again()}, {"$e", one}, {"$o", other}}, call);
        });
        if (!loop) return call;
        before.push_back(
            context_.statement((type.spelled.empty() ? "auto" : type.spelled) + " $s = $start;",
                               {{"$s", name}, {"$start", sum.start}}, call));
        before.push_back(loop);
        return again();
    }

private:
    Context& context_;
    ast::FreshNames::Counts& counts_;
    StandardLoops loops_;
};

}  // namespace

std::vector<NodePtr> withSumsInFront(Context& context, ast::FreshNames::Counts& counts,
                                     NodePtr statement) {
    const NodePtr value = valueOf(statement);
    if (!value || !ast::anywhere(value, isSum) || !onlyComputes(value)) return {statement};
    const NodePtr e = ast::is<ast::ExpressionStatement>(statement) ? statement->child(0) : nullptr;
    if (e && ast::anywhere(e->child(ast::Assign::target), [](NodePtr each) {
            return ast::changedOperand(each) || ast::is<ast::Call>(each);
        }))
        return {statement};
    Sums sums(context, counts);
    const NodePtr last = sums.rewrite(statement);
    std::vector<NodePtr> result = std::move(sums.before);
    result.push_back(last);
    return result;
}

}  // namespace hpcc::nests
