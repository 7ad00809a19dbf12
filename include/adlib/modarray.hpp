// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// modarray, a new array that differs from another where generators say so: the with-loop of SaC.

#include <adlib/generators.hpp>

namespace hpspmd {
namespace detail {

/// The elements of a for those that no generator gives, where the newest ones are.
template <class T, std::size_t R, class A>
void copyOthers(const Call& call, const ViewOf<T, R>& to, const A& a,
                const std::vector<SlotBox>& boxes) {
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

template <class T, std::size_t R, class... Slots, class... G>
ViewOf<T, R> modifiedArray(Where where, const Array<const T, Slots...>& a, const G&... generators) {
    static_assert(((headersOf<G> == R) && ...),
                  "a generator of modarray has a header for each dimension of the array");
    const Call call("modarray", where);
    if (!a.valid()) raiseNullArray(where);
    std::vector<Range> ranges;
    for (const Map& map : a.maps()) ranges.push_back(map.range);
    int k = 0;
    (requireRanges(call, ++k, generators.ranges(), ranges, "the array"), ...);
    static thread_local LastValues<T, R> values;
    bool isNew = false;
    const ViewOf<T, R> result = values.take(a.grp(), a.maps(), isNew, where);
    const bool isKnown = (hasStores<G> && ...);
    Boxes boxes;
    boxes.reserve(sizeof...(G));
    if (isKnown) (boxes.push_back(generators.ownBlocks()), ...);
    const bool hasOthers = values.holdsOthers(result, a, boxes);
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
    if (others) copyOthers<T, R>(call, result, a, *others);
    if (isKnown) values.note(result, a, std::move(boxes));
    return completed<T, R>(result, where);
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
