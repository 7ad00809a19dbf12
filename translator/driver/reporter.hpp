#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "diagnostics/engine.hpp"

namespace hpcc::driver {

/// --diagnostics-format
enum class DiagnosticsFormat { Text, Json, Sarif };

/// Where the diagnostics of one `hpcc` command go: the standard error output, text at once, JSON
/// and SARIF as one document at the end.
class Reporter {
public:
    explicit Reporter(DiagnosticsFormat format) : format_(format) {}
    ~Reporter();
    Reporter(const Reporter&) = delete;
    Reporter& operator=(const Reporter&) = delete;

    void report(const diagnostics::Engine& engine);
    /// Lines that are no diagnostics; left out of the documents.
    void print(const std::string& lines) const;

private:
    DiagnosticsFormat format_;
    std::vector<nlohmann::ordered_json> entries_;
};

}  // namespace hpcc::driver
