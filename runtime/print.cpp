// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/print.hpp>

#include "compose.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

namespace hpspmd {
namespace detail {
namespace {

// Of a longer row the first and the last ones are printed.
constexpr Index longestRow = 12, shownAtEnds = 4;
constexpr std::size_t mostRows = 40;

/// "double" from "const char* ..::signatureWith() [with T = double]".
std::string_view typeIn(std::string_view signature) {
    const std::size_t begin = signature.find("T = ") + 4;
    const std::size_t end = std::min(signature.find(';', begin), signature.rfind(']'));
    return signature.substr(begin, end - begin);
}

/// "12 x 8"; "one" without dimensions.
std::string shapeOf(const Descriptor& array) {
    std::string text;
    for (const Map& map : array) text += compose(text.empty() ? "" : " x ", extentOf(map.range));
    return text.empty() ? "one" : text;
}

std::string headOf(const ShownArray& array) {
    return compose(typeIn(array.signature), " ", array.slots, " ", shapeOf(array.layout), " on ",
                   describe(array.layout.group));
}

/// "process (1, 0)", by the coordinates that the group leaves free.
std::string thisProcess(const Group& group) {
    if (!group.amMember()) return "this process";
    const std::vector<Dimension> dimensions = freeDimensions(group);
    std::string text;
    for (const Dimension& d : dimensions) text += compose(text.empty() ? "" : ", ", d.crd());
    if (dimensions.empty()) return "this process";
    return "process " + (dimensions.size() == 1 ? text : "(" + text + ")");
}

/// The locations of a range that this process holds, in increasing order.
class HeldLocations {
public:
    HeldLocations(const Range& x, bool isMember) {
        if (!isMember || x.isNull()) return;
        for (const Block& block : x.localBlocks())
            if (block.count > 0) blocks_.push_back(block);
        for (const Block& block : blocks_) count_ += block.count;
    }

    struct Place {
        Index global, local;
    };

    Index count() const { return count_; }

    Place operator[](Index k) const {
        auto block = blocks_.begin();
        for (; k >= block->count; ++block) k -= block->count;
        return {block->globalBase + block->globalStep * k, block->localBase + block->localStep * k};
    }

    /// "3 : 5", "1 : 9 : 4", "0 : 1, 4 : 5, ..", "nothing".
    std::string text() const {
        std::string text;
        for (std::size_t k = 0; k < blocks_.size() && k < 4; ++k)
            text += (k > 0 ? ", " : "") + (k < 3 ? textOf(blocks_[k]) : "..");
        return text.empty() ? "nothing" : text;
    }

private:
    static std::string textOf(const Block& b) {
        if (b.count == 1) return compose(b.globalBase);
        return compose(b.globalBase, " : ", b.globalBase + b.globalStep * (b.count - 1),
                       b.globalStep == 1 ? "" : compose(" : ", b.globalStep));
    }

    std::vector<Block> blocks_;
    Index count_ = 0;
};

std::vector<HeldLocations> heldLocations(const Descriptor& array) {
    std::vector<HeldLocations> held;
    for (const Map& map : array) held.emplace_back(map.range, array.group.amMember());
    return held;
}

Index countOf(const Descriptor& array, const std::vector<HeldLocations>& held) {
    Index count = array.group.amMember() ? 1 : 0;
    for (const HeldLocations& each : held) count *= each.count();
    return count;
}

/// Calls action(k) for the locations 0 .. count - 1 that are shown, and gap() where some are not.
template <class Action, class Gap>
void forEachShown(Index count, const Action& action, const Gap& gap) {
    for (Index k = 0; k < count; ++k) {
        if (count > longestRow && k == shownAtEnds) {
            gap();
            k = count - shownAtEnds;
        }
        action(k);
    }
}

/// The rows that are shown, each with its subscripts before it, in columns.
class Rows {
public:
    Rows(std::ostream& stream, const ShownArray& array, const std::vector<HeldLocations>& held)
        : array_(array), held_(held) {
        format_.copyfmt(stream);
        format_.width(0);
        collect(0, 0, "");
        align();
    }

    std::string text() const {
        std::string text;
        for (const auto& row : rows_) {
            text += "\n ";
            for (const std::string& cell : row)
                if (!cell.empty()) text += " " + cell;
        }
        return text;
    }

private:
    void collect(int r, Index offset, const std::string& before) {
        if (rows_.size() > mostRows) return;
        if (r >= array_.layout.rank - 1) return collectRow(offset, before);
        const HeldLocations& held = held_[static_cast<std::size_t>(r)];
        forEachShown(
            held.count(),
            [&](Index k) {
                collect(r + 1, offset + array_.layout[r].stride * held[k].local,
                        before + compose(held[k].global, ", "));
            },
            [&] { rows_.push_back({".."}); });
    }

