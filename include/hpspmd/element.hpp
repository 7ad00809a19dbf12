// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// element: `base[i, j - 1, e]` where the translator does not know the type of base, or base is not
/// a simple expression; and a(i, j - 1, e), the same for programs without hpcc.

#include <hpspmd/check.hpp>
#include <hpspmd/device/home.hpp>
#include <hpspmd/section.hpp>

namespace hpspmd::detail {

/// IndexMismatch, ShiftTooWide, and GroupNotContained unless the array's group contains the APG.
Index checkedSubscript(const Descriptor& a, const DistributedIndex& i, Index distance, int r,
                       Where where);
void checkGroup(const Descriptor& a, Where where);

/// True if these raise nothing, as far as that is seen at once.
inline bool surelyFits(const Descriptor& a, const IndexSubscript& sub, int r) {
    const Map& map = a[r];
    const RangeRecord *index = recordOf(sub.index.range), *array = recordOf(map.range);
    return index->whole == array->whole &&
           surelyReaches(map, a.ghosts, r, sub.distance, sub.index.shift);
}

/// Elements that subscript `sub` of dimension r moves away from local subscripts 0.
template <class S, class Sub, class A>
Index subscriptOffset(const A& a, const Sub& sub, int r, Where where) {
    if constexpr (std::is_same_v<S, Seq>) {
        static_assert(!isIndex<Sub>, "a `*` slot takes an integer; write i` for the index i");
        return a.stride(r) * bounded(sub, a, r, where);
    } else {
        static_assert(isIndex<Sub>,
                      "a `-` slot takes a distributed index or a shifted one, not an integer");
        const IndexSubscript& given = sub;
        if (__builtin_expect(surelyFits(a.descriptor(), given, r), 1))
            return a.stride(r) * (given.index.sub + given.index.shift * given.distance);
        return a.stride(r) *
               checkedSubscript(a.descriptor(), given.index, given.distance, r, where);
    }
}

/// element() for callers that know their place: `Element()(f(), i, j)`.
struct Element {
    Where where;
    constexpr explicit Element(Where where = Where::here()) : where(where) {}

    template <class Base, class... Subs>
    decltype(auto) operator()(const Base& base, const Subs&... subs) const {
        if constexpr (isArray<Base>) {
            return access(base, subs...);
        } else {
            static_assert(isArray<Base>, "subscripts in [ , ] need a multiarray");
        }
    }

private:
    template <class T, class... Slots, class... Subs>
    T& access(const Array<T, Slots...>& a, const Subs&... subs) const {
        static_assert(sizeof...(Slots) == sizeof...(Subs),
                      "an element has one subscript per dimension");
        const Descriptor& descriptor = a.descriptor();
        if (!surelyContains(a.groupRecord(), apg().record())) checkGroup(descriptor, where);
        int r = 0;
        Index offset = 0;
        ((offset += subscriptOffset<Slots>(a, subs, r, where), ++r), ...);
        static_cast<void>(r);
        atHome(where, uses(a));
        return a.data()[offset];
    }
};

template <class Base, class... Subs>
decltype(auto) element(const Base& base, const Subs&... subs) {
    return Element(Where{})(base, subs...);
}

// The checks of a(i, j - 1, 3) are made in place, and what raises takes values and does not return,
// so that a loop can keep arrays and indices in registers. Compilers hesitate to
// inline it by themselves.

/// NullArray, GroupNotContained, or OutOfBounds: this process holds no element.
[[noreturn]] void raiseNotHeld(const GroupRecord* group, const char* file, int line);
[[noreturn]] void raiseSubscript(const RangeRecord* index, Index distance, const RangeRecord* array,
                                 int r, const char* file, int line);
[[noreturn]] void raiseSubscript(Index sub, Index size, int r, const char* file, int line);

/// HPSPMD_NO_ELEMENT_CHECKS: a(i, j) and local(a)(i, j) are not checked.
#ifdef HPSPMD_NO_ELEMENT_CHECKS
inline constexpr bool elementsAreChecked = false;
#else
inline constexpr bool elementsAreChecked = true;
#endif

[[gnu::always_inline]] inline void checkFitting(const Map& map, const IndexSubscript& sub, int r,
                                                Where where) {
    const RangeRecord *index = recordOf(sub.index.range), *array = recordOf(map.range);
    const Index distance = sub.distance, cells = sub.index.shift * distance;
    if (__builtin_expect(index->whole != array->whole, 0))
        raiseSubscript(index, distance, array, r, where.file, where.line);
    if (distance != 0 && __builtin_expect(cells < -array->lo || cells > array->hi, 0))
        raiseSubscript(index, distance, array, r, where.file, where.line);
}
[[gnu::always_inline]] inline void checkFitting(const Map& map, Index sub, int r, Where where) {
    const Index size = extentOf(map.range);
    if (__builtin_expect(sub < 0 || sub >= size, 0))
        raiseSubscript(sub, size, r, where.file, where.line);
}
inline Index localSubscript(const IndexSubscript& sub) {
    return sub.index.sub + sub.index.shift * sub.distance;
}
inline Index localSubscript(Index sub) { return sub; }

/// Offset of a(subs...) from the element with local subscripts 0.
template <std::size_t... R, class A, class... Subs>
[[gnu::always_inline]] inline Index fittingOffset(std::index_sequence<R...>, const A& a,
                                                  [[maybe_unused]] Where where,
                                                  const Subs&... subs) {
    if constexpr (elementsAreChecked) {
        if (__builtin_expect(!a.isHeld(), 0)) raiseNotHeld(a.groupRecord(), where.file, where.line);
        (checkFitting(a.maps()[R], subs, static_cast<int>(R), where), ...);
    }
    return ((a.maps()[R].stride * localSubscript(subs)) + ... + 0);
}

}  // namespace hpspmd::detail

namespace hpspmd {

template <class T, class... Slots>
[[gnu::always_inline]] inline const T& Array<const T, Slots...>::operator()(
    detail::SubscriptOf<Slots>... subs, detail::Where where) const {
    detail::atHome(where, detail::uses(*this));
    return data()[detail::fittingOffset(std::index_sequence_for<Slots...>(), *this, where,
                                        subs...)];
}

template <class T, class... Slots>
[[gnu::always_inline]] inline T& Array<T, Slots...>::operator()(detail::SubscriptOf<Slots>... subs,
                                                                detail::Where where) const {
    detail::atHome(where, detail::uses(*this));
    return data()[detail::fittingOffset(std::index_sequence_for<Slots...>(), *this, where,
                                        subs...)];
}

}  // namespace hpspmd
