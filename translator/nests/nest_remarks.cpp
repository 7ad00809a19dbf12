// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/nest_remarks.hpp"

#include <algorithm>

#include "ast/search.hpp"
#include "nests/lanes.hpp"
#include "nests/reductions.hpp"
#include "nests/vector_math.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;
using ast::Remarks;

NodePtr headers(NodePtr overall) { return overall->child(ast::Overall::headers); }

void remarkOnThreads(Remarks& remarks, const NestPlan& plan, NodePtr place) {
    if (plan.unthreaded.place)
        remarks.missed("threads", place, "one thread computes this nest", plan.unthreaded.place,
                       "because it " + plan.unthreaded.reason);
    else
        remarks.fired("threads", place,
                      "the iterations of this nest's outermost loop are divided among threads");
}

void remarkOnDevice(Remarks& remarks, const NestPlan& plan, NodePtr place) {
    if (!plan.device && !plan.onHost.place) return;  // a library computes its sums
    if (!plan.device)
        return remarks.missed("devices", place, "this nest runs on the host", plan.onHost.place,
                              "because it " + plan.onHost.reason);
    std::vector<std::string> lanes;
    for (const Loop* loop : plan.device->mapped) lanes.emplace_back(loop->variable);
    std::string text = "this nest is a kernel (" + listed(lanes, " and ") + " in parallel";
    for (const Reduction& each : plan.device->division.joined)
        text += ", " + std::string(each.name) + (each.op == "+" ? " by sum" : " by " + each.op);
    text += ")";
    if (const auto& types = plan.device->types; !types.empty())
        text += ", where " + listed(types, " and ") +
                (types.size() == 1 ? " is a type of numbers" : " are types of numbers");
    remarks.fired("devices", place, text);
    if (plan.notOpenCl.place)
        remarks.missed("devices", place, "this kernel has no form in OpenCL C",
                       plan.notOpenCl.place, "because it " + plan.notOpenCl.reason);
}

void remarkOnChecks(Remarks& remarks, const NestPlan& plan, NodePtr place) {
    std::vector<NodePtr> subscripts = plan.checked;
    std::ranges::sort(subscripts, {}, [](NodePtr e) { return e->origin()->span().begin; });
    for (const NodePtr subscript : subscripts)
        remarks.missed("fast-nests", place, "a subscript is checked in each iteration", subscript,
                       "because the entry of the nest cannot tell its values",
                       "counters, numbers that are fixed throughout the nest, and elements of "
                       "integer arrays that it only reads, without a condition, are asked for "
                       "once");
}

void remarkOnOrder(Remarks& remarks, const NestPlan& plan) {
    const char* const text = "the iterations of this loop are computed one by one";
    for (const Loop* loop : plan.ordered) {
        const std::string name(*lastingIn(*loop).begin());
        if (reductionsOf(*plan.nest, *loop, true))
            remarks.missed("reductions", loop->statement, text,
                           plan.checked.empty() ? loop->statement : plan.checked.front(),
                           "because others may see '" + name +
                               "' before the nest is through: by a call that is not looked into, "
                               "or where an error ends it",
                           "bounds and subscripts that are sums of indices, counters and numbers "
                           "that are fixed throughout the nest raise no error inside");
        else
            remarks.missed("reductions", loop->statement, text, loop->statement,
                           "because it assigns '" + name +
                               "' other than by adding, multiplying, or keeping the largest or "
                               "least number",
                           "let each iteration compute numbers of its own, and join them by +=, "
                           "*=, std::max or std::min");
    }
}

void remarkOnDependence(Remarks& remarks, const NestPlan& plan) {
    for (const Loop& loop : plan.nest->loops) {
        const bool isOrdered = std::ranges::find(plan.ordered, &loop) != plan.ordered.end();
        if (isOrdered || isShort(loop) || plan.forms.at(&loop).kind != Form::Kind::InOrder ||
            isInLanes(plan, &loop))
            continue;
        if (const Obstacle order = orderOf(*plan.nest, loop); order.place)
            remarks.missed("fast-nests", loop.statement,
                           "the C++ compiler is not told that the iterations of this loop are "
                           "independent",
                           order.place, "because it " + order.reason, order.cure);
    }
}