    void collectRow(Index offset, const std::string& before) {
        if (rows_.size() == mostRows) return rows_.push_back({".."});
        std::vector<std::string> row{before.empty() ? "" : "[" + before + ":]"};
        const int last = array_.layout.rank - 1;
        if (last < 0) {
            row.push_back(elementAt(offset));
            return rows_.push_back(row);
        }
        const HeldLocations& held = held_[static_cast<std::size_t>(last)];
        forEachShown(
            held.count(),
            [&](Index k) {
                row.push_back(elementAt(offset + array_.layout[last].stride * held[k].local));
            },
            [&] { row.emplace_back(".."); });
        rows_.push_back(row);
    }

    std::string elementAt(Index offset) {
        format_.str("");
        array_.print(format_, array_.data + offset * array_.elementSize);
        return format_.str();
    }

    void align() {
        std::size_t label = 0, cell = 0;
        for (const auto& row : rows_) {
            if (row.size() == 1) continue;
            label = std::max(label, row[0].size());
            for (std::size_t k = 1; k < row.size(); ++k) cell = std::max(cell, row[k].size());
        }
        for (auto& row : rows_) {
            if (row.size() == 1) continue;
            row[0].append(label - row[0].size(), ' ');
            for (std::size_t k = 1; k < row.size(); ++k)
                if (row[k] != "..") row[k].insert(0, cell - row[k].size(), ' ');
        }
    }

    const ShownArray& array_;
    const std::vector<HeldLocations>& held_;
    std::ostringstream format_;
    std::vector<std::vector<std::string>> rows_;  ///< label and elements; or only ".."
};

}  // namespace

void print(std::ostream& stream, const ShownArray& array) {
    if (!array.isValid) {
        stream << compose(typeIn(array.signature), " ", array.slots, ", a null array");
        return;
    }
    const std::vector<HeldLocations> held = heldLocations(array.layout);
    std::string text = headOf(array) + ", " + thisProcess(array.layout.group) + " holds ";
    if (countOf(array.layout, held) == 0) {
        stream << text + "nothing";
        return;
    }
    if (held.empty()) text += "it";
    for (std::size_t r = 0; r < held.size(); ++r)
        text += (r > 0 ? ", " : "[") + held[r].text() + (r + 1 == held.size() ? "]" : "");
    stream << text + Rows(stream, array, held).text();
}

std::string description(const ShownArray& array) {
    if (!array.isValid) return compose(typeIn(array.signature), " ", array.slots, ", a null array");
    const Descriptor& layout = array.layout;
    const std::vector<HeldLocations> held = heldLocations(layout);
    std::string text = headOf(array);
    for (int r = 0; r < layout.rank; ++r)
        text += compose("\n  dimension ", r, ": ", describe(layout[r].range), ", stride ",
                        layout[r].stride, ", here ", held[static_cast<std::size_t>(r)].text());
    const Index count = countOf(layout, held);
    return text + compose("\n  ", thisProcess(layout.group), " holds ", count,
                          count == 1 ? " element of " : " elements of ", array.elementSize,
                          array.elementSize == 1 ? " byte" : " bytes");
}

}  // namespace detail

std::ostream& operator<<(std::ostream& stream, const Range& x) {
    return stream << (x.isNull() ? std::string("a null range") : detail::describe(x));
}

std::ostream& operator<<(std::ostream& stream, const Group& g) {
    return stream << (g.isNull() ? std::string("a null group") : detail::describe(g));
}

namespace Adlib {

std::string describe(const Range& x) {
    if (x.isNull()) return "a null range";
    const detail::DimensionRecord& d = *x.record()->dimension;
    std::string text = detail::describe(x);
    if (d.grid != nullptr)
        text += detail::compose(" over dimension ", d.axis, " of ",
                                detail::describe(Group(d.grid->whole)));
    const bool isMember = d.grid == nullptr || d.crd >= 0;
    return text + ", here " + detail::HeldLocations(x, isMember).text();
}

std::string describe(const Group& g) {
    if (g.isNull()) return "a null group";
    return detail::compose(detail::describe(g), ", ", g.size(),
                           g.size() == 1 ? " process, " : " processes, ",
                           g.amMember() ? detail::compose("this one is process ", g.rank())
                                        : "this one is none of them");
}

}  // namespace Adlib
}  // namespace hpspmd
