// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/aprintf.hpp>
#include <algorithm>
#include <hpspmd/active.hpp>
#include <hpspmd/ranges.hpp>

#include "checks/checks.hpp"
#include "output.hpp"
#include "plan/operations.hpp"
#include "print_format.hpp"
#include "schedule/run.hpp"

namespace hpspmd::detail {
namespace {

/// Elements that travel at a time: bounds the memory of the printing process.
constexpr Index elementsAtOnce = 1 << 16;

/// The first process of a group, as a group.
Group firstMember(Group group) {
    for (const Dimension& d : freeDimensions(group)) group = restrict(group, d, 0);
    return group;
}

/// Rows first..last of an array, and a place for them on one process.
struct Rows {
    std::vector<Map> from, to;

    Rows(const Descriptor& array, Index first, Index last) : from(array.begin(), array.end()) {
        if (!from.empty()) from[0].range = from[0].range.subrange(first, last);
        to.resize(from.size());
        Index stride = 1;
        for (std::size_t r = from.size(); r-- > 0;) {
            to[r] = {CollapsedRange(from[r].range.size()), stride};
            stride *= from[r].range.size();
        }
    }
};

/// The rows of one array, in row-major order, on the first process of the APG; empty on the others.
std::vector<char> gathered(const Entered& entered, const Operand& array, Index first, Index last) {
    const Rows rows(array.layout, first, last);
    const int rank = array.layout.rank;
    const Descriptor from{array.layout.group, rows.from.data(), rank};
    const Descriptor to{firstMember(apg()), rows.to.data(), rank};
    std::size_t bytes = array.elementSize;
    for (const Map& map : rows.from) bytes *= static_cast<std::size_t>(map.range.size());
    std::vector<char> values(apg().rank() == 0 ? bytes : 0);
    Transfer(ownPlan(plan::remap(to, from)), array.elementSize)
        .execute(entered, values.data(), array.data);
    return values;
}

/// Prints elements one by one.
class Printer {
public:
    Printer(std::vector<FormatPart> parts, const std::vector<PrintedArray>& arrays, Where where)
        : parts_(std::move(parts)),
          arrays_(arrays),
          shape_(arrays.front().array.layout),
          where_(where) {}

    /// `values`: as many following elements of each array.
    void print(const std::vector<std::vector<char>>& values, Index count) {
        for (Index k = 0; k < count; ++k) {
            for (const FormatPart& part : parts_) print(part, values, k);
            ++done_;
        }
        writeOut(text_, where_);
        if (!text_.empty()) lineOpen_ = text_.back() != '\n';
        text_.clear();
    }

    /// Ends a last line that is shorter than the period of %N.
    void finish() {
        if (lineOpen_ && std::any_of(parts_.begin(), parts_.end(), [](const FormatPart& part) {
                return part.kind == FormatPart::Newline;
            }))
            writeOut("\n", where_);
    }

private:
    void print(const FormatPart& part, const std::vector<std::vector<char>>& values, Index k) {
        switch (part.kind) {
        case FormatPart::Text:
            text_ += part.text;
            return;
        case FormatPart::GlobalIndex:
            text_ += formatted(part, global(part.number), where_);
            return;
        case FormatPart::Newline:
            if ((done_ + 1) % part.number == 0) text_ += '\n';
            return;
        case FormatPart::Element: {
            const PrintedArray& array = arrays_[part.number];
            const std::size_t at = static_cast<std::size_t>(k) * array.array.elementSize;
            text_ += formatted(part, array, values[part.number].data() + at, where_);
        }
        }
    }

    /// Global index of the element in row-major position done_.
    Index global(int d) const {
        Index position = done_;
        for (int r = shape_.rank - 1; r > d; --r) position /= shape_[r].range.size();
        return position % shape_[d].range.size();
    }

    std::vector<FormatPart> parts_;
    const std::vector<PrintedArray>& arrays_;
    Descriptor shape_;
    Where where_;
    std::string text_;
    Index done_ = 0;
    bool lineOpen_ = false;
};

Fingerprint fingerprintOf(const Descriptor& layout) {
    Fingerprint print = layout.group.record()->fingerprint;
    for (const Map& map : layout) print = mixed(print, map.range.record()->fingerprint);
    return print;
}

void requirePrintable(const Call& call, const std::vector<PrintedArray>& arrays) {
    for (const PrintedArray& array : arrays) {
        requireContained(call, array.array);
        requireSameShape(call, arrays.front().array, array.array);
    }
}

}  // namespace

void aprintf(const PrintFormat& format, std::vector<PrintedArray> arrays) {
    const Call call{"aprintf", format.where};
    requirePrintable(call, arrays);
    std::vector<FormatPart> parts = parseFormat(format, arrays);
    if (arrays.empty()) {
        std::string text;
        for (const FormatPart& part : parts)
            text += part.kind == FormatPart::Newline ? "\n" : part.text;
        if (apg().rank() == 0) writeOut(text, format.where);
        return;
    }
    const Descriptor& shape = arrays.front().array.layout;
    Index rowElements = 1;
    for (int r = 1; r < shape.rank; ++r) rowElements *= shape[r].range.size();
    const Index rows = shape.rank == 0 ? 1 : shape[0].range.size();
    const Index rowsAtOnce = std::max<Index>(1, elementsAtOnce / std::max<Index>(1, rowElements));

    Fingerprint plan = 0;
    for (const PrintedArray& array : arrays) plan = mixed(plan, fingerprintOf(array.array.layout));
    const Entered entered = enter("aprintf", apg(), plan, format.where);
    Printer printer(std::move(parts), arrays, format.where);
    for (Index first = 0; first < rows && rowElements > 0; first += rowsAtOnce) {
        const Index last = std::min(rows, first + rowsAtOnce) - 1;
        std::vector<std::vector<char>> values;
        for (const PrintedArray& array : arrays)
            values.push_back(gathered(entered, array.array, first, last));
        if (apg().rank() == 0) printer.print(values, (last - first + 1) * rowElements);
    }
    if (apg().rank() == 0) printer.finish();
}

}  // namespace hpspmd::detail
