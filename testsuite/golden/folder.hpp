// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Golden files: what goes into the translator and what comes out, side by side.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hpcc::testing {

/// A line "==== <title>" and the text up to the next such line.
struct Section {
    std::string title;
    std::string text;  // of whole lines
};

using Sections = std::vector<Section>;

bool has(const Sections& sections, const std::string& title);
std::string textOf(const Sections& sections, const std::string& title);  // "" if there is none

/// The files <name>.golden of a folder; each is a sequence of sections:
///
///     ==== source
///     void f(double [[-]] a);
///     ==== lowered
///     void f(const hpspmd::Array<double, 1>& a);
class GoldenFolder {
public:
    explicit GoldenFolder(std::filesystem::path path) : path_(std::move(path)) {}

    std::vector<std::string> names() const;  // in alphabetical order
    Sections read(const std::string& name) const;
    void write(const std::string& name, const Sections& sections) const;

private:
    std::filesystem::path fileOf(const std::string& name) const;

    std::filesystem::path path_;
};

}  // namespace hpcc::testing
