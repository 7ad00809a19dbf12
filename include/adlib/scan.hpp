// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// scan, the prefixes of lines of elements.

#include <adlib/combining.hpp>
#include <adlib/reduction.hpp>
#include <adlib/schedule.hpp>
#include <cstring>
#include <functional>
#include <memory>

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
    /// Begins a line that is not empty: from the elements of this process alone. `state` becomes
    /// their state, unless it is null.
    void (*begin)(const void* op, const Line& line, char* state);
    /// The prefixes of a line that has begun are complete afterwards; `before` is the state of what
    /// comes before it, or null.
    void (*complete)(const void* op, const Line& line, const char* before);
    Combiner combiner;  ///< of two states per line, the left one comes first
    const void* op;
};

void scan(const Operand& to, const Operand& from, int d, const Scanner& scanner, Where where);

class PreparedScan;
struct DeleteScan {
    void operator()(PreparedScan* scan) const;
};
using ScanHandle = std::unique_ptr<PreparedScan, DeleteScan>;

ScanHandle makeScan(const Operand& to, const Operand& from, int d, Where where);
void startScan(PreparedScan& scan, const Operand& to, const Operand& from, const Scanner& scanner,
               Where where);
void finishScan(PreparedScan& scan, Where where);

template <class T>
void store(char* at, const T& value) {
    std::memcpy(at, static_cast<const void*>(&value), sizeof(T));
}

template <class T, class Op>
void beginPrefixes(const void* op, const Line& line, char* state) {
    const Op& combine = *static_cast<const Op*>(op);
    const T* from = reinterpret_cast<const T*>(line.from);
    T* to = reinterpret_cast<T*>(line.to);
    T total = from[0];
    to[0] = total;
    for (Index t = 1; t < line.count; ++t) {
        total = combine(total, from[t * line.fromStep]);
        to[t * line.toStep] = total;
    }
    if (state != nullptr) store(state, total);
}

template <class T, class Op>
void completePrefixes(const void* op, const Line& line, const char* before) {
    if (before == nullptr) return;
    const Op& combine = *static_cast<const Op*>(op);
    const T all = loaded<T>(before);
    T* to = reinterpret_cast<T*>(line.to);
    if (line.toStep == 1)
        for (Index t = 0; t < line.count; ++t) to[t] = combine(all, to[t]);
    else
        for (Index t = 0; t < line.count; ++t)
            to[t * line.toStep] = combine(all, to[t * line.toStep]);
}

template <class T, class Op>
void combineStates(void* left, const void* right, std::size_t bytes, const void* context) {
    const Op& combine = *static_cast<const Op*>(context);
    char* mine = static_cast<char*>(left);
    const char* other = static_cast<const char*>(right);
    for (std::size_t at = 0; at < bytes; at += sizeof(T))
        store<T>(mine + at, combine(loaded<T>(mine + at), loaded<T>(other + at)));
}

// Of sums that do not depend on the order: a state is the exact sum, each prefix its rounding.

template <class T>
void beginExactly(const void*, const Line& line, char* state) {
    if (state == nullptr) return;
    BinnedSum<T> sum;
    const T* from = reinterpret_cast<const T*>(line.from);
    addTerms(sum, line.count, [&](Index t) { return from[t * line.fromStep]; });
    store(state, sum);
}

template <class T>
void completeExactly(const void*, const Line& line, const char* before) {
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

template <class T, class Op>
Scanner scannerBy(const Op& op, Order order) {
    static_assert(std::is_invocable_r_v<T, const Op&, const T&, const T&>,
                  "the operation of scan takes two elements and gives one");
    if constexpr (isBinnable<T> && isPlus<Op, T>) {
        if (order == Order::None)
            return {sizeof(BinnedSum<T>),
                    beginExactly<T>,
                    completeExactly<T>,
                    {mergeSums<T>, nullptr},
                    nullptr};
    }
    static_cast<void>(order);
    return {
        sizeof(T), beginPrefixes<T, Op>, completePrefixes<T, Op>, {combineStates<T, Op>, &op}, &op};
}

template <class To, class From, class Op>
void scanArrays(Where where, Order order, const To& to, const From& from, const Op& op, int d) {
    requireSameKind<To, From>();
    scan(operand("destination", to, where), readOperand("source", from, where), d,
         scannerBy<typename To::Element>(op, order), where);
}

}  // namespace detail

namespace Adlib {

/// The schedule of scan(destination, source, op, d).
template <class To, class From, class Op>
class Scan {
public:
    Scan(const To& destination, const From& source, Op op, int d = 0,
         detail::Where where = detail::Where::here())
        : to_(destination),
          from_(source),
          op_(op),
          scan_(detail::makeScan(detail::operand("destination", destination, where),
                                 detail::readOperand("source", source, where), d, where)),
          madeFor_(detail::operand("destination", destination, where),
                   detail::readOperand("source", source, where)) {
        detail::requireSameKind<To, From>();
    }

    void execute(detail::Where where = detail::Where::here()) { execute(to_, from_, where); }
    void execute(const To& to, const From& from, detail::Where where = detail::Where::here()) {
        const detail::Call call{"Scan", where};
        start(to, from, where);
        finish(where);
    }

    /// execute() in two halves; between them neither array may be touched, nor the schedule moved;
    /// one at a time.
    void start(detail::Where where = detail::Where::here()) { start(to_, from_, where); }
    void start(const To& to, const From& from, detail::Where where = detail::Where::here()) {
        const detail::Call call{"Scan", where};
        detail::keepHome(to, where);
        const detail::Operand destination = detail::operand("destination", to, where);
        const detail::Operand source = detail::readOperand("source", from, where);
        madeFor_.require(call, destination, source);
        detail::startScan(*scan_, destination, source,
                          detail::scannerBy<typename To::Element>(op_, detail::usualOrder()),
                          where);
    }
    void finish(detail::Where where = detail::Where::here()) { detail::finishScan(*scan_, where); }

private:
    To to_;
    From from_;
    Op op_;
    detail::ScanHandle scan_;
    detail::MadeFor madeFor_;
};
template <class To, class From, class Op>
Scan(const To&, const From&, Op, int = 0, detail::Where = {}) -> Scan<To, From, Op>;

/// destination[.., x, ..] = op of source[.., 0, ..] up to source[.., x, ..] in dimension d, x
/// included; op(a, b) must be associative, not commutative: a stands before b. The arrays are
/// aligned. Example: source 3 1 4 1 5, std::plus<>(): 3 4 8 9 14.
/// Floating-point sums depend on the process grid and the distribution along d; see reproducible. A
/// process adds up what it holds, from its first element on, then adds what comes before.
/// Errors (AdlibError): arrays not aligned; not contained in the APG; overlapping; no dimension d.
template <class T, class... To, class U, class... From, class Op>
void scan(const Array<T, To...>& destination, const Array<U, From...>& source, const Op& op,
          int d = 0, detail::Where where = detail::Where::here()) {
    detail::scanArrays(where, detail::usualOrder(), destination, source, detail::callable(op), d);
}

}  // namespace Adlib
}  // namespace hpspmd
