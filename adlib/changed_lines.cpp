// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/changed_lines.hpp>

#include <algorithm>

namespace hpspmd::detail {

void ChangedLines::add(const void* elements, Lines lines) {
    if (lines.count() == 0) return;
    for (Array& each : arrays_)
        if (each.elements == elements) {
            each.changed.first = std::min(each.changed.first, lines.first);
            each.changed.last = std::max(each.changed.last, lines.last);
            return;
        }
    arrays_.push_back({elements, lines});
}

void ChangedLines::remove(const void* elements, Index line) {
    for (Array& each : arrays_) {
        if (each.elements != elements) continue;
        if (line == each.changed.first)
            ++each.changed.first;
        else if (line == each.changed.last)
            --each.changed.last;
        if (each.changed.count() == 0) return forget(elements);
    }
}

void ChangedLines::forget(const void* elements) {
    arrays_.erase(std::remove_if(arrays_.begin(), arrays_.end(),
                                 [&](const Array& each) { return each.elements == elements; }),
                  arrays_.end());
}

Lines ChangedLines::of(const void* elements) const {
    for (const Array& each : arrays_)
        if (each.elements == elements) return each.changed;
    return {};
}

}  // namespace hpspmd::detail
