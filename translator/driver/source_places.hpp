// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "driver/compiler_messages.hpp"
#include "source/span.hpp"

namespace hpcc::driver {

/// Finds the places that the C++ compiler names in translated texts, in the files that the user
/// wrote. `#line` gives file and line; the column is one of the translated line, and what stands
/// there is looked for in the user's line.
class SourcePlaces {
public:
    explicit SourcePlaces(std::vector<std::string> translated);

    /// The token meant, else the whole line; stands nowhere if the file cannot be read. What is
    /// said of it names it, perhaps.
    source::Span find(const CompilerPlace& place, std::string_view said = {});

    /// True if a name that hpcc has declared there stands for that of the user, or is none of his.
    bool isMadeName(const CompilerPlace& place, std::string_view name);

    /// Whether lines of that file have been translated.
    bool isTranslated(const std::string& file) const;

private:
    void addLines(std::string_view translated);
    const source::Text* text(const std::string& file);

    std::vector<std::string> texts_;  // of the translation

    /// The translated lines that stand for a line of the user's.
    std::map<std::pair<std::string, uint32_t>, std::vector<std::string_view>> translated_;
    std::map<std::string, std::unique_ptr<source::Text>> sources_;
};

}  // namespace hpcc::driver
