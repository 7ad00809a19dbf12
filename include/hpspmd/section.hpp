// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// section: `a[[..]]` and `x[[l : u : s]]`. A new handle on the same elements (thesis, 3.4.6 and
/// 4.5.7).

#include <hpspmd/array.hpp>

namespace hpspmd {
namespace detail {

/// One subscript of a section, whatever it was written as.
struct Subscript {
    enum class Kind { Triplet, Integer, Index, Split };

    Kind kind = Kind::Split;
    bool sequential = false;  ///< the slot is `*`
    Triplet triplet;
    Index value = 0;  ///< Integer; for Index the distance of a shifted one
    const DistributedIndex* index = nullptr;
    Where where;

    Subscript(Split) {}
    Subscript(const Triplet& t) : kind(Kind::Triplet), triplet(t), where(t.where()) {}
    Subscript(const Position& n) : kind(Kind::Integer), value(n.value), where(n.where) {}
    Subscript(const DistributedIndex& i) : kind(Kind::Index), index(&i) {}
    Subscript(const ShiftedIndex& i) : kind(Kind::Index), value(i.distance), index(&i.index) {}
};

template <class S>
constexpr bool isIndex = std::is_same_v<S, DistributedIndex> || std::is_same_v<S, ShiftedIndex>;

/// Slots that subscript Sub leaves of a slot of kind S.
template <class S, class Sub>
struct SlotsLeft {
    using type = Types<>;
};
template <class S>
struct SlotsLeft<S, Triplet> {
    using type = Types<S>;
};
template <class S>
struct SlotsLeft<S, Split> {
    using type = Types<Dist, Seq>;
};

/// Array<T, all the slots of the lists>.
template <class T, class... Lists>
struct ArrayOf;
template <class T, class... S>
struct ArrayOf<T, Types<S...>> {
    using type = Array<T, S...>;
};
template <class T, class... A, class... B, class... Lists>
struct ArrayOf<T, Types<A...>, Types<B...>, Lists...> : ArrayOf<T, Types<A..., B...>, Lists...> {};

template <class S, class Sub>
Subscript subscript(const Sub& sub) {
    static_assert(!(std::is_same_v<S, Seq> && isIndex<Sub>),
                  "a `*` slot takes an integer; write i` for the index i");
    static_assert(!(std::is_same_v<S, Seq> && std::is_same_v<Sub, Split>),
                  "only a `-` slot can be split by <>");
    static_assert(!std::is_floating_point_v<Sub>,
                  "a subscript is an integer, an index, a triplet or <>");
    Subscript result = [&] {
        if constexpr (std::is_constructible_v<Subscript, const Sub&> && !std::is_arithmetic_v<Sub>)
            return Subscript(sub);
        else
            return Subscript(Position(static_cast<Index>(sub), Where{}));
    }();
    result.sequential = std::is_same_v<S, Seq>;
    return result;
}

/// Where a section's elements lie, apart from its maps.
struct SectionOrigin {
    Index offset;
    Group group;
};

/// Takes the next dimension of an array to a section if that needs no more than its map: an integer
/// in a `*` slot, `:` in another. False, and nothing told, for anything else.
template <class S, class Sub, int R>
bool takesPlainly(const Map& map, const Sub& sub, Index& offset, HeldMaps<R>& maps,
                  std::size_t& r) {
    if constexpr (std::is_same_v<S, Seq> && std::is_integral_v<Sub>) {
        const auto value = static_cast<Index>(sub);
        offset += map.stride * value;
        return value >= 0 && value < map.range.size();
    } else if constexpr (std::is_same_v<S, Dist> && std::is_same_v<Sub, Triplet>) {
        maps.set(r++, map);
        return sub.isWhole();
    } else {
        return false;
    }
}

/// Writes the section's maps to `maps`. OutOfBounds, IndexMismatch, ShiftTooWide,
/// DimensionNotInGroup, NullArray.
SectionOrigin makeSection(const Descriptor& a, Index offset, const Subscript* subscripts, Map* maps,
                          Where where);

/// section() for callers that know their place: `Section()(a, 3, i)`. A bare section() knows it
/// from its triplets only.
struct Section {
    Where where;
    constexpr explicit Section(Where where = Where::here()) : where(where) {}

    template <class T, class... Slots, class... Subs>
    auto operator()(const Array<T, Slots...>& a, const Subs&... subs) const {
        static_assert(sizeof...(Slots) == sizeof...(Subs),
                      "a section has one subscript per dimension");
        using Result = typename ArrayOf<T, Types<>, typename SlotsLeft<Slots, Subs>::type...>::type;
        const Descriptor& descriptor = a.descriptor();
        using Handle = typename Result::Handle;
        HeldMaps<Result::rank()> plain;
        Index offset = a.offset();
        std::size_t next = 0;
        int r = 0;
        // What a loop asks for in each iteration, the row of a matrix, takes no call.
        if (!descriptor.group.isNull() &&
            (takesPlainly<Slots>(descriptor[r++], subs, offset, plain, next) && ...))
            return Result(Adopt(), Handle(a.storageHandle(), offset, plain, descriptor.group));
        std::array<Map, static_cast<std::size_t>(Result::rank())> maps;
        const std::array<Subscript, sizeof...(Subs)> subscripts{subscript<Slots>(subs)...};
        const SectionOrigin at =
            makeSection(descriptor, a.offset(), subscripts.data(), maps.data(), where);
        return Result(Adopt(), Handle(a.storageHandle(), at.offset, maps, at.group));
    }
    Range operator()(const Range& x, const Triplet& t) const { return x.subrange(t); }
};

}  // namespace detail

/// `a[[s0, ..]]` with integers, distributed and shifted indices, triplets and `split`: rank =
/// triplets + 2 per split. A scalar in a `-` slot restricts the group. Example: row 3 of a is
/// section(a, 3, Triplet()).
template <class T, class... Slots, class... Subs>
auto section(const Array<T, Slots...>& a, const Subs&... subs) {
    return detail::Section(detail::Where{})(a, subs...);
}

inline Range section(const Range& x, const Triplet& t) { return x.subrange(t); }

}  // namespace hpspmd
