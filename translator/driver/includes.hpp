// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "source/span.hpp"

namespace hpcc::driver {

/// One `#include` of a header in the extended language.
struct Include {
    source::Span span;   ///< of the name with its quotes
    std::string name;    ///< as written: "sub/grid.hph"
    bool isQuoted;       ///< "..", searched beside the including file first; else <..>
    bool isConditional;  ///< inside some #if, so that the file may legally be missing
};

/// The .hph includes of a text in order, those in comments and raw strings left out.
std::vector<Include> findIncludes(const source::Text& text);

/// The other quoted ones: headers in plain C++, which may lie beside the including file.
std::vector<Include> findPlainIncludes(const source::Text& text);

/// `text` with other names, complete with their quotes, for those includes that `rename` gives one.
std::string renameIncludes(const source::Text& text, const std::vector<Include>& includes,
                           const std::function<std::optional<std::string>(const Include&)>& rename);

}  // namespace hpcc::driver
