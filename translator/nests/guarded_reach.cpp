// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <string>
#include <utility>

#include "analysis/dependence.hpp"
#include "analysis/loop.hpp"
#include "analysis/operators.hpp"
#include "analysis/reader.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "nests/reaches.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// A subscript is at least, or at most, `value + more`.
struct Bound {
    bool isLeast;
    NodePtr value;  // null: 0
    long more;
};

/// Each variable in `left` stands in `right`, too.
bool isMadeOf(NodePtr left, NodePtr right) {
    return !ast::anywhere(left, [&](NodePtr each) {
        return each->is<ast::Identifier>() && !ast::anywhere(right, [&](NodePtr other) {
                   return other->is<ast::Identifier>() && other->symbol &&
                          other->symbol == each->symbol;
               });
    });
}

/// What the conditions round an access say of a subscript of it.
class GuardedSubscript {
public:
    GuardedSubscript(const Nest& nest, const Access& access, NodePtr subscript,
                     std::function<bool(NodePtr)> isFixed)
        : space_(nest.dependences().space()),
          reader_(space_),
          place_{space_.access(access.node).loop, 0},
          subscript_(subscript) {
        if (!isOfSigned(subscript)) return;
        reader_.trustFixed(std::move(isFixed));
        for (const analysis::Guard& guard : space_.access(access.node).guards.all)
            if (!guard.value) condition(guard.condition, guard.holds);
        for (const Loop* loop = access.loop; loop; loop = loop->outer)
            if (loop->kind == Loop::Kind::Counting && !loop->endsByMeeting) counter(*loop);
    }

    std::vector<Bound> bounds;

private:
    void condition(NodePtr node, bool holds) {
        node = ast::withoutParentheses(node);
        const std::string_view op = analysis::operatorOf(node);
        if (ast::is<ast::Unary>(node) && (op == "!" || op == "not"))
            return condition(node->child(ast::Unary::operand), !holds);
        if (!ast::is<ast::Binary>(node)) return;
        const NodePtr left = node->child(ast::Binary::left),
                      right = node->child(ast::Binary::right);
        const bool isBoth = holds ? op == "&&" || op == "and" : op == "||" || op == "or";
        if (isBoth) {
            condition(left, holds);
            condition(right, holds);
            return;
        }
        const std::string_view relation = holds ? op : analysis::opposite(op);
        comparison(left, relation, right);
        comparison(right, analysis::mirrored(relation), left);
    }

    void comparison(NodePtr left, std::string_view op, NodePtr right) {
        constexpr std::string_view relations[] = {"<", "<=", ">", ">=", "=="};
        if (std::ranges::find(relations, op) == std::end(relations)) return;
        if (!isMadeOf(left, subscript_) || !isOfSigned(left) || !isOfSigned(right)) return;
        const analysis::Sum ahead = reader_.read(left, place_) - reader_.read(subscript_, place_);
        if (!ahead.isKnown() || !ahead.isConstant()) {
            if (op == ">" || op == ">=")
                notBelow(reader_.read(left, place_) - reader_.read(right, place_),
                         op == ">" ? 1 : 0);
            return;
        }
        const long more = -ahead.constant();
        if (op == ">" || op == ">=" || op == "==")
            bounds.push_back({true, right, more + (op == ">" ? 1 : 0)});
        if (op == "<" || op == "<=" || op == "==")
            bounds.push_back({false, right, more - (op == "<" ? 1 : 0)});
    }

    /// `k - l - 1` is not below 0 in `for (int l = 0; l < k; l++)`.
    void counter(const Loop& loop) {
        const NodePtr name = analysis::countingLoop(loop.statement)->name;
        if (!isOfSigned(name) || !isOfSigned(loop.first) || !isOfSigned(loop.end)) return;
        const auto read = [this](NodePtr e) { return reader_.read(e, place_); };
        const auto between = [&](NodePtr low, NodePtr high, long least) {
            notBelow(read(high) - read(low), least);
        };
        const bool isUp = loop.step > 0;
        isUp ? between(loop.first, name, 0) : between(name, loop.first, 0);
        const long toEnd = loop.reachesEnd ? 0 : 1;
        isUp ? between(name, loop.end, toEnd) : between(loop.end, name, toEnd);
    }

    /// What the reaches of single numbers do not tell.
    void notBelow(const analysis::Sum& difference, long least) {
        const size_t parts = difference.terms().size() - (difference.constant() != 0 ? 1 : 0);
        if (!difference.isKnown() || parts < 2) return;
        const analysis::Sum own = reader_.read(subscript_, place_);
        const auto take = [&](const analysis::Sum& rest, bool isLeast) {
            if (rest.isKnown() && rest.isConstant())
                bounds.push_back({isLeast, nullptr, rest.constant() + (isLeast ? least : -least)});
        };
        take(own - difference, true);
        take(own + difference, false);
    }

    const analysis::IterationSpace& space_;
    analysis::Reader reader_;
    analysis::Place place_;
    NodePtr subscript_;
};

}  // namespace

bool Reaches::areGuarded(const Access& access, size_t slot) const {
    const auto bounds = GuardedSubscript(nest_, access, access.slots[slot].subscript, {}).bounds;
    return std::ranges::any_of(
        bounds, [&](const Bound& bound) { return bound.value && isFixed(bound.value); });
}

NodePtr Reaches::guarded(NodePtr reach, const Access& access, size_t slot) {
    const auto isSame = [this](NodePtr e) { return isFixedElement(e) || isFixedValue(e); };
    for (const auto& [isLeast, value, more] :
         GuardedSubscript(nest_, access, access.slots[slot].subscript, isSame).bounds) {
        if (!isFixed(value)) continue;
        const auto constant = value ? ast::asConstant(value) : 0;
        NodePtr bound = constant ? context_.number(*constant + more, origin()) : made(value);
        if (!constant && more != 0)
            bound = context_.expression(
                more < 0 ? "$l - $r" : "$l + $r",
                {{"$l", bound}, {"$r", context_.number(std::abs(more), origin())}}, origin());
        reach = context_.expression(isLeast ? "hpspmd::detail::atLeast($reach, $bound)"
                                            : "hpspmd::detail::atMost($reach, $bound)",
                                    {{"$reach", reach}, {"$bound", bound}}, origin());
    }
    return reach;
}

}  // namespace hpcc::nests
