// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "diagnostics/engine.hpp"
#include "driver/diagnostic_options.hpp"

namespace hpcc::driver {

/// Where the diagnostics of one `hpcc` command go: the standard error output, text at once, JSON
/// and SARIF as one document at the end.
class Reporter {
public:
    explicit Reporter(const DiagnosticOptions& options) : options_(options) {}
    ~Reporter();
    Reporter(const Reporter&) = delete;
    Reporter& operator=(const Reporter&) = delete;

    void report(const diagnostics::Engine& engine);
    /// Lines that are no diagnostics; left out of the documents.
    void print(const std::string& lines) const;

private:
    void noteCodes(const diagnostics::Engine& engine);
    void printAdvice() const;
    void printDocument() const;

    const DiagnosticOptions& options_;
    std::vector<nlohmann::ordered_json> entries_;
    std::vector<std::string> explained_;  ///< codes reported, whose pages say more
};

}  // namespace hpcc::driver
