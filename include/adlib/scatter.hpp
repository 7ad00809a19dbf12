// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// scatter, a copy to elements that arrays of subscripts name, perhaps combined with what is there.

#include <adlib/combining.hpp>
#include <adlib/gather.hpp>

namespace hpspmd {
namespace detail {

class PreparedScatter;
struct DeleteScatter {
    void operator()(PreparedScatter* scatter) const;
};
using ScatterHandle = std::unique_ptr<PreparedScatter, DeleteScatter>;

void scatter(const Operand& to, const Operand& from, const SubscriptArrays& subscripts,
             const Combining& combining, Where where);
ScatterHandle makeScatter(const Operand& to, const Operand& from, const SubscriptArrays& subscripts,
                          const Call& call);
void executeScatter(PreparedScatter& scatter, const Operand& to, const Operand& from,
                    const Combining& store, Where where);
void startScatter(PreparedScatter& scatter, const Operand& to, const Operand& from, Where where);
void finishScatter(PreparedScatter& scatter, const Combining& store, Where where);

/// The op of a scatter that stores.
struct Replace {};

template <class T, class Op>
Combining storeBy(const Op& op) {
    if constexpr (std::is_same_v<Op, Replace>) {
        static_cast<void>(op);
        return {};
    } else {
        return combiningBy<T>(op);
    }
}

template <class Op, class To, class From, class... Arguments>
void scatterArrays(Where where, const Op& op, const To& to, const From& from,
                   const Arguments&... arguments) {
    requireSameElements<To, From>();
    const Operand destination = operandAnywhere("destination", to, where);
    const Operand source = operandAnywhere("source", from, where);
    scatter(destination, source, subscriptArrays<From, To>(where, arguments...),
            storeBy<typename To::Element>(op), where);
}

/// The arguments of scatter: with an operation in front of the arrays, or without.
template <class First, class... Rest>
void scatterOrCombine(Where where, const First& first, const Rest&... rest) {
    if constexpr (isArray<First>)
        scatterArrays(where, Replace(), first, rest...);
    else
        scatterArrays(where, callable(first), rest...);
}

}  // namespace detail

namespace Adlib {

/// The schedule of scatter(destination, source, s0, .., mask), and by execute(op) of
/// scatter(op, destination, ..); the subscripts are read when it is made.
template <class To, class From, class... Arguments>
class Scatter {
public:
    Scatter(const To& destination, const From& source, const Arguments&... arguments,
            detail::Where where = detail::Where::here())
        : to_(destination),
          from_(source),
          scatter_(detail::makeScatter(detail::operandAnywhere("destination", destination, where),
                                       detail::operandAnywhere("source", source, where),
                                       detail::subscriptArrays<From, To>(where, arguments...),
                                       {"Scatter", where})),
          madeFor_(detail::operandAnywhere("destination", destination, where),
                   detail::operandAnywhere("source", source, where)) {
        detail::requireSameElements<To, From>();
    }

    void execute(detail::Where where = detail::Where::here()) { execute(to_, from_, where); }
    void execute(const To& to, const From& from, detail::Where where = detail::Where::here()) {
        executeBy(detail::Replace(), to, from, where);
    }
    template <class Op>
    void execute(const Op& op, detail::Where where = detail::Where::here()) {
        execute(to_, from_, op, where);
    }
    template <class Op>
    void execute(const To& to, const From& from, const Op& op,
                 detail::Where where = detail::Where::here()) {
        executeBy(detail::callable(op), to, from, where);
    }

