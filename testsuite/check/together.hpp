// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many programs of cases/ in one: run_cases.py writes a main function that calls theirs.
#pragma once

#include "expect.hpp"

#include <hpspmd>

#include <cstdio>

namespace together {

inline int call(int (*program)()) { return program(); }
inline int call(int (*program)(int, char**)) {
    char name[] = "program";
    char* arguments[] = {name, nullptr};
    return program(1, arguments);
}

/// Runs a program in all processes, if there are enough; the first one prints a line about it.
///
///     halo_torus: passed
template <class Program>
void run(const char* name, Program* program, int processes) {
    using namespace hpspmd;
    if (apg().size() < processes) return;
    expectations::made = expectations::failed = 0;
    const int code = call(program);
    const int failed = Adlib::sum(expectations::failed + (code != 0));
    const int made = Adlib::sum(expectations::made);
    if (apg().rank() != 0) return;
    std::printf("\n%s: %s\n", name,
                failed > 0 ? "failed"
                : made > 0 ? "passed"
                           : "expects nothing");
    std::fflush(stdout);
}

}  // namespace together
