// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The frame of all reductions. An element type and an operation come in as two small functions,
/// one that takes up a row of local elements and one that combines the values of two processes.
///
/// Order of floating-point operations: each process takes its elements row by row, in row-major
/// order of its local blocks. Within a row, element t goes to partial value t mod 8, and those are
/// combined in pairs; of a row of 512 elements and more to partial value t mod 16, and first t and
/// t + 8 are combined. Then the processes are combined in rank order by doubling
/// (transport/combine.hpp). So the result depends on the process grid and the distribution, and on
/// nothing else; it is the same on all processes. Where the elements lie on a device, which then
/// computes it, each process takes its own in the order of nests there (docs/devices.md).

#include <adlib/binned.hpp>
#include <adlib/combiner.hpp>
#include <adlib/operators.hpp>
#include <adlib/row.hpp>
#include <hpspmd/overall.hpp>
#include <hpspmd/partial.hpp>
#include <memory>

namespace hpspmd::detail {

/// How kernels of the library take up elements, or products of two of them, into a number.
struct DeviceForm {
    const char* joins;  ///< "SUM", "MAX" or "MIN"; null: into a Binned, what follows is of elements
    const char* type;   ///< of the elements and the number, as kernels call it
    std::size_t size;
    int arrays;
    /// Joins what groups of lanes give, in their order.
    void (*join)(void* total, const void* pieces, std::size_t count);
};

/// The value of a reduction while it is computed.
struct Accumulator {
    void* state;
    std::size_t bytes;
    TakeRow take;
    Combiner combiner;
    const DeviceForm* onDevice = nullptr;  ///< null if devices do not compute it
};

/// Aligned arrays that a reduction reads; the first decides which elements there are.
struct Operands {
    std::array<Operand, Row::places> list;
    int count = 0;
    bool wantsIndex = false;
};

/// The inspector's result: the rows of elements that this process takes up.
class LocalRows;
struct DeleteRows {
    void operator()(LocalRows* rows) const;
};
using RowsHandle = std::unique_ptr<LocalRows, DeleteRows>;

RowsHandle makeRows(const Call& call, const Operands& operands);
void reduceRows(const LocalRows& rows, const Call& call, const Operands& operands,
                const Accumulator& accumulator);
/// reduceRows() in two halves, between which messages travel; the accumulator's state must stay
/// where it is.
class ReductionUnderWay;
struct DeleteReduction {
    void operator()(ReductionUnderWay* reduction) const;
};
using ReductionHandle = std::unique_ptr<ReductionUnderWay, DeleteReduction>;
ReductionHandle makeReduction();
void startReduction(ReductionUnderWay& reduction, const LocalRows& rows, const Call& call,
                    const Operands& operands, const Accumulator& accumulator);
void finishReduction(ReductionUnderWay& reduction);

/// Both steps, with the rows from the APG's cache.
void reduceArrays(const Call& call, const Operands& operands, const Accumulator& accumulator);

/// Calls take(null, row) for the rows of aligned arrays that this process holds, in every copy.
void visitRows(const Operands& operands, TakeRow take);

/// Combines the values of the members of the APG; with ranges: of those along their dimensions.
void combineOverApg(const Call& call, void* state, std::size_t bytes, const Combiner& combiner);
void combineOverRanges(const Call& call, const std::vector<Range>& ranges, void* state,
                       std::size_t bytes, const Combiner& combiner);

template <class Op, class T>
void combineValues(void* left, const void* right, std::size_t bytes, const void*) {
    T* mine = static_cast<T*>(left);
    const T* other = static_cast<const T*>(right);
    for (std::size_t k = 0; k < bytes / sizeof(T); ++k) mine[k] = Op::combine(mine[k], other[k]);
}

/// Combines value(0) .. value(count - 1) by so many partial values.
template <int lanes, class Op, class T, class Value>
T combineByLanes(Index count, const Value& value) {
    constexpr int few = 8;
    Partial<T, lanes> partial;
    T* const own = partial.of;
    for (T& lane : partial.of) lane = Op::template identity<T>();
    Index t = 0;
    for (; t + lanes <= count; t += lanes)
        for (int k = 0; k < lanes; ++k) own[k] = Op::combine(own[k], T(value(t + k)));
    for (int k = 0; t < count; ++t, ++k) own[k] = Op::combine(own[k], T(value(t)));
    joinHalves<few>(partial, Op::template combine<T>);
    for (int distance = 1; distance < few; distance *= 2)
        for (int k = 0; k < few; k += 2 * distance) own[k] = Op::combine(own[k], own[k + distance]);
    return own[0];
}

/// In the order described above. Long rows have several registers of partial values, which do not
/// wait for one another; more where the order does not matter.
template <class Op, class T, class Value>
T combineRow(Index count, const Value& value) {
    constexpr bool isExact =
        std::is_integral_v<T> || std::is_same_v<Op, Max> || std::is_same_v<Op, Min>;
    constexpr int few = 8, many = isExact ? 32 : 16;
    constexpr Index longRow = isExact ? 128 : 512;
    if (count >= longRow) return combineByLanes<many, Op, T>(count, value);
    return combineByLanes<few, Op, T>(count, value);
}

/// The values of a row: the elements of its Term; where a mask (the last array) is false, the
/// identity.
template <class Op, class Result, class Term, bool masked>
struct RowValues {
    const Row& row;

