// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The identity of each diagnostic, generated from diagnostics.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hpcc::diagnostics {

enum class Severity : uint8_t { Remark, Warning, Error };

std::string_view severityName(Severity severity);  // "remark", "warning", "error"

enum class Id : uint16_t {
#define DIAGNOSTIC(name, code, severity, text) name,
#include "diagnostics/diagnostics.def"
#undef DIAGNOSTIC
};

struct Definition {
    std::string_view name;
    int code;
    Severity severity;
    std::string_view text;  // one {} per argument
};

const Definition& definition(Id id);
std::string codeName(Id id);  // "HP2101"
std::optional<Id> findCode(std::string_view name);

// The `count` diagnostics with the numbers nearest to `code`, those of the same rule first; in
// ascending order.
std::vector<Id> nearCodes(int code, std::size_t count);

// All definitions in the order of the table; index = static_cast<int>(Id).
int definitionCount();

}  // namespace hpcc::diagnostics
