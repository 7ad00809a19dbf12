// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "syntax/parse.hpp"

namespace hpcc::testing {

/// A parsed text with all that it needs to live.
struct Parsed {
    Parsed(std::string path, std::string content)
        : text(std::move(path), std::move(content)), unit(syntax::parse(text, engine)) {}

    source::Text text;
    diagnostics::Engine engine;
    ast::Unit unit;

    std::string errors() const;               // rendered
    std::vector<std::string> places() const;  // "HP1021 at 4:18", in order
    bool isIdentical() const;                 // prints byte for byte
    int opaqueCount() const;                  // opaque declarations, statements, expressions
};

std::string contentOf(const std::string& path);

/// Names of the .hpcpp files in a folder of the corpus ("pos", "neg", "adv"), in alphabetical
/// order.
std::vector<std::string> corpusNames(const std::string& folder);
std::string corpusPath(const std::string& folder, const std::string& name);

/// What follows "// <key>: " on each line of a text that has it, up to a blank if there is one.
std::vector<std::string> marked(const std::string& text, const std::string& key);

}  // namespace hpcc::testing
