// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What the arguments and results of a pattern must be.

#include <hpspmd/patterns/rows.hpp>

#include <adlib/operand.hpp>

namespace hpspmd {
namespace detail {

/// The demands on arrays with `-` slots: aligned, and contained in the APG (AdlibError).
void requireAlignedOperands(const Call& call, const Operand* operands, int count);
/// Among the processes with the same elements of an array, is this the one that counts?
bool isCounted(const Descriptor& array);

}  // namespace detail

namespace patterns::detail {

/// The pattern that an error message names.
struct Named {
    const char* name;
    hpspmd::detail::Site site;

    Where where() const { return site.where; }
};

[[noreturn]] inline void fail(const Named& pattern, const std::string& text) {
    throw AdlibError(std::string(pattern.name) + ": " + text, pattern.where());
}

inline const char* roleOf(std::size_t k) {
    static constexpr const char* roles[] = {"first array",  "second array", "third array",
                                            "fourth array", "fifth array",  "sixth array"};
    return k < std::size(roles) ? roles[k] : "array after them";
}

template <class T, class... S>
hpspmd::detail::Operand operandOf(std::size_t k, const Array<T, S...>& a, Where where) {
    if (!a.valid()) hpspmd::detail::raiseNullArray(where);
    return {roleOf(k), a.descriptor(), nullptr, sizeof(T), a.storage(), a.offset()};
}

/// "3 x 4"
template <class T, class... S>
std::string shapeOf(const Array<T, S...>& a) {
    std::string text;
    for (int r = 0; r < a.rank(); ++r) {
        if (r > 0) text += " x ";
        text += std::to_string(a.size(r));
    }
    return text.empty() ? "one element" : text;
}

template <std::size_t k, class First, class A>
void requireShape(const Named& pattern, const First& first, const A& a) {
    bool same = a.grp(pattern.where()).amMember();
    if (!same) fail(pattern, std::string("this process does not hold the ") + roleOf(k));
    for (int r = 0; r < a.rank(); ++r) same &= a.size(r) == first.size(r);
    if (!same)
        fail(pattern, std::string("the first array is ") + shapeOf(first) + ", the " + roleOf(k) +
                          " is " + shapeOf(a));
}

template <std::size_t k, class First, class A>
void requireSize(const Named& pattern, const First& first, const A& a) {
    if (std::size(a) != std::size(first))
        fail(pattern, std::string("the first array has ") + std::to_string(std::size(first)) +
                          " elements, the " + roleOf(k) + " has " + std::to_string(std::size(a)));
}

template <std::size_t... k, class First, class... A>
void requireEach(std::index_sequence<k...>, const Named& pattern, const First& first,
                 const A&... arrays) {
    using F = Argument<const First>;
    if constexpr (F::isDistributed) {
        const hpspmd::detail::Operand operands[] = {operandOf(k, arrays, pattern.where())...};
        const hpspmd::detail::Call call(pattern.name, pattern.where());
        hpspmd::detail::requireAlignedOperands(call, operands, sizeof...(A));
    } else if constexpr (F::isMultiarray) {
        (requireShape<k>(pattern, first, arrays), ...);
    } else {
        (requireSize<k>(pattern, first, arrays), ...);
    }
}

/// All arrays of a pattern, the first of which decides, have one shape and are held alike.
template <class... A>
void requireAlike(const Named& pattern, const A&... arrays) {
    const auto& first = std::get<0>(std::tie(arrays...));
    using F = Argument<std::remove_reference_t<decltype(first)>>;
    static_assert(((Argument<const A>::isMultiarray == F::isMultiarray) && ...),
                  "the arrays of a pattern are all containers, or all multiarrays");
    static_assert(((Argument<const A>::rank == F::rank) && ...),
                  "the multiarrays of a pattern have the same rank");
    static_assert(((Argument<const A>::isDistributed == F::isDistributed) && ...),
                  "the multiarrays of a pattern all have slots '-', or none of them has");
    requireEach(std::index_sequence_for<A...>(), pattern, first, arrays...);
}

template <class A, std::size_t... r>
Places<sizeof...(r)> placesOf(const A& a, std::index_sequence<r...>) {
    [[maybe_unused]] const auto blocks = [&](std::size_t d) {
        return a.isHeld() ? a.maps()[d].range.localBlocks() : Blocks(Block{});
    };
    return Places<sizeof...(r)>(std::array<Blocks, sizeof...(r)>{blocks(r)...}, a.isHeld());
}

/// The elements that this process holds of an array.
template <class A>
auto placesOf(const A& a) {
    if constexpr (Argument<const A>::isMultiarray)
        return placesOf(a, std::make_index_sequence<Argument<const A>::rank>());
    else
        return Places<1>(static_cast<Index>(std::size(a)));
}

}  // namespace patterns::detail
}  // namespace hpspmd
