// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/picture.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "compose.hpp"
#include "grid.hpp"
#include "layout/stretches.hpp"
#include "plan/layout.hpp"
#include "plan/operations.hpp"

namespace hpspmd::layout {
namespace {

using detail::compose;
using detail::Descriptor;
namespace plan = detail::plan;

constexpr std::size_t mostStretches = 64;
constexpr int mostProcesses = 64;
constexpr double width = 640, height = 400;

constexpr const char* head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Layouts</title>
<style>
body { font: 14px sans-serif; margin: 2em; max-width: 60em }
svg { border: 1px solid #888; display: block }
rect { stroke: #fff; stroke-width: 0.5 }
rect.ghost { fill: url(#hatch); pointer-events: none }
table { border-collapse: collapse; margin: 1em 0 } td, th { padding: 0 1em; text-align: right }
tr.process { cursor: pointer } td.bar { text-align: left } td.bar span { display: inline-block; height: 0.8em; background: #69c }
.at { min-height: 1.5em; font-family: monospace }
</style></head><body>
<svg width="0" height="0"><defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse">
<path d="M0 6L6 0" stroke="#000" stroke-width="1.2"/></pattern></defs></svg>
)";

// Stretches are [first, count, coordinate, local]; an array of rank 1 has one row.
constexpr const char* script = R"(<script>
function find(stretches, n) { return stretches.find(s => n >= s[0] && n < s[0] + s[1]); }
function ghosts(axis, n, owner) {   // coordinates that have location n as a ghost cell
  const result = [];
  for (const s of axis.stretches)
    if (s[2] !== owner && n >= s[0] - axis.lo && n < s[0] + s[1] + axis.hi && !result.includes(s[2])) result.push(s[2]);
  return result;
}
for (const section of document.querySelectorAll('section')) {
  const axes = JSON.parse(section.dataset.axes), svg = section.querySelector('svg'), text = section.querySelector('.at');
  svg.addEventListener('mousemove', event => {
    const box = svg.getBoundingClientRect(), ratio = [(event.clientY - box.top) / box.height, (event.clientX - box.left) / box.width];
    const place = axes.map((axis, r) => Math.floor(ratio[axes.length === 1 ? 1 : r] * axis.shown));
    const found = axes.map((axis, r) => find(axis.stretches, place[r]));
    if (found.some(s => !s)) return;
    const also = axes.flatMap((axis, r) => ghosts(axis, place[r], found[r][2]).map(c => '(' + found.map((s, q) => q === r ? c : s[2]).join(', ') + ')'));
    text.textContent = '[' + place.join(', ') + ']: process (' + found.map(s => s[2]).join(', ') + '), local ' +
      found.map((s, r) => s[3] + place[r] - s[0]).join(', ') + (also.length ? '; also as ghost of ' + also.join(', ') : '');
  });
  for (const row of section.querySelectorAll('tr.process')) row.addEventListener('click', () => {
    for (const old of section.querySelectorAll('rect.ghost')) old.remove();
    const own = row.dataset.at.split(',').map(Number);
    const wide = (axis, c, far) => axis.stretches.filter(s => s[2] === c).map(s =>
      [Math.max(0, s[0] - (far ? axis.lo : 0)), Math.min(axis.shown, s[0] + s[1] + (far ? axis.hi : 0))]);
    const one = [[0, 1]], last = axes.length - 1;
    for (const [y0, y1] of last ? wide(axes[0], own[0], true) : one) for (const [x0, x1] of wide(axes[last], own[last], true)) {
      const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect'), rows = last ? axes[0].shown : 1;
      const box = svg.viewBox.baseVal;
      rect.setAttribute('class', 'ghost');
      rect.setAttribute('x', x0 / axes[last].shown * box.width); rect.setAttribute('width', (x1 - x0) / axes[last].shown * box.width);
      rect.setAttribute('y', y0 / rows * box.height); rect.setAttribute('height', (y1 - y0) / rows * box.height);
      svg.append(rect);
    }
  });
}
</script></body></html>
)";

/// By a format of printf for one double.
std::string printed(const char* format, double number) {
    char text[40];
    std::snprintf(text, sizeof text, format, number);
    return text;
}

template <class Parts>
std::string joined(const Parts& parts, const char* between) {
    std::string text;
    for (const auto& part : parts) text += compose(text.empty() ? "" : between, part);
    return text;
}

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text)
        result += c == '<'    ? "&lt;"
                  : c == '>'  ? "&gt;"
                  : c == '&'  ? "&amp;"
                  : c == '\'' ? "&#39;"
                  : c == '"'  ? "&quot;"
                              : std::string(1, c);
    return result;
}

constexpr int colours = 63;

/// Neighbours have colours that are far from each other.
std::string colourRules() {
    std::string rules = "<style>\n";
    for (int number = 0; number < colours; ++number)
        rules += compose(".c", number, " { fill: hsl(", static_cast<int>(number * 137.508) % 360,
                         ",", 55 + number / 7 % 3 * 15, "%,", 60 + number / 21 % 3 * 10, "%) }\n");
    return rules + "</style>\n";
}

/// A dimension of the picture.
struct Axis {
    std::vector<Stretch> stretches;
    Index shown = 0, extent = 0;
    Index lo = 0, hi = 0;

    explicit Axis(const Range& x)
        : stretches(stretchesOf(x, mostStretches)),
          extent(x.size()),
          lo(x.loExtension()),
          hi(x.hiExtension()) {
        if (!stretches.empty()) shown = stretches.back().first + stretches.back().count;
    }
    Axis() : stretches{{0, 1, 0, 0}}, shown(1), extent(1) {}

    std::string json() const {
        std::vector<std::string> parts;
        for (const Stretch& s : stretches)
            parts.push_back(
                compose("[", s.first, ",", s.count, ",", s.coordinate, ",", s.local, "]"));
        return compose(R"({"shown":)", shown, R"(,"lo":)", lo, R"(,"hi":)", hi, R"(,"stretches":[)",
                       joined(parts, ","), "]}");
    }
};

/// The rows and columns that a picture shows: the first two dimensions, or one row.
struct Axes {
    Axis rows, columns;
    bool hasRows = false;

    explicit Axes(const Descriptor& array) {
        if (array.rank == 0)
            throw std::invalid_argument("a picture shows arrays of rank 1 and more");
        hasRows = array.rank > 1;
        if (hasRows) rows = Axis(array[0].range);
        columns = Axis(array[hasRows ? 1 : 0].range);
    }
    std::string json() const {
        return hasRows ? "[" + rows.json() + "," + columns.json() + "]"
                       : "[" + columns.json() + "]";
    }
};

int colourNumber(const Descriptor& array, const Stretch& row, const Stretch& column, bool hasRows) {
    const Range& last = array[hasRows ? 1 : 0].range;
    const int columns = detail::isCollapsed(last) ? 1 : static_cast<int>(last.dim().size());
    return hasRows ? row.coordinate * columns + column.coordinate : column.coordinate;
}

std::string svgOf(const Descriptor& array, const Axes& axes) {
    const double tall = axes.hasRows ? height : 40;
    const std::string wide = printed("%g", width), high = printed("%g", tall);
    std::string text = compose("<svg viewBox=\"0 0 ", wide, " ", high, "\" width=\"", wide,
                               "\" height=\"", high, "\">\n");
    const auto scale = [](Index n, Index of, double size) {
        return printed("%.4g", static_cast<double>(n) / static_cast<double>(of) * size);
    };
    for (const Stretch& row : axes.rows.stretches)
        for (const Stretch& column : axes.columns.stretches)
            text += compose("<rect x=\"", scale(column.first, axes.columns.shown, width), "\" y=\"",
                            scale(row.first, axes.rows.shown, tall), "\" width=\"",
                            scale(column.count, axes.columns.shown, width), "\" height=\"",
                            scale(row.count, axes.rows.shown, tall), "\" class=\"c",
                            colourNumber(array, row, column, axes.hasRows) % colours, "\"/>\n");
    return text + "</svg>\n";
}

Index elementsOf(const plan::Layout& layout, int process) {
    Index elements = 1;
    for (int r = 0; r < layout.rank(); ++r)
        elements *= held(layout.range(r), layout.coordinate(r, process));
    return elements;
}

/// What a process sends in writeHalo: "16 bytes to 1, 8 bytes to 3".
std::string sentBy(const plan::Operation& halo, int process, std::size_t elementSize) {
    std::vector<std::string> parts;
    for (const plan::Message& message : plan::planFor(halo, process).sends)
        parts.push_back(
            compose(message.count() * static_cast<Index>(elementSize), " bytes to ", message.peer));
    return joined(parts, ", ");
}

std::string tableOf(const Shown& shown, const Axes& axes) {
    const Descriptor array = shown.array.descriptor();
    const plan::Layout layout(array);
    std::vector<plan::HaloWidth> widths;
    for (const detail::Map& map : array)
        widths.push_back({map.range.loExtension(), map.range.hiExtension(), false});
    const plan::Operation halo = plan::writeHalo(array, widths);
    const int processes = array.group.size(), listed = std::min(processes, mostProcesses);
    Index most = 1;
    for (int k = 0; k < listed; ++k)
        most = std::max(most, elementsOf(layout, detail::member(array.group, k)));
    std::string text =
        "<table><tr><th>process</th><th>coordinates</th><th>elements</th><th></th><th>writeHalo "
        "sends</th></tr>\n";
    for (int k = 0; k < listed; ++k) {
        const int process = detail::member(array.group, k);
        std::vector<int> at;
        for (int r = 0; r < array.rank; ++r) at.push_back(layout.coordinate(r, process));
        const std::vector<int> inPicture(at.begin(), at.begin() + (axes.hasRows ? 2 : 1));
        const Index elements = elementsOf(layout, process);
        const double share = 100.0 * static_cast<double>(elements) / static_cast<double>(most);
        text += compose("<tr class=\"process\" data-at=\"", joined(inPicture, ","), "\"><td>",
                        process, "</td><td>(", joined(at, ", "), ")</td><td>", elements,
                        "</td><td class=\"bar\"><span style=\"width:", printed("%.0f", share),
                        "px\"></span></td><td>", sentBy(halo, process, shown.elementSize),
                        "</td></tr>\n");
    }
    text += "</table>\n";
    if (listed < processes)
        text += compose("<p>The first ", listed, " of ", processes, " processes.</p>\n");
    return text;
}

std::string sectionOf(const Shown& shown) {
    const Descriptor array = shown.array.descriptor();
    const Axes axes(array);
    std::string text =
        compose("<section data-axes='", axes.json(), "'>\n<h2>", escaped(shown.title), "</h2>\n");
    if (array.rank > 2) text += "<p>The first two dimensions.</p>\n";
    for (const Axis* const axis : {&axes.rows, &axes.columns})
        if (axis->shown < axis->extent)
            text += compose("<p>The first ", axis->shown, " of ", axis->extent,
                            axis == &axes.rows ? " rows" : " columns", ".</p>\n");
    return text + svgOf(array, axes) + "<p class=\"at\"></p>\n" + tableOf(shown, axes) +
           "</section>\n";
}

}  // namespace

std::string pageOf(const std::vector<Shown>& arrays) {
    std::string text = head + colourRules();
    for (const Shown& array : arrays) text += sectionOf(array);
    return text + script;
}

}  // namespace hpspmd::layout
