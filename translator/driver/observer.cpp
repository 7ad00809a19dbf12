#include "driver/observer.hpp"

#include <algorithm>
#include <iostream>

#include <fmt/core.h>

#include "emit/emit.hpp"

namespace hpcc::driver {

ast::Unit Observer::perform(const std::string& name, const std::function<ast::Unit()>& stage) {
    const Clock::time_point start = Clock::now();
    ast::Unit unit = stage();
    note(name, start);
    if (std::find(printAfter_.begin(), printAfter_.end(), name) != printAfter_.end()) {
        std::cerr << fmt::format("// ---- {} after {}\n", unit.text->path(), name)
                  << emit::emit(unit, {.lineDirectives = false});
    }
    return unit;
}

std::string Observer::emit(const ast::Unit& unit, bool lineDirectives) {
    const Clock::time_point start = Clock::now();
    std::string text = emit::emit(unit, {.lineDirectives = lineDirectives});
    note("emitted", start);
    return text;
}

void Observer::note(const std::string& name, Clock::time_point start) {
    times_.emplace_back(name, Clock::now() - start);
}

void Observer::report(const std::string& file) const {
    if (!timesPasses_) return;
    double total = 0;
    for (const auto& [name, time] : times_) total += time.count();
    std::cerr << fmt::format("{}: {:.3f} ms\n", file, total * 1e3);
    for (const auto& [name, time] : times_) {
        std::cerr << fmt::format("  {:9.3f} ms  {:5.1f} %  {}\n", time.count() * 1e3,
                                 total > 0 ? 100 * time.count() / total : 0.0, name);
    }
}

}  // namespace hpcc::driver
