// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output.hpp"

#include <cstdio>
#include <hpspmd/error.hpp>
#include <iostream>

#include "standard_output.hpp"

namespace hpspmd::detail {

void writeOut(const std::string& text, Where where) {
    const WithoutSignal here;
    std::cout.flush();
    std::fwrite(text.data(), 1, text.size(), stdout);
    const std::string problem = flushedOutput();
    if (problem.empty()) return;
    forgetLostOutput();
    throw IoError(problem, where);
}

}  // namespace hpspmd::detail
