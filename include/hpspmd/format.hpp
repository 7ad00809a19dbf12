// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Format, how N locations are dealt to P coordinates. A new range class is one Format in under 60
/// lines; everything else (triplets, subranges, sections, collectives) follows from it.

#include <hpspmd/block.hpp>

#include <string>
#include <vector>

namespace hpspmd::detail {

/// Owner and local subscript of a location.
struct Place {
    int crd = 0;
    Index sub = 0;
};

/// The coordinates low, low + step, .. <= high.
struct Coordinates {
    int low = 0;
    int high = -1;
    int step = 1;

    bool contains(int crd) const { return low <= crd && crd <= high && (crd - low) % step == 0; }
    int size() const { return high < low ? 0 : (high - low) / step + 1; }
    int operator[](int k) const { return low + step * k; }
};

/// Interned, for as long as a range has it: two ranges have equivalent parents exactly if they have
/// the same Format record and the same dimension.
class Format {
public:
    Format(Index extent, int processes) : extent_(extent), processes_(processes) {}
    virtual ~Format() = default;

    Index extent() const { return extent_; }      ///< N
    int processes() const { return processes_; }  ///< P

    /// "BlockRange"; with parameters() and N, P this is the format's identity.
    virtual const char* name() const = 0;
    virtual std::vector<Index> parameters() const { return {}; }
    /// True if every coordinate has room for all locations, local subscript n for location n
    /// (whole()).
    virtual bool isWhole() const { return false; }
    /// Slots that hold any coordinate's locations, without ghost cells; equal for all coordinates.
    virtual Index shell() const = 0;
    virtual Place locate(Index n) const = 0;
    /// Blocks of a coordinate, in increasing global order; at least 1 (it may be empty). What
    /// follows one another in locations and in slots is one block: of BlockCyclicRange on one
    /// process, all.
    virtual Index blockCount(int) const { return 1; }
    /// True if the blocks of each coordinate lie at equal distances, in locations and in slots, and
    /// all of them but the last are of one size.
    virtual bool isEven() const { return false; }
    /// Block k of a coordinate; globalStep > 0.
    virtual Block block(int crd, Index k) const = 0;
    /// Coordinates outside of which no location of the progression lies. May name some that hold
    /// none.
    virtual Coordinates holders(const Progression&) const { return {0, processes_ - 1, 1}; }

protected:
    /// holders() of a format whose coordinates never decrease with n.
    Coordinates orderedHolders(const Progression& locations) const;

private:
    Index extent_;
    int processes_;
};

}  // namespace hpspmd::detail
