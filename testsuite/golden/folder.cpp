// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "golden/folder.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace hpcc::testing {
namespace {

const std::string opening = "==== ";

const Section* find(const Sections& sections, const std::string& title) {
    const auto found = std::find_if(sections.begin(), sections.end(),
                                    [&](const Section& each) { return each.title == title; });
    return found == sections.end() ? nullptr : &*found;
}

}  // namespace

bool has(const Sections& sections, const std::string& title) { return find(sections, title); }

std::string textOf(const Sections& sections, const std::string& title) {
    const Section* section = find(sections, title);
    return section ? section->text : "";
}

std::vector<std::string> GoldenFolder::names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
        if (entry.path().extension() == ".golden") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

Sections GoldenFolder::read(const std::string& name) const {
    std::ifstream file(fileOf(name));
    if (!file) throw std::runtime_error("no golden case " + name);
    Sections sections;
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(opening))
            sections.push_back({line.substr(opening.size()), ""});
        else if (!sections.empty())
            sections.back().text += line + "\n";
    return sections;
}

void GoldenFolder::write(const std::string& name, const Sections& sections) const {
    std::ofstream file(fileOf(name));
    for (const Section& section : sections)
        file << opening << section.title << '\n' << section.text;
}

std::filesystem::path GoldenFolder::fileOf(const std::string& name) const {
    return path_ / (name + ".golden");
}

}  // namespace hpcc::testing
