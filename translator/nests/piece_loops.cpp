// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/piece_loops.hpp"

#include <algorithm>

#include "ast/copy.hpp"
#include "nests/known_conditions.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// In so many forms a loop is written whose conditions are known.
constexpr size_t mostForms = 6;

class Writer {
public:
    Writer(Context& context, const Loop& loop, const Pieces& pieces, const PieceLoops& loops)
        : context_(context),
          loop_(loop),
          pieces_(pieces),
          loops_(loops),
          origin_(loop.statement->child(ast::Overall::headers)) {
        for (const Condition& each : pieces.conditions) values_.push_back(made(each.value));
    }

    NodePtr write() {
        const NodePtr chosen = choose(bodyOf(loop_));
        return context_.statement(
            "for (hpspmd::detail::Pieces $piece($run, {$cuts}, $step); $piece2; $piece3.next()) {\n"
            "    const hpspmd::Index $start = $piece4.start();\n"
            "    $chosen;\n"
            "}",
            {{"$piece", name(loops_.piece)},
             {"$piece2", name(loops_.piece)},
             {"$piece3", name(loops_.piece)},
             {"$piece4", name(loops_.piece)},
             {"$start", name(loops_.start)},
             {"$run", name(loops_.run)},
             {"$cuts", cuts()},
             {"$step", context_.number(loop_.step, origin_)},
             {"$chosen", std::vector<NodePtr>(chosen ? 1 : 0, chosen)}},
            origin_);
    }

private:
    NodePtr name(const std::string& text) { return context_.identifier(text, origin_); }
    NodePtr made(NodePtr e) {
        return context_.made(loops_.atStart(ast::copy(context_.arena, e)), origin_);
    }

    std::vector<NodePtr> cuts() {
        std::vector<NodePtr> result;
        for (const Cut& cut : pieces_.cuts)
            result.push_back(context_.expression(
                std::string("hpspmd::detail::") + (cut.isBehind ? "behind" : "at") +
                    (cut.shift == 0 ? "($e)" : "($e, " + std::to_string(cut.shift) + ")"),
                {{"$e", made(cut.value)}}, origin_));
        return result;
    }

    /// A body in which some conditions are known, with all of them known; null if that is nothing.
    NodePtr choose(NodePtr body) {
        for (size_t k = 0; body && k < values_.size() && forms_ < mostForms; ++k)
            if (!known_.contains(pieces_.conditions[k].places.front()) && isIn(body, k))
                return ask(k);
        return body ? loops_.loopWith(body) : nullptr;
    }

    bool isIn(NodePtr body, size_t k) const {
        return std::ranges::any_of(pieces_.conditions[k].places,
                                   [&](NodePtr place) { return isInside(body, place); });
    }

    NodePtr ask(size_t k) {
        ++forms_;
        const NodePtr yes = with(k, true), no = with(k, false);
        const NodePtr condition = ast::copy(context_.arena, values_[k]);
        if (!yes && !no) return nullptr;
        if (!yes) return statement("if (!($c)) {\n    $s;\n}", {{"$c", condition}, {"$s", no}});
        if (!no) return statement("if ($c) {\n    $s;\n}", {{"$c", condition}, {"$s", yes}});
        return statement("if ($c) {\n    $s;\n} else {\n    $t;\n}",
                         {{"$c", condition}, {"$s", yes}, {"$t", no}});
    }

    NodePtr with(size_t k, bool value) {
        for (const NodePtr place : pieces_.conditions[k].places) known_[place] = value;
        const NodePtr result = choose(specialised(context_, bodyOf(loop_), known_));
        for (const NodePtr place : pieces_.conditions[k].places) known_.erase(place);
        return result;
    }

    NodePtr statement(const char* schema, const ast::Bindings& bindings) {
        return context_.statement(schema, bindings, origin_);
    }

    Context& context_;
    const Loop& loop_;
    const Pieces& pieces_;
    const PieceLoops& loops_;
    NodePtr origin_;
    std::vector<NodePtr> values_;  // of the conditions, in a piece
    Known known_;
    size_t forms_ = 1;
};

}  // namespace

