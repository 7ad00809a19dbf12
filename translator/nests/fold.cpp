// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/fold.hpp"

#include <algorithm>

#include "analysis/dependence.hpp"
#include "ast/declarators.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"
#include "ast/visitor.hpp"
#include "nests/wide_values.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class Recognition {
public:
    Recognition(Context& context, const Nest& nest, const Mentions& mentions, NodePtr nestStatement,
                NodePtr sumStatement)
        : context_(context),
          nest_(nest),
          reaches_(context, nest),
          mentions_(mentions),
          nestStatement_(nestStatement),
          sumStatement_(sumStatement) {}

    std::variant<Fold, Obstacle> run() {
        fold_.array = ast::print(summedArray(sumStatement_));
        if (!isFilledHere()) return Obstacle{};
        if (!slots() || !dimension()) return fail(write_->node, "is not summed along its index");
        if (!isUsedNowhereElse()) return *obstacle_;
        if (!coversAll()) return fail(write_->node, "may not be stored for each subscript once");
        fold_.write = write_;
        return fold_;
    }

private:
    static Obstacle fail(NodePtr place, const std::string& reason) { return {place, reason}; }

    /// The nest goes over all of a range, stores elements at one place, and reads none.
    bool isFilledHere() {
        for (const Access& access : nest_.accesses) {
            if (nest_.arrays[access.array].text != fold_.array) continue;
            if (write_ || !access.writes) return false;
            write_ = &access;
        }
        return write_ && std::ranges::none_of(tripletOf(nest_.loops.front())->children(),
                                              [](NodePtr part) { return part; });
    }

    /// t[k, ..]: the index of the nest, and one sequential subscript. Of t[.., k] the library adds
    /// up a row in another order.
    bool slots() {
        if (write_->slots.size() != 2 || !isOfDoubles(*write_)) return false;
        const Slot &index = write_->slots[0], &other = write_->slots[1];
        return isIndex(index, nest_.loops.front()) && !other.index;
    }

    bool dimension() const {
        const NodePtr call = sumStatement_->child(ast::ExpressionStatement::expression);
        return ast::asConstant(call->child(ast::Call::arguments)->child(2)) == 0;
    }

    /// It is a new array of this function, and stands in the nest, what is noted of the nest, and
    /// the sum.
    bool isUsedNowhereElse() {
        if (!mentions_.isNewArray(fold_.array)) {
            obstacle_ = fail(write_->node, "is no new array of this function");
            return false;
        }
        const NodePtr declarator = mentions_.declarator(fold_.array);
        for (const NodePtr mention : mentions_.of(fold_.array)) {
            if (isInside(declarator, mention) || isInside(sumStatement_, mention) ||
                isInside(nestStatement_, mention))
                continue;
            obstacle_ = fail(mention, "is used here, too");
            return false;
        }
        return true;
    }

    /// Every element of a row is stored once: by loops from 0 that run in full, and of which each
    /// counts in the subscript.
    bool coversAll() {
        std::vector<const Loop*> loops;
        for (const Loop* loop = write_->loop; loop && loop->outer; loop = loop->outer)
            loops.push_back(loop);
        if (!std::ranges::all_of(loops, [&](const Loop* loop) { return isFull(*loop); }) ||
            !isUnconditional() || holdsJump(nest_.loops.front().statement))
            return false;
        const Slot& slot = write_->slots[1];
        if (loops.size() == 1 && slot.loop == loops[0] && slot.shift == 0)
            return extent("$n", loops[0], nullptr);
        return loops.size() == 2 && goesThroughAll(slot.subscript, *loops[1], *loops[0]) &&
               extent("hpspmd::Index($n) * ($m)", loops[0], loops[1]);
    }

    bool isFull(const Loop& loop) const {
        return loop.kind == Loop::Kind::Counting && loop.step == 1 && !loop.reachesEnd &&
               ast::asConstant(loop.first) == 0 && reaches_.isFixed(loop.end);
    }

    /// The subscript is `i * n + k`, where the inner loop of k runs to n.
    bool goesThroughAll(NodePtr subscript, const Loop& outer, const Loop& inner) const {
        analysis::Dependences& dependences = nest_.dependences();
        analysis::Reader& reader = dependences.reader();
        const analysis::Loop *i = dependences.space().loopAt(headerOf(outer)),
                             *k = dependences.space().loopAt(headerOf(inner));
        return i && k &&
               reader.read(subscript, {k}) ==
                   reader.variable(*i, 0) * reader.read(inner.end, {i}) + reader.variable(*k, 0);
    }

    bool extent(const char* schema, const Loop* inner, const Loop* outer) {
        const NodePtr origin = nest_.loops.front().statement;
        ast::Bindings bindings{{"$n", context_.made(inner->end, origin)}};
        if (outer) bindings.emplace_back("$m", context_.made(outer->end, origin));
        fold_.extent = context_.expression(schema, bindings, origin);
        return true;
    }

    /// Between the nest and the store stand only blocks and those loops.
    bool isUnconditional() const {
        NodePtr at = bodyOf(nest_.loops.front());
        while (!ast::is<ast::ExpressionStatement>(at)) {
            if (ast::is<ast::For>(at))
                at = at->child(ast::For::body);
            else if (ast::is<ast::Compound>(at))
                at = childWith(at);
            else
                return false;
            if (!at) return false;
        }
        const NodePtr e = at->child(ast::ExpressionStatement::expression);
        return ast::is<ast::Assign>(e) && e->child(ast::Assign::target) == write_->node &&
               e->child(ast::Assign::op)->text() == "=";
    }
    NodePtr childWith(NodePtr block) const {
        for (const NodePtr child : block->children())
            if (child && isInside(child, write_->node)) return child;
        return nullptr;
    }

    Context& context_;
    const Nest& nest_;
    const Reaches reaches_;
    const Mentions& mentions_;
    NodePtr nestStatement_, sumStatement_;
    Fold fold_;
    const Access* write_ = nullptr;
    std::optional<Obstacle> obstacle_;
};

}  // namespace

