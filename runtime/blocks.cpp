// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which of a triplet's locations a coordinate holds: a triplet met with the progressions that a
/// format deals out.

#include <hpspmd/range.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace hpspmd::detail {
namespace {

// Most steps are 1 or -1, and a division costs as much as the rest of a block.
Index floorDivide(Index a, Index b) {
    if (b == 1) return a;
    const Index q = a / b;
    return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}

Index ceilDivide(Index a, Index b) { return -floorDivide(-a, b); }

// The x in 0 .. m-1 with a * x = 1 (mod m), for coprime a and m: extended Euclid.
Index inverse(Index a, Index m) {
    Index r = m, s = (a % m + m) % m, x = 0, y = 1;
    while (s != 0) {
        const Index q = r / s;
        r = std::exchange(s, r - q * s);
        x = std::exchange(y, x - q * y);
    }
    return (x % m + m) % m;
}

// The t with (first + step * t) = base (mod modulus): start, start + stride, ..; or none.
struct Residues {
    bool any = true;
    Index start = 0;
    Index stride = 1;
};

Residues solve(Index first, Index step, Index base, Index modulus) {
    const Index common = std::gcd(step, modulus);
    if ((base - first) % common != 0) return {false, 0, 1};
    const Index m = modulus / common;
    const Index residue = ((base - first) / common % m + m) % m;
    return {true, residue * inverse(step / common, m) % m, m};
}

// The locations of the progression p (numbers t = 0 ..) that lie in `block`; its global indices are
// then those t.
Block meet(const Block& block, const Progression& p) {
    if (block.count == 0) return {};
    const Index bottom = block.globalBase;
    const Index top = bottom + block.globalStep * (block.count - 1);
    Index from = ceilDivide((p.step > 0 ? bottom : top) - p.first, p.step);
    Index to = floorDivide((p.step > 0 ? top : bottom) - p.first, p.step);
    from = std::max<Index>(from, 0);
    to = std::min(to, p.count - 1);
    if (from > to) return {};
    if (block.globalStep == 1)
        return {to - from + 1, from, 1, block.localBase + block.localStep * (p[from] - bottom),
                block.localStep * p.step};
    const Residues t = solve(p.first, p.step, bottom, block.globalStep);
    from = t.start + ceilDivide(from - t.start, t.stride) * t.stride;
    if (!t.any || from > to) return {};
    return {(to - from) / t.stride + 1, from, t.stride,
            block.localBase + block.localStep * ((p[from] - bottom) / block.globalStep),
            block.localStep * (p.step * t.stride / block.globalStep)};
}

// Range index n as an index of the format.
Progression inFormat(const RangeRecord& range, const Progression& triplet) {
    return {range.base + range.stride * triplet.first, range.stride * triplet.step, triplet.count};
}

Block localPart(const RangeRecord& range, const Progression& triplet, const Block& block) {
    Block part = meet(block, inFormat(range, triplet));
    part.globalBase = triplet[part.globalBase];
    part.globalStep *= triplet.step;
    return part;
}

// The first k in 0 .. count for which isAfter(k) holds, where isAfter never turns false again.
template <class Predicate>
Index firstWhere(Index count, const Predicate& isAfter) {
    Index low = 0, high = count;
    while (low < high) {
        const Index middle = low + (high - low) / 2;
        if (isAfter(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

Index lastOf(const Block& block) { return block.globalBase + block.globalStep * (block.count - 1); }

// The numbers of the blocks, from .. to - 1, between whose first and last location there may be
// some of the progression.
std::pair<Index, Index> blocksBetween(const Format& format, int crd, const Progression& p) {
    const auto [low, high] = std::minmax({p.first, p[p.count - 1]});
    const Index count = format.blockCount(crd);
    const auto endsBehind = [&, low = low](Index k) { return lastOf(format.block(crd, k)) >= low; };
    const auto beginsBehind = [&, high = high](Index k) {
        return format.block(crd, k).globalBase > high;
    };
    if (!format.isEven()) return {firstWhere(count, endsBehind), firstWhere(count, beginsBehind)};
    const Block first = format.block(crd, 0);
    const Index distance = format.block(crd, 1).globalBase - first.globalBase;
    Index from = std::max<Index>(ceilDivide(low - lastOf(first), distance), 0);
    if (from == count - 1 && !endsBehind(from)) from = count;
    return {from, std::min(floorDivide(high - first.globalBase, distance) + 1, count)};
}

}  // namespace

Blocks::Blocks(const RangeRecord& range, const Progression& triplet, int coordinate)
    : range_(&range), triplet_(triplet), coordinate_(coordinate) {
    const Format& format = *range.format;
    if (triplet.count == 0 || coordinate < 0) return;
    if (format.blockCount(coordinate) > 1) {
        const Progression p = inFormat(range, triplet);
        const auto [from, to] = blocksBetween(format, coordinate, p);
        if (from >= to) return;
        direction_ = p.step > 0 ? 1 : -1;
        firstBlock_ = p.step > 0 ? from : to - 1;
        size_ = to - from;
        if (size_ > 3 && format.isEven() && (p.step == 1 || p.step == -1)) findDistances();
    }
    front_ = at(0);
}

// A triplet without gaps holds all of a block, but perhaps of the first and the last one.
void Blocks::findDistances() {
    second_ = at(1);
    const Block third = at(2);
    globalDistance_ = third.globalBase - second_.globalBase;
    localDistance_ = third.localBase - second_.localBase;
    even_ = size_ - 1;
}

Block Blocks::at(Index k) const {
    return localPart(*range_, triplet_,
                     range_->format->block(coordinate_, firstBlock_ + direction_ * k));
}

}  // namespace hpspmd::detail