NodePtr runLoop(Context& context, const Loop& loop, const std::string& run, NodePtr body) {
    const NodePtr origin = loop.statement->child(ast::Overall::headers);
    const auto name = [&](std::string_view text) {
        return context.identifier(std::string(text), origin);
    };
    const std::string step = loop.step == 1 ? "++$i3" : "$i3 += " + std::to_string(loop.step);
    const std::string separator = body->is<ast::Compound>() ? " " : "\n    ";
    return context.statement("for (hpspmd::Index $i = $run.first; $i2 <= $run2.last; " + step +
                                 ")" + separator + "$body;",
                             {{"$i", name(loop.variable)},
                              {"$i2", name(loop.variable)},
                              {"$i3", name(loop.variable)},
                              {"$run", name(run)},
                              {"$run2", name(run)},
                              {"$body", body}},
                             origin);
}

NodePtr loopByLines(Context& context, const Nest& nest, const Loop& loop, Elements& elements,
                    const std::string& run,
                    const std::function<NodePtr(const std::string&)>& loopOver) {
    const auto stored = std::ranges::find_if(nest.accesses, [&](const Access& access) {
        return access.writes && access.slots.size() == 1 && access.slots[0].loop == &loop;
    });
    if (loop.outer || !loop.isInnermost || loop.step != 1 || stored == nest.accesses.end())
        return loopOver(run);
    const std::string part = context.fresh(std::string(loop.variable) + "_part");
    const NodePtr row = context.made(elements.row(*stored), loop.statement);
    return context.statement("for (const hpspmd::detail::Part &" + part +
                                 " : hpspmd::detail::Parts::byLines($row, " + run + ".first, " +
                                 run + ".last))\n    $loop;",
                             {{"$row", row}, {"$loop", loopOver(part)}}, loop.statement);
}

/// Those left out at the end are left out.
std::vector<NodePtr> tripletArguments(Context& context, const Loop& overall,
                                      const std::function<NodePtr(NodePtr)>& written) {
    const NodePtr triplet = tripletOf(overall);
    std::vector<NodePtr> parts(triplet->children().begin(), triplet->children().end());
    while (!parts.empty() && !parts.back()) parts.pop_back();
    for (NodePtr& part : parts)
        part = !part     ? context.expression("hpspmd::detail::none", {}, triplet)
               : written ? written(part)
                         : ast::copy(context.arena, part);
    return parts;
}

NodePtr globalIndexOf(Context& context, const Loop& loop, const std::string& global,
                      const std::string& run) {
    const NodePtr origin = loop.statement->child(ast::Overall::headers);
    return context.statement("const hpspmd::Index $global = $run.global($i);",
                             {{"$global", context.identifier(global, origin)},
                              {"$i", context.identifier(std::string(loop.variable), origin)},
                              {"$run", context.identifier(run, origin)}},
                             origin);
}

NodePtr withGlobalIndex(Context& context, const Loop& loop, const std::string& global,
                        const std::string& run, NodePtr body) {
    std::vector<NodePtr> statements{globalIndexOf(context, loop, global, run)};
    if (body->is<ast::Compound>())
        statements.insert(statements.end(), body->children().begin(), body->children().end());
    else
        statements.push_back(body);
    return context.statement(
        "{\n"
        "    $statements;\n"
        "}",
        {{"$statements", statements}}, body);
}

NodePtr activeGuard(Context& context, const Loop& loop) {
    const NodePtr origin = loop.statement->child(ast::Overall::headers);
    const std::string active = context.fresh(std::string(loop.variable) + "_active");
    return context.statement(
        "const hpspmd::detail::Active $active($x.dim());",
        {{"$active", context.identifier(active, origin)}, {"$x", context.made(loop.range, origin)}},
        origin);
}

NodePtr overPieces(Context& context, const Loop& loop, const Pieces& pieces,
                   const PieceLoops& loops) {
    return Writer(context, loop, pieces, loops).write();
}

}  // namespace hpcc::nests
