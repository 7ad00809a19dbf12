// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How `reduce` puts elements together. Numbers under an operation of the standard library that
/// does not depend on the order go to 32 partial values in turn, which are combined in pairs; all
/// others one after the other. Stretches are combined in their order, and processes in rank order.

#include <hpspmd/patterns/rows.hpp>

#include <adlib/binned.hpp>
#include <adlib/combiner.hpp>
#include <functional>

namespace hpspmd::patterns::detail {

template <class Op>
inline constexpr bool isPlus = false;
template <class T>
inline constexpr bool isPlus<std::plus<T>> = true;

template <class Op>
inline constexpr bool commutes = isPlus<Op>;
template <class T>
inline constexpr bool commutes<std::multiplies<T>> = true;
template <class T>
inline constexpr bool commutes<std::bit_and<T>> = true;
template <class T>
inline constexpr bool commutes<std::bit_or<T>> = true;
template <class T>
inline constexpr bool commutes<std::bit_xor<T>> = true;

/// True if the bytes of a value say all of it, so that another process can have them.
template <class T>
inline constexpr bool isBytes = std::is_trivially_copyable_v<T>;
template <class... T>
inline constexpr bool isBytes<std::tuple<T...>> = (isBytes<T> && ...);
template <class T, class U>
inline constexpr bool isBytes<std::pair<T, U>> = isBytes<T>&& isBytes<U>;

/// Fewer elements are put together one after the other.
inline constexpr int foldLanes = 32;

/// op of value(0) .. value(count - 1); count > 0.
template <class T, class Op, class Value>
T foldedRow(const Op& op, Index count, const Value& value) {
    constexpr int lanes = foldLanes;
    if constexpr (commutes<Op> && std::is_arithmetic_v<T>) {
        if (count >= lanes) {
            T partial[lanes];
            for (int k = 0; k < lanes; ++k) partial[k] = T(value(k));
            Index t = lanes;
            for (; t + lanes <= count; t += lanes)
                for (int k = 0; k < lanes; ++k) partial[k] = op(partial[k], T(value(t + k)));
            for (int k = 0; t < count; ++t, ++k) partial[k] = op(partial[k], T(value(t)));
            for (int distance = 1; distance < lanes; distance *= 2)
                for (int k = 0; k < lanes; k += 2 * distance)
                    partial[k] = op(partial[k], partial[k + distance]);
            return partial[0];
        }
    }
    T total = T(value(0));
    for (Index t = 1; t < count; ++t) total = op(total, T(value(t)));
    return total;
}

/// The elements of a stretch, of a process, .. put together; there may be none.
template <class T, class Op>
struct Fold {
    T value;
    bool isEmpty = true;

    explicit Fold(const T& any) : value(any) {}

    template <class Value>
    void take(const Op& op, Index count, const Value& of) {
        join(op, foldedRow<T>(op, count, of), false);
    }
    void join(const Op& op, const Fold& next) { join(op, next.value, next.isEmpty); }
    T result(const Op& op, const T& init) const { return isEmpty ? init : T(op(init, value)); }

    static void combine(void* left, const void* right, std::size_t, const void* op) {
        static_cast<Fold*>(left)->join(*static_cast<const Op*>(op),
                                       *static_cast<const Fold*>(right));
    }

private:
    void join(const Op& op, const T& next, bool nextIsEmpty) {
        if (nextIsEmpty) return;
        value = isEmpty ? next : T(op(value, next));
        isEmpty = false;
    }
};

/// The same for reproducible sums.
template <class T, class Op>
struct BinnedFold {
    hpspmd::detail::BinnedSum<T> sum;

    explicit BinnedFold(const T&) {}

    template <class Value>
    void take(const Op&, Index count, const Value& of) {
        hpspmd::detail::addTerms(sum, count, of);
    }
    void join(const Op&, const BinnedFold& next) { sum.merge(next.sum); }
    T result(const Op&, const T& init) const {
        BinnedFold all = *this;
        all.sum.add(init);
        return all.sum.value();
    }

    static void combine(void* left, const void* right, std::size_t, const void*) {
        static_cast<BinnedFold*>(left)->sum.merge(static_cast<const BinnedFold*>(right)->sum);
    }
};

template <class T, class Op>
inline constexpr bool hasBinnedFold = isPlus<Op>&& hpspmd::detail::isBinnable<T>;

}  // namespace hpspmd::patterns::detail