NodePtr summedArray(NodePtr statement) {
    if (!ast::is<ast::ExpressionStatement>(statement)) return nullptr;
    const NodePtr call = statement->child(ast::ExpressionStatement::expression);
    if (!ast::is<ast::Call>(call) || call->child(ast::Call::callee)->text() != "Adlib::sumDim")
        return nullptr;
    const auto arguments = call->child(ast::Call::arguments)->children();
    return arguments.size() == 3 && ast::is<ast::Identifier>(arguments[1]) ? arguments[1] : nullptr;
}

std::variant<Fold, Obstacle> asFold(Context& context, const Nest& nest, const Mentions& mentions,
                                    NodePtr nestStatement, NodePtr sumStatement) {
    return Recognition(context, nest, mentions, nestStatement, sumStatement).run();
}

NodePtr beginningOf(Context& context, const Fold& fold, NodePtr origin) {
    return context.expression("$sums.begin($array, $n)",
                              {{"$sums", context.identifier(fold.sums, origin)},
                               {"$array", context.identifier(fold.array, origin)},
                               {"$n", fold.extent}},
                              origin);
}

NodePtr foldedSum(Context& context, NodePtr sumStatement, const std::string& sums) {
    const auto arguments = sumStatement->child(ast::ExpressionStatement::expression)
                               ->child(ast::Call::arguments)
                               ->children();
    return context.statement("hpspmd::detail::sumDim($result, $array, $d, $sums);",
                             {{"$result", arguments[0]},
                              {"$array", arguments[1]},
                              {"$d", arguments[2]},
                              {"$sums", context.identifier(sums, sumStatement)}},
                             sumStatement);
}

}  // namespace hpcc::nests
