// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Range, N locations mapped to one process dimension, and Dimension, the axis of a grid (which is
/// a range too); thesis, 3.4.3 and 3.4.5.

#include <hpspmd/block.hpp>
#include <hpspmd/format.hpp>
#include <hpspmd/group.hpp>
#include <hpspmd/triplet.hpp>

namespace hpspmd {

struct Location;
class BorrowedRange;
class Range;
struct DistributedIndex;

namespace detail {

class KeptBlocks;
Index extentOf(const BorrowedRange& x);
const RangeRecord* recordOf(const BorrowedRange& x);

/// Location n of the range is location base + stride * n of the format. Interned: each distinct one
/// that somebody keeps exists once. The first ones that a process makes are immortal, as are those
/// of process dimensions; later ones go some time after nobody keeps them any more
/// (runtime/range_registry.hpp).
struct RangeRecord {
    const Format* format = nullptr;
    const DimensionRecord* dimension = nullptr;
    Index base = 0;
    Index stride = 1;
    Index extent = 0;
    Index lo = 0;          ///< ghost cells below each block
    Index hi = 0;          ///< ghost cells above
    bool isWhole = false;  ///< of the format: the slots of others are the ghost cells
    /// What this process holds, if that is one run of neighbouring locations in neighbouring slots;
    /// else empty. Follows from the rest; kept because every nest asks for it.
    Block run{};
    /// The same, or what it holds of a cyclic or block-cyclic range in neighbouring slots.
    Slots held{};
    Fingerprint fingerprint = 0;  ///< of all that is above `run`
    /// All of the format, without ghost cells: the same for two ranges exactly if an index over one
    /// fits the other.
    const RangeRecord* whole = nullptr;
    bool isCounted = false;        ///< else immortal
    mutable Index references = 0;  ///< how many keep it, if it is counted

    /// How far from the own locations a shift may reach.
    Index reachBelow() const { return isWhole ? extent : lo; }
    Index reachAbove() const { return isWhole ? extent : hi; }

    // Of programs that make few ranges none is counted, and these cost a test.
    void keep() const noexcept {
        if (isCounted) __atomic_fetch_add(&references, 1, __ATOMIC_RELAXED);
    }
    void drop() const noexcept {
        if (isCounted) __atomic_fetch_sub(&references, 1, __ATOMIC_RELEASE);
    }
    bool isKept() const noexcept { return __atomic_load_n(&references, __ATOMIC_ACQUIRE) > 0; }
};

/// What a default-constructed range points to: no locations, so that its extent can be read without
/// a test.
inline constexpr RangeRecord noRange{};

[[noreturn]] const RangeRecord* nullRange(Where where);  // raises NullArray

}  // namespace detail

/// A range that somebody else keeps for as long as this is used: a variable, an array. What lives
/// in a nest or in a call. A trivially copyable pointer to a record; equal ranges are the same
/// pointer.
class BorrowedRange {
public:
    constexpr BorrowedRange() noexcept = default;
    constexpr explicit BorrowedRange(const detail::RangeRecord* record) noexcept
        : record_(record) {}

    Index size(detail::Where where = detail::Where::here()) const { return record(where)->extent; }
    /// The collapsed dimension for a CollapsedRange.
    Dimension dim(detail::Where where = detail::Where::here()) const;
    /// Alignment stride: local subscripts per shift by one.
    Index str() const { return record()->stride; }
    Index loExtension() const { return record()->lo; }  ///< ghost cells below each block
    Index hiExtension() const { return record()->hi; }  ///< ghost cells above each block
    Index volume() const;                               ///< slots per process, ghost cells included

    /// Owner and local subscript of x[n]; OutOfBounds.
    Location location(Index n, detail::Where where = detail::Where::here()) const;
    Location operator[](detail::Position n) const;

    /// What this process holds of l : u : s, in increasing iteration order; one block except for
    /// block-cyclic ranges.
    detail::Blocks localBlocks(detail::Bound l = detail::none, detail::Bound u = detail::none,
                               Index s = 1, detail::Where where = detail::Where::here()) const;
    detail::Blocks localBlocks(const Triplet& triplet) const;
    /// The only block; SeveralBlocks if the format deals several.
    Block localBlock(detail::Bound l = detail::none, detail::Bound u = detail::none, Index s = 1,
                     detail::Where where = detail::Where::here()) const;

    /// The coordinates that can hold some of l : u : s, and what any of them holds.
    detail::Coordinates crds(detail::Bound l = detail::none, detail::Bound u = detail::none,
                             Index s = 1, detail::Where where = detail::Where::here()) const;
    detail::Blocks blocks(int crd, detail::Bound l = detail::none, detail::Bound u = detail::none,
                          Index s = 1, detail::Where where = detail::Where::here()) const;

    /// x[[l : u : s]]: inherits locations, not global indices. Only the trivial subrange keeps the
    /// ghost cells.
    Range subrange(detail::Bound l = detail::none, detail::Bound u = detail::none, Index s = 1,
                   detail::Where where = detail::Where::here()) const;
    Range subrange(const Triplet& triplet) const;

    friend bool operator==(const BorrowedRange& a, const BorrowedRange& b) {
        return a.record_ == b.record_;
    }
    friend bool operator!=(const BorrowedRange& a, const BorrowedRange& b) {
        return a.record_ != b.record_;
    }

    bool isNull() const { return record_ == &detail::noRange; }
    /// For libraries; NullArray for a default-constructed range.
    const detail::RangeRecord* record(detail::Where where = detail::Where::here()) const {
        return isNull() ? detail::nullRange(where) : record_;
    }

private:
    // These look in every iteration and need no test: an index exists because its range was asked,
    // and a null range has no locations.
    friend class Range;
    friend struct DistributedIndex;
    friend Index detail::extentOf(const BorrowedRange& x);
    friend const detail::RangeRecord* detail::recordOf(const BorrowedRange& x);