    /// execute() in two halves; between them neither array may be touched; one at a time.
    void start(detail::Where where = detail::Where::here()) { start(to_, from_, where); }
    void start(const To& to, const From& from, detail::Where where = detail::Where::here()) {
        const detail::Call call{"Scatter", where};
        detail::keepHome(to, where);
        const detail::Operand destination = detail::operand("destination", to, where);
        const detail::Operand source = detail::readOperand("source", from, where);
        madeFor_.require(call, destination, source);
        detail::startScatter(*scatter_, destination, source, where);
    }
    void finish(detail::Where where = detail::Where::here()) { finish(detail::Replace(), where); }
    template <class Op>
    void finish(const Op& op, detail::Where where = detail::Where::here()) {
        const auto& operation = detail::callable(op);
        detail::finishScatter(*scatter_, detail::storeBy<typename To::Element>(operation), where);
    }

private:
    template <class Op>
    void executeBy(const Op& op, const To& to, const From& from, detail::Where where) {
        const detail::Call call{"Scatter", where};
        const detail::Operand destination = detail::operandAnywhere("destination", to, where);
        const detail::Operand source = detail::operandAnywhere("source", from, where);
        madeFor_.require(call, destination, source);
        detail::executeScatter(*scatter_, destination, source,
                               detail::storeBy<typename To::Element>(op), where);
    }

    To to_;
    From from_;
    detail::ScatterHandle scatter_;
    detail::MadeFor madeFor_;
};
template <class To, class From, class... Arguments>
Scatter(const To&, const From&, const Arguments&...) -> Scatter<To, From, Arguments...>;

/// scatter(destination, source, s0, s1, .., mask): destination[s0[x..], s1[x..], ..] = source[x..]
/// for all x.. where the mask (which may be left out) is true, as a sequential loop over x.. in
/// row-major order would: of several values for one element the last one stays. One array of
/// integers of any type for each dimension of the destination, aligned like the mask with the
/// source; the destination has any distribution.
/// Example: source 10 20 30, s0 = 2 0 2: a destination 1 1 1 1 becomes 20 1 30 1.
///
/// scatter(op, destination, source, s0, s1, .., mask) combines instead: destination[s] =
/// op(destination[s], source[x..]), in the same order whatever the distributions.
/// Example: scatter(std::plus<>(), count, ones, bin) makes a histogram.
///
/// Errors (AdlibError): arrays not so aligned; not contained in the APG; overlapping; a subscript
/// outside of the destination. HPJava's Adlib.scatter; the combining form is new.
template <class A, class B, class C>
void scatter(const A& a, const B& b, const C& c, detail::Where where = detail::Where::here()) {
    detail::scatterOrCombine(where, a, b, c);
}
template <class A, class B, class C, class D>
void scatter(const A& a, const B& b, const C& c, const D& d,
             detail::Where where = detail::Where::here()) {
    detail::scatterOrCombine(where, a, b, c, d);
}
template <class A, class B, class C, class D, class E>
void scatter(const A& a, const B& b, const C& c, const D& d, const E& e,
             detail::Where where = detail::Where::here()) {
    detail::scatterOrCombine(where, a, b, c, d, e);
}
template <class A, class B, class C, class D, class E, class F>
void scatter(const A& a, const B& b, const C& c, const D& d, const E& e, const F& f,
             detail::Where where = detail::Where::here()) {
    detail::scatterOrCombine(where, a, b, c, d, e, f);
}
template <class A, class B, class C, class D, class E, class F, class G>
void scatter(const A& a, const B& b, const C& c, const D& d, const E& e, const F& f, const G& g,
             detail::Where where = detail::Where::here()) {
    detail::scatterOrCombine(where, a, b, c, d, e, f, g);
}
template <class A, class B, class C, class D, class E, class F, class G, class H>
void scatter(const A& a, const B& b, const C& c, const D& d, const E& e, const F& f, const G& g,
             const H& h, detail::Where where = detail::Where::here()) {
    detail::scatterOrCombine(where, a, b, c, d, e, f, g, h);
}
/// More than eight arguments: messages do not know the line.
template <class A, class B, class C, class D, class E, class F, class G, class H, class I,
          class... More>
void scatter(const A& a, const B& b, const C& c, const D& d, const E& e, const F& f, const G& g,
             const H& h, const I& i, const More&... more) {
    detail::scatterOrCombine(detail::Where(), a, b, c, d, e, f, g, h, i, more...);
}

}  // namespace Adlib
}  // namespace hpspmd
