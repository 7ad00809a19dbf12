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

/// The group where one of its dimensions has this process's coordinate, if that is known already;
/// else null.
inline const GroupRecord* restrictedToOwn(const GroupRecord* group, const DimensionRecord& d) {
    if (d.grid == nullptr) return group;
    return group->grid == d.grid ? group->own[d.axis].load(std::memory_order_acquire) : nullptr;
}

/// What a section of a few maps has taken so far.
template <int R>
struct PlainSection {
    Index offset;
    const GroupRecord* group;
    HeldMaps<R> maps{};
    std::size_t rank = 0;
};

/// Takes the next dimension of an array to a section if that needs no more than its map: `:` or an
/// integer or an index, in a `-` slot of a location that this process holds. False, and nothing
/// told, for anything else.
template <class S, class Sub, int R>
bool takesPlainly(const Map& map, const Sub& sub, PlainSection<R>& section) {
    if constexpr (std::is_same_v<S, Seq> && std::is_integral_v<Sub>) {
        const auto value = static_cast<Index>(sub);
        section.offset += map.stride * value;
        return value >= 0 && value < extentOf(map.range);
    } else if constexpr (std::is_integral_v<Sub>) {
        const RangeRecord& x = *recordOf(map.range);
        const Index place = static_cast<Index>(sub) - x.run.globalBase;
        section.offset += map.stride * (x.run.localBase + place);
        section.group = restrictedToOwn(section.group, *x.dimension);
        return place >= 0 && place < x.run.count && section.group != nullptr;
    } else if constexpr (std::is_same_v<Sub, DistributedIndex>) {
        section.offset += map.stride * sub.sub;
        section.group = restrictedToOwn(section.group, *recordOf(sub.range)->dimension);
        return recordOf(sub.range)->whole == recordOf(map.range)->whole && section.group != nullptr;
    } else if constexpr (std::is_same_v<Sub, Triplet>) {
        section.maps.set(section.rank++, map);
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
        // What a loop asks for in each iteration, the row of a matrix, takes no call.
        PlainSection<Result::rank()> plain{a.offset(), a.groupRecord()};
        int r = 0;
        if (plain.group != nullptr && (takesPlainly<Slots>(descriptor[r++], subs, plain) && ...))
            return Result(Adopt(),
                          Handle(a.storageHandle(), plain.offset, plain.maps, Group(plain.group)));
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
