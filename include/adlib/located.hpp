// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The frame of maxloc and minloc: values with the place where they were found.

#include <adlib/dimension_schedule.hpp>
#include <adlib/reduction_schedule.hpp>
#include <algorithm>
#include <cstring>

namespace hpspmd {
namespace Adlib {

/// What maxloc and minloc give: `auto [value, location] = maxloc(a)`; location[r] is the global
/// index in dimension r. Without elements: the identity (maxval.hpp), and the highest Index in all
/// dimensions.
template <class T, std::size_t R>
struct Extreme {
    T value;
    std::array<Index, R> location;
};

}  // namespace Adlib

namespace detail {

/// Position is ordered like the row-major order of the elements.
template <class T, class Position>
struct Located {
    T value;
    Position position;
};

inline constexpr Index nowhere = std::numeric_limits<Index>::max();

/// Of equal values the first position wins.
template <class Op, class T, class Position>
void takeBetter(T& value, Position& position, const T& otherValue, const Position& otherPosition) {
    if (Op::better(otherValue, value) || (otherValue == value && otherPosition < position)) {
        value = otherValue;
        position = otherPosition;
    }
}

template <class Op, class State>
void combineLocated(void* left, const void* right, std::size_t, const void*) {
    State& mine = *static_cast<State*>(left);
    const State& other = *static_cast<const State*>(right);
    takeBetter<Op>(mine.value, mine.position, other.value, other.position);
}

/// Takes up a row. Of contiguous elements behind the best one several are looked at together: only
/// where a better one is among them, it is looked for.
template <class Op, class T, bool masked>
void takeLocatedRow(void* state, const Row& row) {
    constexpr Index together = 512;
    auto& best = *static_cast<Located<T, Index>*>(state);
    const bool isPlain = !masked && row.step[0] == 1 && row.indexStep >= 0;
    for (Index begin = 0; begin < row.count; begin += together) {
        const Index end = std::min(begin + together, row.count);
        if (isPlain && best.position <= row.index + begin * row.indexStep) {
            const T* const elements = &row.at<const T>(0, begin);
            const T found =
                combineRow<Op, T>(end - begin, [elements](Index t) { return elements[t]; });
            if (!Op::better(found, best.value)) continue;
        }
        for (Index t = begin; t < end; ++t) {
            if constexpr (masked)
                if (!row.at<const bool>(1, t)) continue;
            takeBetter<Op>(best.value, best.position, row.at<const T>(0, t),
                           row.index + t * row.indexStep);
        }
    }
}

/// The global indices of a row-major position.
template <class A>
auto unravelled(const A& array, Index position) {
    std::array<Index, static_cast<std::size_t>(A::rank())> location{};
    for (int r = A::rank() - 1; r >= 0; --r) {
        const Index extent = array.size(r);
        location[static_cast<std::size_t>(r)] = position == nowhere ? nowhere : position % extent;
        if (position != nowhere) position /= extent;
    }
    return location;
}

// Such a reduction F is described by a class with
//     name, dimName    what messages call it
//     Op               Max or Min

template <class F, class A, class... M>
struct LocatedForm {
    using T = Reduced<A>;
    using Value = Adlib::Extreme<T, static_cast<std::size_t>(A::rank())>;
    static constexpr const char* name = F::name;

    struct State {
        Located<T, Index> best = {F::Op::template identity<T>(), nowhere};

        Accumulator accumulator() {
            return {&best,
                    sizeof best,
                    takeLocatedRow<typename F::Op, T, sizeof...(M) == 1>,
                    {combineLocated<typename F::Op, Located<T, Index>>, nullptr}};
        }
    };

