// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// hpspmd-layout, which `hpcc layout` starts: a page that shows who holds which elements.

#include <fmt/core.h>
#include <hpspmd/procs.hpp>
#include <set>
#include <stdexcept>

#include "bill/run.hpp"
#include "cost/command_line.hpp"
#include "cost/words.hpp"
#include "layout/picture.hpp"
#include "observe/result_file.hpp"

namespace {

using namespace hpspmd;

constexpr const char* usage =
    R"(usage: hpcc layout RANGE.. --grid 2x3 [-o FILE.html]
       hpcc layout RUN.json [-o FILE.html]
  RANGE        block:N  ext:N:LO:HI  cyclic:N  blockcyclic:N:B  star:N; the first is distributed
               over the first axis of the grid, and so on
  --grid 2x3   the process grid
  RUN.json     what hpcc run --profile=RUN.json has written: all arrays that were communicated
  -o FILE      the page (layout.html)
)";

using detail::cost::WrongUse;

struct Request {
    std::vector<std::string> words;
    std::vector<Index> grid;
    std::string output = "layout.html";
};

Request parse(const std::vector<std::string>& words) {
    Request request;
    const auto take = [&](const std::string& name, const std::string& value) {
        if (name == "-o") {
            request.output = value;
        } else if (name == "--grid") {
            for (const std::string& extent : detail::cost::split(value, 'x'))
                request.grid.push_back(detail::cost::number(extent));
        } else {
            return false;
        }
        return true;
    };
    detail::cost::CommandLine{
        "layout", {}, take, [&](const std::string& word) { request.words.push_back(word); }}
        .read(words);
    if (request.words.empty()) throw WrongUse("hpcc layout takes ranges, or the profile of a run");
    return request;
}

std::vector<layout::Shown> ofRanges(const Request& request) {
    if (request.grid.empty()) throw WrongUse("ranges need a --grid");
    Index processes = 1;
    for (const Index extent : request.grid) {
        if (extent < 1 || extent > 1'000'000'000 / processes)
            throw WrongUse("the extents of a grid are 1 and more, 10^9 processes together");
        processes *= extent;
    }
    static const Adlib::PretendedProcesses pretended(static_cast<int>(processes));
    const Group grid(
        detail::makeGrid(request.grid.data(), static_cast<int>(request.grid.size()), {}));
    const std::vector<Range> ranges = detail::cost::makeRanges(request.words, grid);
    std::string title;
    for (const Range& x : ranges) title += (title.empty() ? "" : ", ") + detail::describe(x);
    return {{title, {grid, ranges}}};
}

/// The arrays of a recorded plan.
void addArrays(const bill::Json& plan, const std::string& where, std::set<std::string>& known,
               std::vector<layout::Shown>& arrays) {
    if (plan.contains("parts"))
        for (const bill::Json& part : plan.at("parts")) addArrays(part, where, known, arrays);
    for (const bill::Json& array : plan.value("arrays", bill::Json::array())) {
        if (array.at("ranges").empty() || !known.insert(array.dump()).second) continue;
        const detail::Layouts layouts = bill::Elsewhere(bill::Scale::Strong).array(array);
        std::string title;
        for (const detail::Map& map : layouts.descriptor())
            title += (title.empty() ? "" : ", ") + detail::describe(map.range);
        arrays.push_back({title + " (" + where + ")", layouts, plan.at("size")});
    }
}

std::vector<layout::Shown> ofRun(const std::string& file) {
    const bill::Run run = bill::Run::read(file);
    static const Adlib::PretendedProcesses pretended(run.processes);
    std::vector<layout::Shown> arrays;
    std::set<std::string> known;
    try {
        for (const bill::Line& line : run.lines)
            for (const bill::Json& plan : line.plans)
                addArrays(plan, line.what + " at " + line.where(), known, arrays);
    } catch (const bill::Json::exception&) {
        throw std::runtime_error("'" + file + "' is no profile of hpcc run");
    }
    if (arrays.empty())
        throw std::runtime_error("'" + file + "': the run has communicated no arrays");
    return arrays;
}

int perform(const Request& request) {
    const bool isRun = request.words.size() == 1 && request.words[0].find(':') == std::string::npos;
    const std::string page = layout::pageOf(isRun ? ofRun(request.words[0]) : ofRanges(request));
    detail::ResultFile file(request.output, "page of hpcc layout");
    file.write(page);
    file.commit();
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return detail::cost::performVerb(argc, argv, usage, [](const std::vector<std::string>& words) {
        return perform(parse(words));
    });
}
