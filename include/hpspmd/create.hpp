// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// create, like and clone: new arrays (thesis, 4.5.2). They never communicate.

#include <hpspmd/active.hpp>
#include <hpspmd/ghosts.hpp>
#include <hpspmd/independence.hpp>
#include <hpspmd/ranges.hpp>

namespace hpspmd {
namespace detail {

/// The group of a new array, and where it is created.
struct Placement {
    Group group;
    Where where;

    Placement(const Group& group, Where where = Where::here()) : group(group), where(where) {}
};

/// Slots to allocate on this process, and the one with local subscripts 0.
struct Layout {
    Index slots = 0;
    Index origin = 0;
    Index aligned = 0;  ///< the slot that starts a cache line
};

/// Fills in the strides: last dimension contiguous; long rows of elements that divide a cache line
/// start all at the same place of a line: at its start or, where the row starts at the edge of an
/// array with ghost cells, one element before. GroupNotContained, DimensionNotInGroup, BadExtent.
Layout layOut(const Placement& on, Map* maps, int rank, std::size_t elementSize = 0);

/// GroupNotContained, DimensionNotInGroup.
void requireDimensions(const Placement& on, const Map* maps, int rank);

template <class E>
using SlotOf = std::conditional_t<std::is_convertible_v<E, Range>, Dist, Seq>;

template <class E>
Range extentRange(const E& extent, Where where) {
    if constexpr (std::is_convertible_v<E, Range>) {
        static_cast<void>(where);
        return extent;
    } else {
        static_assert(!std::is_floating_point_v<E> && std::is_convertible_v<E, Index>,
                      "an extent is a range (slot -) or an integer (slot *)");
        return CollapsedRange(extent, where);
    }
}

template <class T, class... Slots>
Array<T, Slots...> newArray(const Placement& on, std::array<Map, sizeof...(Slots)> maps) {
    constexpr int rank = static_cast<int>(sizeof...(Slots));
    const Layout layout = layOut(on, maps.data(), rank, std::is_arithmetic_v<T> ? sizeof(T) : 0);
    StorageHandle storage = makeStorage<T>(layout.slots, layout.aligned, on.where);
    stampGhosts(*storage.get(), maps.data(), rank);
    if (checksIndependence()) rememberLayout(*storage.get(), maps.data(), rank, on.group);
    return Array<T, Slots...>(Adopt(),
                              Handle<rank>(std::move(storage), layout.origin, maps, on.group));
}

/// The local subscripts of a dimension that a copy visits: all slots with ghost cells, or the
/// blocks of a subrange.
std::vector<Block> copiedSlots(const Range& x);

template <class T, int R>
void copyElements(T* to, const T* from, const std::array<Map, R>& toMaps,
                  const std::array<Map, R>& fromMaps,
                  const std::array<std::vector<Block>, R>& slots, std::size_t r) {
    if (r == toMaps.size()) {
        *to = *from;
        return;
    }
    for (const Block& block : slots[r])
        for (Index k = 0; k < block.count; ++k) {
            const Index sub = block.localBase + block.localStep * k;
            copyElements<T, R>(to + toMaps[r].stride * sub, from + fromMaps[r].stride * sub, toMaps,
                               fromMaps, slots, r + 1);
        }
}

}  // namespace detail

/// `new T [[e0, ..]] on g`: a range makes a `-` slot, an integer a `*` slot. Elements are
/// value-initialised. GroupNotContained (g not inside the APG), DimensionNotInGroup, BadExtent,
/// OutOfMemory.
template <class T, class... Extents>
Array<T, detail::SlotOf<Extents>...> create(const detail::Placement& on,
                                            const Extents&... extents) {
    return detail::newArray<T, detail::SlotOf<Extents>...>(
        on, {detail::Map{detail::extentRange(extents, on.where), 0}...});
}

/// A new array with a's ranges and group; `like<U>(a)` with elements of type U.
template <class U = void, class T, class... Slots>
auto like(const Array<T, Slots...>& a, detail::Where where = detail::Where::here()) {
    using Element = std::conditional_t<std::is_void_v<U>, std::remove_const_t<T>, U>;
    const Group group = a.grp(where);
    return detail::newArray<Element, Slots...>(detail::Placement(group, where), a.maps());
}

/// A copy of a, ghost cells included; assignment would alias.
template <class T, class... Slots>
auto clone(const Array<T, Slots...>& a, detail::Where where = detail::Where::here()) {
    using Element = std::remove_const_t<T>;
    constexpr int rank = static_cast<int>(sizeof...(Slots));
    auto copy = like(a, where);
    detail::copyStamps(copy.descriptor(), a.descriptor());
    if (a.data() == nullptr) return copy;
    detail::atHome(where, detail::reads(a), detail::writes(copy));
    std::array<std::vector<Block>, rank> slots;
    for (int r = 0; r < rank; ++r)
        slots[static_cast<std::size_t>(r)] = detail::copiedSlots(a.rng(r));
    detail::copyElements<Element, rank>(copy.data(), a.data(), copy.maps(), a.maps(), slots, 0);
    return copy;
}

}  // namespace hpspmd
