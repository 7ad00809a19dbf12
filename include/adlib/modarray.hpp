// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// modarray, a new array that differs from another where generators say so: the with-loop of SaC.

#include <adlib/generators.hpp>

namespace hpspmd {
namespace detail {

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
    if (a.isHeld()) {
        std::array<std::vector<Block>, R> slots;
        for (std::size_t r = 0; r < R; ++r) slots[r] = copiedSlots(a.maps()[r].range);
        copyElements<T, static_cast<int>(R)>(result.data(), a.data(), result.maps(), a.maps(),
                                             slots, 0);
    }
    generateAll<T, R>(call, result, generators...);
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
