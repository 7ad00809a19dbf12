// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What genarray and modarray share: expressions `overall (..) e` that give elements of a new
/// array.

#include <adlib/slots.hpp>
#include <adlib/write_halo.hpp>
#include <hpspmd/create.hpp>
#include <hpspmd/divide.hpp>
#include <hpspmd/error.hpp>
#include <hpspmd/overall.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace hpspmd::detail {

/// How many headers an expression has.
template <class E>
inline constexpr std::size_t headersOf = 0;
template <class Body>
inline constexpr std::size_t headersOf<OverallExpression<Body>> =
    1 + headersOf<typename OverallExpression<Body>::Result>;
template <class Body, class Store>
inline constexpr std::size_t headersOf<OverallWithStores<Body, Store>> =
    headersOf<OverallExpression<Body>>;

/// True if equal subscripts name the same location in the same process.
inline bool sameRange(const Range& a, const Range& b) {
    const RangeRecord& x = *a.record();
    const RangeRecord& y = *b.record();
    return fits(a, b) && x.base == y.base && x.stride == y.stride && x.extent == y.extent;
}

/// The own locations of each dimension.
template <std::size_t R>
std::array<std::vector<Block>, R> ownSlots(const std::array<Map, R>& maps) {
    std::array<std::vector<Block>, R> slots;
    for (std::size_t r = 0; r < R; ++r) {
        const Blocks blocks = maps[r].range.localBlocks();
        slots[r].assign(blocks.begin(), blocks.end());
    }
    return slots;
}

template <std::size_t R>
SlotBox boxOf(const std::array<std::vector<Block>, R>& slots) {
    return SlotBox(slots.begin(), slots.end());
}
template <std::size_t R>
std::array<std::vector<Block>, R> slotsOf(const SlotBox& box) {
    std::array<std::vector<Block>, R> slots;
    std::copy(box.begin(), box.end(), slots.begin());
    return slots;
}

/// Of one stretch of local subscripts, what lies before and behind another one; nothing if they are
/// no stretches.
inline std::optional<std::vector<Block>> stretchesBeside(const std::vector<Block>& all,
                                                         const std::vector<Block>& some) {
    const bool isSimple = all.size() == 1 && all[0].localStep == 1 && some.size() == 1 &&
                          some[0].localStep == 1 && some[0].count > 0;
    if (!isSimple) return std::nullopt;
    const Index begin = all[0].localBase, from = some[0].localBase, end = begin + all[0].count,
                to = from + some[0].count;
    return std::vector<Block>{Block{from - begin, 0, 1, begin, 1}, Block{end - to, 0, 1, to, 1}};
}

/// The slots among `all` that no generator gives, if one gives a box of them; nothing if they are
/// not known so simply. So they may be set behind the generator, where its nest has run.
template <std::size_t R, class... G>
std::optional<std::vector<SlotBox>> slotsBeside(
    [[maybe_unused]] std::array<std::vector<Block>, R> all, const G&... generators) {
    if constexpr (sizeof...(G) == 1 && (hasStores<G> && ...)) {
        const std::vector<std::vector<Block>> given = (generators.ownBlocks(), ...);
        std::vector<SlotBox> boxes;
        for (std::size_t r = 0; r < given.size(); ++r) {
            const auto beside = stretchesBeside(all[r], given[r]);
            if (!beside) return std::nullopt;
            all[r] = *beside;
            boxes.push_back(boxOf(all));
            all[r] = given[r];
        }
        if (given.size() == R) return boxes;
    }
    return std::nullopt;
}

/// The own locations that each generator gives, by dimension.
using Boxes = std::vector<std::vector<std::vector<Block>>>;

/// The locations that each of N generators gives, by dimension.
template <std::size_t R, std::size_t N>
using GivenLocations = std::array<std::array<Progression, R>, N>;

/// The values of N generators at one place of the program: the storage of those that are gone is
/// taken again, so that a loop that makes a value in each round has two in turn.
template <class T, std::size_t R, std::size_t N>
class LastValues {
public:
    /// An array with these ranges; its elements are not set if the storage has been in use. Its
    /// strides are in `maps` then.
    ViewOf<T, R> take(const Group& group, std::array<Map, R> maps, bool& isNew, Where where) {
        for (Held& held : held_) {
            if (!held.array || !held.array->isSole()) continue;
            bool isAlike = held.array->grp() == group;
            for (std::size_t r = 0; r < R; ++r)
                isAlike &= held.array->maps()[r].range == maps[r].range;
            if (!isAlike) continue;
            isNew = false;
            return *held.array;
        }
        isNew = true;
        Held& oldest = held_[next_++ % held_.size()];
        oldest.array = newValue(group, maps, std::make_index_sequence<R>(), where);
        return *oldest.array;
    }

    /// True if `taken`, which take() gave, holds the elements of a that no generator gives. So it
    /// is if a was made of it, and by the same generators.
    template <class A>
    bool holdsOthers(const ViewOf<T, R>& taken, const A& a, const GivenLocations<R, N>& given) {
        bool holds = false;
        for (Held& held : held_) {
            holds |= held.isMadeOfOther && isSame(held, a) && isSame(otherThan(held), taken) &&
                     held.given == given;
            held.isMadeOfOther = false;
        }
        return holds;
    }
    /// `made` is complete: it is a, but for what generators gave.
    template <class A>
    void note(const ViewOf<T, R>& made, const A& a, const GivenLocations<R, N>& given) {
        for (Held& held : held_) {
            if (!isSame(held, made) || !isSame(otherThan(held), a)) continue;
            held.isMadeOfOther = true;
            held.given = given;
            return;
        }
    }

private:
    struct Held {
        std::optional<ViewOf<T, R>> array;
        bool isMadeOfOther = false;
        GivenLocations<R, N> given = {};
    };