void remarkOnStride(Remarks& remarks, const NestPlan& plan) {
    for (const Loop& loop : plan.nest->loops) {
        const Form::Kind kind = plan.forms.at(&loop).kind;
        if (!loop.isInnermost || isShort(loop) || kind == Form::Kind::Tiled ||
            kind == Form::Kind::Packed || isInLanes(plan, &loop))
            continue;
        if (const Access* access = acrossRows(*plan.nest, loop))
            remarks.missed("fast-nests", loop.statement,
                           "the elements that this loop reaches do not lie side by side",
                           access->node,
                           "because " + quoted(loop.variable) + " is not its last subscript",
                           "let the loop over " + quoted(access->slots.back().loop->variable) +
                               " be the inner one, if the order does not matter");
    }
}

void remarkOnVectorMath(Remarks& remarks, const NestPlan& plan, NodePtr place, bool isWanted) {
    const auto calls = ast::allOf<ast::Call>(plan.nest->loops.front().statement);
    const auto call = std::ranges::find_if(calls, isForMany);
    if (call == calls.end()) return;
    if (isWanted)
        return remarks.fired("vector-math", place,
                             "functions of <cmath> are computed for several numbers at once");
    remarks.missed("vector-math", place,
                   "functions of <cmath> are computed for one number at a time", *call,
                   "because those for several numbers may give other last digits",
                   "--vector-math takes them from the C library");
}

/// True if it is what HPSPMD_CHECK=independence runs in its place: `overall (i = x for :) {
/// i_loop.at(i); ..`
bool notesAccesses(NodePtr overall) {
    const NodePtr body = overall->child(ast::Overall::body);
    if (!ast::is<ast::Compound>(body) || body->children().empty()) return false;
    const NodePtr first = body->child(0);
    const NodePtr call = ast::is<ast::ExpressionStatement>(first) ? first->child(0) : nullptr;
    const NodePtr callee = ast::is<ast::Call>(call) ? call->child(ast::Call::callee) : nullptr;
    return ast::is<ast::Member>(callee) &&
           callee->child(ast::Member::base)->text().ends_with("_loop") &&
           callee->child(ast::Member::name)->text() == "at";
}

}  // namespace

void remarkOnFastForm(Remarks& remarks, const NestPlan& plan, Wanted wanted) {
    const NodePtr whole = plan.nest->loops.front().statement,
                  place = headers(ast::is<ast::Overall>(whole) ? whole : plan.members.front());
    std::string text = "this nest has a fast form of plain loops, behind a test at its entry";
    for (const std::string& note : plan.notes) text += ", " + note;
    remarks.fired("fast-nests", place, text);
    if (plan.untiled.place)
        remarks.missed("fast-nests", place, "the sums of this nest are computed one by one",
                       plan.untiled.place, "because it " + plan.untiled.reason);
    remarkOnChecks(remarks, plan, place);
    if (wanted.threads) remarkOnThreads(remarks, plan, place);
    if (wanted.devices) remarkOnDevice(remarks, plan, place);
    if (!wanted.devices) remarkOnVectorMath(remarks, plan, place, wanted.vectorMath);
    remarkOnOrder(remarks, plan);
    remarkOnDependence(remarks, plan);
    remarkOnStride(remarks, plan);
    for (const NodePtr member : plan.members) remarks.cover(member);
    remarks.cover(whole);
}

void remarkOnGeneralForm(Remarks& remarks, const NestPlan& plan, Wanted wanted) {
    if (notesAccesses(plan.members.front())) return;
    const NodePtr place = headers(plan.members.front());
    if (remarks.isCovered(place)) return;
    const Obstacle& general = plan.general;
    if (wanted.threads) remarkOnThreads(remarks, plan, place);
    if (wanted.devices)
        remarks.missed("devices", place, "this nest runs on the host", general.place,
                       "because it has no fast form: it " + general.reason);
    remarks.missed("fast-nests", place, "this nest has no fast form", general.place,
                   "because here it " + general.reason, general.cure);
}

}  // namespace hpcc::nests
