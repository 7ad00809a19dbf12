// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// remap, the copy between any two distributions: HPJava's Adlib.remap (thesis, 3.5).

#include <adlib/alone.hpp>
#include <adlib/schedule.hpp>

namespace hpspmd {
namespace detail {

void remap(const Operand& to, const Operand& from, const Combining& combining, Where where);
Schedule makeRemap(const Operand& to, const Operand& from, Where where);

}  // namespace detail

namespace Adlib {

/// The schedule of remap(destination, source).
template <class To, class From>
class Remap : public detail::TwoArraySchedule<To, From> {
public:
    Remap(const To& destination, const From& source, detail::Where where = detail::Where::here())
        : detail::TwoArraySchedule<To, From>(
              destination, source,
              detail::makeRemap(detail::operandAnywhere("destination", destination, where),
                                detail::operandAnywhere("source", source, where), where)) {
        detail::requireSameKind<To, From>();
    }
};

/// destination[x, ..] = source[x, ..] for arrays or sections of one shape, whatever their
/// distributions. A replicated destination gets every copy written (so `remap(c, a[[3, 4]])` with a
/// rank-0 c tells one element to all); of a replicated source the nearest copy is read.
/// Example: `remap(b, a)` with a by rows and b by columns redistributes a matrix.
/// Errors (AdlibError): different shapes; an array not contained in the APG; overlapping arrays.
/// Thesis 3.5.
template <class T, class... To, class U, class... From>
void remap(const Array<T, To...>& destination, const Array<U, From...>& source,
           detail::Where where = detail::Where::here()) {
    detail::requireSameKind<Array<T, To...>, Array<U, From...>>();
    if (detail::copiesRowAlone("remap", destination, source, where)) return;
    detail::remap(detail::operandAnywhere("destination", destination, where),
                  detail::operandAnywhere("source", source, where), {}, where);
}

/// The same, combining: destination[x, ..] = op(destination[x, ..], source[x, ..]).
/// Example: `remap(total, part, std::plus<>())` adds an array of another distribution.
template <class T, class... To, class U, class... From, class Op>
void remap(const Array<T, To...>& destination, const Array<U, From...>& source, const Op& op,
           detail::Where where = detail::Where::here()) {
    detail::requireSameKind<Array<T, To...>, Array<U, From...>>();
    const auto& operation = detail::callable(op);
    detail::remap(detail::operandAnywhere("destination", destination, where),
                  detail::operandAnywhere("source", source, where),
                  detail::combiningBy<T>(operation), where);
}

}  // namespace Adlib
}  // namespace hpspmd
