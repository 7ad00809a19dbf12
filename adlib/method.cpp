// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/method.hpp>

#include <hpspmd/error.hpp>
#include <hpspmd/ranges.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "transport/messages.hpp"
#include "tuning/method_speeds.hpp"
#include "tuning/shares.hpp"

namespace hpspmd::detail {
namespace {

using List = std::initializer_list<Reached>;

bool shareMemory(const Reached& a, const Reached& b) {
    if (a.begin < b.end && b.begin < a.end) return true;
    if (a.row == nullptr) return b.row != nullptr && shareMemory(b, a);
    if (b.row != nullptr) return false;  // each row belongs to one container
    for (Index k = 0; k < a.extent; ++k)
        if (shareMemory(a.row(a.rows, k), b)) return true;
    return false;
}

/// The elements have no two subscripts.
bool isRagged(const Reached& a) {
    if (a.row == nullptr || a.extent == 0) return false;
    const auto length = [&](Index k) {
        const Reached row = a.row(a.rows, k);
        return row.end - row.begin;
    };
    for (Index k = 1; k < a.extent; ++k)
        if (length(k) != length(0)) return true;
    return length(0) == 0;
}

/// Of the k-th dimension that is divided.
Index extentOf(const Reached& a, int k) {
    return k == 0 ? a.extent : a.further[static_cast<std::size_t>(k - 1)];
}

/// Why the arrays cannot be divided alike; null if they can.
template <class Arrays>
const char* obstacle(const Arrays& arrays, const Arrays& others, Index widest, int dimensions) {
    for (auto a = arrays.begin(); a != arrays.end(); ++a) {
        if (a->isUneven) return "an array is no whole number of rows";
        for (int k = 0; k < dimensions; ++k) {
            if (extentOf(*a, k) != extentOf(*arrays.begin(), k))
                return "arrays have different extents";
            if (extentOf(*a, k) <= widest) return "arrays are short";
        }
        if (isRagged(*a)) return "rows are empty or have different lengths";
        const auto meets = [&](const Reached& b) { return shareMemory(*a, b); };
        if (std::any_of(a + 1, arrays.end(), meets) ||
            std::any_of(others.begin(), others.end(), meets))
            return "arrays share memory";
    }
    for (const Reached& a : others)
        for (const Reached& b : others)
            if (a.isScattered && &a != &b && shareMemory(a, b)) return "arrays share memory";
    return nullptr;
}

Index largestExtent(List arrays, int k = 0) {
    Index extent = 0;
    for (const Reached& each : arrays) extent = std::max(extent, extentOf(each, k));
    return extent;
}

void tell(const char* name, const char* reason, Where where) {
    const char* const wanted = std::getenv("HPSPMD_LOG");
    if (wanted == nullptr || std::string_view(wanted) != "1") return;
    std::fprintf(stderr, "hpspmd: %s:%d in %s: %s: runs whole in each process\n", where.file,
                 where.line, name, reason);
}

/// Blocks that begin at multiples of a number.
IrregRange multiples(Index extent, Index multiple, const Dimension& d) {
    const Index stretches = (extent + multiple - 1) / multiple, p = d.size();
    const Index size = (stretches + p - 1) / p * multiple;
    std::vector<Index> sizes;
    for (Index c = 0; c < p; ++c) sizes.push_back(std::clamp<Index>(extent - c * size, 0, size));
    return {sizes, d};
}

/// Blocks that have as many of some lines.
IrregRange around(Lines lines, Index extent, const Dimension& d) {
    std::vector<Index> sizes;
    for (Index c = 0, begin = 0, p = d.size(); c < p; ++c) {
        const Index end = c + 1 < p ? lines.first + lines.count() * (c + 1) / p : extent;
        sizes.push_back(end - begin);
        begin = end;
    }
    return {sizes, d};
}

/// The grid of the APG, one for all methods. They are called again and again: the last one is kept.
Group gridOfMethods(int dimensions) {
    using Key = std::pair<const GroupRecord*, int>;
    thread_local std::pair<Key, const GroupRecord*> last{};
    const Key key(apg().record(), dimensions);
    if (last.first != key) last = {key, makeBalancedGrid(dimensions, {"", 0})};
    return Group(last.second);
}

/// whole() of blocks in proportion to the speeds of the processes, of which the last one is kept.
Range wholeBlocks(Index extent, const Dimension& d, const Site& method) {
    const std::vector<double>& speeds = speedsForMethod(method, d);
    using Key = std::tuple<Index, const DimensionRecord*, const std::vector<double>*>;
    thread_local std::optional<std::pair<Key, Range>> last;
    const Key key(extent, d.record()->dimension, &speeds);
    if (!last || last->first != key)
        last.emplace(key, whole(speeds.empty() ? Range(BlockRange(extent, d))
                                               : IrregRange(shares(extent, speeds), d)));
    return last->second;
}

/// True if all processes have the elements of all.
bool isComplete(const Operand& part) {
    for (int r = 0; r < part.layout.rank; ++r) {
        const Index all = part.layout[r].range.size();
        if (!part.layout.ghosts->areFilled(part.layout[r], r, all, all)) return false;
    }
    return true;
}

/// Those of one location in dimension 0, if they lie one behind the other; else 0.
Index elementsOfRow(const Descriptor& layout) {
    Index count = 1;
    for (int r = layout.rank - 1; r > 0; --r) {
        if (layout[r].stride != count) return 0;
        count *= layout[r].range.size();
    }
    return count;
}

/// True if each process has one stretch of the lines, and these lie one behind the other.
bool areStretches(const Descriptor& layout) {
    if (elementsOfRow(layout) != layout[0].stride) return false;
    for (int r = 1; r < layout.rank; ++r)
        if (!isCollapsed(layout[r].range)) return false;
    const Format& format = *layout[0].range.record()->format;
    for (int crd = 0; crd < format.processes(); ++crd)
        if (format.blockCount(crd) > 1 || format.block(crd, 0).globalStep != 1) return false;
    return true;
}

/// Each process sends its own of these lines to all others.
void exchange(const Operand& part, Lines lines, Where where) {
    static transport::Messages& messages = *new transport::Messages;
    const Group group = apg();
    const Range& range = part.layout[0].range;
    const auto bytes = static_cast<std::size_t>(part.layout[0].stride) * part.elementSize;
    const auto stretchOf = [&](int crd) {
        const Block block = range.blocks(crd, lines.first, lines.last).front();
        return Piece{
            static_cast<std::byte*>(part.data) + static_cast<std::size_t>(block.globalBase) * bytes,
            static_cast<std::size_t>(std::max<Index>(block.count, 0)) * bytes};
    };
    const Fingerprint plan = mixed(mixed(mixed(0, bytes), static_cast<std::uint64_t>(lines.first)),
                                   static_cast<std::uint64_t>(lines.last));
    messages.begin(enter("assemble", group, plan, where));
    const int own = group.rank(), size = group.size();
    for (int distance = 1; distance < size; ++distance) {
        const int crd = (own + size - distance) % size;
        if (const Piece stretch = stretchOf(crd); stretch.bytes > 0)
            messages.receive(stretch.begin, stretch.bytes, member(group, crd));
    }
    const Piece stretch = stretchOf(own);
    for (int distance = 1; distance < size && stretch.bytes > 0; ++distance)
        messages.send(stretch.begin, stretch.bytes, member(group, (own + distance) % size));
    messages.wait();
}

}  // namespace

Method::Method(const char* name, List arrays, List others, Index widest, Index multiple,
               Where where)
    : saved_(apg().record()), name_(name) {
    const Dimension d = gridDimension(divide(arrays, others, widest, 1, where), 0, where);
    const Index extent = std::max(largestExtent(arrays), widest + 1);
    ranges_[0] = multiple == 1 ? wholeBlocks(extent, d, {where, name, false})
                               : whole(multiples(extent, multiple, d));
}

Method::Method(const char* name, List arrays, List others, Index widest, const Format& format,
               Where where)
    : saved_(apg().record()), name_(name) {
    const Dimension d = gridDimension(divide(arrays, others, widest, 1, where), 0, where);
    const Index extent = std::max(largestExtent(arrays), widest + 1);
    const bool isCut = d.size() > 1 && extent == largestExtent(arrays);
    ranges_[0] = isCut ? whole(format(extent, d)) : wholeBlocks(extent, d, {where, name, false});
}

Method::Method(const char* name, List arrays, List others, Index widest, const Strategy& strategy,
               Where where)
    : saved_(apg().record()), name_(name) {
    const Dimension d = gridDimension(divide(arrays, others, widest, 1, where), 0, where);
    const Index n = largestExtent(arrays), extent = std::max(n, widest + 1);
    const bool isCut = d.size() > 1 && extent == n;
    ranges_[0] = isCut ? whole(IrregRange(strategy.checkedSizes(n, d.size(), where), d, where))
                       : wholeBlocks(extent, d, {where, name, false});
    cuts_ = [strategy, n, where](int parts) {
        std::vector<Index> cuts{0};
        for (const Index size : strategy.checkedSizes(n, parts, where))
            cuts.push_back(cuts.back() + size);
        return cuts;
    };
}

Method::Method(const char* name, List arrays, List others, Index widest, Lines lines, Where where)
    : saved_(apg().record()), name_(name) {
    const Dimension d = gridDimension(divide(arrays, others, widest, 1, where), 0, where);
    const Index extent = std::max(largestExtent(arrays), widest + 1);
    const bool areSome = lines.first >= 0 && lines.last < extent && lines.count() > 0 &&
                         lines.count() <= extent / 2 && d.size() > 1;
    ranges_[0] =
        areSome ? whole(around(lines, extent, d)) : wholeBlocks(extent, d, {where, name, false});
}

Method::Method(const char* name, List arrays, List others, Index widest, Divided divided,
               Where where)
    : saved_(apg().record()), name_(name) {
    const Group grid = divide(arrays, others, widest, divided.dimensions, where);
    for (int k = 0; k < divided.dimensions; ++k)
        ranges_[static_cast<std::size_t>(k)] = whole(BlockRange(
            std::max(largestExtent(arrays, k), widest + 1), gridDimension(grid, k, where)));
}

Group Method::divide(List arrays, List others, Index widest, int dimensions, Where where) {
    const Group all = gridOfMethods(dimensions);
    Group active = all;
    const char* const reason =
        all.size() > 1 ? obstacle(arrays, others, widest, dimensions) : nullptr;
    if (reason != nullptr) {
        if (all.rank() == 0) tell(name_, reason, where);
        Group alone = all;
        for (int k = 0; k < dimensions; ++k) {
            const Dimension d = gridDimension(all, k, where);
            alone = alone / d[d.crd()];
        }
        const Activate only(alone);
        active = gridOfMethods(dimensions);
    }
    isSingle_ = active.size() == 1;
    if (all.size() > 1) {
        areApart_ = reason == nullptr;
    } else {
        arrays_ = arrays;
        others_ = others;
    }
    isFirst_ = active.rank() == 0;
    activeGroup = active.record();
    return active;
}

bool Method::mayUseThreads() const {
    if (!areApart_) areApart_ = obstacle(arrays_, others_, 0, 1) == nullptr;
    return *areApart_ && (!cuts_ || isSingle_);
}

void Method::requireExtent(Index extent, Where where, int k) const {
    const Index own = range(k).size();
    if (extent == own || (isSingle_ && extent < own)) return;
    throw AdlibError(std::string(name_) + ": an array of extent " + std::to_string(extent) +
                         " cannot be divided with those of extent " + std::to_string(own),
                     where);
}

std::vector<Index> Strategy::checkedSizes(Index n, int parts, Where where) const {
    const auto fail = [&](const std::string& what) {
        throw AdlibError(std::string("the strategy ") + name + " gives " + what, where);
    };
    std::vector<Index> all = sizes(n, parts);
    if (static_cast<int>(all.size()) != parts)
        fail(std::to_string(all.size()) + " parts of " + std::to_string(parts));
    Index sum = 0;
    for (const Index size : all) {
        if (size < 0) fail("a part of " + std::to_string(size) + " elements");
        sum += size;
    }
    if (sum != n)
        fail(std::to_string(sum) + " of " + std::to_string(n) + " elements to " +
             std::to_string(parts) + " parts");
    return all;
}

namespace {

/// The pieces of one process, in one message.
void tellFrom(const Group& from, bool isOwn, std::initializer_list<Piece> pieces, Where where) {
    std::vector<std::byte> message;
    for (const Piece& each : pieces) {
        const auto* const begin = static_cast<const std::byte*>(each.begin);
        message.insert(message.end(), begin, begin + each.bytes);
    }
    if (message.empty()) return;
    broadcast(message.data(), message.size(), from, where);
    if (isOwn) return;
    const std::byte* told = message.data();
    for (const Piece& each : pieces) {
        std::copy(told, told + each.bytes, static_cast<std::byte*>(each.begin));
        told += each.bytes;
    }
}

}  // namespace

void tell(const Method& method, Index location, std::initializer_list<Piece> pieces, Where where) {
    const Location from = method.range()[location];
    tellFrom(apg() / from, from.held(), pieces, where);
}

void tellFromFirst(std::initializer_list<Piece> pieces, Where where) {
    tellFrom(apg(), apg().rank() == 0, pieces, where);
}

void complete(const Method& method, const Operand& part, Where where) {
    if (part.layout.ghosts == nullptr) return;
    if (method.isSingle()) return part.layout.ghosts->fillAll();
    if (isComplete(part)) return;
    const Lines lines = method.changedLines().of(part.data);
    if (areFew(lines) && !isCollapsed(part.layout[0].range) && elementsOfRow(part.layout) > 0) {
        for (Index k = lines.first; k <= lines.last; ++k) fetch(method, part, 0, k, where);
        part.layout.ghosts->fillAll();
    } else if (lines.count() <= method.range().size() / 2 && areStretches(part.layout)) {
        exchange(part, lines, where);
        part.layout.ghosts->fillAll();
    } else {
        assemble(part, where);
    }
    method.changedLines().forget(part.data);
}

Piece lineOf(const Method& method, const Operand& part, int d, Index location) {
    const Index count = elementsOfRow(part.layout);
    if (d > 0 || location < 0 || location >= method.range().size()) return {};
    const auto size = static_cast<Index>(part.elementSize);
    return {static_cast<std::byte*>(part.data) + location * part.layout[0].stride * size,
            static_cast<std::size_t>(count * size)};
}

void fetch(const Method& method, const Operand& part, int d, Index location, Where where) {
    if (method.isSingle() || part.layout.ghosts == nullptr || isComplete(part) ||
        method.isTold(part.data, location))
        return;
    const Piece line = lineOf(method, part, d, location);
    if (line.bytes == 0) return assemble(part, where);
    broadcast(line.begin, line.bytes, apg() / part.layout[d].range[location], where);
}

void refresh(const Method& method, const Operand& part, int d, int low, int high, Where where) {
    if (part.layout.ghosts == nullptr) return;
    if (method.isSingle()) return part.layout.ghosts->fillAll();
    std::vector<int> below(static_cast<std::size_t>(part.layout.rank)), above = below;
    below[static_cast<std::size_t>(d)] = low;
    above[static_cast<std::size_t>(d)] = high;
    refresh(part, below.data(), above.data(), where);
}

}  // namespace hpspmd::detail
