// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/section.hpp>

#include "compose.hpp"

#include <hpspmd/check.hpp>
#include <hpspmd/error.hpp>
#include <hpspmd/location.hpp>
#include <hpspmd/ranges.hpp>

namespace hpspmd::detail {
namespace {

// One dimension after the other of the array becomes no, one or two dimensions of the section.
class Sectioning {
public:
    Sectioning(const Descriptor& a, Index offset, Map* maps, Where where)
        : a_(a), at_{offset, a.group}, maps_(maps), where_(where) {}

    void take(const Subscript& s, int r) {
        const Map& map = a_[r];
        if (s.where.line > 0) where_ = s.where;
        switch (s.kind) {
        case Subscript::Kind::Triplet:
            return s.sequential ? takeSequential(map, s.triplet) : takeTriplet(map, s.triplet);
        case Subscript::Kind::Integer:
            return takeInteger(map, s, r);
        case Subscript::Kind::Index:
            return takeIndex(map, s, r);
        case Subscript::Kind::Split:
            return takeSplit(map);
        }
    }

    SectionOrigin origin() const { return at_; }

private:
    void takeTriplet(const Map& map, const Triplet& triplet) {
        *maps_++ = {map.range.subrange(triplet), map.stride};
    }

    // A `*` dimension starts at local subscript 0 with step 1 again: base and stride take up the
    // triplet.
    void takeSequential(const Map& map, const Triplet& triplet) {
        const Progression locations = triplet.over(map.range);
        at_.offset += map.stride * locations.first;
        *maps_++ = {CollapsedRange(locations.count), map.stride * locations.step};
    }

    void takeInteger(const Map& map, const Subscript& s, int r) {
        if (s.sequential) {
            if (s.value < 0 || s.value >= map.range.size())
                raiseOutOfBounds(s.value, map.range.size(), r, where_);
            at_.offset += map.stride * s.value;
            return;
        }
        const Location location = map.range.location(s.value, where_);
        at_.offset += map.stride * location.sub;
        at_.group = restrict(at_.group, location.dim, location.crd, where_);
    }

    void takeIndex(const Map& map, const Subscript& s, int r) {
        const DistributedIndex& i = *s.index;
        if (!fits(i.range, map.range))
            throw IndexMismatch(
                compose("subscript ", r, " of a section is an index over ", describe(i.range),
                        "; the dimension is ", describe(map.range)),
                where_);
        checkShift(s.value, map.range, i.shift, r, "", where_);
        at_.offset += map.stride * (i.sub + i.shift * s.value);
        at_.group = restrict(at_.group, i.range.dim(), i.range.dim().crd(), where_);
    }

    // (process dimension, local block): the second is the largest block, without ghost cells.
    void takeSplit(const Map& map) {
        const Index shell = map.range.record()->format->shell();
        *maps_++ = {map.range.dim(), map.stride * shell};
        *maps_++ = {CollapsedRange(shell), map.stride};
    }

    const Descriptor& a_;
    SectionOrigin at_;
    Map* maps_;
    Where where_;
};

}  // namespace

SectionOrigin makeSection(const Descriptor& a, Index offset, const Subscript* subscripts, Map* maps,
                          Where where) {
    for (int r = 0; where.line == 0 && r < a.rank; ++r) where = subscripts[r].where;
    if (a.group.isNull()) raiseNullArray(where);
    Sectioning section(a, offset, maps, where);
    for (int r = 0; r < a.rank; ++r) section.take(subscripts[r], r);
    return section.origin();
}

}  // namespace hpspmd::detail
