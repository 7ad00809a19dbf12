// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/memory_order.hpp"

#include <algorithm>
#include <cstdlib>
#include <span>

#include "analysis/operators.hpp"
#include "ast/copy.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "nests/extremes.hpp"
#include "nests/fused_form.hpp"
#include "nests/loop_ends.hpp"
#include "nests/merge.hpp"
#include "nests/reaches.hpp"
#include "nests/wide_values.hpp"
#include "source/name.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;
using Loops = std::vector<const Loop*>;

ast::Bindings ends(Context& context, const Loop& counting, NodePtr origin) {
    return {{"$first", context.made(counting.first, origin)},
            {"$end", context.made(counting.end, origin)}};
}

/// The parts of arrays that a nest says to write, of all iterations of a counting loop round it.
class AllIterations : public ast::Rewriter {
public:
    AllIterations(Context& context, const Loop& loop)
        : Rewriter(context.arena), context_(context), loop_(loop) {}

    NodePtr rewriteCall(NodePtr call) override {
        const auto arguments = call->child(ast::Call::arguments)->children();
        if (ast::print(call->child(ast::Call::callee)) != "hpspmd::detail::only")
            return rewriteChildren(call);
        // What it asks for may be made text.
        if (!source::mentionsName(ast::print(call), loop_.variable)) return call;
        if (arguments.size() != 1 || !isNamed(arguments[0], loop_.variable))
            return context_.expression("hpspmd::detail::somewhere", {}, call);
        return context_.expression(
            "hpspmd::detail::only(" +
                std::string(loop_.step > 0 && loop_.reachesEnd ? "$first, $end"
                            : loop_.step > 0                   ? "$first, $end - 1"
                            : loop_.reachesEnd                 ? "$end, $first"
                                                               : "$end + 1, $first") +
                ")",
            ends(context_, loop_, call), call);
    }

private:
    Context& context_;
    const Loop& loop_;
};

/// Puts the values of constants that stand before loops in the place of their names: numbers that
/// are computed without a division, from what the nest does not change.
class WithoutConstants : public ast::Rewriter {
public:
    WithoutConstants(Context& context, const Nest& nest)
        : Rewriter(context.arena), context_(context), nest_(nest) {}

    NodePtr rewriteCompound(NodePtr block) override {
        const auto parts = block->children();
        const auto isLoop = [this](NodePtr part) {
            return nest_.loopOf.contains(isStamped(part) ? part->child(1) : part);
        };
        const auto first = std::ranges::find_if(parts, isLoop);
        if (first == parts.begin() || !std::all_of(first, parts.end(), isLoop))
            return rewriteChildren(block);
        for (const NodePtr each : std::span(parts.begin(), first))
            if (!take(each, block)) return rewriteChildren(block);
        if (first + 1 == parts.end()) return rewrite(*first);
        std::vector<NodePtr> loops;
        for (const NodePtr loop : std::span(first, parts.end())) loops.push_back(rewrite(loop));
        return context_.arena.rebuilt(block, block, loops);
    }

    NodePtr rewriteIdentifier(NodePtr name) override {
        const auto known = name->symbol ? values_.find(name->symbol) : values_.end();
        if (known == values_.end()) return name;
        const NodePtr value = rewrite(ast::copy(context_.arena, known->second));
        if (isPrimary(value->kind()) || value->is<ast::GlobalIndex>()) return value;
        const NodePtr result = context_.expression("($e)", {{"$e", value}}, name);
        result->type = value->type;
        return result;
    }

private:
    bool take(NodePtr statement, NodePtr block) {
        const auto declared = numberDeclaredIn(statement);
        if (!declared || nest_.assigned.contains(declared->name)) return false;
        const ast::Symbol* const symbol =
            statement->child(ast::Declaration::declarators)->child(0)->child(0)->symbol;
        if (!symbol || !isKept(declared->start, *symbol) || !isFixed(declared->start, block))
            return false;
        values_[symbol] = declared->start;
        return true;
    }
    /// Its value has its type.
    bool isKept(NodePtr value, const ast::Symbol& symbol) const {
        const ast::NumberType type = analysis::numberOf(symbol.type);
        if (type.bits > 0) return type == analysis::numberOf(value) && isPureInteger(value);
        return isDouble(value->type) && isDouble(symbol.type) && isSimple(value);
    }

