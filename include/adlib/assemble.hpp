// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// assemble and refresh, which complete divided views of whole arrays (divide()).

#include <adlib/schedule.hpp>
#include <adlib/write_halo.hpp>

namespace hpspmd {
namespace detail {

void assemble(const Operand& part, Where where);
Schedule makeAssemble(const Operand& part, Where where);
void refresh(const Operand& part, const int* low, const int* high, Where where);

/// The elements at most low[r] below and high[r] above the own ones of each dimension come from
/// their owners, if something was written since they last did: a collective only then, on all
/// processes alike. Also of const elements, whose values it does not change.
template <class T, class... Slots>
void refresh(const Array<T, Slots...>& part, const std::array<int, sizeof...(Slots)>& low,
             const std::array<int, sizeof...(Slots)>& high, Where where = Where::here()) {
    refresh(operand("array", part, where), low.data(), high.data(), where);
}

}  // namespace detail

namespace Adlib {

/// The schedule of assemble(part).
template <class A>
class Assemble : public detail::OneArraySchedule<A> {
public:
    explicit Assemble(const A& part, detail::Where where = detail::Where::here())
        : detail::OneArraySchedule<A>(
              part, detail::makeAssemble(detail::operand("array", part, where), where)) {
        detail::requireChangeable<A>();
    }
};

/// All processes of the array's group get all elements: each from the process that owns it, for any
/// format. `part` is a divided view (divide()), whose ranges are whole or collapsed. Of a dimension
/// that the view is replicated over, each process has the elements already.
/// Errors (AdlibError): a range that is not whole; an array not contained in the APG.
template <class T, class... Slots>
void assemble(const Array<T, Slots...>& part, detail::Where where = detail::Where::here()) {
    detail::requireChangeable<Array<T, Slots...>>();
    detail::assemble(detail::operand("array", part, where), where);
}

}  // namespace Adlib
}  // namespace hpspmd
