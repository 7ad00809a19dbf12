// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// shift and cshift, moves along one dimension: HPJava's Adlib.shift and Adlib.cshift.

#include <adlib/schedule.hpp>

namespace hpspmd {
namespace detail {

/// What becomes of elements whose source would lie beyond the edge.
enum class Beyond { Kept, Wrapped };

void shift(const Operand& to, const Operand& from, Index amount, int d, Beyond beyond, Where where);
Schedule makeShift(const Operand& to, const Operand& from, Index amount, int d, Beyond beyond,
                   Where where);

template <class To, class From>
class ShiftSchedule : public TwoArraySchedule<To, From> {
protected:
    ShiftSchedule(const To& destination, const From& source, Index amount, int d, Beyond beyond,
                  Where where)
        : TwoArraySchedule<To, From>(
              destination, source,
              makeShift(operandAnywhere("destination", destination, where),
                        operandAnywhere("source", source, where), amount, d, beyond, where)) {
        requireSameKind<To, From>();
    }
};

}  // namespace detail

namespace Adlib {

/// The schedule of shift(destination, source, amount, d).
template <class To, class From>
class Shift : public detail::ShiftSchedule<To, From> {
public:
    Shift(const To& destination, const From& source, Index amount, int d = 0,
          detail::Where where = detail::Where::here())
        : detail::ShiftSchedule<To, From>(destination, source, amount, d, detail::Beyond::Kept,
                                          where) {}
};

/// The schedule of cshift(destination, source, amount, d).
template <class To, class From>
class Cshift : public detail::ShiftSchedule<To, From> {
public:
    Cshift(const To& destination, const From& source, Index amount, int d = 0,
           detail::Where where = detail::Where::here())
        : detail::ShiftSchedule<To, From>(destination, source, amount, d, detail::Beyond::Wrapped,
                                          where) {}
};

/// destination[.., x, ..] = source[.., x + amount, ..] in dimension d, for aligned arrays; elements
/// whose source would lie outside keep their value. Example: with source 0 1 2 3 and amount 1 the
/// destination becomes 1 2 3 and its last element stays. The amount may have either sign.
/// Errors (AdlibError): arrays not aligned; not contained in the APG; overlapping; no dimension d.
template <class T, class... To, class U, class... From>
void shift(const Array<T, To...>& destination, const Array<U, From...>& source, Index amount,
           int d = 0, detail::Where where = detail::Where::here()) {
    detail::requireSameKind<Array<T, To...>, Array<U, From...>>();
    detail::shift(detail::operandAnywhere("destination", destination, where),
                  detail::operandAnywhere("source", source, where), amount, d, detail::Beyond::Kept,
                  where);
}

/// The same, cyclic: source[.., (x + amount) mod N, ..]. Example: 0 1 2 3 by 1 gives 1 2 3 0.
template <class T, class... To, class U, class... From>
void cshift(const Array<T, To...>& destination, const Array<U, From...>& source, Index amount,
            int d = 0, detail::Where where = detail::Where::here()) {
    detail::requireSameKind<Array<T, To...>, Array<U, From...>>();
    detail::shift(detail::operandAnywhere("destination", destination, where),
                  detail::operandAnywhere("source", source, where), amount, d,
                  detail::Beyond::Wrapped, where);
}

}  // namespace Adlib
}  // namespace hpspmd