    bool isFixed(NodePtr value, NodePtr block) const {
        return std::ranges::none_of(ast::namesIn(value), [&](std::string_view name) {
            const auto hides = [&](const Loop& each) {
                return isInside(block, each.statement) &&
                       (each.variable == name || each.declared.contains(name));
            };
            return nest_.assigned.contains(name) || std::ranges::any_of(nest_.loops, hides);
        });
    }
    bool isSimple(NodePtr e) const {
        if (const Access* access = accessAt(nest_, e))
            return !isChanged(access->array) &&
                   std::ranges::all_of(access->slots, [](const Slot& slot) {
                       return slot.index || isPureInteger(slot.subscript);
                   });
        if (!e->is<ast::Binary>() && !e->is<ast::Unary>() && !e->is<ast::Parenthesized>())
            return e->children().empty() && ast::isPure(e);
        const std::string_view op = e->is<ast::Binary>()  ? e->child(ast::Binary::op)->text()
                                    : e->is<ast::Unary>() ? e->child(ast::Unary::op)->text()
                                                          : "";
        return op != "/" && op != "++" && op != "--" &&
               std::ranges::all_of(e->children(), [&](NodePtr part) {
                   return !ast::isExpression(part) || isSimple(part);
               });
    }
    bool isChanged(size_t array) const {
        return std::ranges::any_of(nest_.accesses, [&](const Access& access) {
            return access.writes && access.array == array;
        });
    }

    Context& context_;
    const Nest& nest_;
    std::unordered_map<const ast::Symbol*, NodePtr> values_;
};

class OrderSearch {
public:
    OrderSearch(Context& context, const Nest& nest) : context_(context), nest_(nest) {}

    /// True if the nest is loops directly in one another, which may run in any order.
    bool isReorderable() {
        return !nest_.callsForeign && !nest_.isPromised && collect() && lastingIn(nest_).empty() &&
               std::ranges::all_of(loops_,
                                   [&](const Loop* loop) { return isRectangular(*loop); }) &&
               areApart();
    }

    /// The order in which the loop that carries sums is innermost; empty if none carries any.
    Loops sumsInnermost() const {
        if (!carrier_) return {};
        Loops order = byWeight();
        std::erase(order, carrier_);
        order.push_back(carrier_);
        return order;
    }

    /// The order of memory.
    Loops byWeight() const {
        Loops order = loops_;
        std::ranges::stable_sort(
            order, [&](const Loop* a, const Loop* b) { return weight(*a) > weight(*b); });
        return order;
    }

    MemoryOrder written(const Loops& order) const {
        MemoryOrder result;
        NodePtr statement = bodyOf(*loops_.back());
        for (auto loop = order.rbegin(); loop != order.rend(); ++loop) {
            const NodePtr old = (*loop)->statement;
            std::vector<NodePtr> children(old->children().begin(), old->children().end());
            children[bodySlot(**loop)] = statement;
            statement = context_.arena.rebuilt(old, old, children);
        }
        result.overall = statement;
        for (const Loop* loop : order) result.loops.emplace_back(loop->variable);
        result.stamps = stamps_;
        result.conditions = conditions_;
        for (const auto& [left, right] : apart_)
            result.apart.insert(std::minmax(nest_.arrays[left].text, nest_.arrays[right].text));
        return result;
    }

