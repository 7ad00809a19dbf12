// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "diagnostics/render.hpp"

namespace hpcc::fuzz {
namespace {

void requireInside(const source::Span& span, const source::Text& text) {
    if (!span.text) return;
    // A file with methods is parsed again, as a text of that name whose loops are divided.
    require(span.text->path() == text.path(), "a message stands in the text");
    require(span.begin <= span.end && span.end <= span.text->size(),
            "a message stands inside the text");
}

long executed = 0, parsed = 0, translated = 0;

}  // namespace

void run(const std::string& input) {
    try {
        const Reached reached = examine(input);
        ++executed;
        parsed += reached >= Reached::Tree;
        translated += reached == Reached::Output;
    } catch (const std::exception& error) {
        require(false, error.what());
    }
}

void tellCounts() {
    std::fprintf(stderr, "inputs: %ld executed, %ld parsed, %ld translated\n", executed, parsed,
                 translated);
}

void require(bool promise, std::string_view what) {
    if (promise) return;
    std::fprintf(stderr, "broken promise: %.*s\n", static_cast<int>(what.size()), what.data());
    std::abort();
}

void requirePlaced(const diagnostics::Engine& engine, const source::Text& text) {
    for (const diagnostics::Diagnostic& each : engine.all()) {
        requireInside(each.span, text);
        for (const diagnostics::Note& note : each.notes) requireInside(note.span, text);
        for (const diagnostics::Fixit& fixit : each.fixits) requireInside(fixit.span, text);
    }
    if (!engine.all().empty()) require(!diagnostics::render(engine).empty(), "messages are shown");
}

void requireNested(ast::NodePtr node) {
    uint32_t position = node->span().begin;
    for (const ast::NodePtr child : node->children()) {
        if (!child) continue;
        require(node->span().contains(child->span()), "a child lies inside its parent");
        require(child->span().begin >= position, "children stand in order");
        position = child->span().end;
        requireNested(child);
    }
}

}  // namespace hpcc::fuzz