    Held& otherThan(const Held& held) { return held_[&held == &held_[0] ? 1 : 0]; }
    /// All of the array, rather than a section.
    template <class A>
    static bool isSame(const Held& held, const A& a) {
        if (!held.array || held.array->data() != a.data()) return false;
        for (std::size_t r = 0; r < R; ++r) {
            const Map &x = held.array->maps()[r], &y = a.maps()[r];
            if (!(x.range == y.range) || x.stride != y.stride) return false;
        }
        return true;
    }

    template <std::size_t... r>
    static ViewOf<T, R> newValue(const Group& group, const std::array<Map, R>& maps,
                                 std::index_sequence<r...>, Where where) {
        return create<T>(Placement(group, where), maps[r].range...);
    }

    std::array<Held, 2> held_;
    std::size_t next_ = 0;
};

/// Stores the elements of generator number k, counted from 1, and notes in `givers` which it gave.
template <class T, std::size_t R, class G>
void generate(const Call& call, const ViewOf<T, R>& to, const G& generator, unsigned char k,
              std::vector<unsigned char>& givers) {
    generator.forEach([&](const auto& value, const auto&... index) {
        static_assert(sizeof...(index) == R, "a generator has a header for each dimension");
        Index offset = to.offset(), r = 0;
        const auto step = [&](const DistributedIndex& i) {
            offset += to.maps()[static_cast<std::size_t>(r++)].stride * i.sub;
        };
        (step(index), ...);
        if (!givers.empty()) {
            unsigned char& giver = givers[static_cast<std::size_t>(offset)];
            if (giver != 0) {
                std::string place;
                ((place += (place.empty() ? "" : ", ") + std::to_string(index.global)), ...);
                throw AdlibError(std::string(call.name) + ": generators " + std::to_string(giver) +
                                     " and " + std::to_string(k) + " both give (" + place + ")",
                                 call.where);
            }
            giver = k;
        }
        to.data()[offset - to.offset()] = value;
    });
}

/// The first location that both hold.
inline std::optional<Index> firstCommon(const std::vector<Block>& a, const std::vector<Block>& b,
                                        Index extent) {
    const bool areStretches =
        a.size() == 1 && b.size() == 1 && a[0].globalStep == 1 && b[0].globalStep == 1;
    if (areStretches) {
        const Index first = std::max(a[0].globalBase, b[0].globalBase);
        const Index end = std::min(a[0].globalBase + a[0].count, b[0].globalBase + b[0].count);
        return first < end ? std::optional(first) : std::nullopt;
    }
    std::vector<bool> isOfA(static_cast<std::size_t>(extent));
    const auto place = [](const Block& block, Index k) {
        return block.globalBase + block.globalStep * k;
    };
    for (const Block& block : a)
        for (Index k = 0; k < block.count; ++k)
            isOfA[static_cast<std::size_t>(place(block, k))] = true;
    for (const Block& block : b)
        for (Index k = 0; k < block.count; ++k)
            if (isOfA[static_cast<std::size_t>(place(block, k))]) return place(block, k);
    return std::nullopt;
}

/// An AdlibError if two boxes of own locations have one in common.
template <std::size_t R>
void requireApart(const Call& call, const std::array<Map, R>& maps, const Boxes& boxes) {
    for (std::size_t b = 1; b < boxes.size(); ++b)
        for (std::size_t a = 0; a < b; ++a) {
            std::string place;
            std::size_t r = 0;
            for (; r < R && boxes[a].size() == R && boxes[b].size() == R; ++r) {
                const auto n = firstCommon(boxes[a][r], boxes[b][r], maps[r].range.size());
                if (!n) break;
                place += (r == 0 ? "" : ", ") + std::to_string(*n);
            }
            if (r == R)
                throw AdlibError(std::string(call.name) + ": generators " + std::to_string(a + 1) +
                                     " and " + std::to_string(b + 1) + " both give (" + place + ")",
                                 call.where);
        }
}

template <class T, std::size_t R, class... G>
void generateAll(const Call& call, const ViewOf<T, R>& to, const G&... generators) {
    static_assert(sizeof...(G) < 255, "more generators than a value takes");
    if constexpr ((hasStores<G> && ...)) {
        if constexpr (sizeof...(G) > 1) requireApart(call, to.maps(), {generators.ownBlocks()...});
        (generators.store(to), ...);
        return;
    }
    std::vector<unsigned char> givers;
    if (sizeof...(G) > 1 && to.isHeld())
        givers.resize(static_cast<std::size_t>(to.storage()->slots));
    const Nest nest(to);
    unsigned char k = 0;
    (generate<T, R>(call, to, generators, ++k, givers), ...);
}

/// A value is complete: its ghost cells are those of its elements.
template <class T, std::size_t R>
ViewOf<T, R> completed(ViewOf<T, R> value, Where where) {
    for (const Map& map : value.maps())
        if (map.range.loExtension() > 0 || map.range.hiExtension() > 0) {
            Adlib::writeHalo(value, where);
            break;
        }
    return value;
}

/// AdlibError unless the ranges of generator k are these.
inline void requireRanges(const Call& call, int k, const std::vector<Range>& own,
                          const std::vector<Range>& wanted, const char* whose) {
    for (std::size_t r = 0; r < own.size(); ++r)
        if (!sameRange(own[r], wanted[r]))
            throw AdlibError(std::string(call.name) + ": in dimension " + std::to_string(r) +
                                 " generator " + std::to_string(k) + " runs over " +
                                 describe(own[r]) + ", and " + whose + " over " +
                                 describe(wanted[r]),
                             call.where);
}

}  // namespace hpspmd::detail
