// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// hpspmd-bill, which `hpcc bill` starts: what a run sends at each line.

#include <fmt/core.h>
#include <algorithm>
#include <charconv>
#include <iostream>
#include <optional>
#include <sstream>

#include "bill/budget.hpp"
#include "bill/recording.hpp"
#include "bill/table.hpp"
#include "cost/command_line.hpp"
#include "cost/machine.hpp"

namespace {

using namespace hpspmd;

constexpr const char* usage =
    R"(usage: hpcc bill FILE [-n 16,1024,1000000] [--machine FILE] [--scale strong|weak] [--json]
       hpcc bill FILE --budget FILE
       hpcc bill PROG [options] [--run N] [-- ARGUMENTS]
  FILE              what hpcc run --profile=FILE has written
  PROG              a program, or its source prog.hpcpp: it is compiled and run, with a profile
  --run N           on N processes (4)
  -n 16,1024        also time, messages and bytes on these numbers of processes
  --machine FILE    prices in JSON: {"latency": 2e-6, "bandwidth": 12e9, ..} (hpspmd-cost --help)
  --scale weak      extents grow with the process grid (strong: they stay)
  --json            all numbers, exactly
  --budget FILE     exit code 1 if a line sends more than {"heat.hpcpp:42": {"messages": 8,
                    "bytes": 4096}} allows a process in an execution, or than it does in the
                    profile FILE
)";

using detail::cost::WrongUse;

struct Request {
    std::string file;
    bill::Recording recording;
    std::vector<int> processes;
    Adlib::Machine machine;
    bill::Scale scale = bill::Scale::Strong;
    bool isJson = false;
    std::optional<std::string> budget;
};

std::vector<int> numbers(const std::string& list) {
    std::vector<int> result;
    std::istringstream stream(list + ",");
    for (std::string word; std::getline(stream, word, ',');) {
        int number = 0;
        const char* const end = word.data() + word.size();
        const auto read = std::from_chars(word.data(), end, number);
        if (read.ec != std::errc() || read.ptr != end || number < 1)
            throw WrongUse(fmt::format("'{}' is no number of processes", word));
        result.push_back(number);
    }
    return result;
}

int oneNumber(const std::string& text) {
    const std::vector<int> list = numbers(text);
    if (list.size() != 1) throw WrongUse(fmt::format("'{}' is no number of processes", text));
    return list[0];
}

bill::Scale scaleCalled(const std::string& name) {
    if (name == "strong") return bill::Scale::Strong;
    if (name == "weak") return bill::Scale::Weak;
    throw WrongUse(fmt::format("--scale is strong or weak, not '{}'", name));
}

bool takeOption(Request& request, const std::string& name, const std::string& value) {
    if (name == "-n")
        request.processes = numbers(value);
    else if (name == "--run")
        request.recording.processes = oneNumber(value);
    else if (name == "--machine")
        request.machine = detail::cost::readMachine(value);
    else if (name == "--scale")
        request.scale = scaleCalled(value);
    else if (name == "--budget")
        request.budget = value;
    else if (name == "--json")
        request.isJson = true;
    else
        return false;
    return true;
}

Request parse(const std::vector<std::string>& words) {
    Request request;
    const auto end = std::find(words.begin(), words.end(), "--");
    if (end != words.end()) request.recording.arguments.assign(end + 1, words.end());
    const detail::cost::CommandLine line{"bill",
                                         {"--json"},
                                         [&](const std::string& name, const std::string& value) {
                                             return takeOption(request, name, value);
                                         },
                                         [&](const std::string& word) {
                                             if (!request.file.empty())
                                                 throw WrongUse("hpcc bill takes one file");
                                             request.file = word;
                                         }};
    line.read({words.begin(), end});
    if (request.file.empty()) throw WrongUse("hpcc bill takes a file");
    request.recording.program = request.file;
    return request;
}

bill::Run runOf(const Request& request) {
    if (!bill::isProgram(request.file)) return bill::Run::read(request.file);
    const invariance::ScratchFolder folder;
    return bill::Run::read(bill::profileOf(request.recording, folder));
}

int billed(const Request& request) {
    const bill::Run run = runOf(request);
    if (request.budget) {
        const std::string excess = bill::Budget::read(*request.budget).excess(run);
        std::cerr << excess;
        return excess.empty() ? 0 : 1;
    }
    const auto prices = [&](int processes) {
        return bill::Prices(run, processes, request.scale, request.machine);
    };
    const bill::Prices own = prices(run.processes);
    std::deque<bill::Prices> others;
    for (const int processes : request.processes) others.push_back(prices(processes));
    if (request.isJson)
        std::cout << jsonOf(run, own, others);
    else
        std::cout << (others.empty() ? billOf(run, own) : whatIf(run, own, others));
    std::cout << std::flush;
    return std::cout ? 0 : 1;
}

int perform(const Request& request) {
    try {
        return billed(request);
    } catch (const bill::Json::exception&) {
    } catch (const std::out_of_range&) {  // a list that is too short
    }
    throw std::runtime_error(fmt::format("'{}' is no profile of hpcc run", request.file));
}

}  // namespace

int main(int argc, char** argv) {
    return detail::cost::performVerb(argc, argv, usage, [](const std::vector<std::string>& words) {
        return perform(parse(words));
    });
}
