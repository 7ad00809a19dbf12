// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invariance/witness_file.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>

namespace hpspmd::invariance {

bool Told::isCoherent() const {
    return std::all_of(parts.begin(), parts.end(),
                       [&](const auto& part) { return part.second == parts.begin()->second; });
}

std::string Told::type() const {
    if (kind == 'f') return bytes == 4 ? "float" : bytes == 8 ? "double" : "long double";
    if (kind == 'c') return bytes == 8 ? "complex<float>" : "complex<double>";
    if (kind == 'b') return "bool";
    if (kind == 'x') return std::to_string(bytes) + "-byte";
    return (kind == 'u' ? "unsigned " : "") + std::to_string(8 * bytes) + "-bit integer";
}

Witness::Witness(const std::string& path, int processes) {
    for (int process = 0; process < processes; ++process)
        read(path + "." + std::to_string(process), process);
}

const Told* Witness::told(const Event& event) const {
    const auto found = told_.find(event);
    return found == told_.end() ? nullptr : &found->second;
}

long Witness::executions(const Site& site) const {
    const auto found = executions_.find(site);
    return found == executions_.end() ? 0 : found->second;
}

void Witness::read(const std::string& path, int process) {
    std::ifstream file(path);
    if (!file)
        throw std::runtime_error(
            "the program tells nothing of itself: it uses no multiarrays, or other libraries than "
            "this hpcc");
    std::map<int, Site> sites;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        char what = 0;
        int number = 0;
        words >> what >> number;
        if (what == 'S') {
            Site& site = sites[number];
            words >> site.line >> site.name >> std::ws;
            std::getline(words, site.file);
            continue;
        }
        Event event{sites[number], 0, Event::result};
        Told told;
        long part = process;
        Told::Sum sum{};
        int rank = 0;
        words >> event.execution;
        if (what == 'A') {
            words >> event.array >> part >> sum.first >> sum.second >> told.kind >> told.bytes >>
                rank;
            told.extents.resize(static_cast<size_t>(rank));
            for (std::int64_t& extent : told.extents) words >> extent;
        } else {
            words >> told.kind >> told.bytes >> told.value;
            sum.first = std::hash<std::string>()(told.value);
        }
        if (!words) throw std::runtime_error("the witness '" + path + "' is not whole: " + line);
        long& executions = executions_[event.site];
        executions = std::max(executions, event.execution);
        const auto [known, isNew] = told_.emplace(event, told);
        if (isNew) order_.push_back(event);
        Told::Sum& whole = known->second.parts[part];
        whole = {whole.first + sum.first, whole.second + sum.second};
    }
}

}  // namespace hpspmd::invariance
