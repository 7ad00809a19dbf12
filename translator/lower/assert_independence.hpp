// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::lower {

class ObservedFunctions;

/// Gives a nest of the restricted form that is declared `[[hpspmd::independent]]` a second form,
/// for programs that run with HPSPMD_CHECK=independence: it notes what each iteration accesses.
///
///     [[hpspmd::independent]] overall (i = x for 1 :) if (f[i]) a[i] = a[i - 1];
///     ->
///     [[hpspmd::independent]] if (hpspmd::detail::checksIndependence()) {
///         hpspmd::detail::Independence i_asserted(hpspmd::detail::Where::here(), f, a);
///         {
///             hpspmd::detail::Independence::Loop i_loop(i_asserted, "i");
///             overall (i = x for 1 :) {
///                 i_loop.at(i);
///                 if (i_asserted.read(f[i], "f"))
///                     i_asserted.write(a[i], "a") = i_asserted.read(a[i - 1], "a");
///             }
///         }
///         i_asserted.compare();
///     } else overall (i = x for 1 :) if (f[i]) a[i] = a[i - 1];
///
/// So do functions and lambdas that it calls (ObservedFunctions); a line on stderr tells of others.
///
/// So it is with a loop that was divided because of a promise, of which the arrays are known that
/// the promise concerns, containers among them:
///
///     [[hpspmd::promised(y = scattered(y, f_method))]] overall (k = x for :) y[row[k`]] += v[k];
///     ->  .. hpspmd::detail::Independence k_asserted(hpspmd::detail::Where::here(),
///                hpspmd::detail::scattered(y, f_method).as("y"));
///         ..     k_asserted.write(y[row[k`]], "y") += k_asserted.read(v[k], "v");
ast::Unit assertIndependence(ast::Unit unit, ast::Quoter& quote,
                             const ObservedFunctions& functions);

/// The element of `i_asserted.write(a[i], "a")`; null if the call is none of these.
ast::NodePtr assertedElement(ast::NodePtr call);

}  // namespace hpcc::lower
