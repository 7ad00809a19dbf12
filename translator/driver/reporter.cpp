#include "driver/reporter.hpp"

#include <iostream>

#include <unistd.h>

#include "diagnostics/json.hpp"
#include "diagnostics/render.hpp"
#include "driver/config.hpp"

namespace hpcc::driver {

void Reporter::report(const diagnostics::Engine& engine) {
    if (format_ == DiagnosticsFormat::Text) {
        std::cerr << diagnostics::render(engine, {.color = ::isatty(STDERR_FILENO) != 0});
        return;
    }
    for (const diagnostics::Diagnostic& diagnostic : engine.all())
        entries_.push_back(format_ == DiagnosticsFormat::Json ? diagnostics::toJson(diagnostic)
                                                              : diagnostics::toSarif(diagnostic));
}

void Reporter::print(const std::string& lines) const {
    if (format_ == DiagnosticsFormat::Text) std::cerr << lines << std::flush;
}

Reporter::~Reporter() {
    if (format_ == DiagnosticsFormat::Text) return;
    const nlohmann::ordered_json document = format_ == DiagnosticsFormat::Json
                                                ? nlohmann::ordered_json(entries_)
                                                : diagnostics::sarifLog(entries_, config::version);
    // Bytes of the source that are no UTF-8 become replacement characters.
    std::cerr << document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
              << std::endl;
}

}  // namespace hpcc::driver
