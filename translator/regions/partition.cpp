// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <set>

#include "regions/instances.hpp"

namespace hpcc::regions {
namespace {

std::string quoted(const DividedArray* array) { return "'" + array->symbol->name + "'"; }

std::string cells(std::pair<long, long> view) {
    return std::to_string(view.first) + " below and " + std::to_string(view.second) + " above";
}

std::string inDimension(const DividedArray* array, std::size_t k) {
    if (!array->isInBlocks()) return "";
    return " in dimension " + std::to_string(array->divided(k));
}

// 1 below and 2 above of 'a', line k of 'b', all of 'c'
std::string fetchedBefore(const Method& method, const Division& division) {
    std::set<std::string> parts;
    for (std::size_t k = 0; k <= division.further.size(); ++k)
        for (const auto& [array, view] : division.at(k).views)
            if (method.changed.contains(array) && !division.whole.contains(array))
                parts.insert(cells(view) + " of " + quoted(array) + inDimension(array, k));
    for (const auto& [array, locations] : division.lines)
        for (const std::string& each : locations)
            if (method.changed.contains(array) && !division.whole.contains(array))
                parts.insert("line " + each + " of " + quoted(array));
    for (const DividedArray* array : division.whole)
        if (method.changed.contains(array)) parts.insert("all of " + quoted(array));
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
    return text.empty() ? "nothing" : text;
}

ArraySet arraysOf(const Division& division) {
    ArraySet arrays;
    for (const Access& access : division.body.accesses) arrays.insert(access.array);
    return arrays;
}

// The access that decides how far beyond own elements the array is read.
NodePtr farthest(const Division& division, const DividedArray* array) {
    NodePtr found = nullptr;
    long most = -1;
    for (const Access& access : division.body.accesses) {
        if (access.array != array) continue;
        const auto shift = shiftOf(access.subscript(), division.variable());
        if (!shift && division.whole.contains(array)) return access.node;
        const long distance = shift ? std::abs(*shift - division.anchor) : 0;
        if (distance > most) found = access.node;
        most = std::max(most, distance);
    }
    return found;
}

// 'a': own elements, 1 below and 1 above
std::string widthOf(const Division& division, const DividedArray* array) {
    if (division.whole.contains(array)) return quoted(array) + ": all elements";
    std::string text = quoted(array) + ": own elements";
    for (std::size_t k = 0; k <= division.further.size(); ++k) {
        const auto& views = division.at(k).views;
        if (const auto view = views.find(array); view != views.end())
            text += ", " + cells(view->second) + inDimension(array, k);
    }
    return text;
}

bool isArray(const ast::Type* type) {
    return type && (type->kind == ast::TypeKind::Multiarray ||
                    type->kind == ast::TypeKind::CArray || isContiguous(type));
}

}  // namespace

void tellDivisions(const Method& method, diagnostics::Engine& engine) {
    const std::string types = assumedTypes(method);
    for (const auto& [loop, division] : method.divisions) {
        auto remark = engine.report(diagnostics::Id::DividedLoop, headOf(loop),
                                    fetchedBefore(method, division));
        for (const DividedArray* array : arraysOf(division))
            remark.note(farthest(division, array)->span(), widthOf(division, array));
        if (!types.empty())
            remark.help("that is so for numbers " + types + "; with other types it runs whole");
        for (const auto& [name, place] : division.body.others)
            if (isArray(place->symbol ? place->symbol->type : place->type))
                remark.note(place->span(), diagnostics::quoted(name) + ": whole in each process");
    }
}

void tellWhole(NodePtr loop, const Whole& whole, diagnostics::Engine& engine) {
    if (!whole.place) return;
    if (whole.rival) {
        engine
            .report(diagnostics::Id::RivalLoops, headOf(loop),
                    analysis::countingAhead(loop)->name->text(), whole.rival->name,
                    whole.array->dimension, whole.array->symbol->name)
            .note(whole.place->span(), "here")
            .help("let '" + whole.array->symbol->name + "' have no 'dist', and let reduce name it");
        return;
    }
    if (whole.tooFar) {
        engine.report(diagnostics::Id::BeyondView, whole.place->span(), whole.array->symbol->name,
                      *whole.tooFar, whole.array->view->text);
        return;
    }
    if (whole.misused) {
        engine.report(diagnostics::Id::PartialResult, headOf(loop), whole.misused->name)
            .note(whole.place->span(), "here it is used otherwise than by its operation");
        return;
    }
    auto report = engine.report(diagnostics::Id::WholeLoop, headOf(loop), whole.reason);
    report.note(whole.place->span(), "here");
    if (!whole.help.empty()) report.help(whole.help);
}

}  // namespace hpcc::regions
