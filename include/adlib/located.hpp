#pragma once
/// The frame of maxloc and minloc: values with the place where they were found.

#include <adlib/dimension_reduction.hpp>
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

template <class Op, class T, bool masked>
void takeLocatedRow(void* state, const Row& row) {
    auto& best = *static_cast<Located<T, Index>*>(state);
    for (Index t = 0; t < row.count; ++t) {
        if constexpr (masked)
            if (!row.at<const bool>(1, t)) continue;
        takeBetter<Op>(best.value, best.position, row.at<const T>(0, t),
                       row.index + t * row.indexStep);
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

template <class Op, class T, class... S, class... M>
Operands locatedOperands(Where where, const Array<T, S...>& array, const M&... mask) {
    Operands operands = operandsOf(where, array, mask...);
    operands.wantsIndex = true;
    return operands;
}

template <class Op, class A, class... M>
Accumulator locatedAccumulator(Located<Reduced<A>, Index>& state) {
    using State = Located<Reduced<A>, Index>;
    state = {Op::template identity<Reduced<A>>(), nowhere};
    return {&state,
            sizeof state,
            takeLocatedRow<Op, Reduced<A>, sizeof...(M) == 1>,
            {combineLocated<Op, State>, nullptr}};
}

template <class Op, class A, class... M>
auto locate(const char* name, Where where, const A& array, const M&... mask) {
    using T = Reduced<A>;
    Located<T, Index> state;
    const Accumulator over = locatedAccumulator<Op, A, M...>(state);
    reduceArrays({name, where}, locatedOperands<Op>(where, array, mask...), over);
    return Adlib::Extreme<T, static_cast<std::size_t>(A::rank())>{
        state.value, unravelled(array, state.position)};
}

/// Ranges of a nest of overall expressions.
template <class E>
inline constexpr std::size_t depthOf = 0;
template <class Body>
inline constexpr std::size_t depthOf<OverallExpression<Body>> =
    1 + depthOf<typename OverallExpression<Body>::Result>;

template <class Op, class E>
auto locateInExpression(const char* name, Where where, const E& expression) {
    using T = typename ValueOf<E>::type;
    using Location = std::array<Index, depthOf<E>>;
    using State = Located<T, Location>;
    State state{Op::template identity<T>(), {}};
    state.position.fill(nowhere);
    expression.forEach([&](const T& value, const auto&... indices) {
        takeBetter<Op>(state.value, state.position, value, Location{indices.global...});
    });
    combineOverRanges({name, where}, expression.ranges(), &state, sizeof state,
                      {combineLocated<Op, State>, nullptr});
    return Adlib::Extreme<T, depthOf<E>>{state.value, state.position};
}

/// A schedule of maxloc or minloc of an array.
template <class Op, class A, class... M>
class LocateSchedule {
public:
    explicit LocateSchedule(const A& array, const M&... mask, Where where = Where::here())
        : array_(array),
          mask_(mask...),
          rows_(makeRows({"maxloc or minloc", where}, locatedOperands<Op>(where, array, mask...))) {
    }

    auto execute(Where where = Where::here()) {
        State state;
        const Accumulator over = locatedAccumulator<Op, A, M...>(state);
        std::apply(
            [&](const M&... mask) {
                reduceRows(*rows_, {"maxloc or minloc", where},
                           locatedOperands<Op>(where, array_, mask...), over);
            },
            mask_);
        return extreme(state);
    }

    /// execute() in two halves: the local part, and the extreme. Several may be under way; the
    /// oldest is finished first.
    void start(Where where = Where::here()) {
        underWay_.start([&](ReductionUnderWay& reduction, State& state) {
            state = State();
            const Accumulator over = locatedAccumulator<Op, A, M...>(state);
            std::apply(
                [&](const M&... mask) {
                    startReduction(reduction, *rows_, {"maxloc or minloc", where},
                                   locatedOperands<Op>(where, array_, mask...), over);
                },
                mask_);
        });
    }
    auto finish(Where where = Where::here()) {
        return extreme(underWay_.finish({"maxloc or minloc", where}));
    }

private:
    using State = Located<Reduced<A>, Index>;

    auto extreme(const State& state) const {
        return Adlib::Extreme<Reduced<A>, static_cast<std::size_t>(A::rank())>{
            state.value, unravelled(array_, state.position)};
    }

    A array_;
    std::tuple<M...> mask_;
    RowsHandle rows_;
    ReductionsUnderWay<State> underWay_;
};

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

template <class Op, class Res, class Loc, class A, class... M>
void locateDim(const char* name, Where where, const Res& result, const Loc& location,
               const A& array, int d, const M&... mask) {
    using T = Reduced<A>;
    using L = typename Loc::Element;
    static_assert(std::is_same_v<typename Res::Element, T>,
                  "the result has the element type of the array");
    static_assert(std::is_integral_v<L>, "locations along a dimension are integers");
    static const T identity = Op::template identity<T>();
    static const L noPlace = std::numeric_limits<L>::max();
    DimensionReduction reduction = dimensionReductionTo(where, d, identity, result);
    Operands& operands = reduction.operands;
    operands.list[1] = operand("locations", location, where);
    const Operands reduced = operandsOf(where, array, mask...);
    for (int k = 0; k < reduced.count; ++k) operands.list[2 + k] = reduced.list[k];
    operands.count = 2 + reduced.count;
    operands.wantsIndex = true;
    reduction.results = 2;
    reduction.identity[1] = &noPlace;
    reduction.take = takeLocatedDimensionRow<Op, T, L, sizeof...(M) == 1>;
    reduction.combiner = {combineLocatedDimension<Op, T, L>, nullptr};
    reduceDimension({name, where}, reduction);
}

}  // namespace detail
}  // namespace hpspmd
