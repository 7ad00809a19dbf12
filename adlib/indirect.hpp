#pragma once
// What gather and scatter share.

#include <adlib/subscripts.hpp>
#include <hpspmd/collective.hpp>

#include "plan/indirect.hpp"
#include "schedule/cache.hpp"

namespace hpspmd::detail {

/// The subscript arrays as plans see them. `subscripts` must outlive the result.
plan::Subscripts readable(const SubscriptArrays& subscripts);

/// Demands that hold for the subscripts of both: aligned with the array over x, which lies in the
/// APG like the indexed one; none of them is written to.
void requireSubscripts(const Call& call, const Operand& walked, const Operand& indexed,
                       const SubscriptArrays& subscripts);
void requireUntouched(const Call& call, const Operand& written, const Operand& read,
                      const SubscriptArrays& subscripts);

/// What the call is known by to the processes that compare it.
Key keyOf(Kind kind, const Operand& to, const Operand& from, const SubscriptArrays& subscripts);

/// AdlibError on all members of the APG if one of them found a bad subscript: that of the first x
/// in row-major order. Collective over the APG.
void requireInside(const Entered& entered, const Call& call, const Operand& walked,
                   const Operand& indexed, const std::optional<plan::BadSubscript>& bad);

}  // namespace hpspmd::detail
