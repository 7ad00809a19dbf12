// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compose.hpp"
#include "range_registry.hpp"

#include <hpspmd/error.hpp>
#include <hpspmd/location.hpp>

#include <algorithm>

namespace hpspmd {
namespace detail {

const RangeRecord* nullRange(Where where) {
    throw NullArray("use of a range that was never assigned", where);
}

Coordinates Format::orderedHolders(const Progression& locations) const {
    const auto [low, high] = std::minmax({locations.first, locations[locations.count - 1]});
    return {locate(low).crd, locate(high).crd, 1};
}

Range makeRange(std::unique_ptr<Format> format, const Dimension& d, Index lo, Index hi) {
    const Format* shared = internFormat(std::move(format));
    return Range(internRange({shared, d.record()->dimension, 0, 1, shared->extent(), lo, hi}));
}

Index checkedExtent(Index extent, const char* range, Where where) {
    constexpr Index largest = Index{1} << 60;  // sums and products with process numbers stay exact
    if (extent < 0 || extent > largest)
        throw BadExtent(compose(range, " of extent ", extent, ", which is ",
                                extent < 0 ? "negative" : "too large"),
                        where);
    return extent;
}

std::string describe(const Range& x) {
    const RangeRecord& record = *x.record();
    const Format& format = *record.format;
    const bool extended = record.lo > 0 || record.hi > 0;
    std::string text = compose(extended ? "Ext" : "", format.name(), "(", format.extent());
    if (record.dimension->grid) text += compose(", P=", format.processes());
    const std::vector<Index> parameters = format.parameters();
    for (std::size_t k = 0; k < parameters.size() && k < 8; ++k)
        text += compose(", ", parameters[k]);
    if (parameters.size() > 8) text += ", ..";
    if (extended) text += compose(", ", record.lo, ", ", record.hi);
    text += ")";
    if (record.extent != format.extent() || record.stride != 1 || record.base != 0)
        text += compose("[[", record.base, " : ", record.base + record.stride * (record.extent - 1),
                        " : ", record.stride, "]]");
    return text;
}

}  // namespace detail

Index Range::volume() const { return record()->format->shell() + record()->lo + record()->hi; }

Location Range::location(Index n, detail::Where where) const {
    const detail::RangeRecord& x = *record(where);
    if (n < 0 || n >= x.extent)
        throw OutOfBounds(detail::compose("location ", n, " is outside 0 .. ", x.extent - 1, " of ",
                                          detail::describe(*this)),
                          where);
    const detail::Place place = x.format->locate(x.base + x.stride * n);
    return {dim(), place.crd, place.sub, n};
}

detail::Blocks Range::generalBlocks(Range x, const Triplet& triplet) {
    const detail::RangeRecord& record = *x.record(triplet.where());
    return {record, triplet.over(x), record.dimension->crd};
}

detail::Blocks Range::localBlocks(const Triplet& triplet) const {
    return generalBlocks(*this, triplet);
}

Block Range::localBlock(detail::Bound l, detail::Bound u, Index s, detail::Where where) const {
    const detail::Blocks blocks = localBlocks(Triplet(l, u, s, where));
    if (blocks.size() > 1)
        throw SeveralBlocks(
            detail::compose("localBlock() of ", detail::describe(*this), ": this process holds ",
                            blocks.size(), " blocks of it; use localBlocks()"),
            where);
    return blocks.front();
}

detail::Coordinates Range::crds(detail::Bound l, detail::Bound u, Index s,
                                detail::Where where) const {
    const detail::RangeRecord& x = *record(where);
    const detail::Progression locations = Triplet(l, u, s, where).over(*this);
    if (locations.count == 0) return {};
    return x.format->holders(
        {x.base + x.stride * locations.first, x.stride * locations.step, locations.count});
}

detail::Blocks Range::blocks(int crd, detail::Bound l, detail::Bound u, Index s,
                             detail::Where where) const {
    if (crd < 0 || crd >= record(where)->format->processes())
        throw OutOfBounds(
            detail::compose("coordinate ", crd, " is outside 0 .. ",
                            record()->format->processes() - 1, " of ", detail::describe(*this)),
            where);
    return {*record(), Triplet(l, u, s, where).over(*this), crd};
}

Range Range::subrange(const Triplet& triplet) const {
    const detail::RangeRecord& x = *record(triplet.where());
    const detail::Progression locations = triplet.over(*this);
    if (locations.first == 0 && locations.step == 1 && locations.count == x.extent) return *this;
    detail::RangeRecord part{x.format, x.dimension, 0, 1, locations.count, 0, 0};
    if (locations.count > 0) part.base = x.base + x.stride * locations.first;
    if (locations.count > 1) part.stride = x.stride * locations.step;
    return Range(detail::internRange(part));
}

Range Range::subrange(detail::Bound l, detail::Bound u, Index s, detail::Where where) const {
    return subrange(Triplet(l, u, s, where));
}

}  // namespace hpspmd
