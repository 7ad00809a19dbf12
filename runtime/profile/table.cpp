// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profile/table.hpp"

#include "profile/amounts.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <vector>

namespace hpspmd::profile {
namespace {

using Json = nlohmann::json;

/// Of a site, over the processes that have been recorded.
struct Row {
    std::string what, file;
    int line = 0;
    bool isSampled = false;
    long long calls = 0;  ///< of the process with most
    double seconds = 0;   ///< mean, as all that follow
    double waiting = 0, bytes = 0, messages = 0;
    double slowest = 1;  ///< the most work of a process, in means; work: not waiting
    int slowestProcess = 0;

    bool isNest() const { return what == "nest"; }
    bool isOutside() const { return line == 0; }
    std::string where() const { return fmt::format("{}:{}", file, line); }
    double work() const { return seconds - waiting; }
    void add(const Row& other) {
        seconds += other.seconds;
        waiting += other.waiting;
        bytes += other.bytes;
        messages += other.messages;
    }
};

/// Calls that read or write files, as they are called.
bool isFile(const Row& row) {
    constexpr std::array names = {"write", "read", "look", "File", "add", "checkpoint", "restore"};
    return std::ranges::find(names, row.what) != names.end();
}

/// The line of the program's text, if that is there.
std::string sourceLine(const std::string& file, int number) {
    std::ifstream stream(file);
    std::string line;
    for (int k = 0; k < number; ++k)
        if (!std::getline(stream, line)) return "";
    const size_t begin = line.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : line.substr(begin);
}

std::string shortened(const std::string& text, size_t length) {
    return text.size() <= length ? text : text.substr(0, length - 2) + "..";
}

Row rowOf(const Json& site, const std::vector<int>& recorded) {
    Row row;
    row.what = site.value("what", "outside nests");
    row.file = site.value("file", "");
    row.line = site.value("line", 0);
    const Json& processes = site.at("processes");
    double most = -1;
    for (size_t k = 0; k < processes.size(); ++k) {
        const Json& part = processes.at(k);
        Row one;
        one.seconds = part.at("seconds");
        one.waiting = part.value("waiting", 0.0);
        one.bytes = part.at("bytes");
        one.messages = part.at("messages");
        row.add(one);
        row.calls = std::max(row.calls, part.value("count", 0LL));
        row.isSampled |= part.value("sampled", false);
        if (one.work() > most) row.slowestProcess = recorded.at(k);
        most = std::max(most, one.work());
    }
    const auto number = static_cast<double>(processes.size());
    for (double* const sum : {&row.seconds, &row.waiting, &row.bytes, &row.messages})
        *sum /= number;
    row.slowest = row.work() > 0 ? most / row.work() : 1;
    return row;
}

class Table {
public:
    explicit Table(const Json& run) : run_(run), recorded_(run.at("recorded")) {
        for (const double seconds : run.at("seconds")) seconds_ += seconds;
        seconds_ /= static_cast<double>(std::max<size_t>(1, recorded_.size()));
        for (const Json& site : run.at("sites")) rows_.push_back(rowOf(site, recorded_));
        if (!recorded_.empty())
            rows_.push_back(rowOf({{"processes", run.at("outside")}}, recorded_));
        std::ranges::stable_sort(rows_, std::ranges::greater(), &Row::seconds);
    }

    std::string text() const {
        if (recorded_.empty()) return "";
        return header() + lines() + collectives() + notes();
    }

private:
    double percent(double seconds) const { return seconds_ > 0 ? 100 * seconds / seconds_ : 0; }

    std::string header() const {
        double computing = 0, waiting = 0, moving = 0, files = 0;
        for (const Row& row : rows_) {
            waiting += row.waiting;
            double& part = row.isNest() || row.isOutside() ? computing
                           : isFile(row)                   ? files
                                                           : moving;
            part += row.work();
        }
        const int processes = run_.at("processes");
        return fmt::format(
            "{} on {} process{}: {}   computing {:.0f} %   waiting {:.0f} %   moving data {:.0f} % "
            "  "
            "files {:.0f} %   slowest/mean process {:.2f}\n",
            run_.at("program").get<std::string>(), processes, processes == 1 ? "" : "es",
            duration(seconds_), percent(computing), percent(waiting), percent(moving),
            percent(files), slowestProcess());
    }

    /// The most work of a process, in means.
    double slowestProcess() const {
        double most = 0, sum = 0;
        for (size_t k = 0; k < recorded_.size(); ++k) {
            double work = run_.at("seconds").at(k);
            for (const Json& site : run_.at("sites"))
                work -= site.at("processes").at(k).at("waiting").get<double>();
            most = std::max(most, work);
            sum += work;
        }
        return sum > 0 ? most * static_cast<double>(recorded_.size()) / sum : 1;
    }