    Result operator()(Index t) const {
        if constexpr (masked)
            if (!row.at<const bool>(Term::arrays, t)) return Op::template identity<Result>();
        return Term::value(row, t);
    }
};

/// The row, with steps that the compiler knows where it is contiguous, so that it can vectorise.
template <class Term, bool masked, class Use>
void withKnownSteps(const Row& row, const Use& use) {
    bool contiguous = true;
    for (int k = 0; k < Term::arrays + masked; ++k) contiguous &= row.step[k] == 1;
    if (!contiguous) return use(row);
    Row unit = row;
    unit.step = {1, 1, 1, 1};
    use(unit);
}

/// Takes up a row.
template <class Op, class Result, class Term, bool masked>
void takeRow(void* state, const Row& row) {
    Result& total = *static_cast<Result*>(state);
    withKnownSteps<Term, masked>(row, [&](const Row& known) {
        const RowValues<Op, Result, Term, masked> values{known};
        total = Op::combine(total, combineRow<Op, Result>(row.count, values));
    });
}

/// The elements of the array at `place` of the rows, converted by the reduction F.
template <class F, class T, int place = 0>
struct ElementTerm {
    static constexpr int arrays = place + 1;
    static constexpr bool isElement = place == 0;  ///< of the first array, as it is
    using Factor = T;                              ///< what it multiplies
    static auto value(const Row& row, Index t) { return F::convert(row.at<const T>(place, t)); }
};

/// Takes up a row into a sum that does not depend on the order.
template <class Result, class Term, bool masked>
void takeRowBinned(void* state, const Row& row) {
    BinnedSum<Result>& sum = *static_cast<BinnedSum<Result>*>(state);
    if constexpr (Term::isElement && !masked) {
        if (row.step[0] == 1) return sum.add(&row.at<const Result>(0, 0), row.count);
    }
    withKnownSteps<Term, masked>(row, [&](const Row& known) {
        addTerms(sum, row.count, RowValues<Plus, Result, Term, masked>{known});
    });
}

template <class Op>
constexpr const char* joinOnDevice() {
    if constexpr (std::is_same_v<Op, Plus>) return "SUM";
    if constexpr (std::is_same_v<Op, Max>) return "MAX";
    if constexpr (std::is_same_v<Op, Min>) return "MIN";
    return nullptr;
}
template <class Op, class T>
void joinGroups(void* total, const void* pieces, std::size_t count) {
    T& result = *static_cast<T*>(total);
    for (std::size_t k = 0; k < count; ++k)
        result = Op::combine(result, static_cast<const T*>(pieces)[k]);
}

template <class Result, class Term, bool masked>
inline constexpr bool areFactors = !masked && std::is_same_v<typename Term::Factor, Result>;

template <class Op, class Result, class Term, bool masked>
const DeviceForm* deviceForm() {
    if constexpr (areFactors<Result, Term, masked>) {
        if constexpr (typeOnDevice<Op, Result>() != nullptr && joinOnDevice<Op>() != nullptr) {
            static constexpr DeviceForm form{joinOnDevice<Op>(), typeOnDevice<Op, Result>(),
                                             sizeof(Result), Term::arrays, joinGroups<Op, Result>};
            return &form;
        }
    }
    return nullptr;
}

/// Of a sum that does not depend on the order.
template <class Result, class Term, bool masked>
const DeviceForm* binnedDeviceForm() {
    if constexpr (areFactors<Result, Term, masked> && !isComplex<Result>) {
        static_assert(sizeof(BinnedSum<Result>) == sizeof(Binned));
        static constexpr DeviceForm form{nullptr, typeOnDevice<Plus, Result>(), sizeof(Result),
                                         Term::arrays, nullptr};
        return &form;
    }
    return nullptr;
}

/// How a sum is made: as fast as possible, or independent of processes and distribution.
enum class Order { OfProcesses, None };

/// True if this reduction can be made independent of the order. Integers always are.
template <class Op, class Result>
inline constexpr bool hasBinnedForm = std::is_same_v<Op, Plus>&& isBinnable<Result>;

inline Order usualOrder() { return sumsAreReproducible() ? Order::None : Order::OfProcesses; }

/// The value of a reduction while it is computed in one of two ways.
template <class Op, class Result, class Term, bool masked>
class ReductionState {
public:
    explicit ReductionState(Order order)
        : isBinned_(hasBinnedForm<Op, Result> && order == Order::None) {}

