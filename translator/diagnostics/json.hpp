// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics for programs: an own JSON form, and SARIF 2.1.0.
//
//     [{"code": "HP2201", "severity": "error", "message": "..", "file": "f.hpcpp",
//       "range": {"begin": {"line": 4, "column": 7}, "end": {"line": 4, "column": 8}},
//       "notes": [{"message", "file", "range"}], "fixits": [{"replacement", "range"}], "helps":
//       []}]
//
// A remark of a pass has its name, too: "pass": "fast-nests".
// Lines and columns count from 1, columns in bytes; the end lies behind the last byte. A diagnostic
// that stands nowhere has neither file nor range.
#pragma once

#include "diagnostics/engine.hpp"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace hpcc::diagnostics {

nlohmann::ordered_json toJson(const Diagnostic& diagnostic);

// A result of a SARIF run.
nlohmann::ordered_json toSarif(const Diagnostic& diagnostic);

// The SARIF log of one run of hpcc with these results.
nlohmann::ordered_json sarifLog(const std::vector<nlohmann::ordered_json>& results,
                                const std::string& version);

}  // namespace hpcc::diagnostics
