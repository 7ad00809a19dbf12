// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/series.hpp>
#include <cstdio>
#include <filesystem>
#include <hpspmd/active.hpp>
#include <hpspmd/error.hpp>

#include "checks/checks.hpp"
#include "files/arrays.hpp"
#include "files/request.hpp"
#include "files/values.hpp"
#include "pictures/picture.hpp"
#include "transport/combine.hpp"

namespace hpspmd::Adlib {

using namespace detail;
using namespace detail::files;

namespace {

const std::string ending = ".pvd", lineStart = "    <DataSet timestep=\"",
                  beforeFile = "\" file=\"";

/// A time of the series, and the file of the image then.
struct Step {
    double time;
    std::string file;  ///< as XML has it
};

std::string textOf(double time) {
    std::string text;
    appendText(text, reinterpret_cast<const char*>(&time), fileNumber<double>());
    return text;
}

std::string listOf(const std::vector<Step>& steps) {
    std::string text =
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
        "  <Collection>\n";
    for (const auto& [time, file] : steps)
        text += lineStart + textOf(time) + "\" group=\"\" part=\"0" + beforeFile + file + "\"/>\n";
    return text + "  </Collection>\n</VTKFile>\n";
}

/// Those before a time in a list that an earlier run has written; of others none.
std::vector<Step> stepsBefore(double time, const std::string& path) {
    std::vector<Step> steps;
    if (!exists(path)) return steps;
    const std::string text = contentOf(path);
    for (std::size_t at = 0; (at = text.find(lineStart, at)) != text.npos;) {
        at += lineStart.size();
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        const std::size_t file = line.find(beforeFile), last = line.rfind("\"/>");
        Step step{};
        if (file == line.npos || last == line.npos || last < file + beforeFile.size() ||
            !fromText(std::string_view(line).substr(0, line.find('"')),
                      reinterpret_cast<char*>(&step.time), fileNumber<double>()))
            continue;
        step.file = line.substr(file + beforeFile.size(), last - file - beforeFile.size());
        if (step.time < time) steps.push_back(step);
    }
    return steps;
}

}  // namespace

struct Series::State {
    std::string path, stem;  ///< "out/flow.pvd", "out/flow"
    Index every, calls = 0, count = 0;
    std::vector<StateVariable> arrays;
    std::vector<Step> steps;  ///< in the first process
    bool isBegun = false;

    /// The first process finds out what an earlier run has written.
    void begin(const Entered& entered, double time) {
        if (isBegun) return;
        Outcome outcome(entered);
        if (isFirst())
            outcome.attempt([&] {
                std::error_code cause;  // writing the image tells it
                std::filesystem::create_directories(std::filesystem::path(path).parent_path(),
                                                    cause);
                steps = stepsBefore(time, path);
                count = static_cast<Index>(steps.size());
            });
        outcome.require();
        transport::broadcast(entered, apg(), 0, &count, sizeof count);
        isBegun = true;
    }

    std::string image() const {
        char digits[32];
        std::snprintf(digits, sizeof digits, ".%06lld.vti", static_cast<long long>(count));
        return stem + digits;
    }

    void add(const Entered& entered, double time, Where where) {
        begin(entered, time);
        if (arrays.empty()) throw Failure("the series has no arrays");
        const std::string file = image();
        NewArrays output(*insideOf(file)->container, file);
        output.open(entered);
        for (const StateVariable& each : arrays)
            output.write(entered, each.name, each.array(where));
        output.commit(entered);
        Outcome outcome(entered);
        if (isFirst())
            outcome.attempt([&] {
                steps.push_back({time, inXml(std::filesystem::path(file).filename().string())});
                replaceFile(path, listOf(steps));
            });
        outcome.require();
        ++count;
    }
};

Series::Series(std::string file, Index every, Where where) : state_(new State) {
    if (!file.ends_with(ending) || file == ending)
        throw IoError("Series: the name of a series ends in .pvd, '" + file + "' does not", where);
    state_->stem = file.substr(0, file.size() - ending.size());
    state_->path = std::move(file);
    state_->every = every > 0 ? every : 1;
}

Series::Series(Series&&) noexcept = default;
Series& Series::operator=(Series&&) noexcept = default;
Series::~Series() = default;

void Series::include(StateVariable array) { state_->arrays.push_back(std::move(array)); }

bool Series::add(double time, Where where) {
    if (state_->calls++ % state_->every != 0) return false;
    const Call call{"add", where};
    for (const StateVariable& each : state_->arrays)
        requireContained(call, each.array(where).array);
    onFile(call, state_->path, "write",
           [&] { state_->add(entered(call, state_->path, nullptr), time, where); });
    return true;
}

Index Series::count() const { return state_->count; }

}  // namespace hpspmd::Adlib
