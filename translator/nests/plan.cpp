// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/plan.hpp"

#include <array>

#include <fmt/format.h>

#include "ast/print.hpp"
#include "ast/search.hpp"
#include "source/line_marks.hpp"
#include "source/text.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// "12:5"
std::string placeOf(NodePtr node) {
    const source::Span span = node->origin()->span();
    const source::Position at = span.text->position(span.begin);
    return fmt::format("{}:{}", source::userLine(span), at.column);
}

/// An expression of the runtime, as its own code writes it.
std::string plain(NodePtr expression) {
    std::string text = ast::print(expression);
    const std::string_view scope = "hpspmd::detail::";
    for (size_t at = text.find(scope); at != text.npos; at = text.find(scope, at))
        text.erase(at, scope.size());
    return text;
}

std::string because(const Obstacle& obstacle) {
    return fmt::format("{} ({})", obstacle.reason, placeOf(obstacle.place));
}

std::string joining(const std::vector<Reduction>& joined) {
    std::string text;
    for (const Reduction& each : joined)
        text += fmt::format("{} {} {}", text.empty() ? ", joining" : ",", each.op, each.name);
    return text;
}

std::string headline(const NestPlan& plan) {
    std::string places;
    for (const NodePtr nest : plan.members) places += (places.empty() ? "" : ", ") + placeOf(nest);
    if (plan.members.size() == 1) return "nest at " + places;
    return fmt::format("nests at {} as one, {} loop{} in common", places, plan.fused->depth,
                       plan.fused->depth == 1 ? "" : "s");
}

std::string printed(const Loop& loop, const Form& form) {
    static constexpr std::array forms = {
        "one after the other",        "independent",       "in packs",
        "every second one, in packs", "in register tiles", "a lane for each",
        "counted in several tables"};
    return fmt::format("    {}: {}{}{}{}{}{}\n",
                       loop.kind == Loop::Kind::Other ? "another loop" : loop.variable,
                       forms[static_cast<size_t>(form.kind)], joining(form.joined),
                       form.isInPieces ? ", in pieces by its conditions" : "",
                       form.isInBatches ? ", in batches that change something" : "",
                       form.repeatsRow ? ", several with each element of a row" : "",
                       form.meets ? ", before and behind iteration " + plain(form.meets) : "");
}

std::string printed(const Splitting& splitting, const std::vector<std::string>& exchanged) {
    std::string text;
    for (const Splitting::Side& side : splitting.sides) {
        text += fmt::format("    while ghost cells of {} travel: {} but for {} first and {} last",
                            fmt::join(exchanged, ", "), side.loop->variable, side.low, side.high);
        for (const auto& [array, dimension] : side.sent)
            text += fmt::format(", what {}.rng({}) sends", array, dimension);
        text += "\n";
    }
    return text;
}

std::string printed(const NestPlan& plan) {
    std::string text = headline(plan) + "\n";
    const auto add = [&](const char* what, const std::string& how) {
        text += fmt::format("    {}: {}\n", what, how);
    };
    if (plan.general.place) add("no fast form", because(plan.general));
    if (plan.fused)
        for (const Contraction& each : plan.fused->contracted)
            text += fmt::format("    elements of {}: in a variable\n",
                                plan.whole->arrays[each.array].text);
    if (plan.turned) text += "    loops that go down: upwards\n";
    if (plan.order) add("loops in the order", listed(plan.order->loops));
    if (plan.halved) text += "    loops with every second iteration: in steps of two\n";
    if (plan.kept)
        for (const std::string& element : plan.kept->elements)
            text += fmt::format("    {}: in a variable\n", element);
    if (plan.fold)
        text += fmt::format("    sums of {}: added up, no element stored\n", plan.fold->array);
    if (plan.nest)
        for (const Loop& loop : plan.nest->loops) text += printed(loop, plan.forms.at(&loop));
    if (plan.untiled.place) add("no register tiles", because(plan.untiled));
    if (plan.unthreaded.place) add("one thread", because(plan.unthreaded));
    if (plan.threads)
        add("threads", std::string(plan.whole->loops.front().variable) + " divided" +
                           joining(plan.threads->joined));
    if (plan.device) {
        std::vector<std::string_view> lanes;
        for (const Loop* loop : plan.device->mapped) lanes.push_back(loop->variable);
        add("device", fmt::format("lanes along {}{}", fmt::join(lanes, ", "),
                                  joining(plan.device->division.joined)));
    }
    if (plan.onHost.place) add("on the host", because(plan.onHost));
    if (plan.underHalo) text += printed(*plan.underHalo, plan.exchanged);
    for (const NodePtr question : plan.atEntry) add("asks", plain(question));
    return text;
}

}  // namespace

Plans& Plans::of(ast::Unit& unit) {
    if (!unit.plans) {
        unit.plans = std::make_shared<Plans>();
        unit.plans->root = unit.root;
        unit.plans->templates = ast::allOf<ast::Template>(unit.root);
    }
    unit.plans->scope = unit.scope;
    return *unit.plans;
}

std::string printed(const Plans& plans) {
    std::string text;
    for (const NestPlan& plan : plans.all)
        if (!plan.isSpare) text += printed(plan);
    return text;
}

}  // namespace hpcc::nests
