// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/overlap.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "analysis/numbers.hpp"
#include "ast/comments.hpp"
#include "ast/purity.hpp"
#include "ast/remarks.hpp"
#include "ast/rewriter.hpp"
#include "nests/apart.hpp"
#include "nests/halo_call.hpp"
#include "nests/merge.hpp"
#include "nests/nest_rewriter.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// Exchanges one node.
class Replacing : public ast::Rewriter {
public:
    Replacing(ast::Arena& arena, NodePtr old, NodePtr now)
        : Rewriter(arena), old_(old), now_(now) {}
    NodePtr rewriteIf(NodePtr node) override { return replaced(node); }
    NodePtr rewriteCall(NodePtr node) override { return replaced(node); }

private:
    NodePtr replaced(NodePtr node) { return node == old_ ? now_ : rewriteChildren(node); }
    NodePtr old_, now_;
};

/// The exchange and the nest behind it, `statement`, as one block in which the exchange runs beside
/// the interior of the nest, as its plan says.
struct Writing {
    Context& context;
    const HaloCall& halo;
    const NestPlan& plan;
    const bool mayRunOnDevice;
    const NestPlan::Place& form = plan.written;
    const Nest& nest = *plan.whole;
    const Splitting& splitting = *plan.underHalo;
    const NodePtr overall = plan.members.front();
    const std::vector<NodePtr> before = plan.fused ? plan.fused->stamps : std::vector<NodePtr>();
    std::string haloName = context.names.name(plain(halo.arrays.front()) + "_halo");
    std::string partsName = context.names.name(std::string(nest.loops.front().variable) + "_parts");

    static std::string plain(std::string text) {
        if (text.starts_with("this->")) text.erase(0, 6);
        std::ranges::replace_if(
            text, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
        return text;
    }

    NodePtr write(NodePtr statement) {
        const NodePtr split = Replacing(context.arena, form.choice, choice()).rewrite(statement);
        return context.statement(
            halo.isJoint ? "{\n"
                           "    hpspmd::detail::HaloUnderWay $halo("
                           "std::forward_as_tuple($arguments));\n"
                           "    $nest;\n"
                           "}"
                         : "{\n"
                           "    hpspmd::detail::HaloUnderWay "
                           "$halo($arguments);\n"
                           "    $nest;\n"
                           "}",
            {{"$halo", name(haloName)}, {"$arguments", arguments()}, {"$nest", split}},
            halo.statement);
    }

    /// `HaloUnderWay u_halo(Plane(u));` would declare a function.
    std::vector<NodePtr> arguments() {
        std::vector<NodePtr> result = halo.arguments;
        if (!halo.isJoint && result.size() == 1 && !ast::isSimple(result[0]))
            result[0] = context.expression("($e)", {{"$e", result[0]}}, result[0]);
        return result;
    }

    NodePtr name(const std::string& text) {
        return context.identifier(text, overall->child(ast::Overall::headers));
    }

    NodePtr choice() {
        const NodePtr then = form.choice->child(ast::If::then),
                      otherwise = form.choice->child(ast::If::otherwise);
        const NodePtr whole = before.empty() ? then : then->children().back();
        const NodePtr fast = mayRunOnDevice
                                 ? partOf(whole)
                                 : Replacing(context.arena, form.call, call()).rewrite(whole);
        std::vector<NodePtr> nests{otherwise};
        if (plan.fused) nests.assign(otherwise->children().begin(), otherwise->children().end());
        return context.statement(
            std::string("if ($test) {\n") + (before.empty() ? "" : "    $before;\n") +
                "    hpspmd::detail::NestParts $parts($halo, $apart, $margins);\n"
                "    while ($parts2.next())" +
                (mayRunOnDevice ? " " : "\n        ") +
                "$fast;\n"
                "} else {\n"
                "    $halo2.finish();\n"
                "    $nests;\n"
                "}",
            {{"$test", form.choice->child(ast::If::condition)},
             {"$before", before},
             {"$parts", name(partsName)},
             {"$halo", name(haloName)},
             {"$apart", areApart()},
             {"$margins", margins()},
             {"$parts2", name(partsName)},
             {"$fast", fast},
             {"$halo2", name(haloName)},
             {"$nests", nests}},
            overall);
    }

    NodePtr areApart() {
        NodePtr all = nullptr;
        for (const auto& [left, right] : splitting.apart) {
            const std::string &a = nest.arrays[left].text, &b = nest.arrays[right].text;
            if (plan.apart.contains(std::minmax(a, b))) continue;
            const NodePtr one = context.expression("hpspmd::detail::disjoint($a, $b)",
                                                   {{"$a", name(a)}, {"$b", name(b)}}, overall);
            all = all ? context.expression("$l && $r", {{"$l", all}, {"$r", one}}, overall) : one;
        }
        return all ? all : name("true");
    }

    std::vector<NodePtr> margins() {
        std::vector<NodePtr> result;
        for (size_t k = 0; k < splitting.sides.size(); ++k) {
            const Splitting::Side& side = splitting.sides[k];
            std::string text = "hpspmd::detail::Margin(" + runOf(k) + ", " +
                               std::to_string(side.low) + ", " + std::to_string(side.high);
            if (side.step != 1) text += ", " + std::to_string(side.step);
            text += ")";
            for (const auto& [array, r] : side.sent)
                text += ".sending(" + array + ".rng(" + std::to_string(r) + "))";
            result.push_back(name(text));
        }
        return result;
    }

    const std::string& runOf(size_t side) const {
        size_t before = 0;
        for (const Loop& loop : nest.loops) {
            if (&loop == splitting.sides[side].loop) break;
            before += loop.kind == Loop::Kind::Overall;
        }
        return form.runs[before];
    }

    /// The launch of a kernel, or else the loops, where the runs are those of the part.
    NodePtr partOf(NodePtr whole) {
        std::vector<NodePtr> statements;
        for (size_t k = 0; k < splitting.sides.size(); ++k)
            statements.push_back(context.statement("const hpspmd::detail::Run &" + runOf(k) +
                                                       " = " + partsName + "[" + std::to_string(k) +
                                                       "];",
                                                   {}, overall));
        return context.behind(statements, whole, overall);
    }

    /// The call with the runs of the part.
    NodePtr call() {
        const NodePtr arguments = form.call->child(ast::Call::arguments);
        std::vector<NodePtr> changed(arguments->children().begin(), arguments->children().end());
        std::map<std::string, std::string> parts;
        for (size_t k = 0; k < splitting.sides.size(); ++k)
            parts.emplace(runOf(k), partsName + "[" + std::to_string(k) + "]");
        for (NodePtr& argument : changed)
            if (!isFunctionOfApart(argument)) argument = withNames(context, argument, parts);
        return ast::withChild(context.arena, form.call, ast::Call::arguments,
                              ast::rebuild(context.arena, arguments, changed));
    }
};

class Overlaps : public NestRewriter {
public:
    using NestRewriter::NestRewriter;

