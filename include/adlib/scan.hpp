#pragma once
/// scan, the prefixes of lines of elements.

#include <adlib/combining.hpp>
#include <adlib/reduction.hpp>
#include <adlib/schedule.hpp>
#include <cstring>
#include <functional>

namespace hpspmd {
namespace detail {

/// A line of elements along the scanned dimension, in rising order of the global index.
struct Line {
    char* to;
    const char* from;
    Index toStep, fromStep;  ///< in elements
    Index count;
};

/// How a scan computes, without element type. A state is what some elements come to; it travels
/// between processes as bytes.
struct Scanner {
    std::size_t stateBytes;
    /// The state of a line that is not empty.
    void (*summarise)(const void* op, const Line& line, char* state);
    /// Writes the prefixes of a line; `before` is the state of what comes before it, or null.
    void (*write)(const void* op, const Line& line, const char* before);
    Combiner combiner;  ///< of two states per line, the left one comes first
    const void* op;
};

void scan(const Operand& to, const Operand& from, int d, const Scanner& scanner, Where where);

template <class T, class Op>
void summariseLine(const void* op, const Line& line, char* state) {
    const Op& combine = *static_cast<const Op*>(op);
    const T* from = reinterpret_cast<const T*>(line.from);
    T total = from[0];
    for (Index t = 1; t < line.count; ++t) total = combine(total, from[t * line.fromStep]);
    std::memcpy(state, static_cast<const void*>(&total), sizeof(T));
}

template <class T, class Op>
void writePrefixes(const void* op, const Line& line, const char* before) {
    const Op& combine = *static_cast<const Op*>(op);
    const T* from = reinterpret_cast<const T*>(line.from);
    T* to = reinterpret_cast<T*>(line.to);
    T total = before != nullptr ? combine(loaded<T>(before), from[0]) : from[0];
    to[0] = total;
    for (Index t = 1; t < line.count; ++t) {
        total = combine(total, from[t * line.fromStep]);
        to[t * line.toStep] = total;
    }
}

template <class T, class Op>
void combineStates(void* left, const void* right, std::size_t bytes, const void* context) {
    const Op& combine = *static_cast<const Op*>(context);
    char* mine = static_cast<char*>(left);
    const char* other = static_cast<const char*>(right);
    for (std::size_t at = 0; at < bytes; at += sizeof(T)) {
        const T both = combine(loaded<T>(mine + at), loaded<T>(other + at));
        std::memcpy(mine + at, static_cast<const void*>(&both), sizeof(T));
    }
}

// Of sums that do not depend on the order: a state is the exact sum, each prefix its rounding.

template <class T>
void summariseExactly(const void*, const Line& line, char* state) {
    BinnedSum<T> sum;
    const T* from = reinterpret_cast<const T*>(line.from);
    addTerms(sum, line.count, [&](Index t) { return from[t * line.fromStep]; });
    std::memcpy(state, static_cast<const void*>(&sum), sizeof sum);
}

template <class T>
void writeExactPrefixes(const void*, const Line& line, const char* before) {
    const T* from = reinterpret_cast<const T*>(line.from);
    T* to = reinterpret_cast<T*>(line.to);
    BinnedSum<T> sum = before != nullptr ? loaded<BinnedSum<T>>(before) : BinnedSum<T>();
    for (Index t = 0; t < line.count; ++t) {
        sum.add(from[t * line.fromStep]);
        to[t * line.toStep] = sum.value();
    }
}

template <class Op, class T>
inline constexpr bool isPlus = std::is_same_v<Op, std::plus<>> || std::is_same_v<Op, std::plus<T>>;

template <class To, class From, class Op>
void scanArrays(Where where, Order order, const To& to, const From& from, const Op& op, int d) {
    using T = typename To::Element;
    requireSameKind<To, From>();
    static_assert(std::is_invocable_r_v<T, const Op&, const T&, const T&>,
                  "the operation of scan takes two elements and gives one");
    Scanner scanner{
        sizeof(T), summariseLine<T, Op>, writePrefixes<T, Op>, {combineStates<T, Op>, &op}, &op};
    if constexpr (isBinnable<T> && isPlus<Op, T>) {
        if (order == Order::None)
            scanner = {sizeof(BinnedSum<T>),
                       summariseExactly<T>,
                       writeExactPrefixes<T>,
                       {mergeSums<T>, nullptr},
                       nullptr};
    }
    static_cast<void>(order);
    scan(operand("destination", to, where), operand("source", from, where), d, scanner, where);
}

}  // namespace detail

namespace Adlib {

/// destination[.., x, ..] = op of source[.., 0, ..] up to source[.., x, ..] in dimension d, x
/// included; op(a, b) must be associative, not commutative: a stands before b. The arrays are
/// aligned. Example: source 3 1 4 1 5, std::plus<>(): 3 4 8 9 14.
/// Floating-point sums depend on the process grid and the distribution along d; see reproducible.
/// Errors (AdlibError): arrays not aligned; not contained in the APG; overlapping; no dimension d.
template <class T, class... To, class U, class... From, class Op>
void scan(const Array<T, To...>& destination, const Array<U, From...>& source, const Op& op,
          int d = 0, detail::Where where = detail::Where::here()) {
    detail::scanArrays(where, detail::usualOrder(), destination, source, detail::callable(op), d);
}

}  // namespace Adlib
}  // namespace hpspmd
