// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The stages of a chain, and what becomes of elements that pass through them.

#include <hpspmd/target.hpp>

#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace hpspmd::patterns {

/// `map(f)`: f takes the elements that stand before it and gives one element, or a tuple of them.
template <class F>
struct Map {
    F function;
    hpspmd::detail::Site site;
};

/// `reduce(op, init)`: op(op(init, e0), e1) .. of the elements that stand before it.
template <class Op, class T>
struct Reduce {
    Op operation;
    T init;
    hpspmd::detail::Site site;
};

namespace detail {

using hpspmd::detail::Where;

template <class S>
inline constexpr bool isReduce = false;
template <class Op, class T>
inline constexpr bool isReduce<Reduce<Op, T>> = true;

template <class R>
inline constexpr bool isTuple = false;
template <class... R>
inline constexpr bool isTuple<std::tuple<R...>> = true;

/// The number of arrays that take results of this type.
template <class R>
inline constexpr std::size_t width = 1;
template <class... R>
inline constexpr std::size_t width<std::tuple<R...>> = sizeof...(R);

/// True if a function F can be called with these elements.
template <class F, class... E>
inline constexpr bool takes = std::is_invocable_v<const F&, const E&...>;

/// One element as it is, several as a tuple.
template <class E>
constexpr E packed(const E& element) {
    return element;
}
template <class... E>
constexpr std::tuple<E...> packed(const E&... elements) {
    return {elements...};
}

/// What `function` gives for the elements, as a value.
template <class F, class... E>
constexpr auto mapped(const F& function, const E&... elements) {
    static_assert(takes<F, E...>,
                  "map: its function does not take the elements that stand before it");
    using Result = std::decay_t<std::invoke_result_t<const F&, const E&...>>;
    static_assert(!std::is_void_v<Result> && !std::is_same_v<Result, std::tuple<>>,
                  "map: its function returns nothing");
    if constexpr (std::is_member_pointer_v<F>)
        return Result(std::invoke(function, elements...));
    else
        return Result(function(elements...));
}

/// What stands behind stage k - 1 of a chain, put through the stages k, k + 1, .. but a last
/// reduce.
template <std::size_t k, class... S, class... E>
constexpr auto through(const std::tuple<S...>& stages, const E&... elements) {
    if constexpr (k == sizeof...(S)) {
        return packed(elements...);
    } else if constexpr (isReduce<std::tuple_element_t<k, std::tuple<S...>>>) {
        static_assert(k + 1 == sizeof...(S), "reduce is the last stage of a chain");
        return packed(elements...);
    } else {
        const auto result = mapped(std::get<k>(stages).function, elements...);
        if constexpr (isTuple<std::decay_t<decltype(result)>>)
            return std::apply([&](const auto&... part) { return through<k + 1>(stages, part...); },
                              result);
        else
            return through<k + 1>(stages, result);
    }
}

/// What a chain of these stages makes of elements of these types: a value, or a tuple of several.
template <class Stages, class... E>
using Made = decltype(through<0>(std::declval<const Stages&>(), std::declval<const E&>()...));

}  // namespace detail
}  // namespace hpspmd::patterns
