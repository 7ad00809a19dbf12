// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// genarray, a new array from generators: the with-loop of SaC.

#include <adlib/generators.hpp>

#include <cstring>
#include <type_traits>

namespace hpspmd {
namespace detail {

/// The type of a generator's elements, or of the value for those of no generator.
template <class G>
struct GivenBy {
    using type = typename ValueOf<G>::type;
};
template <class... G>
using Given = std::common_type_t<typename GivenBy<G>::type...>;

/// The ranges of the first generator that has a location; the others have the same.
template <class... G>
std::vector<Range> rangesOfAll(const Call& call, const G&... generators) {
    std::vector<Range> ranges;
    int k = 0;
    const auto look = [&](const auto& generator) {
        ++k;
        if constexpr (isOverall<std::decay_t<decltype(generator)>>) {
            const std::vector<Range> own = generator.ranges();
            if (own.empty()) return;
            if (ranges.empty()) ranges = own;
            requireRanges(call, k, own, ranges, "another one");
        }
    };
    (look(generators), ...);
    if (ranges.empty())
        throw AdlibError(std::string(call.name) + ": no generator gives an element", call.where);
    return ranges;
}

/// Sets slots; of an array on a device, only these go there.
template <class T, std::size_t R>
void fillWith(const ViewOf<T, R>& to, const T& value, const std::vector<SlotBox>& boxes,
              Where where) {
    const auto fill = [&] {
        for (const SlotBox& box : boxes)
            copyElements<T, static_cast<int>(R)>(to.data(), &value, to.maps(), {}, slotsOf<R>(box),
                                                 0);
    };
    if constexpr (std::is_trivially_copyable_v<T>) {
        SlotsAtHome home(where);
        home.takeToWrite(operandAnywhere("value", to, where), boxes);
        fill();
        home.giveBack();
    } else {
        fill();
    }
}

/// True if a value has the bytes of T(), which new storage holds.
template <class T>
bool isInitial(const T& value) {
    if constexpr (std::is_trivially_copyable_v<T>) {
        const T initial = T();
        return std::memcmp(&value, &initial, sizeof value) == 0;
    } else {
        return false;
    }
}

template <class T, std::size_t R, class... G>
ViewOf<T, R> generatedArray(Where where, const T& other, const G&... generators) {
    static_assert(((headersOf<G> == R) && ...),
                  "the generators of an array have as many headers, one for each dimension");
    const Call call("genarray", where);
    const std::vector<Range> ranges = rangesOfAll(call, generators...);
    std::array<Map, R> maps;
    for (std::size_t r = 0; r < R; ++r) maps[r].range = ranges[r];
    static thread_local LastValues<T, R, sizeof...(G)> values;
    bool isNew = false;
    ViewOf<T, R> result = values.take(apg(), maps, isNew, where);
    if constexpr (!(hasStores<G> && ...)) atHome(where, writes(result));
    // Slots that are no own locations are those of all values here: T().
    const auto own = ownSlots<R>(result.maps());
    const bool isToBeFilled = result.isHeld() && (!isNew || !isInitial(other));
    const auto others = slotsBeside<R>(own, generators...);
    if (isToBeFilled && !others) fillWith<T, R>(result, other, {boxOf(own)}, where);
    generateAll<T, R>(call, result, generators...);
    if (isToBeFilled && others) fillWith<T, R>(result, other, *others, where);
    return completed<T, R>(std::move(result), where);
}

template <class T, std::size_t R, class Tuple, std::size_t... k>
ViewOf<T, R> generatedArray(Where where, const T& other, const Tuple& all,
                            std::index_sequence<k...>) {
    return generatedArray<T, R>(where, other, std::get<k>(all)...);
}

}  // namespace detail

namespace Adlib {

/// A new array on the APG over the ranges of the headers, with `-` slots: each generator
/// `overall (i = x for .., j = y for ..) e` gives the elements of its triplets; all others are
/// `other`, which comes last, or value-initialised without it. The result is complete: its ghost
/// cells have been filled. Collective over the APG.
///
///     const double [[-,-]] a = Adlib::genarray(overall (i = x for 0 : 0, j = y for :) 100.0, 0.0);
///
/// The element type is the common type of all. Errors (AdlibError): generators over different
/// ranges; two that give the same element.
template <class First, class... More>
auto genarray(const First& first, const More&... more) {
    static_assert(detail::isOverall<First>, "genarray takes generators: overall (..) e");
    using All = std::tuple<const First&, const More&...>;
    constexpr std::size_t last = sizeof...(More), rank = detail::headersOf<First>;
    using T = detail::Given<First, More...>;
    const All all(first, more...);
    if constexpr (detail::isOverall<std::decay_t<std::tuple_element_t<last, All>>>)
        return detail::generatedArray<T, rank>(first.where(), T(), all,
                                               std::make_index_sequence<last + 1>());
    else
        return detail::generatedArray<T, rank>(first.where(), T(std::get<last>(all)), all,
                                               std::make_index_sequence<last>());
}

}  // namespace Adlib
}  // namespace hpspmd
