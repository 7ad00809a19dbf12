// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Chain, stages one after the other: what zip, map, reduce and `|` make, and what is applied.

#include <hpspmd/patterns/applied.hpp>
#include <hpspmd/patterns/apply.hpp>

namespace hpspmd::patterns {

/// A value; copies are independent. Applied to arrays it gives new arrays, or what its reduce
/// gives: chain(a, ..). Or it stores into `results`: chain.into(results, a, ..), an array that
/// exists, or std::tie of several where functions give tuples. They may be among the arguments;
/// they must not overlap one otherwise. Errors (AdlibError, at the place of the call): arrays of
/// different shapes, or that are not aligned.
template <class... Stages>
class Chain : public detail::Applied<Chain<Stages...>> {
    using Last = std::tuple_element_t<sizeof...(Stages), std::tuple<void, Stages...>>;
    static constexpr bool isReduction = detail::isReduce<Last>;

public:
    constexpr explicit Chain(Stages... stages) : stages_(std::move(stages)...) {}

    constexpr const std::tuple<Stages...>& stages() const { return stages_; }

private:
    friend detail::Applied<Chain>;

    template <class... A>
    auto apply(detail::Where where, const A&... arrays) const {
        static_assert(sizeof...(A) > 0, "a pattern is applied to arrays");
        if constexpr (detail::areOfOneKind<std::tuple<Stages...>, const A...>()) {
            if constexpr (isReduction)
                return detail::reduced(named(where), stages_, arrays...);
            else
                return detail::mapNew(named(where), stages_, arrays...);
        }
    }

    template <class R, class... A>
    void store(detail::Where where, R&& results, const A&... arrays) const {
        static_assert(sizeof...(A) > 0, "a pattern is applied to arrays");
        static_assert(!isReduction, "reduce gives a value: it has no into");
        using M = detail::Made<std::tuple<Stages...>, detail::ElementOf<const A>...>;
        if constexpr (detail::isTuple<std::decay_t<R>>) {
            std::apply(
                [&](auto&... result) {
                    static_assert(sizeof...(result) == detail::width<M>,
                                  "into: not as many results as the function gives");
                    if constexpr (sizeof...(result) == detail::width<M>)
                        detail::mapInto(named(where), stages_, std::tie(result...), arrays...);
                },
                results);
        } else {
            static_assert(
                !detail::isTuple<M>,
                "into: the function gives a tuple, so std::tie(..) of arrays comes first");
            if constexpr (!detail::isTuple<M>)
                detail::mapInto(named(where), stages_, std::tie(results), arrays...);
        }
    }

    /// Where the last stage was written.
    constexpr hpspmd::detail::Site site() const {
        if constexpr (sizeof...(Stages) == 0)
            return {};
        else
            return std::get<sizeof...(Stages) - 1>(stages_).site;
    }
    constexpr detail::Where place() const { return site().where; }

    constexpr detail::Named named(detail::Where where) const {
        constexpr bool isZip = sizeof...(Stages) == 0;
        return {isZip ? "zip" : isReduction ? "reduce" : "map", site(), where};
    }

    std::tuple<Stages...> stages_;
};

/// The elements of several arrays, side by side. Before map it may be left out.
inline constexpr Chain<> zip{};

/// f of the elements that stand before it, which are those of the arguments or what the stage
/// before gives.
template <class F>
constexpr Chain<Map<F>> map(F f, hpspmd::detail::Site site = hpspmd::detail::Site::here()) {
    return Chain<Map<F>>(Map<F>{std::move(f), site});
}

/// op(.. op(op(init, e0), e1) .., en). `op` must be associative; `init` counts once, over all
/// threads and processes. Sums of floating-point numbers obey Adlib::setReproducible.
template <class Op, class T>
constexpr Chain<Reduce<Op, T>> reduce(Op op, T init,
                                      hpspmd::detail::Site site = hpspmd::detail::Site::here()) {
    return Chain<Reduce<Op, T>>(Reduce<Op, T>{std::move(op), std::move(init), site});
}

template <class... S, class... U>
constexpr Chain<S..., U...> operator|(const Chain<S...>& first, const Chain<U...>& then) {
    static_assert((!detail::isReduce<S> && ...), "reduce is the last stage of a chain");
    return std::apply([](const auto&... stages) { return Chain<S..., U...>(stages...); },
                      std::tuple_cat(first.stages(), then.stages()));
}

}  // namespace hpspmd::patterns
