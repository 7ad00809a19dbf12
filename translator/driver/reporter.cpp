// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/reporter.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include <fmt/core.h>
#include <fmt/format.h>
#include <unistd.h>

#include "diagnostics/json.hpp"
#include "diagnostics/render.hpp"
#include "driver/config.hpp"

namespace hpcc::driver {
namespace {

using diagnostics::Diagnostic;
using diagnostics::Id;

bool isColored(Color color) {
    if (color != Color::Auto) return color == Color::Always;
    const char* wish = std::getenv("NO_COLOR");
    return ::isatty(STDERR_FILENO) != 0 && !(wish && *wish);
}

}  // namespace

void Reporter::report(const diagnostics::Engine& engine) {
    if (options_.format == DiagnosticsFormat::Text) {
        std::cerr << diagnostics::render(engine, {options_.errorLimit, isColored(options_.color)});
        noteCodes(engine);
        return;
    }
    for (const Diagnostic& diagnostic : engine.all())
        entries_.push_back(options_.format == DiagnosticsFormat::Json
                               ? diagnostics::toJson(diagnostic)
                               : diagnostics::toSarif(diagnostic));
}

void Reporter::print(const std::string& lines) const {
    if (options_.format == DiagnosticsFormat::Text) std::cerr << lines << std::flush;
}

/// The codes of errors before those of warnings. What the C++ compiler says is nothing that a page
/// could explain.
void Reporter::noteCodes(const diagnostics::Engine& engine) {
    using diagnostics::Severity;
    for (const Severity severity : {Severity::Error, Severity::Warning})
        for (const Diagnostic& diagnostic : engine.all()) {
            const bool isForeign =
                diagnostic.id == Id::CompilerError || diagnostic.id == Id::CompilerWarning;
            if (isForeign || diagnostic.severity != severity) continue;
            const std::string code = diagnostics::codeName(diagnostic.id);
            if (std::ranges::find(explained_, code) == explained_.end()) explained_.push_back(code);
        }
}

void Reporter::printAdvice() const {
    if (explained_.empty()) return;
    const std::vector<std::string> others(explained_.begin() + 1, explained_.end());
    const std::string also =
        others.empty() ? "" : fmt::format(" (also {})", fmt::join(others, ", "));
    std::cerr << fmt::format("hpcc --explain {} says more{}", explained_.front(), also)
              << std::endl;
}

void Reporter::printDocument() const {
    const nlohmann::ordered_json document = options_.format == DiagnosticsFormat::Json
                                                ? nlohmann::ordered_json(entries_)
                                                : diagnostics::sarifLog(entries_, config::version);
    // Bytes of the source that are no UTF-8 become replacement characters.
    std::cerr << document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
              << std::endl;
}

Reporter::~Reporter() {
    if (options_.format == DiagnosticsFormat::Text)
        printAdvice();
    else
        printDocument();
}

}  // namespace hpcc::driver
