// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invariance/report.hpp"

#include <sstream>

#include "invariance/names.hpp"

namespace hpspmd::invariance {
namespace {

std::string ordinal(long n) {
    const long last = n % 100 >= 11 && n % 100 <= 13 ? 0 : n % 10;
    return std::to_string(n) + (last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

std::string times(long n) { return n == 1 ? "once" : std::to_string(n) + " times"; }

}  // namespace

std::string describeEvent(const Options& options, const Event& event, const Told& told) {
    std::ostringstream text;
    text << event.site.place() << ", " << ordinal(event.execution) << " execution: ";
    if (event.array == Event::result) {
        text << "the result of " << event.site.name;
    } else {
        const std::string name = arrayName(options.hpcc, event.site, event.array);
        text << (event.site.name == "nest" ? "the nest" : event.site.name) << " writes ";
        text << (name.empty() ? "an array" : "'" + name + "'") << " (" << told.type();
        for (size_t r = 0; r < told.extents.size(); ++r)
            text << (r == 0 ? ", " : " x ") << told.extents[r];
        text << ')';
    }
    text << '\n';
    if (const std::string line = sourceLine(event.site); !line.empty())
        text << "    " << event.site.line << " | " << line << '\n';
    return text.str();
}

std::string describeElements(const std::string& name, const ElementDifference& difference,
                             const Setting& reference, const Setting& other) {
    std::ostringstream text;
    if (difference.differing == 0)
        return "  its elements are the same when the program runs again: they depend on chance\n";
    text << "  " << (name.empty() ? "element " : name) << '[';
    for (size_t r = 0; r < difference.subscripts.size(); ++r)
        text << (r == 0 ? "" : ", ") << difference.subscripts[r];
    text << "] = " << difference.first << " on " << reference.text() << ", " << difference.second
         << " on " << other.text() << ", where process " << difference.process << " holds it\n";
    text << "  " << difference.differing << " of " << difference.all << " elements differ";
    if (difference.atEdges == difference.differing && other.processes > 1)
        text << ", all at edges between processes";
    else if (difference.atEdges > 0)
        text << ", " << difference.atEdges << " of them at edges between processes";
    if (difference.largest > 0) text << "; largest relative difference " << difference.largest;
    text << '\n';
    return text.str();
}

std::string describeUnevenness(const Comparison& comparison, const Witness& reference,
                               const Witness& other, const Setting& first, const Setting& second) {
    std::ostringstream text;
    for (const Site& site : comparison.uneven)
        text << "  note: " << site.place() << ": " << site.name << " is executed "
             << times(reference.executions(site)) << " on " << first.text() << ", "
             << times(other.executions(site)) << " on " << second.text() << '\n';
    for (const Site& site : comparison.reshaped)
        text << "  note: " << site.place() << ": " << site.name
             << " writes an array of another shape on " << second.text()
             << ", which is not compared\n";
    return text.str();
}

}  // namespace hpspmd::invariance
