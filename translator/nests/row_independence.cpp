#include "nests/row_independence.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "ast/print.hpp"
#include "nests/linear.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class Rows {
public:
    Rows(const Loop& rows, const Reaches& reaches) : rows_(rows), reaches_(reaches) {}

    bool areApart(const Access& a, const Access& b) const {
        for (size_t r = 0; r < a.slots.size(); ++r)
            if (tellsApart(a.slots[r], a.loop, b.slots[r], b.loop) || areApartByStep(a, b, r))
                return true;
        return false;
    }

private:
    /// Do these subscripts of one dimension agree in no two different iterations?
    bool tellsApart(const Slot& a, const Loop* aLoop, const Slot& b, const Loop* bLoop) const {
        if (a.loop == &rows_ && b.loop == &rows_)
            return sameDistance(a, b) ||
                   (!a.distance && !b.distance && (a.shift - b.shift) % rows_.step != 0);
        if (a.index && b.index && isRound(a.loop) && isRound(b.loop))
            return a.index->text() == b.index->text() && !a.distance && !b.distance &&
                   a.shift != b.shift;
        if (a.index || b.index) return false;
        return differ(a.subscript, aLoop, b.subscript, bLoop);
    }

    /// Distances that change between iterations are not the same, whatever their names.
    bool sameDistance(const Slot& a, const Slot& b) const {
        if (!a.distance || !b.distance) return !a.distance && !b.distance && a.shift == b.shift;
        return a.negative == b.negative && reaches_.isFixed(a.distance) &&
               ast::print(a.distance) == ast::print(b.distance);
    }

    /// A loop, or construct, round the rows: their index is the same in all of them.
    bool isRound(const Loop* loop) const {
        for (const Loop* outer = rows_.outer; outer; outer = outer->outer)
            if (outer == loop) return true;
        return !loop;
    }

    /// Two `*` subscripts that do not change.
    bool differ(NodePtr a, const Loop* aLoop, NodePtr b, const Loop* bLoop) const {
        const auto [aOperand, aModulus] = asRemainder(a);
        const auto [bOperand, bModulus] = asRemainder(b);
        const long modulus = aModulus == bModulus ? aModulus : 0;
        auto left = linear(modulus ? aOperand : a, modulus, aLoop, reaches_);
        const auto right = linear(modulus ? bOperand : b, modulus, bLoop, reaches_);
        if (!left || !right || !left->loops.empty() || !right->loops.empty()) return false;
        left->add(*right, -1);
        return left->isConstant() &&
               (modulus ? left->constant % modulus != 0 : left->constant != 0);
    }

    /// In dimension r an inner loop of j goes in steps: then j less its start is fixed modulo the
    /// step, and so is the difference of subscripts from that which the start makes of others.
    bool areApartByStep(const Access& a, const Access& b, size_t r) const {
        const Loop* loop = a.slots[r].loop;
        if (!loop || loop != b.slots[r].loop || loop == &rows_ || loop->step == 1) return false;
        const NodePtr first = firstOf(*loop);
        const auto start =
            first ? linear(first, loop->step, loop->outer, reaches_) : std::optional(Linear());
        if (!start) return false;
        long left = a.slots[r].shift - b.slots[r].shift;
        for (const auto& [other, factor] : start->loops) {
            if (factor % loop->step == 0) continue;
            const auto shift = commonShift(a, b, *other);
            if (!shift) return false;
            left -= factor * *shift;
        }
        return !a.slots[r].distance && !b.slots[r].distance && left % loop->step != 0;
    }

    static NodePtr firstOf(const Loop& loop) {
        if (loop.kind == Loop::Kind::Counting) return loop.first;
        return tripletOf(loop)->child(ast::Triplet::low);
    }

    /// By how much a's subscript with the index of a loop is larger than b's of the same dimension,
    /// not counting what the index does.
    static std::optional<long> commonShift(const Access& a, const Access& b, const Loop& loop) {
        for (size_t r = 0; r < a.slots.size(); ++r)
            if (a.slots[r].loop == &loop && b.slots[r].loop == &loop && !a.slots[r].distance &&
                !b.slots[r].distance)
                return a.slots[r].shift - b.slots[r].shift;
        return std::nullopt;
    }

    const Loop& rows_;
    const Reaches& reaches_;
};

/// The accesses to one array; of those that are written alike in one loop the first.
struct Reached {
    std::vector<const Access*> all, writes;
};

std::vector<Reached> reachedArrays(const Nest& nest) {
    std::vector<Reached> arrays(nest.arrays.size());
    std::set<std::tuple<const Loop*, bool, std::string>> known;
    for (const Access& access : nest.accesses) {
        if (!known.emplace(access.loop, access.writes, ast::print(access.node)).second) continue;
        arrays[access.array].all.push_back(&access);
        if (access.writes) arrays[access.array].writes.push_back(&access);
    }
    return arrays;
}

}  // namespace

std::string Meeting::reason() const {
    const std::string written = quoted(ast::print(write->node)),
                      reached = quoted(ast::print(other->node));
    if (written == reached) return "perhaps changes " + written + " in several iterations";
    return "reaches " + reached + ", which another iteration perhaps changes as " + written;
}

Meeting meetingIn(const Nest& nest, const Loop& loop, const Reaches& reaches, ArrayPairs& apart) {
    if (nest.isPromised && loop.kind == Loop::Kind::Overall) return {};
    const Rows rows(loop, reaches);
    const std::vector<Reached> arrays = reachedArrays(nest);
    for (const Reached& array : arrays)
        for (const Access* write : array.writes)
            for (const Access* other : array.all)
                if (!rows.areApart(*write, *other)) return {write, other};
    for (size_t k = 0; k < arrays.size(); ++k)
        for (size_t other = 0; !arrays[k].writes.empty() && other < arrays.size(); ++other)
            if (other != k && apart.size() <= mostArrayPairs) apart.insert(std::minmax(k, other));
    return {};
}

}  // namespace hpcc::nests
