// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The arrays of subscripts that gather and scatter take, perhaps with a mask.

#include <adlib/integers.hpp>
#include <adlib/schedule.hpp>
#include <optional>
#include <tuple>

namespace hpspmd::detail {

/// One array of integers for each dimension of the indexed array.
struct SubscriptArrays {
    std::vector<Integers> list;
    std::optional<Operand> mask;
};

/// The arguments behind destination and source: as many arrays of integers as Indexed has
/// dimensions, then perhaps a mask, all of the rank of Walked.
template <class Walked, class Indexed, class... Arguments>
SubscriptArrays subscriptArrays(Where where, const Arguments&... arguments) {
    constexpr std::size_t count = static_cast<std::size_t>(Indexed::rank());
    static_assert(sizeof...(Arguments) == count || sizeof...(Arguments) == count + 1,
                  "one array of subscripts for each dimension of the indexed array, and perhaps a "
                  "mask behind them");
    static_assert((isArray<Arguments> && ...), "subscripts and mask are arrays");
    static_assert(((Arguments::rank() == Walked::rank()) && ...),
                  "subscripts and mask have the rank of the array that is not indexed");
    SubscriptArrays result;
    result.list.reserve(count);
    const auto add = [&](const auto& argument) {
        using T = std::remove_const_t<typename std::decay_t<decltype(argument)>::Element>;
        if constexpr (std::is_same_v<T, bool>)
            result.mask = readOperand("mask", argument, where);
        else
            result.list.push_back(integers("array of subscripts", argument, where));
    };
    (add(arguments), ...);
    if constexpr (sizeof...(Arguments) == count + 1) {
        using Last = std::tuple_element_t<count, std::tuple<Arguments...>>;
        static_assert(std::is_same_v<std::remove_const_t<typename Last::Element>, bool>,
                      "a mask is an array of bool");
    }
    static_assert((std::is_same_v<std::remove_const_t<typename Arguments::Element>, bool> + ... +
                   std::size_t{0}) +
                          count ==
                      sizeof...(Arguments),
                  "subscripts are arrays of integers, and only the last argument may be a mask");
    return result;
}

}  // namespace hpspmd::detail
