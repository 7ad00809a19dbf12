// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// divide, the `-` view of an array that every process holds whole.

#include <hpspmd/create.hpp>
#include <hpspmd/ghosts.hpp>

#include <iterator>

namespace hpspmd {
namespace detail {

/// Puts the ranges, which are whole or collapsed and fit, in the place of those of the maps.
/// BadExtent, GroupNotContained, DimensionNotInGroup.
void divideMaps(const Placement& on, Map* maps, const Range* ranges, int rank);
/// Writes of the storage's elements make the ghost cells of this view stale, too.
void stampView(Storage& storage, const Map* maps, int rank);
/// Memory that others own, and that outlives all handles.
StorageHandle borrowed(void* address, Index slots, std::size_t elementSize);

template <class... X>
std::array<Range, sizeof...(X)> rangesOf(const X&... ranges) {
    return {Range(ranges)...};
}

/// True if an array and a contiguous container, as a std::vector, surely share no element. Views of
/// containers, divide(v, x), may share some.
template <class A, class C>
bool disjointFrom(const A& a, const C& container) {
    const Storage* const storage = a.storage();
    if (storage == nullptr) return true;
    const char* const mine = reinterpret_cast<const char*>(storage->address);
    const char* const others = reinterpret_cast<const char*>(std::data(container));
    return others + std::size(container) * sizeof(*std::data(container)) <= mine ||
           mine + static_cast<std::size_t>(storage->slots) * storage->elementSize <= others;
}

template <class T, class R>
struct Repeated;
template <class T, std::size_t... R>
struct Repeated<T, std::index_sequence<R...>> {
    using type = Array<T, std::conditional_t<(R < sizeof...(R)), Dist, Seq>...>;
};
/// T [[-, -, ..]] with R slots.
template <class T, std::size_t R>
using ViewOf = typename Repeated<T, std::make_index_sequence<R>>::type;

template <class T, std::size_t R>
ViewOf<T, R> viewOf(StorageHandle storage, Index offset, std::array<Map, R> maps,
                    const std::array<Range, R>& ranges, Where where) {
    const Placement on(apg(), where);
    divideMaps(on, maps.data(), ranges.data(), static_cast<int>(R));
    stampView(*storage.get(), maps.data(), static_cast<int>(R));
    return ViewOf<T, R>(Adopt(),
                        Handle<static_cast<int>(R)>(std::move(storage), offset, maps, on.group));
}

}  // namespace detail

/// The elements of a `*` array as an array with the ranges x, .. (whole() or collapsed), on the
/// APG: each process works on its own locations, and finds those of the others in the same storage,
/// where Adlib::assemble and refresh put them. Nothing is copied. The array must be the same in all
/// processes. BadExtent: a range that is not whole, or of another extent.
///
///     double [[*,*]] g = new double [[n, n]];
///     Range x = whole(BlockRange(n, p.dim(0))), y = whole(BlockRange(n, p.dim(1)));
///     double [[-,-]] part = divide(g, x, y);
template <class T, class... S, class... X>
auto divide(const Array<T, S...>& a, const X&... ranges) {
    static_assert((std::is_same_v<S, Seq> && ...), "divide takes an array of `*` slots");
    static_assert(sizeof...(S) == sizeof...(X), "divide takes a range for each dimension");
    const detail::Where where{};
    if (!a.valid()) detail::raiseNullArray(where);
    return detail::viewOf<T>(a.storageHandle(), a.offset(), a.maps(), detail::rangesOf(ranges...),
                             where);
}

/// The same of a contiguous container: vector, span, array, C array. The container owns the
/// elements, and must outlive all handles.
template <class C, class X, class = decltype(std::size(std::declval<C&>()))>
auto divide(C& elements, const X& range)
    -> detail::ViewOf<std::remove_pointer_t<decltype(std::data(elements))>, 1> {
    using T = std::remove_pointer_t<decltype(std::data(elements))>;
    const auto count = static_cast<Index>(std::size(elements));
    void* const address = const_cast<std::remove_const_t<T>*>(std::data(elements));
    return detail::viewOf<T, 1>(detail::borrowed(address, count, sizeof(T)), 0,
                                {detail::Map{CollapsedRange(count), 1}}, {Range(range)},
                                detail::Where{});
}

}  // namespace hpspmd
