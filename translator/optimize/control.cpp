// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/control.hpp"

#include <algorithm>

#include "ast/copy.hpp"
#include "ast/declarators.hpp"
#include "ast/known_calls.hpp"
#include "ast/print.hpp"
#include "ast/search.hpp"
#include "optimize/bodies.hpp"
#include "optimize/counters.hpp"
#include "optimize/scoped_names.hpp"

namespace hpcc::optimize {
namespace {

constexpr std::string_view guardClass = "hpspmd::detail::Active";

/// True if it reads or changes the active process group.
bool readsGroup(const Step& step) {
    return step.callsUnknown || ast::anywhere(step.node, [](NodePtr node) {
               constexpr std::string_view prefix = "hpspmd::detail::";
               constexpr std::string_view harmless[] = {"bounded", "shifted", "over", "within"};
               const NodePtr callee =
                   node->is<ast::Call>() ? node->child(ast::Call::callee) : nullptr;
               return ast::is<ast::QualifiedName>(callee) && callee->text().starts_with(prefix) &&
                      std::ranges::find(harmless, callee->text().substr(prefix.size())) ==
                          std::end(harmless);
           });
}

/// Names, numbers, arithmetic and questions: may be evaluated earlier if its names allow it.
bool mayComeEarlier(NodePtr node) {
    switch (node->kind()) {
    case ast::Kind::Identifier:
    case ast::Kind::NumberLiteral:
    case ast::Kind::QualifiedName:
    case ast::Kind::Operator:
        return true;
    case ast::Kind::Member:
        return mayComeEarlier(node->child(ast::Member::base));
    case ast::Kind::Call:
        return ast::inquiryOf(node) && mayComeEarlier(node->child(ast::Call::callee)) &&
               mayComeEarlier(node->child(ast::Call::arguments));
    case ast::Kind::Unary: {
        const std::string_view op = node->child(ast::Unary::op)->text();
        return (op == "-" || op == "+") && mayComeEarlier(node->child(ast::Unary::operand));
    }
    case ast::Kind::Arguments:
    case ast::Kind::Parenthesized:
    case ast::Kind::Binary:
        return std::ranges::all_of(node->children(),
                                   [](NodePtr child) { return child && mayComeEarlier(child); });
    default:
        return false;
    }
}

/// A loop over local blocks inside the loop that it may leave.
struct InnerLoop {
    int place = 0;
    NodePtr range = nullptr;  // the call
    bool inSecond = false;    // in the second body of a pair of iterations
};

class Hoisting : BodyPass {
public:
    static bool concerns(const Body& body) { return body.hasRangeLoops; }

    using BodyPass::BodyPass;

    void run() {
        for (const Counter& counter : counters_.counters())
            if (const NodePtr block = blockOfLoop(counter)) hoistFrom(counter, block);
    }

private:
    /// `i_block` of `for (i_block : ..) for (hpspmd::Index i_k = 0; i_k < i_block.count; ..)`; null
    /// for other loops.
    NodePtr blockOfLoop(const Counter& counter) const {
        const NodePtr condition = graph.place(counter.loop).statement->child(ast::For::condition);
        long first = 0;
        if (!ast::is<ast::Binary>(condition) || condition->child(1)->text() != "<" ||
            !asPlainInteger(counter.first, first) || first != 0)
            return nullptr;
        const NodePtr count = condition->child(ast::Binary::right);
        if (!ast::is<ast::Member>(count) || count->child(ast::Member::name)->text() != "count")
            return nullptr;
        const NodePtr block = count->child(ast::Member::base);
        const int outer = graph.place(counter.loop).parent;
        const bool isWhole = graph.place(counter.loop).edge == Edge::Loop &&
                             graph.place(outer).statement->is<ast::RangeFor>();
        return isWhole && ast::is<ast::Identifier>(block) ? block : nullptr;
    }

