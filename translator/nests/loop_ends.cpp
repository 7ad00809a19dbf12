// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/loop_ends.hpp"

#include <algorithm>

#include "analysis/numbers.hpp"
#include "ast/copy.hpp"
#include "ast/purity.hpp"

namespace hpcc::nests {

using ast::NodePtr;

bool holdsCall(NodePtr e) {
    if (e->is<ast::Call>()) return true;
    return std::ranges::any_of(e->children(), [](NodePtr c) { return c && holdsCall(c); });
}

NodePtr lastOf(Context& context, const Loop& loop, NodePtr end) {
    if (loop.reachesEnd) return end;
    return context.expression(analysis::isInteger(loop.end) ? "hpspmd::Index($end) - 1"
                                                            : "hpspmd::detail::ceiling($end) - 1",
                              {{"$end", end}}, end->origin());
}

LoopEnds::LoopEnds(Context& context, const Nest& nest, const Reaches& reaches)
    : context_(context), nest_(nest), reaches_(reaches) {
    for (const Loop& loop : nest.loops)
        if (loop.kind == Loop::Kind::Counting && holdsCall(loop.end) && reaches.isFixed(loop.end) &&
            asksNestOnly(loop.end))
            names_[&loop] = context.fresh(std::string(loop.variable) + "_end");
}

std::string LoopEnds::nameOf(const Loop& loop) {
    const auto found = names_.find(&loop);
    if (found == names_.end()) return "";
    mentioned_.insert(&loop);
    return found->second;
}

std::vector<NodePtr> LoopEnds::constants() const {
    std::vector<NodePtr> result;
    for (const Loop& loop : nest_.loops)
        if (mentioned_.contains(&loop))
            result.push_back(
                context_.statement("const auto $end = $e;",
                                   {{"$end", context_.identifier(names_.at(&loop), loop.end)},
                                    {"$e", context_.made(loop.end, loop.end)}},
                                   loop.end));
    return result;
}

NodePtr LoopEnds::inPlaceOf(const Loop& loop, NodePtr copy) {
    const std::string name = nameOf(loop);
    if (name.empty() && !loop.endsByMeeting) return copy;
    const NodePtr condition = ast::withoutParentheses(copy->child(ast::For::condition)),
                  written = ast::withoutParentheses(loop.statement->child(ast::For::condition));
    const bool isMirrored = written->child(ast::Binary::left) == loop.end;
    const NodePtr end = name.empty()
                            ? condition->child(isMirrored ? ast::Binary::left : ast::Binary::right)
                            : context_.identifier(name, condition->origin());
    const std::string op = loop.step < 0 ? ">" : "<";
    const NodePtr changed = context_.expression(
        "$k " + op + (loop.reachesEnd ? "= $end" : " $end"),
        {{"$k", context_.identifier(std::string(loop.variable), condition->origin())},
         {"$end", end}},
        condition->origin());
    return ast::withChild(context_.arena, copy, ast::For::condition, changed);
}

/// Are all questions put to arrays and ranges of the nest? The test has seen that these exist.
bool LoopEnds::asksNestOnly(NodePtr e) const {
    if (e->is<ast::Call>()) {
        const std::string base = ast::print(e->child(ast::Call::callee)->child(0));
        return std::ranges::any_of(nest_.arrays,
                                   [&](const NestArray& a) { return a.text == base; }) ||
               std::ranges::any_of(nest_.loops, [&](const Loop& loop) {
                   return loop.range && ast::print(loop.range) == base;
               });
    }
    return std::ranges::all_of(e->children(), [&](NodePtr c) { return !c || asksNestOnly(c); });
}

}  // namespace hpcc::nests
