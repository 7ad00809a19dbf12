// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/promises.hpp"

#include "regions/parts.hpp"

namespace hpcc::regions {
namespace {

std::string within(const DividedArray& array, std::size_t k, const View& view) {
    return ".within(" + std::to_string(array.divided(k)) + ", " + std::to_string(view.below) +
           ", " + std::to_string(view.above) + ")";
}

// Of what it reads by places that the program computes.
std::string viewsOf(const DividedArray& array) {
    std::string text;
    if (array.view) text += within(array, 0, *array.view);
    for (std::size_t k = 0; k < array.furtherViews.size(); ++k)
        text += within(array, k + 1, array.furtherViews[k]);
    return text;
}

// i of an iteration that belongs to the element i + 1.
std::string numbersOf(const Division& division) {
    std::string text;
    for (std::size_t k = 0; k <= division.further.size(); ++k)
        if (const long anchor = division.at(k).anchor; anchor != 0)
            text += ".counted(" + std::to_string(k) + ", " + std::to_string(anchor) + ")";
    return text;
}

}  // namespace

std::string promisesOf(const Division& division, const Method& method, const std::string& object) {
    std::map<std::string, std::string> promises;  // by names, so that their order is always one
    const auto whole = [](const DividedArray& array) {
        return "wholeArray(" + Parts::source(array) + array.countedBy() + ")";
    };
    for (const DividedArray* array : division.unproven)
        promises[array->symbol->name] = whole(*array);
    for (const DividedArray* array : division.named)
        if (method.changed.contains(array)) {
            std::string& promise = promises[array->symbol->name];
            if (promise.empty()) promise = whole(*array) + ".anyOrder()";
            promise += viewsOf(*array);
        }
    for (const auto& [symbol, place] : division.body.scattered)
        promises[symbol->name] = "scattered(" + symbol->name + ", " + object + ")";
    std::string text;
    for (const auto& [name, promise] : promises)
        text += (text.empty() ? "" : ", ") + name + " = " + promise + numbersOf(division);
    return text;
}

}  // namespace hpcc::regions
