// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// skew and cskew, moves along one dimension by amounts of their own for each line.

#include <adlib/integers.hpp>
#include <adlib/shift.hpp>

namespace hpspmd {
namespace detail {

void skew(const Operand& to, const Operand& from, const Integers& amounts, int d, Beyond beyond,
          Where where);
Schedule makeSkew(const Operand& to, const Operand& from, const Integers& amounts, int d,
                  Beyond beyond, Where where);

template <class To, class From, class Amounts>
constexpr void requireSkewKinds() {
    requireSameKind<To, From>();
    static_assert(Amounts::rank() == To::rank() - 1,
                  "the shift amounts of a skew have one dimension less than the arrays");
}

template <class To, class From>
class SkewSchedule : public TwoArraySchedule<To, From> {
protected:
    template <class Amounts>
    SkewSchedule(const To& destination, const From& source, const Amounts& amounts, int d,
                 Beyond beyond, Where where)
        : TwoArraySchedule<To, From>(
              destination, source,
              makeSkew(operandAnywhere("destination", destination, where),
                       operandAnywhere("source", source, where),
                       integers("array of shifts", amounts, where), d, beyond, where)) {
        requireSkewKinds<To, From, Amounts>();
    }
};

template <class To, class From, class Amounts>
void skewArrays(const To& to, const From& from, const Amounts& amounts, int d, Beyond beyond,
                Where where) {
    requireSkewKinds<To, From, Amounts>();
    skew(operandAnywhere("destination", to, where), operandAnywhere("source", from, where),
         integers("array of shifts", amounts, where), d, beyond, where);
}

}  // namespace detail

namespace Adlib {

/// The schedule of skew(destination, source, shifts, d); the shifts are read when it is made.
template <class To, class From>
class Skew : public detail::SkewSchedule<To, From> {
public:
    template <class T, class... S>
    Skew(const To& destination, const From& source, const Array<T, S...>& shifts, int d = 0,
         detail::Where where = detail::Where::here())
        : detail::SkewSchedule<To, From>(destination, source, shifts, d, detail::Beyond::Kept,
                                         where) {}
};

/// The schedule of cskew(destination, source, shifts, d); the shifts are read when it is made.
template <class To, class From>
class Cskew : public detail::SkewSchedule<To, From> {
public:
    template <class T, class... S>
    Cskew(const To& destination, const From& source, const Array<T, S...>& shifts, int d = 0,
          detail::Where where = detail::Where::here())
        : detail::SkewSchedule<To, From>(destination, source, shifts, d, detail::Beyond::Wrapped,
                                         where) {}
};

/// destination[.., x, ..] = source[.., x + shifts[..], ..] in dimension d: a shift whose amount
/// differs from line to line. The shifts, integers of any type, have the other dimensions, aligned
/// with the arrays'; so over the process dimension of d they are replicated. Elements whose source
/// would lie outside keep their value.
/// Example, 2 x 3, d = 1, shifts 0 and 1: rows 1 2 3 and 4 5 6 give 1 2 3 and 5 6 (as before).
/// Errors (AdlibError): arrays not so aligned; not contained in the APG; overlapping; no dimension
/// d. HPJava's Adlib.skew.
template <class T, class... To, class U, class... From, class I, class... S>
void skew(const Array<T, To...>& destination, const Array<U, From...>& source,
          const Array<I, S...>& shifts, int d = 0, detail::Where where = detail::Where::here()) {
    detail::skewArrays(destination, source, shifts, d, detail::Beyond::Kept, where);
}

/// The same, cyclic: source[.., (x + shifts[..]) mod N, ..]. Example: the rows above give 1 2 3 and
/// 5 6 4.
template <class T, class... To, class U, class... From, class I, class... S>
void cskew(const Array<T, To...>& destination, const Array<U, From...>& source,
           const Array<I, S...>& shifts, int d = 0, detail::Where where = detail::Where::here()) {
    detail::skewArrays(destination, source, shifts, d, detail::Beyond::Wrapped, where);
}

}  // namespace Adlib
}  // namespace hpspmd