    const Loops& loops() const { return loops_; }

private:
    bool collect() {
        for (NodePtr at = nest_.loops.front().statement; at;) {
            const auto found = nest_.loopOf.find(at);
            if (found == nest_.loopOf.end()) break;
            loops_.push_back(found->second);
            if (found->second->kind == Loop::Kind::Other) return false;
            at = soleStatement(bodyOf(*found->second));
            if (isStamped(at)) {
                if (!keepStamp(at->child(0))) return false;
                at = at->child(1);
            }
        }
        return loops_.size() == nest_.loops.size() && loops_.size() > 1;
    }

    /// What stands before a nest inside of counting loops stands before them, if they run.
    bool keepStamp(NodePtr stamp) {
        stamp = ast::copy(context_.arena, stamp);
        for (const Loop* loop : loops_) {
            conditions_.push_back(runsAtAll(context_, *loop, context_.made(loop->first, stamp),
                                            context_.made(loop->end, stamp)));
            const NodePtr all = AllIterations(context_, *loop).rewrite(stamp);
            if (all != stamp && (std::abs(loop->step) != 1 || loop->endsByMeeting)) return false;
            stamp = all;
            if (source::mentionsName(ast::print(stamp), loop->variable)) return false;
        }
        stamps_.push_back(stamp);
        return true;
    }

    /// Its bounds are the same in all iterations of the other loops.
    bool isRectangular(const Loop& loop) const {
        if (loop.jumps || loop.touchesForeign) return false;
        const Reaches reaches(context_, nest_);
        if (loop.kind == Loop::Kind::Counting)
            return reaches.isFixed(loop.first) && reaches.isFixed(loop.end);
        return std::ranges::all_of(tripletOf(loop)->children(),
                                   [&](NodePtr part) { return !part || reaches.isFixed(part); });
    }

    /// Each iteration of all loops but one reaches elements of its own, whatever the other loops
    /// do, so that what remains keeps its order.
    bool areApart() {
        for (const Access& write : nest_.accesses)
            for (const Access& other : nest_.accesses)
                if (write.writes && other.array != write.array)
                    apart_.insert(std::minmax(write.array, other.array));
        if (apart_.size() > mostArrayPairs) return false;
        for (const Loop* loop : loops_) {
            if (ownsElements(*loop)) continue;
            if (carrier_) return false;
            carrier_ = loop;
        }
        return true;
    }
    bool ownsElements(const Loop& loop) const {
        return std::ranges::all_of(nest_.accesses, [&](const Access& access) {
            return !access.writes || hasOwnElements(nest_, loop, access.array);
        });
    }

    /// How far the elements of two iterations lie apart: for each access the dimensions behind the
    /// one that the loop's variable subscripts.
    size_t weight(const Loop& loop) const {
        size_t result = 0;
        for (const Access& access : nest_.accesses)
            for (size_t r = 0; r < access.slots.size(); ++r)
                if (mentions(access.slots[r].subscript, loop.variable)) {
                    result += access.slots.size() - 1 - r;
                    break;
                }
        return result;
    }

    Context& context_;
    const Nest& nest_;
    Loops loops_;                    // outermost first
    const Loop* carrier_ = nullptr;  // the one whose iterations reach the same elements
    std::vector<NodePtr> stamps_, conditions_;
    ArrayPairs apart_;
};

using Analyse = std::function<const Nest*(NodePtr)>;

/// The nest without constants between its loops; null if there are none.
const Nest* withoutConstants(Context& context, const Nest& nest, const Analyse& analyse) {
    const NodePtr statement = nest.loops.front().statement;
    const NodePtr result = WithoutConstants(context, nest).rewrite(statement);
    return result == statement ? nullptr : analyse(result);
}

/// Sums in a nest that holds loops one behind the other, with the loop innermost that carries them,
/// as one loop with those before.
class SumsBehindLoops {
public:
    SumsBehindLoops(Context& context, const Nest& nest, const Analyse& analyse)
        : context_(context), nest_(nest), analyse_(analyse), chain_(chainOf(nest)) {
        group_.isForTiles = true;
    }

