// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Ghosts, which ghost cells of an array are fresh: stamps of the times at which elements were
/// written and ghost cells filled.

#include <hpspmd/array.hpp>
#include <hpspmd/device/home.hpp>
#include <hpspmd/element_bytes.hpp>
#include <hpspmd/observe.hpp>
#include <hpspmd/written_parts.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

namespace hpspmd::detail {

/// This process's time: a tick for each nest that it enters, each write outside of nests, and each
/// halo that is filled.
inline std::atomic<Time> now{0};
inline Time tick() {
    const Time next = now.load(std::memory_order_relaxed) + 1;
    now.store(next, std::memory_order_relaxed);
    return next;
}

/// The nest under way; the outermost one, if functions called in a nest run nests of their own.
struct Nesting {
    int depth = 0;
    Time time = 0;  ///< of its entry
};
inline thread_local Nesting nesting;

/// The time of the last write that counts. What a nest writes counts when the nest ends: a write
/// has the time of the nest's entry, and what is read inside is compared with the write before.
class LastWrite {
public:
    void set(Time time) {
        if (time == last_) return;
        before_ = last_;
        last_ = time;
    }
    Time time() const { return nesting.depth > 0 && last_ == nesting.time ? before_ : last_; }
    Time last() const { return last_; }  ///< also if it does not count yet

private:
    Time last_ = 0, before_ = 0;  // 0: never
};

/// The stamps of one storage. An error is a ghost cell that is surely stale; what is to be fetched
/// is all that is perhaps stale, because a nest may have written elements.
/// Example: a halo filled at time 7, a nest at 8 that reads and writes (red-black): it compares 7
/// with the write before 7, and all is well; the nest at 9 compares it with 8: stale.
class Ghosts {
public:
    Ghosts(const Map* maps, int rank);

    void write() {
        const Time time = nesting.depth > 0 ? nesting.time : tick();
        perhapsWritten_.set(time);
        if (time == written_.last()) return;
        if (!parts_.empty()) parts_.forgetBefore(written_.last());
        written_.set(time);
    }
    void writePerhaps() { perhapsWritten_.set(nesting.depth > 0 ? nesting.time : tick()); }
    /// Only elements of a part of a handle are written, or only bytes of these.
    void write(const Descriptor& a, std::initializer_list<IndexSpan> part,
               const IndexSet& bytes = {}) {
        if (isDivided_ || isTorus_)
            writePart(a, part, bytes);
        else
            write();
    }
    /// All elements of a handle are written, perhaps a section.
    void writeAll(const Descriptor& a);

    /// Dimension r of a handle, whose map tells which dimension of the storage it is (a section has
    /// fewer): `low` cells below and `high` above the blocks have been filled.
    void fill(const Map& map, int r, Index low, Index high, bool cyclic = false) {
        const int own = find(map, r);
        if (own < 0) return;
        Sides& sides = sides_[static_cast<std::size_t>(own)];
        const Time time = tick();
        fill(sides.below, low, cyclic, time);
        fill(sides.above, high, cyclic, time);
        isTorus_ |= sides.isTorus |= cyclic;
        if (!parts_.empty()) parts_.fill(own, low, high, reaches_);
    }
    /// All that the ranges of a handle have, as writeHalo does.
    void fillWhole(const Map* maps, int rank) {
        for (int r = 0; r < rank; ++r) {
            const RangeRecord& x = *recordOf(maps[r].range);
            fill(maps[r], r, x.lo, x.hi);
        }
    }
    void fillAll();
    /// Takes part in the stamps of this storage as a view with other ranges, all of whose cells are
    /// fresh.
    void addView(const Map* maps, int rank);
    /// True if so many cells on either side have been filled since something was perhaps written.
    /// The same answer in all processes, also where one holds no such cells.
    bool areFilled(const Map& map, int r, Index low, Index high) const;

    /// How many cells next to the blocks are as fresh as the elements; all if that is not known.
    Index freshBelow(const Map& map, int r) const {
        const int own = find(map, r);
        if (own < 0) return allCells;
        const auto number = static_cast<std::size_t>(own);
        return freshCells(sides_[number].below, 2 * number);
    }
    Index freshAbove(const Map& map, int r) const {
        const int own = find(map, r);
        if (own < 0) return allCells;
        const auto number = static_cast<std::size_t>(own);
        return freshCells(sides_[number].above, 2 * number + 1);
    }
    bool areFresh(const Map& map, int r, Index low, Index high) const {
        if (!hasCopies_ || (written_.time() == 0 && parts_.empty())) return true;
        return (low <= 0 || low <= freshBelow(map, r)) && (high <= 0 || high <= freshAbove(map, r));
    }
    /// The same for those of these cells that an access by a handle with these maps reads for
    /// certain.
    bool areFresh(const Descriptor& a, int r, Index low, Index high,
                  const ReadAccess& access) const;
    bool hasParts() const { return !parts_.empty(); }

