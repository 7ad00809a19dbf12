// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invariance/witness_file.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>

#include "invariance/values.hpp"

namespace hpspmd::invariance {

void Told::Sum::operator+=(const Sum& other) {
    first += other.first;
    second += other.second;
    near += other.near;
    magnitude += other.magnitude;
}

bool Told::Sum::isLike(const Sum& other, double tolerance) const {
    return first == other.first && second == other.second &&
           std::abs(near - other.near) <= tolerance * std::max(magnitude, other.magnitude);
}

bool Told::isCoherent(double tolerance) const {
    return std::all_of(parts.begin(), parts.end(), [&](const auto& part) {
        return part.second.isLike(parts.begin()->second, tolerance);
    });
}

bool Told::isLike(const Told& other, double tolerance) const {
    return parts.begin()->second.isLike(other.parts.begin()->second, tolerance);
}

std::string Told::type() const {
    if (kind == 'f') return bytes == 4 ? "float" : bytes == 8 ? "double" : "long double";
    if (kind == 'c') return bytes == 8 ? "complex<float>" : "complex<double>";
    if (kind == 'b') return "bool";
    if (kind == 'x') return std::to_string(bytes) + "-byte";
    return (kind == 'u' ? "unsigned " : "") + std::to_string(8 * bytes) + "-bit integer";
}

namespace {

/// Of a result.
Told::Sum sumOf(const Told& told, bool isNear) {
    Told::Sum sum;
    const std::vector<double> numbers = numbersOf(bytesOf(told.value), told.kind);
    const bool isFinite = std::all_of(numbers.begin(), numbers.end(),
                                      [](double number) { return std::isfinite(number); });
    if (!isNear || numbers.empty() || !isFinite) {
        sum.first = std::hash<std::string>()(told.value);
        return sum;
    }
    // Of complex ones the two parts, as good as surely.
    for (const double number : numbers) {
        sum.near = 0.7 * sum.near + number;
        sum.magnitude += std::max(1.0, std::abs(number));
    }
    return sum;
}

}  // namespace

Witness::Witness(const std::string& path, int processes, bool isNear) : isNear_(isNear) {
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
        Told::Sum sum;
        int rank = 0;
        words >> event.execution;
        if (what == 'R') {
            words >> told.kind >> told.bytes >> told.value;
            sum = sumOf(told, isNear_);
        } else {
            words >> event.array >> part;
            if (what == 'A') words >> sum.first >> sum.second;
            if (what == 'N') words >> sum.near >> sum.magnitude >> sum.first;
            words >> told.kind >> told.bytes >> rank;
            told.extents.resize(static_cast<size_t>(rank));
            for (std::int64_t& extent : told.extents) words >> extent;
        }
        if (!words) throw std::runtime_error("the witness '" + path + "' is not whole: " + line);
        long& executions = executions_[event.site];
        executions = std::max(executions, event.execution);
        const auto [known, isNew] = told_.emplace(event, told);
        if (isNew) order_.push_back(event);
        known->second.parts[part] += sum;
    }
}

}  // namespace hpspmd::invariance