    Accumulator accumulator() {
        if constexpr (hasBinnedForm<Op, Result>)
            if (isBinned_)
                return {&sum_,
                        sizeof sum_,
                        takeRowBinned<Result, Term, masked>,
                        {mergeSums<Result>, nullptr},
                        binnedDeviceForm<Result, Term, masked>()};
        return {&total_,
                sizeof total_,
                takeRow<Op, Result, Term, masked>,
                {combineValues<Op, Result>, nullptr},
                deviceForm<Op, Result, Term, masked>()};
    }
    Result value() const {
        if constexpr (hasBinnedForm<Op, Result>)
            if (isBinned_) return sum_.value();
        return total_;
    }

private:
    struct Nothing {};

    Result total_ = Op::template identity<Result>();
    std::conditional_t<hasBinnedForm<Op, Result>, BinnedSum<Result>, Nothing> sum_;
    bool isBinned_;
};

template <class T, class... S>
Operands operandsOf(Where where, const Array<T, S...>& array) {
    return {{readOperand("array", array, where)}, 1};
}
template <class T, class... S, class... M>
Operands operandsOf(Where where, const Array<T, S...>& array, const Array<const bool, M...>& mask) {
    static_assert(sizeof...(S) == sizeof...(M), "a mask has the rank of its array");
    return {{readOperand("array", array, where), readOperand("mask", mask, where)}, 2};
}

/// The type of what a reduction is applied to: elements of an array, an expression, a plain value.
template <class X>
struct ReducedType {
    using type = typename ValueOf<X>::type;
};
template <class T, class... S>
struct ReducedType<Array<T, S...>> {
    using type = std::remove_const_t<T>;
};
template <class X>
using Reduced = typename ReducedType<X>::type;

// A reduction F is described by a class with
//     name, dimName      what messages call it
//     Op                 what combines two values (operators.hpp)
//     convert(element)   the value of an element; its type is the type of the result

template <class F, class X>
using ResultOf = decltype(F::convert(std::declval<const Reduced<X>&>()));

// The reduction of aligned arrays, the last of which may be a mask, is a Form:
//     name                          what messages call it
//     operands(where, arrays...)
//     begin(order)                  the State at the beginning, which has an accumulator()
//     value(state, arrays...)       the result

template <class F, class A, class... M>
struct ElementReduction {
    using Result = ResultOf<F, A>;
    using State =
        ReductionState<typename F::Op, Result, ElementTerm<F, Reduced<A>>, sizeof...(M) == 1>;
    static constexpr const char* name = F::name;

