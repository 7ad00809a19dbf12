// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/fusable.hpp"

#include <algorithm>

#include "analysis/dependence.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "nests/code_of_program.hpp"
#include "nests/reaches.hpp"
#include "nests/sums_of_products.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

bool sameText(NodePtr a, NodePtr b) {
    if (!a || !b) return a == b;
    return ast::print(a) == ast::print(b);
}

/// True if both loops go through the same values, in the same order.
bool match(Context& context, const Member& a, const Loop& l, const Member& b, const Loop& m) {
    if (l.kind != m.kind || l.step != m.step || l.step < 0) return false;
    const Reaches left(context, a.nest), right(context, b.nest);
    if (l.kind == Loop::Kind::Counting)
        return sameText(l.first, m.first) && sameText(l.end, m.end) &&
               l.reachesEnd == m.reachesEnd && sameText(counterType(l), counterType(m)) &&
               left.isFixed(l.first) && left.isFixed(l.end) && right.isFixed(m.end);
    if (!sameText(l.range, m.range)) return false;
    for (uint32_t part = 0; part < 3; ++part) {
        const NodePtr p = tripletOf(l)->child(part), q = tripletOf(m)->child(part);
        if (!sameText(p, q) || !left.isFixed(p) || !right.isFixed(q)) return false;
    }
    return true;
}

class Comparison {
public:
    Comparison(Context& context, const Member& first, const Member& second)
        : context_(context), first_(first), second_(second) {}

    std::variant<size_t, Obstacle> run(bool isForTiles) {
        matchLoops();
        if (!obstacle_.place) keepNumbers();
        if (!obstacle_.place) keepElements();
        if (!obstacle_.place && !isForTiles) keepIndependence();
        if (obstacle_.place) return obstacle_;
        return depth_;
    }

private:
    void fail(NodePtr place, const std::string& reason) {
        if (!obstacle_.place) obstacle_ = {place, reason};
    }

    void matchLoops() {
        const size_t most = std::min(first_.chain.size(), second_.chain.size());
        while (depth_ < most &&
               match(context_, first_, *first_.chain[depth_], second_, *second_.chain[depth_]))
            ++depth_;
        if (depth_ == 0) fail(second_.place(), "goes over other elements than the nest before");
    }

    void keepNumbers() {
        const Names before = lastingIn(first_.nest), after = lastingIn(second_.nest);
        if ((!before.empty() && readsByReference(second_.overall())) ||
            (!after.empty() && readsByReference(first_.overall())))
            return fail(second_.overall(),
                        "perhaps reads by a function what the other one assigns");
        for (const std::string_view name : readIn(second_.overall()))
            if (before.contains(name))
                return fail(second_.overall(),
                            "uses '" + std::string(name) + "', which the nest before assigns");
        for (const std::string_view name : readIn(first_.overall()))
            if (after.contains(name))
                return fail(second_.overall(),
                            "assigns '" + std::string(name) + "', which the nest before uses");
    }

    void keepElements() {
        Names changed = first_.nest.changed();
        changed.merge(second_.nest.changed());
        analysis::Dependences both({first_.overall(), second_.overall()}, std::move(changed));
        for (size_t k = 0; k < depth_; ++k)
            both.space().join(headerOf(*second_.chain[k]), headerOf(*first_.chain[k]));
        for (const Access& a : first_.nest.accesses)
            for (const Access& b : second_.nest.accesses) {
                if (!a.writes && !b.writes) continue;
                const std::string& name = first_.nest.arrays[a.array].text;
                if (name != second_.nest.arrays[b.array].text) continue;
                depth_ = depthWithout(both, a, b);
                if (depth_ == 0)
                    return fail(b.node, (a.writes ? "needs an element of '" + name +
                                                        "' that another iteration of the nest "
                                                        "before writes"
                                                  : "writes an element of '" + name +
                                                        "' that another iteration of the nest "
                                                        "before reads"));
            }
    }

    /// Of so many loops these accesses meet in one and the same iteration only.
    size_t depthWithout(analysis::Dependences& both, const Access& a, const Access& b) const {
        for (size_t k = 0; k < depth_; ++k) {
            const analysis::Meeting met = both.meeting(a.node, b.node, headerOf(*first_.chain[k]));
            if (met.kind == analysis::Meeting::Kind::Never) break;
            if (!met.isApart()) return k;
        }
        return depth_;
    }