    std::string lines() const {
        constexpr size_t longest = 25, textWidth = 34;
        size_t whereWidth = 5;
        for (const Row& row : rows_) whereWidth = std::max(whereWidth, row.where().size());
        std::string text = fmt::format("{:>5} {:>10} {:>11}  {:<34} {:<{}} {:>12} {:>10}  {}\n",
                                       "%", "time", "calls", "what", "where", whereWidth,
                                       "slowest/mean", "waiting", "sent per process");
        for (size_t k = 0; k < std::min(rows_.size(), longest); ++k) {
            const Row& row = rows_[k];
            const std::string source =
                row.isNest() ? sourceLine(row.file, row.line) : std::string();
            text += fmt::format(
                "{:>5.1f} {:>10} {:>11}  {:<34} {:<{}} {:>12.2f} {:>10}  {}\n",
                percent(row.seconds), (row.isSampled ? "~" : "") + duration(row.seconds),
                row.isOutside() ? "" : count(static_cast<double>(row.calls)),
                shortened(source.empty() ? row.what : source, textWidth),
                row.isOutside() ? "" : row.where(), whereWidth, row.slowest,
                row.waiting > 0 ? duration(row.waiting) : "",
                row.messages > 0 ? amount(row.bytes) + "  " + plural(row.messages, "message") : "");
        }
        for (size_t at = 0; (at = text.find(" \n", at)) != text.npos;) {
            text.erase(at, 1);
            at -= at > 0;
        }
        if (rows_.size() > longest)
            text += fmt::format("      and {} more\n", rows_.size() - longest);
        return text;
    }

    /// All calls of an operation together.
    std::string collectives() const {
        std::vector<Row> operations;
        for (const Row& row : rows_) {
            if (row.isNest() || row.isOutside()) continue;
            auto at = std::ranges::find(operations, row.what, &Row::what);
            if (at == operations.end()) {
                operations.emplace_back().what = row.what;
                at = std::prev(operations.end());
            }
            at->add(row);
            at->calls += row.calls;
        }
        std::ranges::stable_sort(operations, std::ranges::greater(), &Row::seconds);
        std::string text;
        for (const Row& sum : operations)
            text += fmt::format("  {}: {}, {} ({:.1f} %), waiting {}, {} in {} per process\n",
                                sum.what, plural(static_cast<double>(sum.calls), "call"),
                                duration(sum.seconds), percent(sum.seconds), duration(sum.waiting),
                                amount(sum.bytes), plural(sum.messages, "message"));
        return text.empty() ? "" : "collectives\n" + text;
    }

    /// Where processes wait much, and for whose work.
    std::string notes() const {
        constexpr double much = 0.2, noticeable = 0.02, uneven = 1.1, causes = 0.3;
        const Row* worst = nullptr;
        const auto excess = [](const Row& row) { return (row.slowest - 1) * row.work(); };
        for (const Row& row : rows_)
            if ((row.isNest() || row.isOutside()) && row.slowest >= uneven &&
                (worst == nullptr || excess(row) > excess(*worst)))
                worst = &row;
        std::string text;
        for (const Row& row : rows_) {
            if (row.waiting < much * row.seconds || row.waiting < noticeable * seconds_) continue;
            text += fmt::format("note: {} at {} waits {:.0f} % of its time", row.what, row.where(),
                                100 * row.waiting / row.seconds);
            if (worst != nullptr && excess(*worst) > causes * row.waiting)
                text +=
                    fmt::format(": process {} has {:.2f} x the mean of the work {}",
                                worst->slowestProcess, worst->slowest,
                                worst->isOutside() ? "outside of nests" : "at " + worst->where());
            text += '\n';
        }
        return text;
    }

    const Json& run_;
    const std::vector<int> recorded_;
    double seconds_ = 0;  // mean
    std::vector<Row> rows_;
};

}  // namespace

std::string tableOf(const std::string& json, const std::string& file) {
    try {
        const Json run = Json::parse(json);
        if (run.at("format") != 1)
            throw std::runtime_error(
                fmt::format("'{}' is a profile of another version of hpcc", file));
        const std::string text = Table(run).text();
        if (run.at("complete").get<bool>()) return text;
        return text + (text.empty()
                           ? "the job died: nothing is recorded\n"
                           : "the job was ended by an error of this process; of the others "
                             "nothing is recorded\n");
    } catch (const Json::exception&) {
        throw std::runtime_error(fmt::format("'{}' is no profile of hpcc run", file));
    }
}

}  // namespace hpspmd::profile