    static Operands operands(Where where, const A& array, const M&... mask) {
        if constexpr (sizeof...(M) == 0)
            return {{operandAnywhere("array", array, where)}, 1};
        else
            return operandsOf(where, array, mask...);
    }
    static State begin(Order order) { return State(order); }
    static Result value(const State& state, const A&, const M&...) { return state.value(); }
};

template <class Form, class... Arrays>
auto reduceBy(const Form& form, Order order, Where where, const Arrays&... arrays) {
    typename Form::State state = form.begin(order);
    const Accumulator accumulator = state.accumulator();
    Row row;
    if (isRowAlone(row, arrays...) && entersAlone(form.name, where))
        accumulator.take(accumulator.state, row);
    else
        reduceArrays({form.name, where}, form.operands(where, arrays...), accumulator);
    return observedResult(form.name, where, form.value(state, arrays...));
}

/// The combination of one value per process, or of the locations of an expression.
template <class F, class X, class Sum, class Add>
void addValues(Where where, const X& x, Sum& state, const Combiner& combiner, const Add& add) {
    if constexpr (isOverall<X>) {
        x.forEach([&](const auto& value, const auto&...) { add(F::convert(value)); });
        if (!entersAlone(F::name, where))
            combineOverRanges({F::name, where}, x.ranges(), &state, sizeof state, combiner);
    } else {
        add(F::convert(x));
        if (!entersAlone(F::name, where))
            combineOverApg({F::name, where}, &state, sizeof state, combiner);
    }
}

/// A number for a nest to start with: integers that it adds up or multiplies wrap round.
template <class Op, class T>
constexpr auto wrapping(T start) {
    if constexpr (std::is_integral_v<T> && (std::is_same_v<Op, Plus> || std::is_same_v<Op, Times>))
        return static_cast<std::make_unsigned_t<T>>(start);
    else
        return start;
}

/// The value of a reduction of an array, an expression or a plain value.
template <class F, class X>
ResultOf<F, X> reduceAny(const X& x, Where where, Order order = usualOrder()) {
    using Op = typename F::Op;
    using Result = ResultOf<F, X>;
    static_assert(std::is_trivially_copyable_v<Result>,
                  "what is reduced over processes must be trivially copyable");
    if constexpr (isArray<X>) {
        return reduceBy(ElementReduction<F, X>(), order, where, x);
    } else {
        if constexpr (hasBinnedForm<Op, Result>) {
            if (order == Order::None) {
                BinnedSum<Result> sum;
                addValues<F>(where, x, sum, {mergeSums<Result>, nullptr},
                             [&](const Result& value) { sum.add(value); });
                return observedResult<Result>(F::name, where, sum.value());
            }
        }
        Result state = Op::template identity<Result>();
        const Combiner combiner{combineValues<Op, Result>, nullptr};
        if constexpr (hasNest<X>) {
            state = static_cast<Result>(x.local(wrapping<Op>(state)));
            if (!entersAlone(F::name, where))
                combineOverRanges({F::name, where}, x.ranges(), &state, sizeof state, combiner);
        } else {
            addValues<F>(where, x, state, combiner,
                         [&](const Result& value) { state = Op::combine(state, value); });
        }
        return observedResult(F::name, where, state);
    }
}

template <class F, class A, class... M>
ResultOf<F, A> reduceMasked(const A& array, const Array<const bool, M...>& mask, Where where,
                            Order order = usualOrder()) {
    static_assert(isArray<A>, "only a reduction of an array takes a mask");
    return reduceBy(ElementReduction<F, A, Array<const bool, M...>>(), order, where, array, mask);
}

}  // namespace hpspmd::detail
