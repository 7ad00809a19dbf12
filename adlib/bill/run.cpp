// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bill/run.hpp"

#include <algorithm>
#include <hpspmd/error.hpp>
#include <set>

#include "profile/amounts.hpp"

namespace hpspmd::bill {
namespace {

Line lineOf(const Json& site) {
    Line line;
    line.file = site.at("file");
    line.what = site.at("what");
    line.line = site.at("line");
    line.plans = site.value("plans", Json::array());
    for (const Json& part : site.at("processes")) {
        const double messages = part.at("messages"), bytes = part.at("bytes");
        const double seconds = part.at("seconds"), waiting = part.at("waiting");
        line.executions = std::max(line.executions, part.at("count").get<double>());
        line.messages += messages;
        line.bytes += bytes;
        line.mostMessages = std::max(line.mostMessages, messages);
        line.mostBytes = std::max(line.mostBytes, bytes);
        line.seconds += seconds;
        line.work += seconds - waiting;
    }
    // The two halves of a schedule are two calls of one line.
    double communications = 0;
    for (const Json& plan : line.plans) communications += plan.at("count").get<double>();
    if (communications > 0) line.executions = std::min(line.executions, communications);
    const auto processes = static_cast<double>(site.at("processes").size());
    line.seconds /= processes;
    line.work = std::max(0.0, line.work / processes);
    return line;
}

/// The group that takes part in a communication.
const Json& groupOf(const Json& plan) {
    if (plan.contains("group")) return plan.at("group");
    if (plan.contains("parts")) return groupOf(plan.at("parts").at(0));
    return plan.at("arrays").at(0).at("group");
}

/// Collectives whose messages depend on data, so that they have no plans that tell of others.
bool dependsOnData(const std::string& collective) {
    static const std::set<std::string> all = {"gather", "scatter",  "skew",    "cskew",
                                              "Gather", "Scatter",  "Skew",    "fence",
                                              "read",   "assemble", "aprintf", "write"};
    return all.count(collective) != 0;
}

}  // namespace

Run Run::read(const std::string& file) {
    const std::string text = profile::contentOf(file);
    try {
        const Json json = Json::parse(text);
        if (json.at("format") != 1)
            throw std::runtime_error("'" + file + "' is a profile of another version of hpcc");
        if (!json.at("complete").get<bool>())
            throw std::runtime_error("'" + file + "' is of a job that has not come to its end");
        Run run;
        run.program = json.at("program");
        run.processes = json.at("processes");
        if (run.processes < 1) throw std::runtime_error("'" + file + "' is of no processes");
        for (const Json& part : json.at("outside")) {
            run.outsideMessages += part.at("messages").get<double>();
            run.outsideBytes += part.at("bytes").get<double>();
        }
        for (const Json& site : json.at("sites")) run.lines.push_back(lineOf(site));
        return run;
    } catch (const Json::exception&) {
        throw std::runtime_error("'" + file + "' is no profile of hpcc run");
    }
}

Prices::Prices(const Run& run, int processes, Scale scale, const Adlib::Machine& machine)
    : run_(run), processes_(processes), scale_(scale), machine_(machine) {
    const Adlib::PretendedProcesses pretended(processes);
    for (const Line& line : run.lines) lines_.push_back(priced(line));
}

Priced Prices::priced(const Line& line) {
    std::map<std::string, Alike> byText;
    for (const Json& each : line.plans) {
        Json plan = each;
        plan.erase("count");
        byText[withoutCoordinates(plan).dump()].emplace_back(plan, each.at("count"));
    }
    Priced result;
    if (run_.processes == 1 && processes_ > 1 && dependsOnData(line.what))
        result.reason = "a run on one process does not tell what it sends on several";
    try {
        for (const auto& [text, alike] : byText)
            result.price += processes_ == run_.processes ? inRun(alike) : elsewhere(alike);
    } catch (const NotKnown& unknown) {
        result.reason = unknown.what();
    } catch (const Error& error) {  // a range that cannot be made
        result.reason = error.what();
    }
    const double share = static_cast<double>(run_.processes) / processes_;
    if (line.isNest()) result.price.seconds += line.work * (scale_ == Scale::Strong ? share : 1);
    return result;
}

Price Prices::inRun(const Alike& alike) {
    Price all;
    for (const auto& [plan, executions] : alike) {
        const Price price = one(plan).times(executions);
        all.messages += price.messages;
        all.bytes += price.bytes;
        all.mostMessages = std::max(all.mostMessages, price.mostMessages);
        all.mostBytes = std::max(all.mostBytes, price.mostBytes);
        all.seconds = std::max(all.seconds, price.seconds);
        all.isExact &= price.isExact;
    }
    return all;
}

Price Prices::elsewhere(const Alike& alike) {
    const auto seen = static_cast<double>(alike.size());
    double executions = 0;
    for (const auto& each : alike) executions += each.second;
    const Json plan = withoutCoordinates(alike.front().first);
    return one(plan).times(executions / seen, elsewhere_.groupsLike(groupOf(plan), seen));
}

const Price& Prices::one(const Json& plan) {
    const std::string text = plan.dump();
    const auto found = known_.find(text);
    if (found != known_.end()) return found->second;
    return known_[text] = bill::priceOf(plan, elsewhere_, machine_);
}

}  // namespace hpspmd::bill
