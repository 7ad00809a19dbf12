// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// A chain applied to arrays.

#include <hpspmd/independent.hpp>
#include <hpspmd/patterns/demands.hpp>
#include <hpspmd/patterns/folds.hpp>
#include <hpspmd/patterns/on_device.hpp>
#include <hpspmd/patterns/stretches.hpp>

#include <adlib/reduction.hpp>

#include <optional>

namespace hpspmd::patterns::detail {

/// By value if that is cheap: what a loop stores cannot change it.
using hpspmd::detail::Passed;

template <class M, class Out, std::size_t... k>
void store(const Out& out, Index t, const M& made, std::index_sequence<k...>) {
    ((std::get<k>(out)[t] = std::get<k>(made)), ...);
}
template <class M, class Out>
void store(const Out& out, Index t, const M& made) {
    if constexpr (isTuple<M>)
        store(out, t, made, std::make_index_sequence<std::tuple_size_v<M>>());
    else
        *(std::get<0>(out) + t) = made;
}

/// One loop over the elements of a row; `in` are the numbers of the arrays that are read.
template <bool unit, class Stages, class... Out, class... E, std::size_t... o, std::size_t... i>
void mapRow(const Stages& stages, const Row<Out...>& out, const Row<E...>& in,
            std::index_sequence<o...>, std::index_sequence<i...>) {
    const auto to = out.start;
    const auto from = in.start;
    const auto toStep = out.step;
    const auto step = in.step;
    const Index count = in.count;
    HPSPMD_INDEPENDENT(t)
    for (Index t = 0; t < count; ++t) {
        const auto made = through<0>(stages, std::get<i>(from)[unit ? t : t * step[i]]...);
        if constexpr (unit)
            store(to, t, made);
        else
            store(std::tuple(std::get<o>(to) + t * toStep[o]...), 0, made);
    }
}

/// As a function of its own, whose loop has the captured values in registers.
template <class Stages, class... Out, class... E>
[[gnu::noinline]] void mapRow(Passed<Stages> stages, const Row<Out...>& out, const Row<E...>& in) {
    constexpr std::index_sequence_for<Out...> outs;
    constexpr std::index_sequence_for<E...> ins;
    if (out.isContiguous() && in.isContiguous())
        mapRow<true>(stages, out, in, outs, ins);
    else
        mapRow<false>(stages, out, in, outs, ins);
}

template <class State, class Stages, class Op, class... E, std::size_t... i>
[[gnu::noinline]] void foldRow(State& state, Passed<Stages> stages, const Op& op,
                               const Row<E...>& row, std::index_sequence<i...>) {
    const auto start = row.start;
    const auto step = row.step;
    if (row.isContiguous())
        state.take(op, row.count,
                   [&](Index t) { return through<0>(stages, std::get<i>(start)[t]...); });
    else
        state.take(op, row.count,
                   [&](Index t) { return through<0>(stages, std::get<i>(start)[t * step[i]]...); });
}

template <class Stages, class... Out, class... A>
void fill(const Named& pattern, const Stages& stages, const std::tuple<Out&...>& results,
          const A&... arrays) {
    if (mapOnDevice(pattern, stages, results, arrays...)) return;
    const auto site = siteOf<Stages, std::tuple<ElementOf<Out>...>, ElementOf<const A>...>(pattern);
    auto places = placesOf(std::get<0>(std::tie(arrays...)));
    std::apply(
        [&](auto&... out) {
            places.joinRows(arrays..., out...);
            static Shown shown;
            const bool isShort = noTargetIsNamed() && shown.isShort(places.size());
            const int most = isShort ? 1 : stretchesOf(site, places.size());
            inStretches(most, places.size(), shown, [&](int, Index from, Index to) {
                places.forRows(from, to, [&](const auto& subs, Index step, Index count) {
                    const Row<typename Argument<Out>::Element...> outRow{
                        {Argument<Out>::start(out, subs)...},
                        {Argument<Out>::step(out) * step...},
                        count};
                    const Row<typename Argument<const A>::Element...> row{
                        {Argument<const A>::start(arrays, subs)...},
                        {Argument<const A>::step(arrays) * step...},
                        count};
                    mapRow<Stages>(stages, outRow, row);
                });
            });
        },
        results);
}

/// True if elements of the arrays Out.. can be assigned what a chain makes.
template <class M, class... Out>
inline constexpr bool isStored =
    (std::is_assignable_v<typename Argument<Out>::Element&, const M&> && ...);
template <class... M, class... Out>
inline constexpr bool isStored<std::tuple<M...>, Out...> =
    (std::is_assignable_v<typename Argument<Out>::Element&, const M&> && ...);

/// Stores what the stages make of the arrays into those of the tuple.
template <class Stages, class... Out, class... A>
void mapInto(const Named& pattern, const Stages& stages, const std::tuple<Out&...>& results,
             const A&... arrays) {
    constexpr bool isConst = (std::is_const_v<typename Argument<Out>::Element> || ...);
    constexpr bool isStorable = isStored<Made<Stages, ElementOf<const A>...>, Out...>;
    static_assert(!isConst, "into: the elements of the result are const");
    static_assert(isConst || isStorable,
                  "into: the elements of the result cannot be assigned what the function gives");
    if constexpr (areOfOneKind<Stages, const A..., Out...>() && !isConst && isStorable)
        std::apply(
            [&](const auto&... out) {
                requireAlike(sizeof...(A), pattern, arrays..., out...);
                // As behind a nest that writes them, their ghost cells are stale.
                if constexpr ((Argument<const A>::isMultiarray && ...)) {
                    const hpspmd::detail::Nest<Out...> nest(out..., pattern.where);
                    fill(pattern, stages, results, arrays...);
                } else {
                    fill(pattern, stages, results, arrays...);
                }
            },
            results);
}

/// A new array of the first argument's shape.
template <class R, class A>
auto resultLike(const A& first, Where where) {
    if constexpr (Argument<const A>::isMultiarray) {
        return like<R>(first, where);
    } else {
        return std::vector<R>(std::size(first));
    }
}

/// True if an element is bool, or a tuple with a bool.
template <class M>
inline constexpr bool hasBool = std::is_same_v<M, bool>;
template <class... M>
inline constexpr bool hasBool<std::tuple<M...>> = (std::is_same_v<M, bool> || ...);

template <class M>
struct Results {
    template <class A>
    static auto make(const A& first, Where where) {
        return std::tuple(resultLike<M>(first, where));
    }
};
template <class... R>
struct Results<std::tuple<R...>> {
    template <class A>
    static auto make(const A& first, Where where) {
        return std::tuple(resultLike<R>(first, where)...);
    }
};

template <class... R>
std::tuple<R&...> references(std::tuple<R...>& results) {
    return std::apply([](R&... result) { return std::tuple<R&...>(result...); }, results);
}

template <class Stages, class First, class... A>
auto mapNew(const Named& pattern, const Stages& stages, const First& first, const A&... arrays) {
    using M = Made<Stages, ElementOf<const First>, ElementOf<const A>...>;
    constexpr bool areObjects = Argument<const First>::isMultiarray || !hasBool<M>;
    static_assert(areObjects, "map: the elements of a std::vector<bool> are no objects; give char");
    static_assert(std::is_default_constructible_v<M>,
                  "map: a new array needs elements with a default constructor; use into");
    if constexpr (areObjects && std::is_default_constructible_v<M>) {
        requireAlike(1 + sizeof...(A), pattern, first, arrays...);
        auto results = Results<M>::make(first, pattern.where);
        mapInto(pattern, stages, references(results), first, arrays...);
        if constexpr (isTuple<M>)
            return results;
        else
            return std::get<0>(std::move(results));
    }
}

/// Few elements, in the order in which one thread takes them, whoever makes them.
template <class State, class P, class Stages, class Op, class... A>
void foldFew(State& state, int most, const P& places, Shown& shown, const Stages& stages,
             const Op& op, const A&... arrays) {
    using M = std::decay_t<Made<Stages, ElementOf<const A>...>>;
    std::optional<M> made[foldLanes];
    const auto make = [&](int, Index from, Index to) {
        const auto take = [&](const auto& row) {
            std::apply(
                [&](const auto&... start) {
                    for (Index t = 0; t < row.count; ++t, ++from) {
                        std::size_t k = 0;
                        const auto next = [&](const auto* array) -> const auto& {
                            return array[t * row.step[k++]];
                        };
                        std::tuple<const ElementOf<const A>&...> elements{next(start)...};
                        made[from].emplace(std::apply(
                            [&](const auto&... element) { return through<0>(stages, element...); },
                            elements));
                    }
                },
                row.start);
        };
        forRows(places, Index(from), to, take, arrays...);
    };
    inStretches(most, places.size(), shown, make);
    state.take(op, places.size(), [&](Index t) -> const M& { return *made[t]; });
}

template <class State, class Stages, class Op, class T, class... A>
State folded(const Named& pattern, const Stages& stages, const Op& op, const T& init,
             const A&... arrays) {
    if constexpr (std::is_same_v<State, Fold<T, Op>>) {
        State all(init);
        all.isEmpty = !reduceOnDevice(pattern, stages, all.value, arrays...);
        if (!all.isEmpty) return all;
    }
    const Site site = siteOf<Stages, std::tuple<>, ElementOf<const A>...>(pattern);
    auto places = placesOf(std::get<0>(std::tie(arrays...)));
    places.joinRows(arrays...);
    static Shown shown;
    const Index n = places.size();
    const int most = stretchesOf(site, n);
    State first(init);
    const auto stretches = [&](State& state, Index from, Index to) {
        const auto take = [&](const auto& row) {
            foldRow<State, Stages>(state, stages, op, row, std::index_sequence_for<A...>());
        };
        forRows(places, from, to, take, arrays...);
    };
    if (most <= 1 || (n < foldLanes && shown.isShort(n))) {
        stretches(first, 0, n);
        return first;
    }
    if (n < foldLanes) {
        foldFew(first, most, places, shown, stages, op, arrays...);
        return first;
    }
    std::vector<State> further;  // of the stretches after the first, if threads take them
    const auto stretch = [&](int k, Index from, Index to) {
        if (k == 0) return stretches(first, from, to);
        State own(init);
        stretches(own, from, to);
        if (further.empty())
            first.join(op, own);  // one after the other
        else
            further[static_cast<std::size_t>(k - 1)] = own;
    };
    inStretches(most, n, shown, stretch,
                [&] { further.assign(static_cast<std::size_t>(most - 1), State(init)); });
    for (const State& next : further) first.join(op, next);
    return first;
}

template <class State, class Stages, class Op, class T, class First, class... A>
T reducedBy(const Named& pattern, const Stages& stages, const Op& op, const T& init,
            const First& first, const A&... arrays) {
    State state = folded<State>(pattern, stages, op, init, first, arrays...);
    if constexpr (Argument<const First>::isDistributed) {
        const bool isAlone = hpspmd::detail::activeGroup->size == 1;
        if (!isAlone && !hpspmd::detail::isCounted(first.descriptor())) state = State(init);
        const hpspmd::detail::Call call(pattern.name, pattern.where);
        hpspmd::detail::combineOverApg(call, &state, sizeof state, {State::combine, &op});
    }
    if constexpr (Argument<const First>::isMultiarray)
        return hpspmd::detail::observedResult(pattern.name, pattern.where, state.result(op, init));
    else
        return state.result(op, init);
}

template <class Stages, class... A>
auto reduced(const Named& pattern, const Stages& stages, const A&... arrays) {
    const auto& last = std::get<std::tuple_size_v<Stages> - 1>(stages);
    using T = std::decay_t<decltype(last.init)>;
    using Op = std::decay_t<decltype(last.operation)>;
    using M = Made<Stages, ElementOf<const A>...>;
    static_assert(std::is_convertible_v<M, T>,
                  "reduce: the elements that stand before it do not convert to its init");
    static_assert(std::is_invocable_r_v<T, const Op&, const T&, const T&>,
                  "reduce: its operation takes two values of the type of init and gives one");
    static_assert(isBytes<T> || !(Argument<const A>::isDistributed || ...),
                  "what is reduced over processes must be trivially copyable");
    requireAlike(sizeof...(A), pattern, arrays...);
    if constexpr (hasBinnedFold<T, Op>)
        if (hpspmd::detail::sumsAreReproducible())
            return reducedBy<BinnedFold<T, Op>>(pattern, stages, last.operation, last.init,
                                                arrays...);
    return reducedBy<Fold<T, Op>>(pattern, stages, last.operation, last.init, arrays...);
}

}  // namespace hpspmd::patterns::detail
