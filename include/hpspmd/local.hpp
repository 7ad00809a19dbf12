// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// local(a): the elements of a that this process holds, for loops of programs without hpcc that
/// must be fast.

#include <hpspmd/element.hpp>

namespace hpspmd {

template <class T, class... Slots>
class Local;

namespace detail {

// What follows holds the facts that an access needs as plain values, and what raises takes values,
// so that a loop can keep them in registers and make its checks once.

/// One dimension of an array.
template <class Slot>
struct Held {
    const RangeRecord* array;
    const RangeRecord* range;  ///< of the indices
    Index stride;
    Index below, above;  ///< how far an index may be shifted

    explicit Held(const Map& map)
        : array(recordOf(map.range)),
          range(array),
          stride(map.stride),
          below(map.range.loExtension()),
          above(map.range.hiExtension()) {}
    // Of indices over another range, which fits: a shift by one is x.str() cells.
    Held(const Map& map, const Range& x) : Held(map) {
        range = x.record();
        below /= x.str();
        above /= x.str();
        if (x.str() < 0) std::swap(below = -below, above = -above);
    }
    // Member by member: what is copied as a whole is kept in memory.
    Held(const Held& a)
        : array(a.array), range(a.range), stride(a.stride), below(a.below), above(a.above) {}

    [[gnu::always_inline]] void check(const IndexSubscript& sub, int r, Where where) const {
        const RangeRecord* index = recordOf(sub.index.range);
        const Index distance = sub.distance;
        if (__builtin_expect(index != range, 0))
            raiseSubscript(index, distance, array, r, where.file, where.line);
        if (distance != 0 &&
            __builtin_expect(distance > 0 ? above < distance : below < -distance, 0))
            raiseSubscript(index, distance, array, r, where.file, where.line);
    }
};

template <>
struct Held<Seq> {
    Index extent;
    Index stride;

    explicit Held(const Map& map) : extent(extentOf(map.range)), stride(map.stride) {}
    Held(const Map& map, const Range&) : Held(map) {}
    Held(const Held& a) : extent(a.extent), stride(a.stride) {}

    [[gnu::always_inline]] void check(Index sub, int r, Where where) const {
        if (__builtin_expect(sub < 0 || sub >= extent, 0))
            raiseSubscript(sub, extent, r, where.file, where.line);
    }
};

/// All dimensions; `r` is the number of the first one. (A tuple would be kept in memory.)
template <class... Slots>
struct AllHeld {
    explicit AllHeld(const Map*) {}
    AllHeld(const Map*, const Range*) {}
    [[gnu::always_inline]] Index offset(int, Where) const { return 0; }
};

template <class Slot, class... Rest>
struct AllHeld<Slot, Rest...> {
    Held<Slot> first;
    AllHeld<Rest...> rest;

    explicit AllHeld(const Map* maps) : first(maps[0]), rest(maps + 1) {}
    AllHeld(const Map* maps, const Range* ranges)
        : first(maps[0], ranges[0]), rest(maps + 1, ranges + 1) {}

    [[gnu::always_inline]] Index firstOffset(int r, [[maybe_unused]] Where where,
                                             const SubscriptOf<Slot>& sub) const {
        if constexpr (elementsAreChecked) first.check(sub, r, where);
        return first.stride * localSubscript(sub);
    }
    [[gnu::always_inline]] Index offset(int r, Where where, const SubscriptOf<Slot>& sub,
                                        const SubscriptOf<Rest>&... subs) const {
        const Index offset = firstOffset(r, where, sub);
        return offset + rest.offset(r + 1, where, subs...);
    }
};

template <class Slot>
void checkRange(const Map* maps, const Range* ranges, int r, Where where) {
    if constexpr (std::is_same_v<Slot, Dist>)
        if (!fits(ranges[r], maps[r].range))
            raiseSubscript(ranges[r].record(), 0, recordOf(maps[r].range), r, where.file,
                           where.line);
}

template <class T, class... Slots>
Local<T, Slots...> makeLocal(T* base, const AllHeld<Slots...>& held, int first) {
    return Local<T, Slots...>(base, held, first);
}

}  // namespace detail

/// What a process holds of an array, with all that an access needs in values that a loop can keep
/// in registers: `u(i - 1, j)` is the element a(i - 1, j), and checked as that is.
/// `const auto u = local(a)` stands before the loops. It is no handle: it must not outlive a, and
/// does not follow if another array is assigned to a.
template <class T, class... Slots>
class Local {
public:
    Local(T* base, const detail::AllHeld<Slots...>& held, int first)
        : base_(base), held_(held), first_(first) {}

    [[gnu::always_inline]] T& operator()(detail::SubscriptOf<Slots>... subs,
                                         detail::Where where = detail::Where::here()) const {
        return base_[held_.offset(first_, where, subs...)];
    }

    /// The rest of the dimensions where the first one has this subscript, which is checked here and
    /// no more: `u.row(i - 1)(j)` is u(i - 1, j).
    template <class Sub>
    [[gnu::always_inline]] auto row(const Sub& sub,
                                    detail::Where where = detail::Where::here()) const {
        return detail::makeLocal(base_ + held_.firstOffset(first_, where, sub), held_.rest,
                                 first_ + 1);
    }

private:
    T* base_;
    detail::AllHeld<Slots...> held_;
    int first_;  // of the array's dimensions: for messages
};

/// GroupNotContained in a process that is not of the array's group; NullArray.
template <class T, class... Slots>
Local<T, Slots...> local(const Array<T, Slots...>& a, detail::Where where = detail::Where::here()) {
    if (!a.isHeld()) detail::raiseNotHeld(a.groupRecord(), where.file, where.line);
    detail::keepHome(a, where);
    return {a.data(), detail::AllHeld<Slots...>(a.maps().data()), 0};
}
template <class T, class... Slots>
Local<T, Slots...> local(const Array<T, Slots...>&& a) = delete;

/// For indices over `ranges`, one for each dimension (that of a `*` slot may be left `{}`), where
/// they are not those of the array: `local(b, {x, y})` for a loop over the ranges x and y with
/// ghost cells, if b has none. Also IndexMismatch.
template <class T, class... Slots>
Local<T, Slots...> local(const Array<T, Slots...>& a,
                         const std::array<Range, sizeof...(Slots)>& ranges,
                         detail::Where where = detail::Where::here()) {
    if (!a.isHeld()) detail::raiseNotHeld(a.groupRecord(), where.file, where.line);
    detail::keepHome(a, where);
    int r = 0;
    (detail::checkRange<Slots>(a.maps().data(), ranges.data(), r++, where), ...);
    return {a.data(), detail::AllHeld<Slots...>(a.maps().data(), ranges.data()), 0};
}
template <class T, class... Slots>
Local<T, Slots...> local(const Array<T, Slots...>&& a,
                         const std::array<Range, sizeof...(Slots)>& ranges) = delete;

}  // namespace hpspmd
