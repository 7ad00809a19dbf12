// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/flow/directives.hpp"

namespace hpcc::check::flow {

std::string_view directiveOf(std::string_view line) {
    const auto hash = line.find_first_not_of(" \t");
    if (hash == line.npos || line[hash] != '#') return {};
    const auto start = line.find_first_not_of(" \t", hash + 1);
    return start == line.npos ? std::string_view() : line.substr(start);
}

}  // namespace hpcc::check::flow
