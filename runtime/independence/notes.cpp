// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "independence/notes.hpp"

#include "compose.hpp"
#include "independence/layouts.hpp"

#include <hpspmd/environment.hpp>
#include <hpspmd/observed.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace hpspmd::detail {
namespace {

bool isNamed(std::string_view list, std::string_view wanted) {
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        if (list.substr(begin, end - begin) == wanted) return true;
        begin = end + 1;
    }
    return false;
}

std::string elementText(const ArrayLayout* layout, const std::byte* address) {
    if (layout == nullptr) return "";
    const auto indices = layout->globalIndices(address);
    return indices ? describe(*indices) : "";
}

std::string partText(const Access& access) {
    return access.part < 0 ? "" : " in part " + std::to_string(access.part);
}

}  // namespace

bool checksIndependence() {
    static const bool wanted = [] {
        const char* const value = std::getenv("HPSPMD_CHECK");
        return value != nullptr && (isNamed(value, "independence") || isNamed(value, "races"));
    }();
    return wanted;
}

std::string describe(const std::vector<Index>& globalIndices) {
    std::string text;
    for (const Index index : globalIndices)
        text += (text.empty() ? "" : ", ") + std::to_string(index);
    return "[" + text + "]";
}

std::string describe(const Access& a, const Access& b, const std::string& element) {
    const Access& write = a.writes ? a : b;
    const Access& other = a.writes ? b : a;
    return compose("iteration ", describe(write.iteration), partText(write), " writes ",
                   element.empty() ? "an element" : "element " + element, " of '", write.array,
                   "' (line ", write.line, "), which iteration ", describe(other.iteration),
                   partText(other), other.writes ? " writes" : " reads",
                   write.array == other.array ? "" : " as '",
                   write.array == other.array ? "" : other.array + "'", " (line ", other.line, ")");
}

Iteration Independence::Notes::iteration() const {
    Iteration result;
    for (const Run& run : runs)
        if (run.runs) result.push_back({run.number, run.index, run.isDistributed, run.variable});
    return result;
}

Independence::Independence(Where where, std::vector<const Storage*> arrays)
    : notes_(std::make_unique<Notes>()) {
    notes_->where = where;
    notes_->arrays = std::move(arrays);
    notes_->outer = std::exchange(nestOfThread, this);
}

Independence::~Independence() { nestOfThread = notes_->outer; }

void tellUnseen(const char* functions, Where where) {
    static std::mutex mutex;
    static auto& told = *new std::set<std::pair<std::string, int>>;
    const std::lock_guard lock(mutex);
    if (ownRank() == 0 && told.emplace(where.file, where.line).second)
        std::fprintf(
            stderr, "hpspmd: %s:%d: not looked into is what these functions do with elements: %s\n",
            where.file, where.line, functions);
}

void Independence::enter(const char* index) {
    std::vector<Notes::Run>& runs = notes_->runs;
    Index& number = runs.empty() ? notes_->outermost : runs.back().inner;
    Notes::Run run;
    run.variable = index;
    if (notes_->promised.empty()) run.variable += '`';  // else it is a number in the program
    run.number = number++;
    runs.push_back(run);
}

void Independence::leave() { notes_->runs.pop_back(); }

void Independence::iterate(const DistributedIndex& i) {
    Notes::Run& run = notes_->runs.back();
    run.runs = true;
    run.inner = 0;
    run.index = i.global;
    run.isDistributed = !isCollapsed(i.range);
}

void Independence::add(const void* begin, std::size_t size, bool writes, const char* array,
                       const char* part, Where where) {
    const auto* const address = static_cast<const std::byte*>(begin);
    if (!notes_->promised.empty()) {
        const PromisedArray* const array = notes_->promisedAt(address);
        if (array == nullptr) return;
        const std::byte* const element = array->elementAt(address);
        const ElementPart reached{static_cast<std::size_t>(address - element), size, part};
        return notes_->add(*array, element,
                           {notes_->iteration(), reached, writes, array->name, where.line});
    }
    const ArrayLayout* const layout = layoutAt(address);
    const std::byte* const element = layout ? layout->elementAt(address) : address;
    const ElementPart reached{static_cast<std::size_t>(address - element), size, part};
    Access access{notes_->iteration(), reached, writes, array, where.line};
    ElementAccesses& accesses = notes_->elements[element];
    accesses.belongTo(layout ? layout->number : 0);
    if (const Access* earlier = accesses.add(access))
        if (notes_->found.empty())
            notes_->found = describe(*earlier, access, elementText(layout, element));
}

}  // namespace hpspmd::detail
