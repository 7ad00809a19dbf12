// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Where in the program's own text the process is.

#include <string>

namespace hpspmd::detail {

/// Place and function of the innermost call on the stack that is the program's own, not a
/// library's.
struct CallPlace {
    std::string file;  ///< "heat.hpcpp"; empty if the program was compiled without -g
    int line = 0;
    std::string function;  ///< "relax"; empty if nothing is known
};

/// Asks addr2line. May be called where a signal or an exception ends the process, and only there:
/// it takes some milliseconds. `jumped`: where the latest call returns to, if it led nowhere, so
/// that the stack cannot be followed from there; or null.
CallPlace callPlace(const void* jumped = nullptr);

}  // namespace hpspmd::detail
