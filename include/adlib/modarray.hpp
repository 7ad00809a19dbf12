// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// modarray, a new array that differs from another where generators say so: the with-loop of SaC.

#include <adlib/generators.hpp>

namespace hpspmd {
namespace detail {

/// The elements of a for those that no generator gives, where the newest ones are.
template <class T, std::size_t R, class A>
void copyOthers(const Call& call, const ViewOf<T, R>& to, const A& a, std::vector<SlotBox> boxes) {
    const auto copy = [&] {
        for (const SlotBox& box : boxes)
            copyElements<T, static_cast<int>(R)>(to.data(), a.data(), to.maps(), a.maps(),
                                                 slotsOf<R>(box), 0);
    };
    if constexpr (std::is_trivially_copyable_v<T>) {
        const Operand own = operandAnywhere("value", to, call.where),
                      other = operandAnywhere("array", a, call.where);
        if (copiedOnDevice(call, own, other, boxes)) return;
        SlotsAtHome home(call.where);
        home.takeToRead(other, boxes);
        home.takeToWrite(own, boxes);
        copy();
        home.giveBack();
    } else {
        copy();
    }
}

/// The locations of generator k, whose ranges are those of the array: AdlibError.
template <std::size_t R, class G>
std::array<Progression, R> locationsOf(const Call& call, int k, const G& generator,
                                       const std::array<Map, R>& maps) {
    std::array<Progression, R> result{};
    std::size_t r = 0;
    bool areSame = true;
    const auto note = [&](const Range& range, const Triplet&, const Progression& locations) {
        areSame &= sameRange(range, maps[r].range);
        result[r++] = locations;
    };
    if (generator.forHeaders(note) && !areSame) {
        std::vector<Range> ranges;
        for (const Map& map : maps) ranges.push_back(map.range);
        requireRanges(call, k, generator.ranges(), ranges, "the array");
    }
    return result;
}

template <class T, std::size_t R, class... Slots, class... G>
ViewOf<T, R> modifiedArray(Where where, const Array<const T, Slots...>& a, const G&... generators) {
    static_assert(((headersOf<G> == R) && ...),
                  "a generator of modarray has a header for each dimension of the array");
    const Call call("modarray", where);
    if (!a.valid()) raiseNullArray(where);
    int k = 0;
    const GivenLocations<R, sizeof...(G)> given{locationsOf<R>(call, ++k, generators, a.maps())...};
    static thread_local LastValues<T, R, sizeof...(G)> values;
    bool isNew = false;
    ViewOf<T, R> result = values.take(a.grp(), a.maps(), isNew, where);
    const bool isKnown = (hasStores<G> && ...);
    const bool hasOthers = values.holdsOthers(result, a, given);
    // Nests that store values ask for themselves, and may run on a device.
    if (!isKnown) atHome(where, reads(a), writes(result));
    std::optional<std::vector<SlotBox>> others;
    if (a.isHeld() && !hasOthers) {
        std::array<std::vector<Block>, R> all;
        for (std::size_t r = 0; r < R; ++r) all[r] = copiedSlots(a.maps()[r].range);
        others = slotsBeside<R>(all, generators...);
        if (!others) copyOthers<T, R>(call, result, a, {boxOf(all)});
    }
    generateAll<T, R>(call, result, generators...);
    if (others) copyOthers<T, R>(call, result, a, std::move(*others));
    if (isKnown) values.note(result, a, given);
    return completed<T, R>(std::move(result), where);
}

}  // namespace detail

namespace Adlib {

/// A new array like a, on its group and with its ranges: each generator `overall (..) e` gives the
/// elements of its triplets, the others are a's. a stays as it is, and so do its other names. The
/// result is complete: its ghost cells have been filled. Collective over the APG.
///
///     a = Adlib::modarray(a, overall (i = x for 1 : n - 2) 0.5 * (a[i - 1] + a[i + 1]));
///
/// Errors (AdlibError): generators over other ranges than a's; two that give the same element.
template <class T, class... Slots, class First, class... More>
auto modarray(const Array<T, Slots...>& a, const First& first, const More&... more) {
    static_assert(detail::isOverall<First> && (detail::isOverall<More> && ...),
                  "modarray takes an array and generators: overall (..) e");
    return detail::modifiedArray<std::remove_const_t<T>, sizeof...(Slots), Slots...>(
        first.where(), a, first, more...);
}

}  // namespace Adlib
}  // namespace hpspmd
