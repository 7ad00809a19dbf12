// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <string>
#include <utility>

#include "analysis/dependence.hpp"
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
    NodePtr value;
    long more;
};

std::string_view mirrored(std::string_view op) {
    if (op == "<") return ">";
    if (op == "<=") return ">=";
    if (op == ">") return "<";
    return op == ">=" ? "<=" : op;
}

std::string_view opposite(std::string_view op) {
    if (op == "<") return ">=";
    if (op == "<=") return ">";
    if (op == ">") return "<=";
    if (op == ">=") return "<";
    return op == "!=" ? "==" : "";
}

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
    GuardedSubscript(const Nest& nest, const Access& access, NodePtr subscript)
        : space_(nest.dependences().space()),
          reader_(space_),
          place_{space_.access(access.node).loop, 0},
          subscript_(subscript) {
        if (!isOfSigned(subscript)) return;
        for (const analysis::Guard& guard : space_.access(access.node).guards.all)
            if (!guard.value) condition(guard.condition, guard.holds);
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
        const std::string_view relation = holds ? op : opposite(op);
        comparison(left, relation, right);
        comparison(right, mirrored(relation), left);
    }

    void comparison(NodePtr left, std::string_view op, NodePtr right) {
        constexpr std::string_view relations[] = {"<", "<=", ">", ">=", "=="};
        if (std::ranges::find(relations, op) == std::end(relations)) return;
        if (!isMadeOf(left, subscript_) || !isOfSigned(left) || !isOfSigned(right)) return;
        const analysis::Sum ahead = reader_.read(left, place_) - reader_.read(subscript_, place_);
        if (!ahead.isKnown() || !ahead.isConstant()) return;
        const long more = -ahead.constant();
        if (op == ">" || op == ">=" || op == "==")
            bounds.push_back({true, right, more + (op == ">" ? 1 : 0)});
        if (op == "<" || op == "<=" || op == "==")
            bounds.push_back({false, right, more - (op == "<" ? 1 : 0)});
    }

    const analysis::IterationSpace& space_;
    analysis::Reader reader_;
    analysis::Place place_;
    NodePtr subscript_;
};

}  // namespace

bool Reaches::areGuarded(const Access& access, size_t slot) const {
    const auto bounds = GuardedSubscript(nest_, access, access.slots[slot].subscript).bounds;
    return std::ranges::any_of(bounds, [&](const Bound& bound) { return isFixed(bound.value); });
}

NodePtr Reaches::guarded(NodePtr reach, const Access& access, size_t slot) {
    for (const auto& [isLeast, value, more] :
         GuardedSubscript(nest_, access, access.slots[slot].subscript).bounds) {
        if (!isFixed(value)) continue;
        const auto constant = ast::asConstant(value);
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
