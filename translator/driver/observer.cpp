// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/observer.hpp"

#include <algorithm>
#include <iostream>

#include <fmt/core.h>

#include "emit/emit.hpp"

namespace hpcc::driver {

ast::Unit Observer::perform(const std::string& name, const std::function<ast::Unit()>& stage) {
    ast::Unit unit;
    measure(name, [&] { unit = stage(); });
    if (std::find(printAfter_.begin(), printAfter_.end(), name) != printAfter_.end()) {
        std::cerr << fmt::format("// ---- {} after {}\n", unit.text->path(), name)
                  << emit::emit(unit, {.lineDirectives = false});
    }
    return unit;
}

void Observer::measure(const std::string& name, const std::function<void()>& work) {
    const Clock::time_point start = Clock::now();
    work();
    const std::chrono::duration<double> time = Clock::now() - start;
    const auto known = std::find_if(times_.begin(), times_.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    if (known == times_.end())
        times_.emplace_back(name, time);
    else
        known->second += time;
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
