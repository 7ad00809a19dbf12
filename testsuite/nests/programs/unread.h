// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A macro names it, so that hpcc does not read it: to the translator `Doubled` is a type of which
// it knows nothing.
#pragma once

struct Doubled {
    double operator*(double x) const { return 2 * x; }
};
