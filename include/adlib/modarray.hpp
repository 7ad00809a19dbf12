// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// modarray, a new array that differs from another where generators say so: the with-loop of SaC.

#include <adlib/generators.hpp>

namespace hpspmd {
namespace detail {

/// Those of `all` that are not among `some`, if both are one stretch each; else all of them.
inline std::vector<Block> slotsBeside(const std::vector<Block>& all,
                                      const std::vector<Block>& some) {
    const bool isSimple = all.size() == 1 && all[0].localStep == 1 && some.size() == 1 &&
                          some[0].localStep == 1 && some[0].count > 0;
    if (!isSimple) return all;
    const Index begin = all[0].localBase, from = some[0].localBase, end = begin + all[0].count,
                to = from + some[0].count;
    return {Block{from - begin, 0, 1, begin, 1}, Block{end - to, 0, 1, to, 1}};
}

/// The elements of a for those that no generator gives; for all, if that is not known.
template <class T, std::size_t R, class A, class... G>
void copyOthers(const ViewOf<T, R>& to, const A& a, const G&... generators) {
    std::array<std::vector<Block>, R> slots;
    for (std::size_t r = 0; r < R; ++r) slots[r] = copiedSlots(a.maps()[r].range);
    const auto copy = [&] {
        copyElements<T, static_cast<int>(R)>(to.data(), a.data(), to.maps(), a.maps(), slots, 0);
    };
    if constexpr (sizeof...(G) == 1 && (hasStores<G> && ...)) {
        const std::vector<std::vector<Block>> given = (generators.ownBlocks(), ...);
        for (std::size_t r = 0; r < given.size(); ++r) {
            slots[r] = slotsBeside(slots[r], given[r]);
            copy();
            slots[r] = given[r];
        }
        if (given.empty()) copy();
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
    atHome(where, reads(a), writes(result));
    const bool isKnown = (hasStores<G> && ...);
    Boxes boxes = isKnown ? Boxes{generators.ownBlocks()...} : Boxes();
    const bool hasOthers = values.holdsOthers(result, a, boxes);
    if (a.isHeld() && !hasOthers) copyOthers<T, R>(result, a, generators...);
    generateAll<T, R>(call, result, generators...);
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
