// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// ready, what the entry of a fast form asks of each array.

#include <hpspmd/check.hpp>

#include <array>
#include <iterator>
#include <type_traits>
#include <utility>

namespace hpspmd::detail {

template <std::size_t n>
std::array<Over, n> firstOf(const Over* all) {
    std::array<Over, n> copies;
    for (Over& copy : copies) copy = *all++;
    return copies;
}

/// The slots of an access by so many subscripts, as its braces give them.
template <std::size_t rank>
struct SlotsAskedOf {
    using type = const Over (&)[rank];
};
template <>
struct SlotsAskedOf<0> {
    using type = std::initializer_list<Over>;
};
template <std::size_t rank>
using SlotsAsked = typename SlotsAskedOf<rank>::type;

/// True if check() would raise no error for these accesses, and the elements lie side by side in
/// the last dimension. May be false without need.
template <class T, class... Slots, std::size_t n>
[[gnu::always_inline]] inline bool liesReady(const Array<T, Slots...>& a,
                                             SlotsAsked<sizeof...(Slots)> slots,
                                             const Over (&enclosing)[n]) noexcept {
    constexpr int rank = static_cast<int>(sizeof...(Slots));
    if (rank > 0 && a.stride(rank - 1) != 1) return false;
    const Over* const first = std::data(slots);
    const Passing found = passing(a, first);
    if (found != Passing::Perhaps) return found == Passing::Surely;
    return passesIn(std::index_sequence_for<Slots...>(), std::make_index_sequence<n>(),
                    a.descriptor(), firstOf<sizeof...(Slots)>(first), firstOf<n>(enclosing));
}
template <class T, class... Slots>
[[gnu::always_inline]] inline bool liesReady(const Array<T, Slots...>& a,
                                             SlotsAsked<sizeof...(Slots)> slots) noexcept {
    return liesReady(a, slots, {unchecked});
}

/// True if they are also plain numbers.
template <class T, class... Slots>
[[gnu::always_inline]] inline bool ready(const Array<T, Slots...>& a,
                                         SlotsAsked<sizeof...(Slots)> slots) noexcept {
    return std::is_arithmetic_v<T> && liesReady(a, slots);
}
template <class T, class... Slots, std::size_t n>
[[gnu::always_inline]] inline bool ready(const Array<T, Slots...>& a,
                                         SlotsAsked<sizeof...(Slots)> slots,
                                         const Over (&enclosing)[n]) noexcept {
    return std::is_arithmetic_v<T> && liesReady(a, slots, enclosing);
}

}  // namespace hpspmd::detail
