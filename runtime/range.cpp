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
    const Index extent = format->extent();
    return internRange(std::move(format), {nullptr, d.record()->dimension, 0, 1, extent, lo, hi});
}

Index checkedExtent(Index extent, const char* range, Where where) {
    constexpr Index largest = Index{1} << 60;  // sums and products with process numbers stay exact
    if (extent < 0 || extent > largest)
        throw BadExtent(compose(range, " of extent ", extent, ", which is ",
                                extent < 0 ? "negative" : "too large"),
                        where);
    return extent;
}

std::string describe(const BorrowedRange& x) {
    const RangeRecord& record = *x.record();
    const Format& format = *record.format;
    const bool extended = record.lo > 0 || record.hi > 0;
    const bool hasOwnName = extended && std::string_view(format.name()) == "BlockRange";
    std::string text = compose(hasOwnName ? "Ext" : "", format.name(), "(", format.extent());
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

using namespace detail;

Index BorrowedRange::volume() const {
    return record()->format->shell() + record()->lo + record()->hi;
}

Location BorrowedRange::location(Index n, Where where) const {
    const RangeRecord& x = *record(where);
    if (n < 0 || n >= x.extent)
        throw OutOfBounds(
            compose("location ", n, " is outside 0 .. ", x.extent - 1, " of ", describe(*this)),
            where);
    const Place place = x.format->locate(x.base + x.stride * n);
    return {dim(), place.crd, place.sub, n};
}

Blocks BorrowedRange::generalBlocks(BorrowedRange x, const Triplet& triplet) {
    const RangeRecord& record = *x.record(triplet.where());
    return {record, triplet.over(x), record.dimension->crd};
}

Blocks BorrowedRange::localBlocks(const Triplet& triplet) const {
    return generalBlocks(*this, triplet);
}

Block BorrowedRange::localBlock(Bound l, Bound u, Index s, Where where) const {
    const Blocks blocks = localBlocks(Triplet(l, u, s, where));
    if (blocks.size() > 1)
        throw SeveralBlocks(compose("localBlock() of ", describe(*this), ": this process holds ",
                                    blocks.size(), " blocks of it; use localBlocks()"),
                            where);
    return blocks.front();
}

Coordinates BorrowedRange::crds(Bound l, Bound u, Index s, Where where) const {
    const RangeRecord& x = *record(where);
    const Progression locations = Triplet(l, u, s, where).over(*this);
    if (locations.count == 0) return {};
    return x.format->holders(
        {x.base + x.stride * locations.first, x.stride * locations.step, locations.count});
}

Blocks BorrowedRange::blocks(int crd, Bound l, Bound u, Index s, Where where) const {
    if (crd < 0 || crd >= record(where)->format->processes())
        throw OutOfBounds(compose("coordinate ", crd, " is outside 0 .. ",
                                  record()->format->processes() - 1, " of ", describe(*this)),
                          where);
    return {*record(), Triplet(l, u, s, where).over(*this), crd};
}

Range BorrowedRange::subrange(const Triplet& triplet) const {
    const RangeRecord& x = *record(triplet.where());
    const Progression locations = triplet.over(*this);
    if (locations.first == 0 && locations.step == 1 && locations.count == x.extent) return *this;
    RangeRecord part{x.format, x.dimension, 0, 1, locations.count, 0, 0};
    if (locations.count > 0) part.base = x.base + x.stride * locations.first;
    if (locations.count > 1) part.stride = x.stride * locations.step;
    return internRange(part);
}

Range BorrowedRange::subrange(Bound l, Bound u, Index s, Where where) const {
    return subrange(Triplet(l, u, s, where));
}

}  // namespace hpspmd