    /// Takes over the freshness of `from`, of which this is a copy.
    void copy(const Descriptor& from);

private:
    struct Side {
        bool copies = false;  // of elements of other processes, or of the other end; else the cells
                              // lie beyond an end of the array and keep what they hold
        Time filled = 0;
        // So many were filled then, in all processes, or hold what they held since: of those that
        // are not surely stale, and of those that are surely fresh.
        Index width = IndexInterval::most, certainWidth = IndexInterval::most;
    };
    struct Sides {
        Range range;
        Index stride;
        Side below, above;
        bool isTorus = false;  // true if they have been filled cyclically
    };

    void addSides(const Map* maps, int rank);
    void writePart(const Descriptor& a, std::initializer_list<IndexSpan> part,
                   const IndexSet& bytes);
    int find(const Map& map, int r) const {  // -1: none
        const auto own = static_cast<std::size_t>(r);
        return own < sides_.size() && isOf(sides_[own], map) ? r : findElsewhere(map);
    }
    static bool isOf(const Sides& sides, const Map& map) {
        return sides.range == map.range && sides.stride == map.stride;
    }
    int findElsewhere(const Map& map) const;
    bool isAll(const Map* maps, int rank) const;
    bool isAllStale() const;
    bool hasViews() const { return sides_.size() != static_cast<std::size_t>(rank_); }
    int dimensionOf(const Map& map) const;  // -1: none
    IndexBox boxOf(const Descriptor& a, std::initializer_list<IndexSpan> part) const;
    static IndexSet someOf(const Range& range, const Group& group);
    static bool isWhole(const IndexBox& box);
    ReadBox own(const Descriptor& a, const ReadBox& box) const;
    Index filledCells(const Side& side) const {
        return side.filled >= written_.time() ? side.width : 0;
    }
    Index certainCells(const Side& side) const {
        return side.filled >= perhapsWritten_.time() ? side.certainWidth : 0;
    }
    static constexpr Index allCells = std::numeric_limits<Index>::max();
    Index freshCells(const Side& side, std::size_t number) const {
        if (!side.copies) return allCells;
        const Index fresh = filledCells(side);
        return parts_.empty() ? fresh : freshInParts(fresh, number);
    }
    Index freshInParts(Index fresh, std::size_t number) const;
    void fill(Side& side, Index width, bool cyclic, Time time) {
        const Index filled = filledCells(side), certain = certainCells(side);
        side.width = width > filled ? width : filled;
        side.certainWidth = width > certain ? width : certain;
        side.filled = time;
        side.copies |= cyclic;
        hasCopies_ |= cyclic;
    }
    void limitCertain(const CellsOfSides& filled);
    static void fillAll(Sides& sides, Time time);