    void hoistFrom(const Counter& counter, NodePtr block) {
        const int loop = counter.loop;
        const NodePtr origin = graph.place(loop).statement;
        std::vector<NodePtr> entry = hoistGuards(loop);
        for (const InnerLoop& inner : innerLoops(counter)) {
            const NodePtr statement = graph.place(inner.place).statement;
            const NodePtr name = ast::declaredName(statement->child(ast::RangeFor::declarator));
            const std::string blocks = names_.before(loop, std::string(name->text()) + "s");
            const NodePtr call = ast::copy(function.arena(), inner.range);
            entry.push_back(function.statement(
                inner.inSecond
                    ? "const hpspmd::detail::Blocks $blocks = $block.count > 1 ? $call : "
                      "hpspmd::detail::Blocks(hpspmd::Block());"
                    : "const hpspmd::detail::Blocks $blocks = $call;",
                {{"$blocks", function.identifier(blocks, inner.range)},
                 {"$block", function.identifier(std::string(block->text()), inner.range)},
                 {"$call", call}},
                statement));
            edits.replace(inner.range, [this, blocks, range = inner.range](const auto&) {
                return function.identifier(blocks, range);
            });
            function.fired(statement,
                           "what the process holds for this loop is asked once, before " +
                               function.lineOf(origin));
        }
        if (entry.empty()) return;
        entry.insert(
            entry.begin(),
            function.statement(
                "if ($block.count == 0) continue;",
                {{"$block", function.identifier(std::string(block->text()), origin)}}, origin));
        for (auto each = entry.rbegin(); each != entry.rend(); ++each)
            edits.insertBefore(origin, *each, false);
    }

    // ---- loops over blocks ---------------------------------------------------------------------

    std::vector<InnerLoop> innerLoops(const Counter& counter) const {
        std::vector<InnerLoop> result;
        const Place& outer = graph.place(counter.loop);
        for (int place = counter.loop + 1; place < outer.end; ++place) {
            const Place& inner = graph.place(place);
            if (inner.mayJump && !inner.isLoop && !inner.isList) break;
            if (inner.statement->is<ast::RangeFor>() && graph.loopAround(place) == counter.loop) {
                const NodePtr range = inner.statement->child(ast::RangeFor::range);
                const auto second = isSurelyReached(place, counter);
                const bool fixed = isLocalBlocks(range) && isFixed(range, place, counter.loop);
                if (second && fixed)
                    result.push_back({place, range, *second});
                else if (isLocalBlocks(range))
                    function.missed(inner.statement,
                                    "each iteration of " + function.lineOf(outer.statement) +
                                        " asks what the process holds for this loop",
                                    range,
                                    fixed ? "because it may not be reached"
                                          : "because this may change in between");
            }
            if (inner.callsUnknown) break;  // what it does must come before any error
        }
        return result;
    }

    static bool isLocalBlocks(NodePtr range) {
        if (!ast::is<ast::Call>(range) || !ast::inquiryOf(range)) return false;
        return range->child(ast::Call::callee)->child(ast::Member::name)->text() == "localBlocks";
    }

    /// Nothing if the first iteration may pass it by; else whether it is in the second of a pair of
    /// bodies, reached if the loop runs twice.
    std::optional<bool> isSurelyReached(int place, const Counter& counter) const {
        bool second = false;
        for (int at = place; at != counter.loop; at = graph.place(at).parent) {
            const Place& here = graph.place(at);
            if (here.edge == Edge::List) continue;
            if (here.edge == Edge::Loop && here.parent == counter.loop) continue;
            if (here.edge != Edge::Branch || !isSecondOfPair(here.parent, counter)) return {};
            second = true;
        }
        return second;
    }

    /// `if (i_k + 1 < i_block.count)` in a loop by two.
    bool isSecondOfPair(int place, const Counter& counter) const {
        const NodePtr statement = graph.place(place).statement;
        if (!statement->is<ast::If>() || counter.step != 2 || statement->child(ast::If::otherwise))
            return false;
        const NodePtr condition = statement->child(ast::If::condition);
        const NodePtr loop = graph.place(counter.loop).statement->child(ast::For::condition);
        if (!ast::is<ast::Binary>(condition) || condition->child(1)->text() != "<") return false;
        const NodePtr left = condition->child(ast::Binary::left);
        return ast::is<ast::Binary>(left) && left->child(ast::Binary::op)->text() == "+" &&
               ast::is<ast::Identifier>(left->child(ast::Binary::left)) &&
               graph.variableOf(left->child(ast::Binary::left)) == counter.variable &&
               left->child(ast::Binary::right)->text() == "1" &&
               ast::print(condition->child(ast::Binary::right)) ==
                   ast::print(loop->child(ast::Binary::right));
    }

