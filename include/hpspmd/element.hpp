#pragma once
/// element: `base[i, j - 1, e]` where the translator does not know the type of base, or base is not
/// a simple expression.

#include <hpspmd/check.hpp>
#include <hpspmd/section.hpp>

namespace hpspmd::detail {

/// IndexMismatch, ShiftTooWide, and GroupNotContained unless the array's group contains the APG.
Index checkedSubscript(const Descriptor& a, const DistributedIndex& i, Index distance, int r,
                       Where where);
void checkGroup(const Descriptor& a, Where where);

/// Elements that subscript `sub` of dimension r moves away from local subscripts 0.
template <class S, class Sub, class A>
Index subscriptOffset(const A& a, const Sub& sub, int r, Where where) {
    if constexpr (std::is_same_v<S, Seq>) {
        static_assert(!isIndex<Sub>, "a `*` slot takes an integer; write i` for the index i");
        return a.stride(r) * bounded(sub, a, r, where);
    } else {
        static_assert(isIndex<Sub>,
                      "a `-` slot takes a distributed index or a shifted one, not an integer");
        if constexpr (std::is_same_v<Sub, DistributedIndex>)
            return a.stride(r) * checkedSubscript(a.descriptor(), sub, 0, r, where);
        else
            return a.stride(r) *
                   checkedSubscript(a.descriptor(), sub.index, sub.distance, r, where);
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
        checkGroup(a.descriptor(), where);
        int r = 0;
        Index offset = 0;
        ((offset += subscriptOffset<Slots>(a, subs, r, where), ++r), ...);
        static_cast<void>(r);
        return a.data()[offset];
    }
};

template <class Base, class... Subs>
decltype(auto) element(const Base& base, const Subs&... subs) {
    return Element(Where{})(base, subs...);
}

}  // namespace hpspmd::detail
