// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/explain.hpp"

#include "diagnostics/pages.hpp"
#include "driver/diagnostic_options.hpp"
#include "driver/standard_streams.hpp"

namespace hpcc::driver {

void printExplanation(const std::string& code) {
    print(diagnostics::pageText(diagnostics::page(requireCode(code))));
}

}  // namespace hpcc::driver
