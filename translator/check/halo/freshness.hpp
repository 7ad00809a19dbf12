// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much of a ghost region is fresh: a copy of the neighbours' elements as they are now.
#pragma once

#include "check/halo/parts.hpp"
#include "check/types.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace hpcc::check::halo {

constexpr int allCells = 1 << 20;  // a width that every ghost region has at most

// A write of some elements only. What it makes stale depends on the elements that are read.
struct PartialWrite {
    NodePtr write;                             // an access, or a call
    std::shared_ptr<const Elements> elements;  // what it changes
    bool isLocal = true;                       // of this function; else the call leads to it
    bool isSure = true;                        // on every path
    int filled = 0;                            // so many cells have been filled since
    NodePtr rounds = nullptr;                  // the outermost loop round it that has begun another
                                               // round since, or has ended

    // A loop begins another round, or ends.
    void pass(NodePtr loop) {
        const bool isInside = loop && loop->span().contains(write->span());
        if (isInside && (!rounds || loop->span().contains(rounds->span()))) rounds = loop;
    }
    bool isSameAs(const PartialWrite& other) const {
        return write == other.write && elements == other.elements;
    }
    bool operator==(const PartialWrite&) const = default;
};

// One side of one dimension: the set of widths that are fresh, over all paths to a place.
//
//     overall (..) a[i] = 0;     {0}
//     if (c) writeHalo(a);       {0, all}        `least` 0, `most` all
//     unknown(a);                {?}
struct Side {
    bool isKnown = false;     // some path leaves a width that is known ..
    int least = 0, most = 0;  // .. and lies between these;
    NodePtr write = nullptr;  // what made all but `least` cells stale
    bool isUnknown = false;   // some path leaves a width that is not known
    bool isInitial = false;   // some path leaves the cells as the caller had them
    int floor = 0;            // at least so many are fresh on the latter two kinds of paths
    std::vector<PartialWrite> partial = {};  // since the cells were filled

    static Side fresh() { return {true, allCells, allCells, nullptr, false, false, allCells}; }
    static Side stale(NodePtr write) { return {true, 0, 0, write, false, false, 0}; }
    static Side unknown() { return {false, 0, 0, nullptr, true, false, 0}; }
    static Side initial() { return {false, 0, 0, nullptr, false, true, 0}; }

    bool operator==(const Side&) const = default;

    bool isOpen() const { return isUnknown || isInitial; }
    bool isFreshFor(int width) const {
        return (!isKnown || least >= width) && (!isOpen() || floor >= width) &&
               std::ranges::all_of(partial, [=](const auto& p) { return p.filled >= width; });
    }
    bool isStaleFor(int width) const { return isKnown && !isOpen() && most < width; }
    bool mayBeStaleFor(int width) const { return isKnown && least < width; }
    bool isOnlyInitial() const { return isInitial && !isKnown && !isUnknown; }

    // Stale on some paths only.
    bool isMixed() const { return isKnown && least < allCells && (least < most || isOpen()); }

    void join(const Side& other) {
        joinPartial(other);
        if (other.isKnown && (!isKnown || other.least < least)) write = other.write;
        least = isKnown && other.isKnown ? std::min(least, other.least)
                : isKnown                ? least
                                         : other.least;
        most = std::max(most, other.most);
        floor = isOpen() && other.isOpen() ? std::min(floor, other.floor)
                : isOpen()                 ? floor
                                           : other.floor;
        isKnown |= other.isKnown;
        isUnknown |= other.isUnknown;
        isInitial |= other.isInitial;
    }

    // writeHalo has filled `width` cells.
    void refresh(int width) {
        if (width >= allCells) {
            *this = fresh();
            return;
        }
        if (isKnown) {
            least = std::max(least, width);
            most = std::max(most, width);
        }
        floor = std::max(floor, width);
        for (PartialWrite& each : partial) each.filled = std::max(each.filled, width);
    }

    // Perhaps too many are known; then nothing is told of the side.
    void add(const PartialWrite& made) {
        constexpr std::size_t most = 8;
        for (PartialWrite& each : partial) {
            if (!each.isSameAs(made)) continue;
            const NodePtr rounds = each.rounds;
            each = made;
            return each.pass(rounds);
        }
        partial.size() < most ? partial.push_back(made) : doubt();
    }

    // Perhaps written: what is stale stays so.
    void doubt() {
        if (isKnown && most == 0 && !isOpen()) return;
        isUnknown = true;
        floor = 0;
    }

    // The paths that leave it stale may not exist.
    void forgetStale() {
        if (!isKnown) return;
        isKnown = least < most;
        least = most = isKnown ? most : 0;
        write = nullptr;
        doubt();
    }

    // The path may not exist, unless all cells are fresh.
    void doubtStale() {
        if (isFreshFor(allCells)) return;
        const int certain = isKnown && isOpen() ? std::min(least, floor) : isKnown ? least : floor;
        *this = unknown();
        floor = certain;
    }

private:
    // What was written on one of two paths is stale on both if the other one leaves all cells so.
    void joinPartial(const Side& other) {
        const auto in = [](const Side& side, const PartialWrite& wanted) {
            const auto found = std::ranges::find_if(
                side.partial, [&](const PartialWrite& each) { return each.isSameAs(wanted); });
            return found == side.partial.end() ? nullptr : &*found;
        };
        for (PartialWrite& each : partial) {
            const PartialWrite* same = in(other, each);
            each.isSure &= same ? same->isSure : other.isStaleFor(1);
            if (!same) continue;
            each.filled = std::min(each.filled, same->filled);
            each.pass(same->rounds);
        }
        for (PartialWrite each : other.partial) {
            if (in(*this, each)) continue;
            each.isSure &= isStaleFor(1);
            add(each);
        }
    }
};

// All sides of an array: below and above each dimension.
class Freshness {
public:
    Freshness() = default;
    Freshness(std::size_t rank, const Side& side) : sides_(2 * rank, side) {}

    bool operator==(const Freshness&) const = default;

    std::size_t rank() const { return sides_.size() / 2; }
    Side& below(std::size_t r) { return sides_[2 * r]; }
    Side& above(std::size_t r) { return sides_[2 * r + 1]; }
    const Side& at(std::size_t r, bool isBelow) const { return sides_[2 * r + (isBelow ? 0 : 1)]; }
    std::vector<Side>& sides() { return sides_; }
    const std::vector<Side>& sides() const { return sides_; }

    void set(const Side& side) { std::ranges::fill(sides_, side); }
    void join(const Freshness& other) {
        if (other.sides_.size() != sides_.size()) return set(Side::unknown());
        for (std::size_t k = 0; k < sides_.size(); ++k) sides_[k].join(other.sides_[k]);
    }

private:
    std::vector<Side> sides_;
};

}  // namespace hpcc::check::halo
