// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What the arguments and results of a pattern must be.

#include <hpspmd/patterns/rows.hpp>

#include <adlib/operand.hpp>

namespace hpspmd {
namespace detail {

/// The demands on arrays with `-` slots: aligned, and contained in the APG (AdlibError).
void requireAlignedOperands(const char* name, Where where, const Operand* operands, int count);
/// True if this is the one that counts among the processes with the same elements of an array.
bool isCounted(const Descriptor& array);

}  // namespace detail

namespace patterns::detail {

/// A pattern being applied: what an error message calls it, and where.
struct Named {
    const char* name;
    hpspmd::detail::Site
        site;     ///< where its last stage was written: the place for rules of targets
    Where where;  ///< where it is applied
};

[[noreturn]] inline void fail(const Named& pattern, const std::string& text) {
    throw AdlibError(std::string(pattern.name) + ": " + text, pattern.where);
}

/// What a message calls array k, of which the first `arguments` are read and the others written.
inline const char* roleOf(std::size_t k, std::size_t arguments, std::size_t all) {
    static constexpr const char* roles[] = {"first array",   "second array", "third array",
                                            "fourth array",  "fifth array",  "sixth array",
                                            "seventh array", "eighth array", "array after these"};
    static constexpr const char* results[] = {
        "first result", "second result",  "third result",  "fourth result",     "fifth result",
        "sixth result", "seventh result", "eighth result", "result after these"};
    if (k >= arguments && all == arguments + 1) return "result";
    const std::size_t place = k < arguments ? k : k - arguments;
    const std::size_t last = std::size(roles) - 1;
    return (k < arguments ? roles : results)[place < last ? place : last];
}

template <class T, class... S>
hpspmd::detail::Operand operandOf(const char* role, const Array<T, S...>& a, Where where) {
    if (!a.valid()) hpspmd::detail::raiseNullArray(where);
    return {role, a.descriptor(), nullptr, sizeof(T), a.storage(), a.offset()};
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

template <class First, class A>
void requireShape(const Named& pattern, const char* role, const First& first, const A& a) {
    bool same = a.grp(pattern.where).amMember();
    if (!same) fail(pattern, std::string("this process does not hold the ") + role);
    for (int r = 0; r < a.rank(); ++r) same &= a.size(r) == first.size(r);
    if (!same)
        fail(pattern, std::string("the first array is ") + shapeOf(first) + ", the " + role +
                          " is " + shapeOf(a));
}

template <class First, class A>
void requireSize(const Named& pattern, const char* role, const First& first, const A& a) {
    if (std::size(a) != std::size(first))
        fail(pattern, std::string("the first array has ") + std::to_string(std::size(first)) +
                          " elements, the " + role + " has " + std::to_string(std::size(a)));
}

/// The same group and ranges, as arrays mostly have that are made together.
template <class First, class A>
bool isLike(const First& first, const A& a) {
    bool isAlike = a.groupRecord() == first.groupRecord();
    for (std::size_t r = 0; isAlike && r < a.maps().size(); ++r)
        isAlike = hpspmd::detail::recordOf(a.maps()[r].range) ==
                  hpspmd::detail::recordOf(first.maps()[r].range);
    return isAlike;
}

template <std::size_t... k, class First, class... A>
void requireEach(std::index_sequence<k...>, std::size_t arguments, const Named& pattern,
                 const First& first, const A&... arrays) {
    using F = Argument<const First>;
    const auto role = [&](std::size_t n) { return roleOf(n, arguments, sizeof...(A)); };
    if constexpr (F::isDistributed) {
        if (first.groupRecord() != nullptr && first.groupRecord() == hpspmd::detail::activeGroup &&
            (isLike(first, arrays) && ...))
            return;
        const hpspmd::detail::Operand operands[] = {operandOf(role(k), arrays, pattern.where)...};
        hpspmd::detail::requireAlignedOperands(pattern.name, pattern.where, operands, sizeof...(A));
    } else if constexpr (F::isMultiarray) {
        (requireShape(pattern, role(k), first, arrays), ...);
    } else {
        (requireSize(pattern, role(k), first, arrays), ...);
    }
}

/// True if these are all containers, or multiarrays of one rank, and all or none of them
/// distributed. The stages are there so that each chain gets the message.
template <class Stages, class First, class... A>
constexpr bool areOfOneKind() {
    using F = Argument<First>;
    constexpr bool areMultiarrays = ((Argument<A>::isMultiarray == F::isMultiarray) && ...);
    constexpr bool haveOneRank = ((Argument<A>::rank == F::rank) && ...);
    constexpr bool areDistributed = ((Argument<A>::isDistributed == F::isDistributed) && ...);
    static_assert(areMultiarrays, "the arrays of a pattern are all containers, or all multiarrays");
    static_assert(!areMultiarrays || haveOneRank,
                  "the multiarrays of a pattern have the same rank");
    static_assert(!areMultiarrays || !haveOneRank || areDistributed,
                  "the multiarrays of a pattern all have slots '-', or none of them has");
    return areMultiarrays && haveOneRank && areDistributed;
}

/// All arrays of a pattern, the first of which decides, have one shape and are held alike; the
/// first `arguments` of them are read.
template <class... A>
void requireAlike(std::size_t arguments, const Named& pattern, const A&... arrays) {
    const auto& first = std::get<0>(std::tie(arrays...));
    requireEach(std::index_sequence_for<A...>(), arguments, pattern, first, arrays...);
}

template <class A, std::size_t... r>
Places<sizeof...(r)> placesOf(const A& a, std::index_sequence<r...>) {
    return Places<sizeof...(r)>({&a.maps()[r].range...}, a.isHeld());
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
