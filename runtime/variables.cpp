// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "variables.hpp"

#include <algorithm>
#include <string_view>

namespace hpspmd::detail {
namespace {

constexpr std::string_view prefix = "HPSPMD_";

constexpr std::string_view known[] = {
#define HPSPMD_VARIABLE(name, values, help) #name,
#include "variables.def"
};

std::string knownNames() {
    std::string text;
    for (const std::string_view name : known) {
        if (name == "HPSPMD_CASE") break;  // those for tests
        text += (text.empty() ? "" : ", ") + std::string(name);
    }
    return text;
}

}  // namespace

std::vector<std::string> warningsOfVariables(const char* const* environment) {
    std::vector<std::string> warnings;
    for (; *environment != nullptr; ++environment) {
        const std::string_view entry = *environment;
        const std::string_view name = entry.substr(0, entry.find('='));
        if (!name.starts_with(prefix) || std::ranges::find(known, name) != std::end(known))
            continue;
        warnings.push_back("warning: the environment variable " + std::string(name) +
                           " means nothing; known are " + knownNames());
    }
    return warnings;
}

}  // namespace hpspmd::detail