    LastWrite written_, perhapsWritten_;  // all of it
    WrittenParts parts_;                  // since then
    CellsOfSides reaches_{};              // of the ghost regions
    std::vector<Sides> sides_;            // of each dimension
    int rank_;                            // of the storage: views have added more sides
    bool isDivided_ = false;              // among processes
    bool isTorus_ = false;                // true if some dimension is
    bool hasCopies_ = false;              // true if some side has copies: others are never stale
};

/// Off: stamps are kept but never compared. The option --no-ghost-checks.
inline bool ghostsAreCompared = true;

#ifdef HPSPMD_NO_GHOST_CHECKS
inline const bool ghostsAreNotCompared = (ghostsAreCompared = false, true);
#endif

/// The elements of an array are written: by the nest under way, or by an operation now.
inline void markWritten(const Descriptor& a) {
    if (a.ghosts != nullptr) a.ghosts->writeAll(a);
}
/// Gives new storage stamps if it has ghost cells.
void stampGhosts(Storage& storage, const Map* maps, int rank);
/// `to` has become a copy of `from`, ghost cells included.
void copyStamps(const Descriptor& to, const Descriptor& from);

/// An array of which a nest writes elements under conditions.
template <class A>
struct Perhaps {
    const A& array;
};
template <class A>
Perhaps<A> perhaps(const A& array) {
    return {array};
}

/// An array that an access is about to write, in some of the processes perhaps: all of it counts.
/// Anything else is left alone.
template <class A>
const A& written(const A& a) {
    if constexpr (isArray<A>)
        if (a.ghosts() != nullptr) a.ghosts()->write();
    return a;
}

/// An array whose ghost cells code out of sight may fill: they count as fresh from here on, until
/// elements are written.
template <class A>
A&& filled(A&& a) {
    if constexpr (isArray<std::decay_t<A>>)
        if (a.ghosts() != nullptr) a.ghosts()->fillAll();
    return std::forward<A>(a);
}

/// True if x[l : u : s] holds a location, or is no legal triplet: who uses it will tell.
inline bool any(const BorrowedRange& x, Bound l = none, Bound u = none, Index s = 1) noexcept {
    if (x.isNull() || s == 0) return true;
    const Index last = extentOf(x) - 1;
    const Index low = l.given ? l.value : s > 0 ? 0 : last;
    const Index high = u.given ? u.value : s > 0 ? last : 0;
    return s > 0 ? low <= high : low >= high;
}

/// An array of which a nest writes elements of these locations, or only these bytes of them.
template <class A>
struct WrittenPart {
    const A& array;
    std::initializer_list<IndexSpan> spans;
    IndexSet bytes;
};
template <class A>
WrittenPart<A> part(const A& array, std::initializer_list<IndexSpan> spans,
                    const IndexSet& bytes = {}) {
    return {array, spans, bytes};
}
/// Of an array that has been named before.
template <class A>
struct Further {
    WrittenPart<A> part;
};
template <class A>
Further<A> further(const WrittenPart<A>& part) {
    return {part};
}

/// An array of whose elements an access reads these bytes.
template <class A>
struct ReadPart {
    const A& array;
    ReadSet bytes;
};
/// All of a member.
template <class A, class Member>
ReadPart<A> reads(const A& array, const Member& member) {
    const IndexSet found = bytes(array, member);
    return {array, found.areAll ? ReadSet::all(found) : ReadSet::some()};
}
/// Something of a member.
template <class A, class Member>
ReadPart<A> readsSome(const A& array, const Member& member) {
    const IndexSet found = bytes(array, member);
    return {array, found.areAll ? ReadSet::some({found.first, found.last}) : ReadSet::some()};
}
template <class A>
ReadPart<A> readsSome(const A& array) {
    return {array, ReadSet::some()};
}

/// What an observer is told of an array that a nest writes.
template <class T, class... Slots>
WrittenArray observed(const Array<T, Slots...>& a) {
    if (!a.valid()) return {};
    atHome(Where{}, reads(a));
    return {a.descriptor(), a.data(), sizeof(T), elementForm<std::remove_const_t<T>>()};
}
template <class A>
WrittenArray observed(const Perhaps<A>& written) {
    return observed(written.array);
}
inline WrittenArray observed(bool) { return {}; }
template <class A>
WrittenArray observed(const WrittenPart<A>& part) {
    return observed(part.array);
}
template <class A>
WrittenArray observed(const Further<A>&) {
    return {};
}

/// How an observer is given what a nest writes: arrays themselves, but copies of all else, so that
/// nothing of it need lie in memory where nobody looks.
template <class A>
using Told = std::conditional_t<isArray<A>, const A&, A>;

template <class... A>
[[gnu::noinline, gnu::cold]] void observeNest(Where where, A... written) {
    if (!observer->wants().arrays) return observer->nestBegins(where, nullptr, 0);
    const WrittenArray arrays[] = {observed(written)..., WrittenArray()};
    observer->nestBegins(where, arrays, sizeof...(A));
}

/// Lives as long as an outermost `overall` or `at` runs that writes elements of these arrays. Every
/// process that comes here notes that, also if it runs no iteration itself. Before the arrays may
/// stand a bool: false if no process runs one.
template <class... A>
class Nest {
public:
    explicit Nest(const A&... written, Where where = Where::here()) {
        if (nesting.depth++ == 0) nesting.time = tick();
        if ((isAny(written) && ...)) (mark(written), ...);
        if (observer == nullptr || nesting.depth > 1 || tally.counts(nestName, where)) return;
        isTold_ = true;
        observeNest<Told<A>...>(where, written...);
    }
    ~Nest() {
        --nesting.depth;
        if (isTold_ && observer != nullptr) observer->nestEnds();
    }
    Nest(const Nest&) = delete;
    Nest& operator=(const Nest&) = delete;

private:
    static bool isAny(bool any) { return any; }
    template <class Written>
    static bool isAny(const Written&) {
        return true;
    }
    static void mark(bool) {}
    template <class Written>
    static void mark(const Perhaps<Written>& written) {
        if (Ghosts* const ghosts = written.array.ghosts()) ghosts->writePerhaps();
    }
    template <class Written>
    static void mark(const Written& array) {
        if (Ghosts* const ghosts = array.ghosts()) ghosts->write();
    }
    template <class Array>
    static void mark(const WrittenPart<Array>& part) {
        if (Ghosts* const ghosts = part.array.ghosts())
            ghosts->write(part.array.descriptor(), part.spans, part.bytes);
    }
    template <class Array>
    static void mark(const Further<Array>& written) {
        mark(written.part);
    }

    bool isTold_ = false;  // an observer of its begin
};
template <class... A>
Nest(const A&...) -> Nest<A...>;

}  // namespace hpspmd::detail

namespace hpspmd {

/// Says that plain C++ has filled the ghost cells of `a` itself: they count as fresh until elements
/// are written. Needed only where the call that fills them is not given the array, as with an
/// object that keeps handles.
template <class A>
void refreshed(const A& a) {
    static_assert(detail::isArray<A>, "refreshed takes a multiarray");
    detail::filled(a);
}

}  // namespace hpspmd