    /// Pure, and the same before the loop.
    bool isFixed(NodePtr node, int place, int loop) const {
        return mayComeEarlier(node) && namesAreFixed(node, place, loop);
    }

    bool namesAreFixed(NodePtr node, int place, int loop) const {
        if (!node || ast::is<ast::QualifiedName>(node)) return true;
        if (ast::is<ast::Member>(node))
            return namesAreFixed(node->child(ast::Member::base), place, loop);
        if (ast::is<ast::Identifier>(node)) {
            long value = 0;
            if (asPlainInteger(node, value)) return true;
            const int variable = graph.variableOf(node);
            const Place& here = graph.place(place);
            return variable >= firstVariable &&
                   versions_.sameBefore(loop, here.block, here.step, {variable});
        }
        return std::ranges::all_of(
            node->children(), [&](NodePtr child) { return namesAreFixed(child, place, loop); });
    }

    // ---- guards --------------------------------------------------------------------------------

    /// The guards in the loop, if one before it can stand for all of them: they all restrict by the
    /// same dimension, and whatever they do not hold does not read the active group.
    std::vector<NodePtr> hoistGuards(int loop) {
        std::vector<int> guards;
        for (int place = loop + 1; place < graph.place(loop).end; ++place)
            if (graph.loopAround(place) == loop &&
                declaresClass(graph.place(place).statement, guardClass))
                guards.push_back(place);
        if (guards.empty() || !isPlainlyIn(guards.front(), loop)) return {};
        const std::string text = ast::print(argument(guards.front()));
        for (const int guard : guards)
            if (ast::print(argument(guard)) != text || !isFixed(argument(guard), guard, loop))
                return {};
        if (!restIsIndifferent(loop, guards)) return {};
        const NodePtr first = graph.place(guards.front()).statement;
        for (const int guard : guards) {
            edits.remove(graph.place(guard).statement);
            function.fired(graph.place(guard).statement,
                           "the active group for this loop is set once, before " +
                               function.lineOf(graph.place(loop).statement));
        }
        return {ast::copy(function.arena(), first)};
    }

    NodePtr argument(int guard) const {
        const NodePtr declaration = graph.place(guard).statement;
        const NodePtr declarator = ast::declaratorsOf(declaration)[0];
        return declarator->child(ast::InitDeclarator::initializer);
    }

    /// Reached in every iteration, whatever it does.
    bool isPlainlyIn(int place, int loop) const {
        for (int at = place; at != loop; at = graph.place(at).parent) {
            const Place& here = graph.place(at);
            const bool body = here.edge == Edge::Loop && here.parent == loop;
            if (here.edge != Edge::List && !body) return false;
        }
        for (int at = loop + 1; at < place; ++at)
            if (graph.place(at).mayJump && !graph.isInside(place, at)) return false;
        return true;
    }

    bool restIsIndifferent(int loop, const std::vector<int>& guards) const {
        for (const Block& block : graph.blocks())
            for (const Step& step : block.steps) {
                if (!graph.isInside(step.place, loop)) continue;
                const bool held = std::ranges::any_of(guards, [&](int guard) {
                    return step.place >= guard &&
                           graph.isInside(step.place, graph.place(guard).parent);
                });
                if (held) continue;
                if (declaresClass(graph.place(step.place).statement, guardClass) ||
                    ast::is<ast::ConditionDeclaration>(step.node) || readsGroup(step))
                    return false;
            }
        return true;
    }

    Versions versions_{graph};
    Counters counters_{graph};
    ScopedNames names_{function, graph};
};

}  // namespace

ast::Unit hoistControls(ast::Unit unit, ast::Quoter& quote) {
    return improveBodies<Hoisting>(std::move(unit), quote, "control");
}

}  // namespace hpcc::optimize
