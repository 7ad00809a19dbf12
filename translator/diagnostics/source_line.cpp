// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnostics/source_line.hpp"

#include <algorithm>
#include <vector>

namespace hpcc::diagnostics {
namespace {

constexpr std::size_t widestLine = 200;
constexpr std::size_t tabWidth = 8;
constexpr std::string_view margin = "    ";

// A line as a terminal shows it: one cell per character, tabs as blanks, control characters as '?'.
struct ShownLine {
    std::vector<std::string> cells;
    std::vector<std::size_t> cellOfByte;  // one entry per byte and one behind the end
};

bool continuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

ShownLine show(std::string_view line) {
    ShownLine shown;
    for (const char c : line) {
        if (continuesCharacter(c) && !shown.cells.empty()) {
            shown.cellOfByte.push_back(shown.cells.size() - 1);
            shown.cells.back() += c;
            continue;
        }
        shown.cellOfByte.push_back(shown.cells.size());
        if (c == '\t') {
            do shown.cells.emplace_back(" ");
            while (shown.cells.size() % tabWidth);
        } else {
            const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
            shown.cells.emplace_back(1, control ? '?' : c);
        }
    }
    shown.cellOfByte.push_back(shown.cells.size());
    return shown;
}

// First cell to show so that the caret is visible in a line of at most widestLine cells.
std::size_t windowBegin(std::size_t cells, std::size_t caret) {
    if (cells <= widestLine || caret < widestLine / 2) return 0;
    return std::min(caret - widestLine / 2, cells - widestLine);
}

struct Place {
    ShownLine shown;
    std::size_t first;   // first cell shown
    std::size_t caret;   // cell of the span's begin
    std::size_t length;  // cells of the span on this line, at least 1
};

Place placeOf(const source::Span& span) {
    const source::Position position = span.position();
    Place place{show(span.text->line(position.line)), 0, 0, 1};
    const std::size_t bytes = place.shown.cellOfByte.size() - 1;
    const std::size_t begin = std::min<std::size_t>(position.column - 1, bytes);
    const std::size_t end = std::min<std::size_t>(begin + (span.end - span.begin), bytes);
    place.caret = place.shown.cellOfByte[begin];
    place.length = std::max<std::size_t>(1, place.shown.cellOfByte[end] - place.caret);
    place.first = windowBegin(place.shown.cells.size(), place.caret);
    return place;
}

}  // namespace

std::string quoteLine(const source::Span& span) {
    if (!span.text) return {};
    const Place place = placeOf(span);
    const std::size_t last = std::min(place.shown.cells.size(), place.first + widestLine);
    std::string out(margin);
    for (std::size_t cell = place.first; cell < last; ++cell) out += place.shown.cells[cell];
    out += "\n" + std::string(margin) + std::string(place.caret - place.first, ' ') + "^";
    const std::size_t visible =
        std::max(place.caret + 1, std::min(place.caret + place.length, last));
    return out + std::string(visible - place.caret - 1, '~') + "\n";
}

std::string quoteReplacement(const Fixit& fixit) {
    if (!fixit.span.text) return {};
    const Place place = placeOf(fixit.span);
    const std::string firstLine = fixit.replacement.substr(0, fixit.replacement.find('\n'));
    return std::string(margin) + std::string(place.caret - place.first, ' ') + firstLine + "\n";
}

}  // namespace hpcc::diagnostics
