// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// copy, between aligned arrays.

#include <adlib/schedule.hpp>

namespace hpspmd {
namespace detail {

void copy(const Operand& to, const Operand& from, Where where);
Schedule makeCopy(const Operand& to, const Operand& from, Where where);

}  // namespace detail

namespace Adlib {

/// The schedule of copy(destination, source).
template <class To, class From>
class Copy : public detail::TwoArraySchedule<To, From> {
public:
    Copy(const To& destination, const From& source, detail::Where where = detail::Where::here())
        : detail::TwoArraySchedule<To, From>(
              destination, source,
              detail::makeCopy(detail::operandAnywhere("destination", destination, where),
                               detail::operandAnywhere("source", source, where), where)) {
        detail::requireSameKind<To, From>();
    }
};

/// destination[x, ..] = source[x, ..] for aligned arrays; never communicates. Ghost cells are not
/// copied. Errors (AdlibError): arrays not aligned; not contained in the APG; overlapping.
template <class T, class... To, class U, class... From>
void copy(const Array<T, To...>& destination, const Array<U, From...>& source,
          detail::Where where = detail::Where::here()) {
    detail::requireSameKind<Array<T, To...>, Array<U, From...>>();
    detail::copy(detail::operandAnywhere("destination", destination, where),
                 detail::operandAnywhere("source", source, where), where);
}

}  // namespace Adlib
}  // namespace hpspmd
