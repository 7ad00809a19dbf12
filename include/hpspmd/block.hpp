// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Block: locations that one process holds, as a progression (thesis, 3.4.7 and 4.5.5). Blocks: all
/// of them for one range, triplet and coordinate.

#include <hpspmd/where.hpp>

#include <iterator>

namespace hpspmd {

/// Element k, 0 <= k < count, has global index globalBase + globalStep * k and local subscript
/// localBase + localStep * k.
struct Block {
    Index count = 0;
    Index globalBase = 0;
    Index globalStep = 1;
    Index localBase = 0;
    Index localStep = 1;
};

namespace detail {

struct RangeRecord;

/// A resolved triplet: the locations first, first + step, .., count of them. Step is never 0.
struct Progression {
    Index first = 0;
    Index step = 1;
    Index count = 0;

    Index operator[](Index k) const { return first + step * k; }
    friend bool operator==(const Progression& a, const Progression& b) {
        return a.first == b.first && a.step == b.step && a.count == b.count;
    }
};

/// Neighbouring local subscripts low .. high of a range, `width` of which are neighbouring
/// locations each, and the next ones lie `scale` such blocks further. Blocks begin at the multiples
/// of `width`. Example: BlockCyclicRange(14, P = 2, 3), coordinate 1, which holds 3 4 5, 9 10 11:
/// low 0, high 5, origin 3, width 3, scale 2.
struct Slots {
    Index low = 0, high = -1;
    Index origin = 0;  ///< of local subscript 0, as a global index
    Index width = 1, scale = 1;

    Index global(Index local) const {
        return width == 1 ? local * scale + origin
                          : local / width * (width * scale) + local % width + origin;
    }
    /// The first local subscript whose global index is not below g.
    Index notBelow(Index g) const {
        g -= origin;
        if (scale == 1) return g;
        const Index period = width * scale,
                    rest = g % period < 0 ? g % period + period : g % period;
        return (g - rest) / scale + (rest < width ? rest : width);
    }
};

/// The locations low, low + step, .. <= high that lie in a run, a block whose steps are 1; step >
/// 0.
inline Block meetRun(const Block& run, Index low, Index high, Index step) {
    Index from = low;
    if (low < run.globalBase)
        from = step == 1 ? run.globalBase : low + (run.globalBase - low + step - 1) / step * step;
    const Index last = run.globalBase + run.count - 1;
    const Index to = high < last ? high : last;
    if (from > to) return {};
    return {step == 1 ? to - from + 1 : (to - from) / step + 1, from, step,
            run.localBase + (from - run.globalBase), step};
}

/// The blocks of one coordinate, in increasing iteration order of the triplet; computed one by one
/// while iterating, while somebody keeps the range. One block for every format but block-cyclic
/// on several processes; also an empty one counts, so the loop body of a caller sees count == 0.
class Blocks {
public:
    class Iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Block;
        using difference_type = Index;
        using pointer = const Block*;
        using reference = Block;

        Iterator(const Blocks* blocks, Index k) : blocks_(blocks), k_(k) {}
        Block operator*() const { return (*blocks_)[k_]; }
        Iterator& operator++() {
            ++k_;
            return *this;
        }
        Iterator operator++(int) {
            const Iterator before = *this;
            ++k_;
            return before;
        }
        bool operator!=(const Iterator& other) const { return k_ != other.k_; }
        bool operator==(const Iterator& other) const { return k_ == other.k_; }

    private:
        const Blocks* blocks_;
        Index k_;
    };

    explicit Blocks(const Block& only) : front_(only) {}
    Blocks(const RangeRecord& range, const Progression& triplet, int coordinate);

    Index size() const { return size_; }
    Block operator[](Index k) const {
        if (k == 0) return front_;
        return k < even_ ? moved(second_, k - 1) : at(k);
    }
    const Block& front() const { return front_; }
    Iterator begin() const { return {this, 0}; }
    Iterator end() const { return {this, size_}; }

private:
    Block at(Index k) const;
    void findDistances();
    Block moved(Block block, Index times) const {
        block.globalBase += globalDistance_ * times;
        block.localBase += localDistance_ * times;
        return block;
    }

    const RangeRecord* range_ = nullptr;
    Progression triplet_;
    int coordinate_ = 0;
    Index firstBlock_ = 0;  // number of the format's block that comes first
    Index direction_ = 1;   // -1: the triplet walks the format's blocks downwards
    Index size_ = 1;
    Block front_;
    Index even_ = 0;  // blocks 1 .. even_ - 1 are equal, and as far from one another
    Index globalDistance_ = 0, localDistance_ = 0;
    Block second_;
};

}  // namespace detail
}  // namespace hpspmd