    static Operands operands(Where where, const A& array, const M&... mask) {
        Operands operands = operandsOf(where, array, mask...);
        operands.wantsIndex = true;
        return operands;
    }
    static State begin(Order) { return {}; }
    static Value value(const State& state, const A& array, const M&...) {
        return {state.best.value, unravelled(array, state.best.position)};
    }
};

template <class F, class A, class... M>
auto locate(Where where, const A& array, const M&... mask) {
    return reduceBy(LocatedForm<F, A, M...>(), usualOrder(), where, array, mask...);
}

/// Ranges of a nest of overall expressions.
template <class E>
inline constexpr std::size_t depthOf = 0;
template <class Body>
inline constexpr std::size_t depthOf<OverallExpression<Body>> =
    1 + depthOf<typename OverallExpression<Body>::Result>;

template <class F, class E>
auto locateInExpression(Where where, const E& expression) {
    using Op = typename F::Op;
    using T = typename ValueOf<E>::type;
    using Location = std::array<Index, depthOf<E>>;
    using State = Located<T, Location>;
    State state{Op::template identity<T>(), {}};
    state.position.fill(nowhere);
    expression.forEach([&](const T& value, const auto&... indices) {
        takeBetter<Op>(state.value, state.position, value, Location{indices.global...});
    });
    combineOverRanges({F::name, where}, expression.ranges(), &state, sizeof state,
                      {combineLocated<Op, State>, nullptr});
    return Adlib::Extreme<T, depthOf<E>>{state.value, state.position};
}

/// Places: values, locations, array, mask.
template <class Op, class T, class L, bool masked>
void takeLocatedDimensionRow(void*, const Row& row) {
    for (Index t = 0; t < row.count; ++t) {
        if constexpr (masked)
            if (!row.at<const bool>(3, t)) continue;
        takeBetter<Op>(row.at<T>(0, t), row.at<L>(1, t), row.at<const T>(2, t),
                       static_cast<L>(row.index + t * row.indexStep));
    }
}

/// Values, then as many locations; not aligned, so read and written as bytes.
template <class Op, class T, class L>
void combineLocatedDimension(void* left, const void* right, std::size_t bytes, const void*) {
    const std::size_t count = bytes / (sizeof(T) + sizeof(L));
    char* mine = static_cast<char*>(left);
    const char* other = static_cast<const char*>(right);
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t value = k * sizeof(T), place = count * sizeof(T) + k * sizeof(L);
        Located<T, L> a, b;
        std::memcpy(&a.value, mine + value, sizeof(T));
        std::memcpy(&a.position, mine + place, sizeof(L));
        std::memcpy(&b.value, other + value, sizeof(T));
        std::memcpy(&b.position, other + place, sizeof(L));
        takeBetter<Op>(a.value, a.position, b.value, b.position);
        std::memcpy(mine + value, &a.value, sizeof(T));
        std::memcpy(mine + place, &a.position, sizeof(L));
    }
}

template <class F, class Res, class Loc, class A, class... M>
struct LocatedAlong {
    using Op = typename F::Op;
    using T = Reduced<A>;
    using L = typename Loc::Element;
    static constexpr const char* name = F::dimName;
    static constexpr bool hasExactForm = false;
    static_assert(std::is_integral_v<L>, "locations along a dimension are integers");

    static DimensionReduction reduction(Where where, int d, const Res& result, const Loc& location,
                                        const A& array, const M&... mask) {
        static const T identity = Op::template identity<T>();
        static const L noPlace = std::numeric_limits<L>::max();
        Operands arrays{{operand("locations", location, where)}, 1};
        append(arrays, operandsOf(where, array, mask...));
        DimensionReduction reduction = dimensionReductionTo(where, d, identity, result, arrays);
        reduction.operands.wantsIndex = true;
        reduction.results = 2;
        reduction.identity[1] = &noPlace;
        reduction.take = takeLocatedDimensionRow<Op, T, L, sizeof...(M) == 1>;
        reduction.combiner = {combineLocatedDimension<Op, T, L>, nullptr};
        return reduction;
    }
};

template <class F, class Res, class Loc, class A, class... M>
void locateDim(Where where, const Res& result, const Loc& location, const A& array, int d,
               const M&... mask) {
    reduceAlong(LocatedAlong<F, Res, Loc, A, M...>(), usualOrder(), where, d, result, location,
                array, mask...);
}

/// The schedule of locateDim.
template <class F, class Res, class Loc, class A, class... M>
class LocatedSchedule
    : public DimensionSchedule<LocatedAlong<F, Res, Loc, A, M...>, Res, Loc, A, M...> {
    using Form = LocatedAlong<F, Res, Loc, A, M...>;

public:
    LocatedSchedule(const Res& result, const Loc& location, const A& array, int d, const M&... mask,
                    Where where = Where::here())
        : DimensionSchedule<Form, Res, Loc, A, M...>(Form(), where, d, result, location, array,
                                                     mask...) {}
};

}  // namespace detail
}  // namespace hpspmd
