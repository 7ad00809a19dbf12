// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Reductions of all iterations of a loop, made in front of it and joined by one message. hpcc -O3
/// emits these.

#include <adlib/reduction_schedule.hpp>
#include <hpspmd/create.hpp>

#include <algorithm>
#include <type_traits>
#include <vector>

namespace hpspmd::detail {

/// Whether the reductions of a loop are made in front of it.
///
///     Together j_together(1, m, false, true);                  // j from 1 to m - 1
///     const Array<double, Seq> s = valuesOf<SumReduction, double>(j_together);
///     try {
///         if (j_together && disjoint(c, a)) {
///             for (j ..) for (i ..) s[j] += a[i, j];
///             j_together.done();
///         }
///     } catch (...) {                            // the loop raises it where the program does
///     }
///     if (joined<SumReduction>(j_together, s, {x}))
///         for (j ..) c[0, j] = s[j];
///     else
///         for (j ..) c[0, j] = Adlib::sum(overall (i = x for :) a[i, j]);
class Together {
public:
    /// Of iterations up to a bound; `turned` if their nest goes along rows for that, which takes
    /// some of them to gain; else messages are all that is saved. All processes decide the same.
    template <class First, class Bound>
    Together(First first, Bound bound, bool reachesBound, bool turned)
        : first_(static_cast<Index>(first)),
          end_(static_cast<Index>(bound) + (reachesBound ? 1 : 0)),
          isPossible_(first_ >= 0 && end_ <= most && end_ - first_ >= fewest(turned) &&
                      usualOrder() != Order::None) {}

    explicit operator bool() const { return isPossible_; }

    /// The range of a dimension of one array that is also that of the other's; without it the
    /// reductions are not made in front.
    template <class A, class B>
    Range rangeOf(const A& one, int d, const B& other, int e) {
        isPossible_ =
            isPossible_ && one.valid() && other.valid() && one.rng(d) == Range(other.rng(e));
        return isPossible_ ? Range(one.rng(d)) : Range();
    }

    /// This process has made its part.
    void done() { isDone_ = true; }

    bool isDone() const { return isDone_; }
    Index first() const { return first_; }
    Index end() const { return end_; }

private:
    static constexpr Index most = 1 << 16;  // values; they shall stay in a cache

    /// The same whatever the number of processes where runs of several numbers are compared.
    static Index fewest(bool turned) {
        const bool isAlone = apg().size() == 1;
        if (observer != nullptr) return 2;
        if (turned) return isAlone ? 8 : 4;
        return isAlone ? most + 1 : 2;
    }

    Index first_, end_;
    bool isPossible_, isDone_ = false;
};

/// A value for each iteration, at the place of its number, and one behind them; a null array if
/// there are none. They begin with what changes nothing, or with `start`.
template <class F, class T>
Array<T, Seq> valuesOf(const Together& together, T start = F::Op::template identity<T>(),
                       Where where = Where::here()) {
    if (!together) return {};
    Array<T, Seq> values = create<T>(Placement(apg(), where), together.end() + 1);
    std::fill(values.data() + together.first(), values.data() + together.end(), start);
    return values;
}

/// The value behind the others is not 0 if some process has not made its part.
template <class Op, class T>
void combineTogether(void* left, const void* right, std::size_t bytes, const void*) {
    const std::size_t count = bytes / sizeof(T) - 1;
    combineValues<Op, T>(left, right, count * sizeof(T), nullptr);
    T& mine = static_cast<T*>(left)[count];
    if (static_cast<const T*>(right)[count] != T()) mine = T(1);
}

/// Joins the values of all processes; false on all of them if they are not complete.
/// `ranges`: what they are values of; without them, one value of each process.
template <class F, class T>
bool joined(const Together& together, const Array<T, Seq>& values,
            const std::vector<Range>* ranges = nullptr, Where where = Where::here()) {
    if (!together) return false;
    if (entersAlone(F::name, where)) return together.isDone();
    T* const first = values.data() + together.first();
    const Index count = together.end() - together.first();
    first[count] = together.isDone() ? T() : T(1);
    const std::size_t bytes = static_cast<std::size_t>(count + 1) * sizeof(T);
    const Combiner combiner{combineTogether<typename F::Op, T>, nullptr};
    if (ranges != nullptr)
        combineOverRanges({F::name, where}, *ranges, first, bytes, combiner);
    else
        combineOverApg({F::name, where}, first, bytes, combiner);
    const bool isComplete = first[count] == T();
    for (Index k = 0; isComplete && observer != nullptr && k < count; ++k)
        observedResult(F::name, where, first[k]);
    return isComplete;
}
template <class F, class T>
bool joined(const Together& together, const Array<T, Seq>& values, const std::vector<Range>& ranges,
            Where where = Where::here()) {
    return joined<F>(together, values, &ranges, where);
}

}  // namespace hpspmd::detail