    /// A loop whose iterations are computed at once does not join one whose iterations are not.
    void keepIndependence() {
        const Loop &inner = *first_.chain[depth_ - 1], &other = *second_.chain[depth_ - 1];
        if (!inner.isInnermost && !other.isInnermost) return;
        if (isAtOnce(first_.nest, inner) == isAtOnce(second_.nest, other)) return;
        if (--depth_ == 0)
            fail(second_.place(),
                 "computes one iteration after the other, or the nest before does");
    }

    /// Loops inside that are short the C++ compiler writes out.
    static bool isAtOnce(const Nest& nest, const Loop& loop) {
        ArrayPairs apart;
        if (loop.isInnermost) return isIndependent(nest, loop, apart);
        return std::ranges::all_of(nest.loops,
                                   [&](const Loop& inside) {
                                       return inside.outer != &loop ||
                                              (inside.isInnermost && isShort(inside));
                                   }) &&
               !meetingIn(nest, loop, apart).write;
    }

    Context& context_;
    const Member &first_, &second_;
    size_t depth_ = 0;
    Obstacle obstacle_;
};

}  // namespace

NodePtr Member::place() const {
    return ast::is<ast::Overall>(overall()) ? overall()->child(ast::Overall::headers) : overall();
}

bool isStamp(NodePtr statement) {
    return ast::is<ast::Declaration>(statement) &&
           ast::print(statement->child(ast::Declaration::specifiers)) ==
               "const hpspmd::detail::Nest";
}

bool isStamped(NodePtr statement) {
    return ast::is<ast::Compound>(statement) && statement->children().size() == 2 &&
           ast::is<ast::Overall>(statement->child(1)) && isStamp(statement->child(0));
}

Obstacle obstacleTo(Context& context, const Member& member) {
    const Nest& nest = member.nest;
    const NodePtr whole = member.overall();
    if (nest.callsForeign) return {whole, "calls a function that may do anything"};
    if (holdsJump(whole)) return {whole, "contains 'break' or 'continue'"};
    const Reaches reaches(context, nest);
    for (const Loop& loop : nest.loops) {
        if (loop.touchesForeign) return {whole, "reaches memory that is no multiarray's"};
        if (loop.kind != Loop::Kind::Overall) continue;
        ArrayPairs apart;
        Obstacle other;
        const auto sums = asSumsOfProducts(nest, loop, nullptr, reaches, apart, other);
        if (sums && !sums->areAlongRows)
            return {whole, "computes sums of products, in register tiles"};
        for (const NodePtr part : tripletOf(loop)->children())
            if (!reaches.isFixed(part)) return {part, "has bounds that change inside"};
    }
    for (const Access& access : nest.accesses)
        for (const Slot& slot : access.slots)
            if (!reaches.isFixed(slot.distance))
                return {slot.distance, "shifts an index by a distance that changes"};
    return {};
}

bool canBeRenamed(const Member& first, const Member& second, size_t depth) {
    const Names names = ast::namesIn(second.overall());
    for (size_t level = 0; level < depth; ++level) {
        const std::string_view name = first.chain[level]->variable;
        const auto isLoop = [&](const Loop* loop) { return loop->variable == name; };
        const auto loops = second.chain.begin();
        if (names.contains(name) && std::none_of(loops, loops + static_cast<long>(depth), isLoop))
            return false;
    }
    return true;
}

bool haveCommonArray(const Member& first, const Member& second) {
    return std::any_of(
        first.nest.arrays.begin(), first.nest.arrays.end(), [&](const NestArray& array) {
            return std::any_of(second.nest.arrays.begin(), second.nest.arrays.end(),
                               [&](const NestArray& other) { return array.text == other.text; });
        });
}

std::variant<size_t, Obstacle> commonDepth(Context& context, const Member& first,
                                           const Member& second, bool isForTiles) {
    return Comparison(context, first, second).run(isForTiles);
}

bool mayStandBefore(NodePtr declaration, const Member& member) {
    const Names used = ast::namesIn(member.overall()), lasting = lastingIn(member.nest);
    for (const NodePtr each : ast::declaratorsOf(declaration))
        if (used.contains(each->child(ast::InitDeclarator::declarator)->text())) return false;
    const Names names = readIn(declaration);
    return std::none_of(names.begin(), names.end(),
                        [&](std::string_view name) { return lasting.contains(name); });
}

void addPairs(NamePairs& pairs, const Member& first, const Member& second) {
    const auto add = [&](const Nest& writer, const Nest& other) {
        for (const Access& write : writer.accesses)
            for (const NestArray& array : other.arrays) {
                const std::string& name = writer.arrays[write.array].text;
                if (write.writes && name != array.text) pairs.insert(std::minmax(name, array.text));
            }
    };
    add(first.nest, second.nest);
    add(second.nest, first.nest);
}

}  // namespace hpcc::nests
