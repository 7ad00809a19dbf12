// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The places of a program that can be exchanged with one another: its tree, flattened.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ast/unit.hpp"
#include "diagnostics/engine.hpp"

namespace hpcc::fuzz {

/// Bytes [begin, end) of the text. Two places with one `sort` can stand for each other: both
/// expressions, both statements, or else nodes of one kind.
struct Place {
    uint32_t begin, end;
    ast::NodePtr node;
    ast::NodePtr parent;
    int slot;  // among the parent's children
    int sort;
};

/// A text, parsed for the sake of its places.
class Program {
public:
    explicit Program(const std::string& content);

    const std::string& content() const { return content_; }
    const std::vector<Place>& places() const { return places_; }
    bool isLegal() const { return !engine_.hasErrors() && !places_.empty(); }
    std::string_view textOf(const Place& place) const {
        return std::string_view(content_).substr(place.begin, place.end - place.begin);
    }

    static int sortCount();

private:
    void gather(ast::NodePtr node);

    std::string content_;
    source::Text text_;
    diagnostics::Engine engine_;
    ast::Unit unit_;
    std::vector<Place> places_;
};

}  // namespace hpcc::fuzz
