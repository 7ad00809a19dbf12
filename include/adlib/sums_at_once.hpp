// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Reductions that stand behind one another, made in one pass over the elements and joined by one
/// message. hpcc -O3 emits these.

#include <adlib/reduction_schedule.hpp>

#include <cstring>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace hpspmd::detail {

/// Whether reductions are made in front of the statements that want them.
///
///     AtOnce at_once;
///     double sum = nothing<SumReduction, double>(), most = nothing<MaxvalReduction, double>();
///     try {
///         if (at_once) {
///             for (i ..) { sum += a[i]; most = std::max(most, a[i]); }
///             at_once.done();
///         }
///     } catch (...) {                          // the statements raise it where the program does
///     }
///     const bool joined = joinedAtOnce(at_once, {x}, partOf<SumReduction>(sum), ..);
///     s = joined ? sum : Adlib::sum(a);
class AtOnce {
public:
    explicit AtOnce(Where where = Where::here())
        : where_(where), isPossible_(usualOrder() != Order::None) {}

    explicit operator bool() const { return isPossible_ && isHere_; }

    /// The range of a dimension of an array.
    template <class A>
    Range rangeOf(const A& array, int d) {
        isPossible_ = isPossible_ && array.valid();
        return isPossible_ ? Range(array.rng(d)) : Range();
    }
    /// The reductions are made at once only if a dimension of an array has this range, and if the
    /// processes that have the array are all that take part.
    template <class A>
    void require(const Range& x, const A& array, int d) {
        isPossible_ = isPossible_ && array.valid() && Range(array.rng(d)) == x;
        isHere_ = isHere_ && isPossible_ && surelyContains(array.groupRecord(), activeGroup);
    }

    /// This process has made its part.
    void done() { isDone_ = true; }

    Where where() const { return where_; }
    bool isPossible() const { return isPossible_; }  // the same on all processes
    bool isDone() const { return isDone_; }

private:
    Where where_;
    bool isPossible_, isHere_ = true, isDone_ = false;
};

/// What a number begins with that elements are joined to.
template <class F, class T>
constexpr T nothing() {
    return F::Op::template identity<T>();
}

/// A number that is joined with those of other processes.
template <class F, class T>
struct PartAtOnce {
    using Reduction = F;
    T& number;
};
template <class F, class T>
PartAtOnce<F, T> partOf(T& number) {
    return {number};
}

/// Numbers as they travel, each in a place of its own, and whether a process lacks its part.
template <class... Parts>
class NumbersAtOnce {
public:
    NumbersAtOnce(bool isComplete, const Parts&... parts) : isIncomplete_(isComplete ? 0 : 1) {
        char* place = places_;
        ((std::memcpy(place, &parts.number, sizeof parts.number), place += size), ...);
    }
    bool isComplete() const { return isIncomplete_ == 0; }
    void give(const Parts&... parts) const {
        const char* place = places_;
        ((std::memcpy(&parts.number, place, sizeof parts.number), place += size), ...);
    }

    static void combine(void* left, const void* right, std::size_t, const void*) {
        auto& mine = *static_cast<NumbersAtOnce*>(left);
        const auto& other = *static_cast<const NumbersAtOnce*>(right);
        std::size_t at = 0;
        ((combineOne<Parts>(mine.places_ + at, other.places_ + at), at += size), ...);
        mine.isIncomplete_ |= other.isIncomplete_;
    }

private:
    static constexpr std::size_t size = 8;

    template <class Part>
    static void combineOne(void* left, const void* right) {
        using T = std::decay_t<decltype(std::declval<Part>().number)>;
        static_assert(sizeof(T) <= size);
        combineValues<typename Part::Reduction::Op, T>(left, right, sizeof(T), nullptr);
    }

    alignas(size) char places_[sizeof...(Parts) * size] = {};
    Index isIncomplete_;
};

/// Joins the numbers of all processes; false on all of them if they are not complete. `combine`
/// gets the call, the numbers, their bytes and the combiner.
template <class Combine, class First, class... Parts>
bool joinedBy(const AtOnce& together, const Combine& combine, const First& first,
              const Parts&... parts) {
    using Numbers = NumbersAtOnce<First, Parts...>;
    constexpr const char* name = First::Reduction::name;
    if (!together.isPossible()) return false;
    if (entersAlone(name, together.where())) return together.isDone();
    Numbers numbers(together.isDone(), first, parts...);
    combine(Call{name, together.where()}, &numbers, sizeof numbers,
            Combiner{Numbers::combine, nullptr});
    if (!numbers.isComplete()) return false;
    numbers.give(first, parts...);
    const auto observe = [&](const auto& part) {
        using F = typename std::decay_t<decltype(part)>::Reduction;
        if (observer != nullptr) observedResult(F::name, together.where(), part.number);
    };
    observe(first);
    (observe(parts), ...);
    return true;
}
/// Values of ranges,
template <class... Parts>
bool joinedAtOnce(const AtOnce& together, std::initializer_list<Range> ranges,
                  const Parts&... parts) {
    const auto combine = [&](const Call& call, void* numbers, std::size_t bytes,
                             const Combiner& combiner) {
        combineOverRanges(call, ranges, numbers, bytes, combiner);
    };
    return joinedBy(together, combine, parts...);
}
/// or one value of each process.
template <class F, class T, class... Parts>
bool joinedAtOnce(const AtOnce& together, const PartAtOnce<F, T>& first, const Parts&... parts) {
    return joinedBy(together, combineOverApg, first, parts...);
}

}  // namespace hpspmd::detail