    /// True if all loops of sums went across the rows of their elements, and now go along.
    bool followsMemory() const { return followsMemory_; }

    std::optional<MemoryOrder> run() {
        if (chain_.empty() || nest_.callsForeign || nest_.isPromised) return std::nullopt;
        const NodePtr block = bodyOf(*chain_.back());
        if (!ast::is<ast::Compound>(block)) return std::nullopt;
        if (const auto count = block->children().size(); count < 2 || count > FusionGroup::largest)
            return std::nullopt;
        for (const NodePtr part : block->children())
            if (!add(soleStatement(part))) return std::nullopt;
        const bool mayBeOne = hasSums_ && cannotFail(context_, nest_);
        return mayBeOne ? std::optional(written()) : std::nullopt;
    }

private:
    bool add(NodePtr loop) {
        const Nest* part = nest_.loopOf.contains(loop) ? analyse_(loop) : nullptr;
        if (const Nest* other = part ? withSumsInnermost(*part) : nullptr) part = other;
        if (!part || chainOf(*part).empty()) return false;
        group_.members.emplace_back(
            Member{part->loops.front().statement, {}, *part, chainOf(*part)});
        return group_.members.size() == 1 || !obstacleToJoining(context_, group_);
    }

    /// Null if the loops carry no sums.
    const Nest* withSumsInnermost(const Nest& part) {
        const Nest* const other = withoutConstants(context_, part, analyse_);
        OrderSearch search(context_, other ? *other : part);
        const Loops order = search.isReorderable() ? search.sumsInnermost() : Loops();
        if (order.empty()) return nullptr;
        followsMemory_ =
            (followsMemory_ || !hasSums_) && order != search.loops() && order == search.byWeight();
        hasSums_ = true;
        MemoryOrder sums = search.written(order);
        for (const auto all : {&MemoryOrder::stamps, &MemoryOrder::conditions})
            (result_.*all).insert((result_.*all).end(), (sums.*all).begin(), (sums.*all).end());
        result_.loops = std::move(sums.loops);
        result_.apart.merge(sums.apart);
        return analyse_(sums.overall);
    }

    MemoryOrder written() {
        NodePtr statement = merge(context_, group_.members, group_.depth).overall;
        for (auto loop = chain_.rbegin(); loop != chain_.rend(); ++loop) {
            statement =
                ast::withChild(context_.arena, (*loop)->statement, bodySlot(**loop), statement);
            result_.loops.emplace(result_.loops.begin(), (*loop)->variable);
        }
        result_.overall = statement;
        result_.apart.merge(group_.apart);
        return std::move(result_);
    }

    Context& context_;
    const Nest& nest_;
    const Analyse& analyse_;
    const Loops chain_;  // round the block
    FusionGroup group_;
    MemoryOrder result_;
    bool hasSums_ = false, followsMemory_ = false;
};

}  // namespace

std::optional<MemoryOrder> memoryOrder(Context& context, const Nest& nest, const Analyse& analyse,
                                       const std::function<bool(NodePtr)>& isTiled) {
    const Nest* const other = withoutConstants(context, nest, analyse);
    OrderSearch search(context, other ? *other : nest);
    if (!search.isReorderable()) {
        SumsBehindLoops behind(context, other ? *other : nest, analyse);
        auto sums = behind.run();
        return sums && (behind.followsMemory() || isTiled(sums->overall)) ? std::move(sums)
                                                                          : std::nullopt;
    }
    if (const Loops order = search.sumsInnermost(); order.size() > 2) {
        MemoryOrder sums = search.written(order);
        if (isTiled(sums.overall))
            return order == search.loops() && !other ? std::nullopt
                                                     : std::optional(std::move(sums));
    }
    const Loops order = search.byWeight();
    return order == search.loops() ? std::nullopt : std::optional(search.written(order));
}

}  // namespace hpcc::nests
