// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The checks that emitted code makes at the entry of a nest, and the few that stay inside.

#include <hpspmd/active.hpp>
#include <hpspmd/ghosts.hpp>

#include <initializer_list>
#include <utility>

namespace hpspmd::detail {

/// How a nest subscripts one dimension of an array: an index over `range`, shifted by lo .. hi; or
/// by integers from lo to hi; or not to be checked.
struct Over {
    BorrowedRange range;
    Index lo = 0;
    Index hi = 0;
    bool within = false;  ///< without range: true if lo and hi are subscripts to be checked

    Over() = default;
    Over(const BorrowedRange& range, Index lo = 0, Index hi = 0) : range(range), lo(lo), hi(hi) {}
};

/// The same with what checks ask beyond that.
struct OverSome : Over {
    bool runs = true;    ///< true if this process runs any iteration of the construct
    IndexSet indices{};  ///< of the index, if it does not go over all that the process holds

    OverSome() = default;
    OverSome(const Over& all) : Over(all) {}
    OverSome(const BorrowedRange& range) : Over(range) {}
};

inline constexpr Over unchecked{};  ///< a `*` slot

inline Over over(const BorrowedRange& x, Index lo = 0, Index hi = 0) { return Over(x, lo, hi); }
/// With the triplet the check of the array's group leaves out processes that run no iteration.
OverSome over(const BorrowedRange& x, const Triplet& triplet, Index lo = 0, Index hi = 0);
/// The index of an `at`.
inline OverSome over(const DistributedIndex& i, Index lo = 0, Index hi = 0) {
    OverSome result = over(i.range, lo, hi);
    result.indices = {i.global, i.global, 1, true};
    return result;
}
/// Some of these indices only, or none of them: under a condition, or where the bounds are not
/// known.
inline OverSome some(OverSome over) {
    over.indices.areAll = false;
    return over;
}

/// e as an Index; of a floating-point number, the least not below it: the end of a loop is `n - 1`.
template <class E>
constexpr Index ceiling(const E& e) {
    const Index n = static_cast<Index>(e);
    if constexpr (std::is_floating_point_v<E>) return n + (static_cast<E>(n) < e ? 1 : 0);
    return n;
}

/// A `*` slot whose subscripts all lie between the smallest and the largest of these, which occur.
template <class E, class... More>
Over within(const E& e, const More&... more) {
    Over result;
    result.within = true;
    result.lo = result.hi = ceiling(e);
    for (const Index next : {result.lo, ceiling(more)...}) {
        if (next < result.lo) result.lo = next;
        if (next > result.hi) result.hi = next;
    }
    return result;
}

void checkAccess(const Descriptor& a, const char* name, std::initializer_list<OverSome> slots,
                 std::initializer_list<OverSome> enclosing, Where where);
void checkGhosts(const Descriptor& a, const char* name, std::initializer_list<OverSome> slots,
                 std::initializer_list<OverSome> enclosing, Where where,
                 const ReadSet& bytes = everyByte);

/// True if each process of the second group is surely one of the first.
inline bool surelyContains(const GroupRecord* group, const GroupRecord* active) noexcept {
    if (group == nullptr || active == nullptr) return false;
    return group == active || (group->grid == active->grid && group->grid->whole == group);
}

/// Whether check() lets an access pass, as far as a few tests tell.
enum class Passing { Never, Perhaps, Surely };

[[gnu::always_inline]] inline Passing slotPassing(const Map& map, int r, const Over& slot,
                                                  const Ghosts* ghosts) noexcept {
    if (slot.within && (slot.lo < 0 || slot.hi >= extentOf(map.range))) return Passing::Never;
    if (slot.range.isNull()) return Passing::Surely;
    const RangeRecord &x = *recordOf(slot.range), &y = *recordOf(map.range);
    if (&x != &y && (x.format != y.format || x.dimension != y.dimension)) return Passing::Never;
    if (slot.lo == 0 && slot.hi == 0) return Passing::Surely;
    Index low = 0, high = 0;
    if (x.stride < 0 || __builtin_mul_overflow(-slot.lo, x.stride, &low) ||
        __builtin_mul_overflow(slot.hi, x.stride, &high))
        return Passing::Perhaps;
    if (low > y.reachBelow() || high > y.reachAbove()) return Passing::Never;
    if (ghosts == nullptr || !ghostsAreCompared || ghosts->areFresh(map, r, low, high))
        return Passing::Surely;
    return ghosts->hasParts() ? Passing::Perhaps : Passing::Never;
}

template <class Slot, class T, class... Slots, std::size_t... r>
[[gnu::always_inline]] inline Passing passingOf(std::index_sequence<r...>,
                                                const Array<T, Slots...>& a,
                                                [[maybe_unused]] const Slot* slots) noexcept {
    if (!a.valid()) return Passing::Never;
    Passing result =
        surelyContains(a.groupRecord(), activeGroup) ? Passing::Surely : Passing::Perhaps;
    [[maybe_unused]] const Ghosts* const ghosts = a.ghosts();
    const auto take = [&](Passing slot) {
        if (slot < result) result = slot;
        return result != Passing::Never;
    };
    static_cast<void>(
        (take(slotPassing(a.maps()[r], static_cast<int>(r), slots[r], ghosts)) && ...));
    return result;
}
/// Of the slots of an access by as many subscripts as the array has dimensions.
template <class Slot, class T, class... Slots>
[[gnu::always_inline]] inline Passing passing(const Array<T, Slots...>& a,
                                              const Slot* slots) noexcept {
    return passingOf(std::index_sequence_for<Slots...>(), a, slots);
}

/// At the entry of a nest: a is not null; every index fits its dimension; shifts stay within the
/// ghost cells; the array's group contains the APG at the access, that is apg() restricted by all
/// ranges named in slots and enclosing; sequential subscripts are within bounds, and the ghost
/// cells that shifts reach are fresh, if this process runs any iteration. NullArray, IndexMismatch,
/// ShiftTooWide, GroupNotContained, OutOfBounds, StaleGhosts.
template <class T, class... Slots>
void check(const Array<T, Slots...>& a, const char* name, std::initializer_list<OverSome> slots,
           std::initializer_list<OverSome> enclosing = {}, Where where = Where::here()) {
    if (slots.size() == sizeof...(Slots) && passing(a, slots.begin()) == Passing::Surely) return;
    checkAccess(a.descriptor(), name, slots, enclosing, where);
    if (a.ghosts() != nullptr) checkGhosts(a.descriptor(), name, slots, enclosing, where);
}

/// All but the question whether ghost cells are fresh: where the nest may fill them itself.
template <class T, class... Slots>
void checkBounds(const Array<T, Slots...>& a, const char* name,
                 std::initializer_list<OverSome> slots,
                 std::initializer_list<OverSome> enclosing = {}, Where where = Where::here()) {
    checkAccess(a.descriptor(), name, slots, enclosing, where);
}

/// The last question of check() alone; of arrays that are not null. StaleGhosts.
template <class T, class... Slots>
void checkFresh(const Array<T, Slots...>& a, const char* name,
                std::initializer_list<OverSome> slots,
                std::initializer_list<OverSome> enclosing = {}, Where where = Where::here()) {
    checkGhosts(a.descriptor(), name, slots, enclosing, where);
}

bool areGhostsFresh(const Descriptor& a, std::initializer_list<OverSome> slots,
                    const ReadSet& bytes = everyByte) noexcept;

template <class A>
void checkFresh(const ReadPart<A>& part, const char* name, std::initializer_list<OverSome> slots,
                std::initializer_list<OverSome> enclosing = {}, Where where = Where::here()) {
    if (part.array.ghosts() != nullptr)
        checkGhosts(part.array.descriptor(), name, slots, enclosing, where, part.bytes);
}

/// The first of these, of an access to parts of the elements.
template <class A>
void check(const ReadPart<A>& part, const char* name, std::initializer_list<OverSome> slots,
           std::initializer_list<OverSome> enclosing = {}, Where where = Where::here()) {
    checkAccess(part.array.descriptor(), name, slots, enclosing, where);
    checkFresh(part, name, slots, enclosing, where);
}

/// True if checkFresh() would raise no error.
template <class T, class... Slots>
bool isFresh(const Array<T, Slots...>& a, std::initializer_list<OverSome> slots,
             std::initializer_list<OverSome> = {}) noexcept {
    return areGhostsFresh(a.descriptor(), slots);
}
template <class A>
bool isFresh(const ReadPart<A>& part, std::initializer_list<OverSome> slots,
             std::initializer_list<OverSome> = {}) noexcept {
    return areGhostsFresh(part.array.descriptor(), slots, part.bytes);
}

bool passesAccess(const Descriptor& a, std::initializer_list<OverSome> slots,
                  std::initializer_list<OverSome> enclosing,
                  const ReadSet& bytes = everyByte) noexcept;

[[noreturn]] void raiseAnother(const char* name, Where where);
/// Behind a nest that has named `member` by a copy made at its entry: DependentIterations unless
/// it is the same array still.
template <class T, class... Slots>
void checkSame(const Array<T, Slots...>& member, const Array<T, Slots...>& copy, const char* name,
               Where where = Where::here()) {
    bool isSame = member.storage() == copy.storage() && member.offset() == copy.offset() &&
                  member.groupRecord() == copy.groupRecord();
    if constexpr (sizeof...(Slots) > 0)
        isSame = isSame && std::memcmp(&member.maps(), &copy.maps(), sizeof copy.maps()) == 0;
    if (__builtin_expect(!isSame, 0)) raiseAnother(name, where);
}

/// True if check() would raise no error. For accesses under a condition: asked once, at the entry
/// of the nest; only an access that really happens then calls check() and raises the error.
template <class T, class... Slots>
bool passes(const Array<T, Slots...>& a, std::initializer_list<OverSome> slots,
            std::initializer_list<OverSome> enclosing = {}) noexcept {
    return passesAccess(a.descriptor(), slots, enclosing);
}
/// The same with copies of the slots, so that who asks keeps them in registers.
template <std::size_t... r, std::size_t... e>
[[gnu::noinline]] bool passesIn(std::index_sequence<r...>, std::index_sequence<e...>, Descriptor a,
                                std::array<Over, sizeof...(r)> slots,
                                std::array<Over, sizeof...(e)> enclosing) noexcept {
    return passesAccess(a, {slots[r]...}, {enclosing[e]...});
}
template <class A>
bool passes(const ReadPart<A>& part, std::initializer_list<OverSome> slots,
            std::initializer_list<OverSome> enclosing = {}) noexcept {
    return passesAccess(part.array.descriptor(), slots, enclosing, part.bytes);
}

[[noreturn, gnu::cold]] void raiseOutOfBounds(Index e, Index size, int r, Where where);
void checkShift(Index distance, const BorrowedRange& array, Index str, int r, const char* name,
                Where where);
/// StaleGhosts unless the cells that an index reaches by this distance are fresh.
void checkGhosts(Index distance, const Descriptor& a, Index str, int r, Where where,
                 const DistributedIndex* index = nullptr);

/// e, if it is a subscript of `*` dimension r, whose extent is `size`; else OutOfBounds.
template <class E>
Index bounded(const E& e, Index size, int r, Where where = Where::here()) {
    static_assert(!std::is_floating_point_v<E> && std::is_convertible_v<E, Index>,
                  "a `*` slot takes an integer; write i` for the index i");
    const Index n = static_cast<Index>(e);
    if (static_cast<std::uint64_t>(n) >= static_cast<std::uint64_t>(size))
        raiseOutOfBounds(n, size, r, where);
    return n;
}
/// The same for dimension r of a; NullArray.
template <class E, class A>
Index bounded(const E& e, const A& a, int r, Where where = Where::here()) {
    const Index size = extentOf(a.maps()[static_cast<std::size_t>(r)].range);
    if (static_cast<std::uint64_t>(e) >= static_cast<std::uint64_t>(size))
        a.size(r, where);  // tells a null handle
    return bounded(e, size, r, where);
}

/// True if an index that is shifted by `distance` surely stays in fresh ghost cells.
inline bool surelyReaches(const Map& map, const Ghosts* ghosts, int r, Index distance,
                          Index shift) {
    if (distance == 0) return true;
    const RangeRecord* const array = recordOf(map.range);
    Index cells = 0;
    return !__builtin_mul_overflow(shift, distance, &cells) && cells >= -array->lo &&
           cells <= array->hi &&
           (!ghostsAreCompared || ghosts == nullptr || ghosts->areFresh(map, r, -cells, cells));
}

/// distance, if an index shifted by it (negative for `i - e`) stays in the ghost cells of dimension
/// r, and these are fresh; else ShiftTooWide, StaleGhosts.
template <class A>
Index shifted(Index distance, const A& a, int r, Where where = Where::here()) {
    const auto& map = a.maps()[static_cast<std::size_t>(r)];
    if (a.valid() && surelyReaches(map, a.ghosts(), r, distance, 1)) return distance;
    checkShift(distance, a.rng(r, where), 1, r, "", where);
    checkGhosts(distance, a.descriptor(), 1, r, where);
    return distance;
}
template <class A>
Index shifted(Index distance, const A& a, int r, const DistributedIndex& i,
              Where where = Where::here()) {
    const auto& map = a.maps()[static_cast<std::size_t>(r)];
    if (a.valid() && surelyReaches(map, a.ghosts(), r, distance, i.shift)) return distance;
    checkShift(distance, a.rng(r, where), i.shift, r, "", where);
    checkGhosts(distance, a.descriptor(), i.shift, r, where, &i);
    return distance;
}

}  // namespace hpspmd::detail
