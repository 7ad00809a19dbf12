// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bill/budget.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>

#include "profile/amounts.hpp"

namespace hpspmd::bill {
namespace {

/// What one process sends in one execution, rounded up.
double each(double most, const Line& line) { return std::ceil(most / line.executions); }

/// True if one means the other, as "heat.hpcpp:42" in a budget means "flow/heat.hpcpp:42".
bool meansOne(const std::string& a, const std::string& b) {
    const auto [shorter, longer] =
        std::minmax(a, b, [](const auto& x, const auto& y) { return x.size() < y.size(); });
    return longer.size() == shorter.size() ? longer == shorter : longer.ends_with("/" + shorter);
}

}  // namespace

Budget Budget::read(const std::string& file) {
    Budget budget;
    try {
        const Json json = Json::parse(profile::contentOf(file));
        if (json.contains("sites")) {
            budget.add(Run::read(file));
            return budget;
        }
        for (const auto& [where, allowed] : json.get<std::map<std::string, Json>>()) {
            for (const auto& [name, value] : allowed.items())
                if ((name != "messages" && name != "bytes") || value.get<double>() < 0)
                    throw std::runtime_error(fmt::format(
                        "'{}': {} allows a number of \"messages\" and \"bytes\", not \"{}\": {}",
                        file, where, name, value.dump()));
            budget.lines_[where] = {allowed.at("messages"), allowed.at("bytes")};
        }
        return budget;
    } catch (const Json::exception&) {
        throw std::runtime_error(
            fmt::format("'{}' is no budget: {{\"file.hpcpp:42\": {{\"messages\": 8, \"bytes\": "
                        "4096}}}}, or a profile of hpcc run",
                        file));
    }
}

void Budget::add(const Run& run) {
    for (const Line& line : run.lines) {
        if (line.executions == 0) continue;
        Allowed& allowed = lines_[line.where()];
        allowed.messages += each(line.mostMessages, line);
        allowed.bytes += each(line.mostBytes, line);
    }
}

/// The line itself before one that its name may mean.
Budget::Allowed Budget::allowedAt(const std::string& where) const {
    auto found = lines_.find(where);
    if (found == lines_.end())
        found = std::find_if(lines_.begin(), lines_.end(),
                             [&](const auto& line) { return meansOne(line.first, where); });
    return found != lines_.end() ? found->second : Allowed();
}

std::string Budget::excess(const Run& run) const {
    Budget sent;
    sent.add(run);
    std::string text;
    for (const auto& [where, needed] : sent.lines_) {
        const Allowed allowed = allowedAt(where);
        if (needed.messages <= allowed.messages && needed.bytes <= allowed.bytes) continue;
        text += fmt::format(
            "{}: a process sends {} with {} in an execution; the budget allows {} with {}\n", where,
            profile::plural(needed.messages, "message"), profile::plural(needed.bytes, "byte"),
            profile::plural(allowed.messages, "message"), profile::plural(allowed.bytes, "byte"));
    }
    return text;
}

}  // namespace hpspmd::bill
