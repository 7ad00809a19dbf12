#include "driver/explain.hpp"

#include <iostream>

#include "diagnostics/pages.hpp"
#include "driver/diagnostic_options.hpp"

namespace hpcc::driver {

void printExplanation(const std::string& code) {
    std::cout << diagnostics::pageText(diagnostics::page(requireCode(code))) << std::flush;
}

}  // namespace hpcc::driver
