// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnostics/pages.hpp"

#include <array>

namespace hpcc::diagnostics {
namespace {

struct Page {
    std::string_view code, text;
};

constexpr auto pages = std::to_array<Page>({
#include "diagnostics/pages.inc"
});

}  // namespace

std::string_view page(Id id) {
    const std::string code = codeName(id);
    for (const Page& each : pages)
        if (each.code == code) return each.text;
    return {};
}

}  // namespace hpcc::diagnostics
