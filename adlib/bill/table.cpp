// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bill/table.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <set>

#include "profile/amounts.hpp"

namespace hpspmd::bill {
namespace {

using profile::amount, profile::count, profile::duration, profile::plural;

constexpr const char* onData = "its messages depend on data";

/// What a line sends beyond its plans, or lacks.
struct Rest {
    double messages, bytes;

    explicit operator bool() const { return messages != 0 || bytes != 0; }
};

Rest restOf(const Line& line, const Priced& own) {
    if (!own.reason.empty()) return {line.messages, line.bytes};
    return {line.messages - own.price.messages, line.bytes - own.price.bytes};
}

bool isSilent(const Line& line) {
    return line.messages == 0 && line.bytes == 0 && line.plans.empty();
}

/// True if there is nothing to say of the line, number k, on other processes.
bool isSilent(const Line& line, size_t k, const std::deque<Prices>& others) {
    return isSilent(line) && !line.isNest() &&
           std::ranges::all_of(
               others, [&](const Prices& there) { return there.lines()[k].reason.empty(); });
}

/// Of a line on other processes: why there is no price; "" if there is one.
std::string reasonOf(const Line& line, const Priced& own, const Priced& there) {
    if (!own.reason.empty()) return own.reason;
    return restOf(line, own) ? onData : there.reason;
}

std::string processesText(int number) {
    return count(number) + (number == 1 ? " process" : " processes");
}

size_t widthOf(const Run& run) {
    size_t width = 5;
    for (const Line& line : run.lines) width = std::max(width, line.where().size());
    return width;
}

std::string noteOf(const Line& line, const Priced& own) {
    const Rest rest = restOf(line, own);
    if (!rest) return "";
    if (!own.reason.empty())
        return fmt::format("note: {} at {}: {}\n", line.what, line.where(), own.reason);
    if (rest.messages < 0 || rest.bytes < 0)
        return fmt::format("note: {} at {} has sent less than its plans say: {} with {}\n",
                           line.what, line.where(), plural(own.price.messages, "message"),
                           plural(own.price.bytes, "byte"));
    return fmt::format("note: {} at {}: {} with {} depend on data\n", line.what, line.where(),
                       plural(rest.messages, "message"), plural(rest.bytes, "byte"));
}

/// All calls of a collective together, by its name.
std::string collectives(const Run& run) {
    std::map<std::string, Line> sums;
    for (const Line& line : run.lines) {
        if (isSilent(line)) continue;
        Line& sum = sums[line.what];
        sum.executions += line.executions;
        sum.messages += line.messages;
        sum.bytes += line.bytes;
    }
    std::string text;
    for (const auto& [what, sum] : sums)
        text += fmt::format("  {}: {}, {} with {}\n", what, plural(sum.executions, "execution"),
                            plural(sum.messages, "message"), plural(sum.bytes, "byte"));
    return text.empty() ? "" : "collectives\n" + text;
}

/// A column of the what-if table.
std::string cell(const std::string& reason, const Price& price) {
    if (!reason.empty()) return fmt::format("  {:>9} {:>16} {:>9}", "?", "?", "?");
    return fmt::format("  {:>9} {:>16} {:>9}", (price.isExact ? "" : "~") + duration(price.seconds),
                       count(price.messages), amount(price.bytes));
}

std::string head(const std::string& title) {
    return fmt::format("  {:>9} {:>16} {:>9}", title, "messages", "bytes");
}

/// Sums over the lines that have a price.
Price sumOf(const Run& run, const Prices& own, const Prices& there) {
    Price sum;
    for (size_t k = 0; k < run.lines.size(); ++k)
        if (reasonOf(run.lines[k], own.lines()[k], there.lines()[k]).empty())
            sum += there.lines()[k].price;
    return sum;
}

Json jsonOf(int processes, const std::string& reason, const Price& price) {
    if (!reason.empty()) return {{"processes", processes}, {"reason", reason}};
    return {{"processes", processes},      {"messages", price.messages},
            {"bytes", price.bytes},        {"seconds", price.seconds},
            {"exact", price.isExact},      {"mostMessages", price.mostMessages},
            {"mostBytes", price.mostBytes}};
}

}  // namespace

std::string billOf(const Run& run, const Prices& own) {
    double messages = run.outsideMessages, bytes = run.outsideBytes;
    for (const Line& line : run.lines) {
        messages += line.messages;
        bytes += line.bytes;
    }
    std::string rows, notes;
    const size_t width = widthOf(run);
    for (size_t k = 0; k < run.lines.size(); ++k) {
        const Line& line = run.lines[k];
        if (isSilent(line)) continue;
        rows += fmt::format("{:<{}} {:<24} {:>12} {:>16} {:>22}\n", line.where(), width, line.what,
                            count(line.executions), count(line.messages), count(line.bytes));
        notes += noteOf(line, own.lines()[k]);
    }
    if (run.outsideMessages > 0)
        rows += fmt::format("{:<{}} {:<24} {:>12} {:>16} {:>22}\n", "", width, "outside nests", "",
                            count(run.outsideMessages), count(run.outsideBytes));
    if (notes.empty()) notes = "all of it follows from the layouts: the plans say the same\n";
    return fmt::format("{} on {}: {}, {}\n{:<{}} {:<24} {:>12} {:>16} {:>22}\n", run.program,
                       processesText(run.processes), plural(messages, "message"),
                       plural(bytes, "byte"), "where", width, "what", "executions", "messages",
                       "bytes") +
           rows + collectives(run) + notes;
}

std::string whatIf(const Run& run, const Prices& own, const std::deque<Prices>& others) {
    const size_t width = widthOf(run);
    std::string text = fmt::format("{:<{}} {:<16} {:>9}{}", "where", width, "what", "measured",
                                   head(count(own.processes())));
    for (const Prices& there : others) text += head(count(there.processes()));
    text += '\n';
    std::set<std::string> reasons;
    for (size_t k = 0; k < run.lines.size(); ++k) {
        const Line& line = run.lines[k];
        if (isSilent(line, k, others)) continue;
        text +=
            fmt::format("{:<{}} {:<16} {:>9}{}", line.where(), width, line.what.substr(0, 16),
                        duration(line.isNest() ? line.work : line.seconds),
                        cell(reasonOf(line, own.lines()[k], own.lines()[k]), own.lines()[k].price));
        for (const Prices& there : others) {
            const Priced& priced = there.lines()[k];
            const std::string reason = reasonOf(line, own.lines()[k], priced);
            text += cell(reason, priced.price);
            if (!reason.empty())
                reasons.insert(
                    fmt::format("note: {} at {}: {}\n", line.what, line.where(), reason));
        }
        text += '\n';
    }
    text +=
        fmt::format("{:<{}} {:<16} {:>9}{}", "", width, "all", "", cell("", sumOf(run, own, own)));
    const Prices* best = &own;
    for (const Prices& there : others) {
        text += cell("", sumOf(run, own, there));
        if (sumOf(run, own, there).seconds < sumOf(run, own, *best).seconds) best = &there;
    }
    text += '\n';
    for (const std::string& note : reasons) text += note;
    if (best != &others.back())
        text += fmt::format("note: of these, {} take the least time\n",
                            processesText(best->processes()));
    return text;
}

std::string jsonOf(const Run& run, const Prices& own, const std::deque<Prices>& others) {
    Json lines = Json::array();
    for (size_t k = 0; k < run.lines.size(); ++k) {
        const Line& line = run.lines[k];
        const Priced& here = own.lines()[k];
        Json there = Json::array();
        for (const Prices& prices : others)
            there.push_back(jsonOf(prices.processes(), reasonOf(line, here, prices.lines()[k]),
                                   prices.lines()[k].price));
        lines.push_back({{"file", line.file},
                         {"line", line.line},
                         {"what", line.what},
                         {"executions", line.executions},
                         {"messages", line.messages},
                         {"bytes", line.bytes},
                         {"seconds", line.seconds},
                         {"dependsOnData", static_cast<bool>(restOf(line, here))},
                         {"planned", jsonOf(own.processes(), here.reason, here.price)},
                         {"others", there}});
    }
    return Json{{"program", run.program}, {"processes", run.processes}, {"lines", lines}}.dump(1) +
           "\n";
}

}  // namespace hpspmd::bill
