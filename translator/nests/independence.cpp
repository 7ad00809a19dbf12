#include "nests/independence.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"

namespace hpcc::nests {
namespace {

/// Has it one value all through the loop?
bool isFixedIn(const Loop& loop, ast::NodePtr expression) {
    if (!ast::isPure(expression)) return false;
    return std::ranges::none_of(ast::namesIn(expression), [&](std::string_view name) {
        return loop.assigned.contains(name) || loop.declared.contains(name);
    });
}

/// Do these subscripts of one dimension differ, or agree in one and the same iteration only?
bool tellsApart(const Slot& a, const Slot& b, const Loop& loop) {
    if (a.distance || b.distance) return false;
    if (a.index && b.index && !a.loop && !b.loop)  // of a construct round the nest
        return a.index->text() == b.index->text() && a.shift != b.shift;
    if (a.along == &loop && b.along == &loop)
        return isFixedIn(loop, a.rest) && ast::print(a.rest) == ast::print(b.rest);
    if (!a.index && !a.loop) {
        const auto m = ast::asConstant(a.subscript), n = ast::asConstant(b.subscript);
        return m && n && *m != *n;
    }
    if (a.loop != b.loop || !a.loop) return false;
    if (a.loop == &loop) return (a.shift - b.shift) % loop.step != 0 || a.shift == b.shift;
    return a.loop->kind != Loop::Kind::Other && a.shift != b.shift;
}

/// The accesses in an innermost loop, or only the writes; of those that are written alike the
/// first.
std::vector<const Access*> accessesIn(const Nest& nest, const Loop& loop, bool onlyWrites) {
    std::vector<const Access*> accesses;
    std::unordered_set<std::string> texts;
    for (const size_t k : loop.accesses) {
        const Access& access = nest.accesses[k];
        if (onlyWrites && !access.writes) continue;
        if (texts.insert(ast::print(access.node)).second) accesses.push_back(&access);
    }
    return accesses;
}

bool meet(const Access& a, const Access& b, const Loop& loop) {
    for (size_t r = 0; r < a.slots.size(); ++r)
        if (tellsApart(a.slots[r], b.slots[r], loop)) return false;
    return true;
}

}  // namespace

bool isIndependent(const Nest& nest, const Loop& loop, ArrayPairs& apart) {
    if (!loop.isInnermost || loop.kind == Loop::Kind::Other || loop.touchesForeign || loop.jumps)
        return false;
    if (nest.isPromised && loop.kind == Loop::Kind::Overall) return true;
    ArrayPairs pairs;
    const auto accesses = accessesIn(nest, loop, false);
    for (const Access* write : accessesIn(nest, loop, true)) {
        for (const Access* other : accesses) {
            if (pairs.size() > mostArrayPairs) return false;
            if (other->array != write->array)
                pairs.insert(std::minmax(write->array, other->array));
            else if (meet(*write, *other, loop))
                return false;
        }
    }
    apart.merge(pairs);
    return true;
}

}  // namespace hpcc::nests
