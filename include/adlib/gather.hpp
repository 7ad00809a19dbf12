// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// gather, a copy of elements that arrays of subscripts name.

#include <adlib/subscripts.hpp>

namespace hpspmd {
namespace detail {

void gather(const Operand& to, const Operand& from, const SubscriptArrays& subscripts, Where where);
Schedule makeGather(const Operand& to, const Operand& from, const SubscriptArrays& subscripts,
                    Where where);

/// The demands that types can show, but for the ranks.
template <class To, class From>
constexpr void requireSameElements() {
    static_assert(isArray<To> && isArray<From>, "destination and source are arrays");
    static_assert(!std::is_const_v<typename To::Element>,
                  "the destination of a collective must not be an array of const elements");
    static_assert(std::is_same_v<typename To::Element, std::remove_const_t<typename From::Element>>,
                  "destination and source of a collective must have the same element type");
}

template <class To, class From, class... Arguments>
void gatherArrays(Where where, const To& to, const From& from, const Arguments&... arguments) {
    requireSameElements<To, From>();
    gather(operandAnywhere("destination", to, where), operandAnywhere("source", from, where),
           subscriptArrays<To, From>(where, arguments...), where);
}

}  // namespace detail

namespace Adlib {

/// The schedule of gather with the same arguments; the subscripts are read when it is made.
template <class To, class From, class... Arguments>
class Gather : public detail::TwoArraySchedule<To, From> {
public:
    Gather(const To& destination, const From& source, const Arguments&... arguments,
           detail::Where where = detail::Where::here())
        : detail::TwoArraySchedule<To, From>(
              destination, source,
              detail::makeGather(detail::operandAnywhere("destination", destination, where),
                                 detail::operandAnywhere("source", source, where),
                                 detail::subscriptArrays<To, From>(where, arguments...), where)) {
        detail::requireSameElements<To, From>();
    }
};
template <class To, class From, class... Arguments>
Gather(const To&, const From&, const Arguments&...) -> Gather<To, From, Arguments...>;

/// gather(destination, source, s0, s1, .., mask): destination[x..] = source[s0[x..], s1[x..], ..]
/// for all x.. where the mask (which may be left out) is true; the other elements keep their value.
/// One array of integers of any type for each dimension of the source, aligned like the mask with
/// the destination; the source has any distribution. Replicated destinations and sources as in
/// remap. Example: source 10 20 30 40, s0 = 3 0 0: the destination becomes 40 10 10.
/// Errors (AdlibError): arrays not so aligned; not contained in the APG; overlapping; a subscript
/// outside of the source. HPJava's Adlib.gather.
template <class To, class From, class A>
void gather(const To& destination, const From& source, const A& a,
            detail::Where where = detail::Where::here()) {
    detail::gatherArrays(where, destination, source, a);
}
template <class To, class From, class A, class B>
void gather(const To& destination, const From& source, const A& a, const B& b,
            detail::Where where = detail::Where::here()) {
    detail::gatherArrays(where, destination, source, a, b);
}
template <class To, class From, class A, class B, class C>
void gather(const To& destination, const From& source, const A& a, const B& b, const C& c,
            detail::Where where = detail::Where::here()) {
    detail::gatherArrays(where, destination, source, a, b, c);
}
template <class To, class From, class A, class B, class C, class D>
void gather(const To& destination, const From& source, const A& a, const B& b, const C& c,
            const D& d, detail::Where where = detail::Where::here()) {
    detail::gatherArrays(where, destination, source, a, b, c, d);
}
template <class To, class From, class A, class B, class C, class D, class E>
void gather(const To& destination, const From& source, const A& a, const B& b, const C& c,
            const D& d, const E& e, detail::Where where = detail::Where::here()) {
    detail::gatherArrays(where, destination, source, a, b, c, d, e);
}
template <class To, class From, class A, class B, class C, class D, class E, class F>
void gather(const To& destination, const From& source, const A& a, const B& b, const C& c,
            const D& d, const E& e, const F& f, detail::Where where = detail::Where::here()) {
    detail::gatherArrays(where, destination, source, a, b, c, d, e, f);
}
/// Sources of rank 6 and more: messages do not know the line.
template <class To, class From, class A, class B, class C, class D, class E, class F, class G,
          class... More>
void gather(const To& destination, const From& source, const A& a, const B& b, const C& c,
            const D& d, const E& e, const F& f, const G& g, const More&... more) {
    detail::gatherArrays(detail::Where(), destination, source, a, b, c, d, e, f, g, more...);
}

}  // namespace Adlib
}  // namespace hpspmd
