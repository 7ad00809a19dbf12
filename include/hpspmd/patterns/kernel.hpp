// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Functions of patterns that are parts of kernels, too: hpcc --device emits these.

#include <hpspmd/device/stages.hpp>
#include <hpspmd/patterns/captured.hpp>
#include <hpspmd/patterns/folds.hpp>
#include <hpspmd/patterns/stages.hpp>

namespace hpspmd::patterns::detail {

/// A function with the same as a kernel knows it, which takes what `captures()` gives behind the
/// elements, and behind that the addresses of the parts of a tuple. If `isExact`, it stands for the
/// function only where elements have the types that it takes: the function is a template.
template <auto kernel, bool isExact, class F, class Captures>
struct WithKernel {
    F function;
    const hpspmd::detail::StageText* text;
    Captures captures;

    template <class... E, class = std::enable_if_t<std::is_invocable_v<const F&, const E&...>>>
    constexpr auto operator()(const E&... elements) const {
        return function(elements...);
    }
};
template <auto kernel, bool isExact = false, class F, class Captures>
constexpr auto withKernel(const hpspmd::detail::StageText& text, F function, Captures captures) {
    return WithKernel<kernel, isExact, F, Captures>{std::move(function), &text,
                                                    std::move(captures)};
}

/// True if these are the first parameters of the function.
template <class... E, class R, class... P, std::size_t... k>
constexpr bool takesTypes(R (*)(P...), std::index_sequence<k...>) {
    if constexpr (sizeof...(E) > sizeof...(P))
        return false;
    else
        return (std::is_same_v<std::tuple_element_t<k, std::tuple<P...>>, E> && ...);
}

/// What a stage captures, as a tuple, and what its kernel takes of it; how that makes an R of
/// elements of types E.
template <class S>
struct KernelOf {
    static constexpr bool exists = false;
    using Captured = std::tuple<>;
    using Passed = std::tuple<>;
    template <class R, class... E>
    static constexpr bool gives() {
        return false;
    }
};
template <auto kernel, bool isExact, class F, class Captures>
struct KernelOf<Map<WithKernel<kernel, isExact, F, Captures>>> {
    static constexpr bool exists = true;
    using Captured = std::decay_t<std::invoke_result_t<const Captures&>>;
    using Passed = typename CapturedBy<Captured>::Passed;
    using Function = decltype(kernel);

    template <class R, class... E>
    static constexpr bool gives() {
        return (kernelWord<E>() && ...) && CapturedBy<Captured>::isKnown &&
               (!isExact || takesTypes<E...>(kernel, std::index_sequence_for<E...>())) &&
               gives<E...>(static_cast<Passed*>(nullptr), static_cast<R*>(nullptr));
    }
    template <class R, class... E>
    static R make(const Passed& captured, const E&... elements) {
        return std::apply(
            [&](const auto&... each) {
                if constexpr (isTuple<R>) {
                    R made;
                    std::apply([&](auto&... part) { kernel(elements..., each..., &part...); },
                               made);
                    return made;
                } else {
                    return kernel(elements..., each...);
                }
            },
            captured);
    }

private:
    template <class... E, class... C, class... R>
    static constexpr bool gives(std::tuple<C...>*, std::tuple<R...>*) {
        return (kernelWord<R>() && ...) && std::is_invocable_v<Function, E..., C..., R*...>;
    }
    template <class... E, class... C, class R>
    static constexpr bool gives(std::tuple<C...>*, R*) {
        if constexpr (std::is_invocable_v<Function, E..., C...>)
            return kernelWord<R>() && std::is_same_v<std::invoke_result_t<Function, E..., C...>, R>;
        else
            return false;
    }
};

template <class T>
struct Tag {
    using Type = T;
};
template <std::size_t k, class Stages, class... E>
constexpr auto madeByStage() {
    using F = decltype(std::tuple_element_t<k, Stages>::function);
    return Tag<std::decay_t<std::invoke_result_t<const F&, const E&...>>>();
}
template <std::size_t k, class Stages, class... E>
using MadeBy = typename decltype(madeByStage<k, Stages, E...>())::Type;

template <class Op, class T>
constexpr bool isJoinedOnDevices() {
    return isPlus<Op> && kernelWord<T>() != nullptr && sizeof(T) >= 4;
}
/// What a last reduce joins, and whether devices do.
template <class... S>
struct LastOf {
    static constexpr bool isReduction = false, isFit = false;
    using Type = char;
};
template <class S>
struct LastOf<S> {
    static constexpr bool isReduction = false, isFit = true;
    using Type = char;
};
template <class Op, class T>
struct LastOf<Reduce<Op, T>> {
    static constexpr bool isReduction = true, isFit = isJoinedOnDevices<Op, T>();
    using Type = std::conditional_t<isFit, T, char>;
};
template <class S, class U, class... More>
struct LastOf<S, U, More...> : LastOf<U, More...> {};

/// True if all maps have a text that makes of such elements what they make.
template <std::size_t k, class Stages, class... E>
constexpr bool haveKernels(const std::tuple<E...>*) {
    if constexpr (k == std::tuple_size_v<Stages>) {
        return true;
    } else if constexpr (isReduce<std::tuple_element_t<k, Stages>>) {
        return sizeof...(E) == 1;
    } else if constexpr (KernelOf<std::tuple_element_t<k, Stages>>::exists) {
        using R = MadeBy<k, Stages, E...>;
        using Next = std::conditional_t<isTuple<R>, R, std::tuple<R>>;
        if constexpr (KernelOf<std::tuple_element_t<k, Stages>>::template gives<R, E...>())
            return haveKernels<k + 1, Stages>(static_cast<const Next*>(nullptr));
        else
            return false;
    } else {
        return false;
    }
}

template <class... T>
std::vector<const char*> words(const std::tuple<T...>*) {
    return {kernelWord<T>()...};
}

}  // namespace hpspmd::patterns::detail
