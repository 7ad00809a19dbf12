// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/loop_ends.hpp"

#include <algorithm>

#include "analysis/constant.hpp"
#include "analysis/numbers.hpp"
#include "ast/copy.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "source/name.hpp"

namespace hpcc::nests {

using ast::NodePtr;

bool holdsCall(NodePtr e) {
    if (e->is<ast::Call>()) return true;
    return std::ranges::any_of(e->children(), [](NodePtr c) { return c && holdsCall(c); });
}

NodePtr lastOf(Context& context, const Loop& loop, NodePtr end) {
    if (loop.reachesEnd) return end;
    const char* const last = loop.step < 0                   ? "hpspmd::Index($end) + 1"
                             : analysis::isInteger(loop.end) ? "hpspmd::Index($end) - 1"
                                                             : "hpspmd::detail::ceiling($end) - 1";
    return context.expression(last, {{"$end", end}}, end->origin());
}

NodePtr runsAtAll(Context& context, const Loop& loop, NodePtr first, NodePtr end) {
    const std::string compared = loop.endsByMeeting ? "!=" : loop.step > 0 ? "<" : ">";
    return context.expression("$first " + compared + (loop.reachesEnd ? "=" : "") + " $end",
                              {{"$first", first}, {"$end", end}}, loop.statement);
}

bool hasEndsAtStart(const Loop& loop, const Reaches& reaches) {
    return loop.kind == Loop::Kind::Counting && loop.step == 1 &&
           counterType(loop)->text() != "auto" && analysis::isInteger(loop.first) &&
           analysis::isInteger(loop.end) && reaches.isFixedIn(loop.first, loop) &&
           reaches.isFixedIn(loop.end, loop);
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

NodePtr LoopEnds::inPlaceOfInquiry(NodePtr call) {
    const bool isInquiry = ast::is<ast::Call>(call) &&
                           ast::is<ast::Member>(call->child(ast::Call::callee)) &&
                           reaches_.isFixed(call) && asksNestOnly(call);
    if (!isInquiry) return nullptr;
    const std::string text = ast::print(call);
    for (const Loop& loop : nest_.loops)
        if (has(loop) && &loop != copied_ && ast::print(loop.end) == text)
            return context_.identifier(nameOf(loop), call);
    const auto [found, isNew] = inquiries_.try_emplace(text, Inquiry{"", call});
    if (isNew) {
        const NodePtr callee = call->child(ast::Call::callee);
        const std::string base = ast::print(callee->child(ast::Member::base));
        found->second.name = context_.fresh(base.substr(base.find_last_of(".>") + 1) + "_" +
                                            std::string(callee->child(ast::Member::name)->text()));
    }
    return context_.identifier(found->second.name, call);
}

void LoopEnds::copyForFew(const Loop& loop, NestPlan& plan) {
    const bool isAll = nest_.loops.size() == 2 && lastingIn(nest_).empty();
    if (!isAll || loop.kind != Loop::Kind::Counting || loop.step != 1 ||
        !analysis::constantValue(loop.first) || !analysis::isInteger(loop.end) ||
        !reaches_.isFixed(loop.end) || (holdsCall(loop.end) && !has(loop)))
        return;
    copied_ = &loop;
    names_.try_emplace(&loop, context_.fresh(std::string(loop.variable) + "_end"));
    plan.notes.push_back("with a copy for each end of '" + std::string(loop.variable) +
                         "' from 1 to 9");
}

std::vector<NodePtr> LoopEnds::before(NodePtr body) const {
    std::vector<NodePtr> result;
    const std::string written = inquiries_.empty() ? "" : ast::print(body);
    for (const auto& [text, inquiry] : inquiries_)
        if (source::mentionsName(written, inquiry.name))
            result.push_back(
                context_.statement("const auto $name = $e;",
                                   {{"$name", context_.identifier(inquiry.name, inquiry.call)},
                                    {"$e", context_.made(inquiry.call, inquiry.call)}},
                                   inquiry.call));
    for (const Loop& loop : nest_.loops)
        if (mentioned_.contains(&loop) && &loop != copied_)
            result.push_back(
                context_.statement("const auto $end = $e;",
                                   {{"$end", context_.identifier(names_.at(&loop), loop.end)},
                                    {"$e", context_.made(loop.end, loop.end)}},
                                   loop.end));
    result.push_back(copied_ ? withCopies(body) : body);
    return result;
}

NodePtr LoopEnds::withCopies(NodePtr body) const {
    const std::string few = context_.fresh(std::string(copied_->variable) + "_few");
    return context_.statement("hpspmd::detail::forFew($e, [&](const auto &" + few +
                                  ") {\n"
                                  "    const auto $end = $few();\n"
                                  "    $body;\n"
                                  "});",
                              {{"$e", ast::copy(context_.arena, copied_->end)},
                               {"$end", context_.identifier(names_.at(copied_), copied_->end)},
                               {"$few", context_.identifier(few, copied_->end)},
                               {"$body", body}},
                              copied_->end);
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

/// True if all questions are put to arrays and ranges of the nest. The test has seen that these
/// exist.
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