    // Takes a value, so that a range can stay in a register.
    static detail::Blocks generalBlocks(BorrowedRange x, const Triplet& triplet);

    const detail::RangeRecord* record_ = &detail::noRange;
};

namespace detail {

/// x.size(), but 0 for a null range.
inline Index extentOf(const BorrowedRange& x) { return x.record_->extent; }
/// x.record(), but without a test.
inline const RangeRecord* recordOf(const BorrowedRange& x) { return x.record_; }

}  // namespace detail

inline detail::Blocks BorrowedRange::localBlocks(detail::Bound l, detail::Bound u, Index s,
                                                 detail::Where where) const {
    const detail::RangeRecord& x = *record(where);
    const Index low = l.given ? l.value : 0;
    const Index high = u.given ? u.value : x.extent - 1;
    if (x.run.count == 0 || s <= 0 || low < 0 || high >= x.extent || low > high)
        return generalBlocks(*this, Triplet(l, u, s, where));
    return detail::Blocks(detail::meetRun(x.run, low, high, s));
}

/// N abstract locations x[0] .. x[N-1]. A counted pointer to a record; equal ranges are the same
/// pointer.
class Range : public BorrowedRange {
public:
    constexpr Range() noexcept = default;
    Range(const BorrowedRange& x) noexcept : BorrowedRange(x) { record_->keep(); }
    Range(const Range& x) noexcept : Range(static_cast<const BorrowedRange&>(x)) {}
    explicit Range(const detail::RangeRecord* record) noexcept : Range(BorrowedRange(record)) {}
    Range& operator=(const Range& x) noexcept {
        x.record_->keep();
        record_->drop();
        record_ = x.record_;
        return *this;
    }
    /// Leaves x the range that this was.
    Range& operator=(Range&& x) noexcept {
        const detail::RangeRecord* const own = record_;
        record_ = x.record_;
        x.record_ = own;
        return *this;
    }
    ~Range() { record_->drop(); }

    detail::Blocks localBlocks(detail::Bound l = detail::none, detail::Bound u = detail::none,
                               Index s = 1, detail::Where where = detail::Where::here()) const& {
        return BorrowedRange::localBlocks(l, u, s, where);
    }
    detail::Blocks localBlocks(const Triplet& triplet) const& {
        return BorrowedRange::localBlocks(triplet);
    }
    detail::Blocks blocks(int crd, detail::Bound l = detail::none, detail::Bound u = detail::none,
                          Index s = 1, detail::Where where = detail::Where::here()) const& {
        return BorrowedRange::blocks(crd, l, u, s, where);
    }
    // Of a range that nobody need keep: `for (Block b : x.subrange(1, n).localBlocks())`.
    detail::KeptBlocks localBlocks(detail::Bound l = detail::none, detail::Bound u = detail::none,
                                   Index s = 1,
                                   detail::Where where = detail::Where::here()) const&&;
    detail::KeptBlocks localBlocks(const Triplet& triplet) const&&;
    detail::KeptBlocks blocks(int crd, detail::Bound l = detail::none,
                              detail::Bound u = detail::none, Index s = 1,
                              detail::Where where = detail::Where::here()) const&&;
};

namespace detail {

class KeptBlocks : public Blocks {
public:
    KeptBlocks(const Range& x, const Blocks& blocks) : Blocks(blocks), range_(x) {}

private:
    Range range_;
};

}  // namespace detail

inline detail::KeptBlocks Range::localBlocks(detail::Bound l, detail::Bound u, Index s,
                                             detail::Where where) const&& {
    return {*this, BorrowedRange::localBlocks(l, u, s, where)};
}
inline detail::KeptBlocks Range::localBlocks(const Triplet& triplet) const&& {
    return {*this, BorrowedRange::localBlocks(triplet)};
}
inline detail::KeptBlocks Range::blocks(int crd, detail::Bound l, detail::Bound u, Index s,
                                        detail::Where where) const&& {
    return {*this, BorrowedRange::blocks(crd, l, u, s, where)};
}

/// An axis of a process grid. As a range: location n lies on coordinate n, in local slot 0.
class Dimension : public BorrowedRange {
public:
    constexpr Dimension() noexcept = default;
    explicit Dimension(const detail::DimensionRecord& dimension) noexcept
        : BorrowedRange(dimension.range) {}

    int crd() const { return record()->dimension->crd; }  ///< own coordinate, -1 outside the grid
};

inline Dimension BorrowedRange::dim(detail::Where where) const {
    return Dimension(*record(where)->dimension);
}

namespace detail {

/// True if an index over `index` fits an array dimension over `array`. Ghost cells and subranges do
/// not count.
inline bool fits(const BorrowedRange& index, const BorrowedRange& array) {
    return index.record()->whole == array.record()->whole;
}
/// True if the range is not distributed. (A subrange of a CollapsedRange is not, either.)
inline bool isCollapsed(const BorrowedRange& x) { return x.record()->dimension->grid == nullptr; }
/// "BlockRange(10, P=4)", "BlockRange(10, P=4)[[1 : 9 : 2]]", "ExtBlockRange(10, P=4, 1, 1)".
std::string describe(const BorrowedRange& x);
/// The interned range over a format that the calling constructor has just described. What the
/// format needs of other ranges it keeps by a Range.
Range makeRange(std::unique_ptr<Format> format, const Dimension& d, Index lo, Index hi);
/// BadExtent unless extent >= 0; the message names the range class.
Index checkedExtent(Index extent, const char* range, Where where);

}  // namespace detail
}  // namespace hpspmd