    /// Nothing is exchanged inside of a nest with a fast form.
    NodePtr rewriteIf(NodePtr choice) override {
        return lookUp(plans.at, choice) ? choice : rewriteChildren(choice);
    }

    NodePtr rewriteCompound(NodePtr block) override {
        const NodePtr rewritten = rewriteChildren(block);
        // Lines of the preprocessor stand in no node, and must stay where they are.
        if (ast::holdsDirective(block->origin()->text())) return rewritten;
        std::vector<NodePtr> statements;
        const auto old = rewritten->children();
        for (size_t k = 0; k < old.size(); ++k) {
            const auto halo = haloCallIn(old[k]);
            const size_t nest = halo ? nestBehind(old, k) : 0;
            const NodePtr overlapped = nest ? overlap(*halo, old[nest]) : nullptr;
            if (!overlapped) {
                statements.push_back(old[k]);
                continue;
            }
            statements.insert(statements.end(), old.begin() + k + 1, old.begin() + nest);
            statements.push_back(overlapped);
            k = nest;
        }
        return statements.size() == old.size() && std::ranges::equal(statements, old)
                   ? rewritten
                   : context.arena.rebuilt(rewritten, rewritten, statements);
    }

private:
    /// The plan of the nest that a statement is, perhaps behind declarations; null if it is none.
    NestPlan* planOf(NodePtr statement) const {
        const auto plan = plans.at.find(behindDeclarations(statement));
        return plan == plans.at.end() ? nullptr : plan->second;
    }

    /// The place of the nest behind the statement at k, with numbers declared between them; 0 if
    /// something else stands there.
    size_t nestBehind(std::span<const NodePtr> statements, size_t k) const {
        for (++k; k < statements.size() && analysis::declaresPlainNumbers(statements[k]);) ++k;
        return k < statements.size() && planOf(statements[k]) ? k : 0;
    }

    NodePtr overlap(const HaloCall& halo, NodePtr statement) {
        NestPlan& plan = *planOf(statement);
        const NodePtr headers = plan.members.front()->child(ast::Overall::headers);
        if (!plan.nest) return leave(halo, {headers, "has no fast form"});
        auto splitting = splittingOf(context, *plan.whole, halo.arrays);
        if (const Obstacle* obstacle = std::get_if<Obstacle>(&splitting))
            return leave(halo, *obstacle);
        if (!plan.written.call)
            return leave(halo, {headers, "assigns a number and may fail in between"});
        plan.underHalo = std::move(std::get<Splitting>(splitting));
        plan.exchanged = halo.arrays;
        if (remarks)
            remarks->fired("overlap", halo.statement,
                           "the ghost cells of '" + listed(halo.arrays, "', '") + "'" +
                               " travel while the interior of the nest behind runs, where a "
                               "measurement shows that this pays");
        return Writing{context, halo, plan, plans.wantsDevices}.write(statement);
    }

    NodePtr leave(const HaloCall& halo, const Obstacle& obstacle) {
        if (remarks)
            remarks->missed("overlap", halo.statement,
                            "the ghost cells of '" + listed(halo.arrays, "', '") + "'" +
                                " are exchanged before the nest behind begins",
                            obstacle.place, "because here it " + obstacle.reason);
        return nullptr;
    }
};

}  // namespace

ast::Unit overlap(ast::Unit unit, ast::Quoter& quote) {
    return rewritten<Overlaps>(std::move(unit), quote);
}

}  // namespace hpcc::nests
