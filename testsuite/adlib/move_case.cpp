// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "move_case.hpp"

#include <algorithm>
#include <hpspmd/location.hpp>
#include <hpspmd/ranges.hpp>

namespace hpspmd::test {
namespace {

using detail::plan::HaloWidth;

Memory memoryOf(const TestArray& array, const Indices& shape, int process, std::int64_t rest) {
    Memory memory(static_cast<std::size_t>(array.slots), rest);
    forEachIndex(shape, [&](const Indices& index) {
        const Index slot = slotOf(array, index, process);
        if (slot >= 0) memory[static_cast<std::size_t>(slot)] = valueOf(index, shape);
    });
    return memory;
}

/// A slot of one dimension that belongs to a process: its block with as many ghost cells as were
/// asked for.
struct Cell {
    Index global, offset;
    bool isGhost;
};

std::vector<Cell> cellsOf(const MoveCase& c, int r, int process) {
    const detail::Map& map = c.to.maps[r];
    const Range& x = map.range;
    std::vector<Cell> own;
    for (Index n = 0; n < x.size(); ++n) {
        const Location at = x.location(n);
        if (detail::coordinate(at.dim, process) == at.crd)
            own.push_back({n, at.sub * map.stride, false});
    }
    if (own.empty() || c.modes[r] == Adlib::None) return own;
    std::vector<Cell> cells = own;
    const auto addGhost = [&](const Cell& edge, Index distance) {
        Index global = edge.global + distance;
        if (c.modes[r] == Adlib::Cyclic) global = ((global % x.size()) + x.size()) % x.size();
        if (global >= 0 && global < x.size())
            cells.push_back({global, edge.offset + distance * map.stride, true});
    };
    for (Index k = 1; k <= c.low[r]; ++k) addGhost(own.front(), -k);
    for (Index k = 1; k <= c.high[r]; ++k) addGhost(own.back(), k);
    return cells;
}

void expectHalo(const MoveCase& c, int process, Memory& memory) {
    if (detail::position(c.to.group, process) < 0) return;
    std::vector<std::vector<Cell>> cells;
    Indices counts;
    for (int r = 0; r < c.to.rank(); ++r) {
        cells.push_back(cellsOf(c, r, process));
        counts.push_back(static_cast<Index>(cells.back().size()));
    }
    forEachIndex(counts, [&](const Indices& choice) {
        Index slot = c.to.offset;
        Indices global;
        bool isGhost = false;
        for (std::size_t r = 0; r < cells.size(); ++r) {
            const Cell& cell = cells[r][static_cast<std::size_t>(choice[r])];
            slot += cell.offset;
            global.push_back(cell.global);
            isGhost |= cell.isGhost;
        }
        if (isGhost) memory[static_cast<std::size_t>(slot)] = valueOf(global, c.shape);
    });
}

Indices without(Indices index, int d) {
    index.erase(index.begin() + d);
    return index;
}

/// The element that goes to `index`; false if none does.
bool sourceOf(const MoveCase& c, Indices& index) {
    if (c.kind == MoveCase::Transpose) {
        Indices permuted = index;
        for (std::size_t r = 0; r < index.size(); ++r) permuted[c.permutation[r]] = index[r];
        index = permuted;
        return true;
    }
    if (c.kind != MoveCase::Shift && c.kind != MoveCase::Cshift && !c.isSkew()) return true;
    const Index extent = c.shape[c.d];
    Index& x = index[c.d];
    x += c.isSkew() ? c.amountAt(without(index, c.d)) : c.amount;
    if (c.isCyclic()) x = ((x % extent) + extent) % extent;
    return x >= 0 && x < extent;
}

void permute(Random& random, MoveCase& c) {
    for (int r = 0; r < static_cast<int>(c.shape.size()); ++r)
        c.permutation.insert(c.permutation.begin() + random.below(r + 1), r);
    for (std::size_t r = 0; r < c.shape.size(); ++r) c.fromShape[c.permutation[r]] = c.shape[r];
}

void chooseWidths(Random& random, MoveCase& c) {
    for (const detail::Map& map : c.to.maps) {
        const bool whole = random.oneIn(2);
        const auto width = [&](Index extension) {
            return static_cast<int>(whole ? extension : random.below(extension + 1));
        };
        c.low.push_back(width(map.range.loExtension()));
        c.high.push_back(width(map.range.hiExtension()));
        c.modes.push_back(static_cast<Adlib::Mode>(random.below(3)));
    }
}

/// Another array with the same distribution; ghost widths may differ.
TestArray anotherAligned(Random& random, const TestArray& array) {
    TestArray other = alignedArray(array);
    for (detail::Map& map : other.maps) {
        const detail::RangeRecord& x = *map.range.record();
        if (x.lo + x.hi > 0 && random.oneIn(2))
            map.range = ExtBlockRange(x.extent, map.range.dim(), random.below(3), 1);
    }
    return alignedArray(other);
}

const char* nameOf(MoveCase::Kind kind) {
    static const char* const names[] = {"remap",     "copy",      "shift", "cshift",
                                        "writeHalo", "transpose", "skew",  "cskew"};
    return names[kind];
}

std::string textOf(const MoveCase& c, int processes) {
    std::string text =
        std::to_string(processes) + " processes: " + nameOf(c.kind) + " " + describe(c.to);
    if (c.kind != MoveCase::WriteHalo) text += " from " + describe(c.from);
    if (c.kind == MoveCase::Shift || c.kind == MoveCase::Cshift)
        text += " by " + std::to_string(c.amount) + " in " + std::to_string(c.d);
    for (const int r : c.permutation) (text += ' ') += std::to_string(r);
    for (std::size_t r = 0; r < c.low.size(); ++r)
        text += " (" + std::to_string(c.low[r]) + "," + std::to_string(c.high[r]) + "," +
                std::to_string(c.modes[r]) + ")";
    return text;
}

}  // namespace

MoveCase makeMoveCase(Random& random, int processes) {
    MoveCase c;
    c.kind = random.oneIn(2) ? static_cast<MoveCase::Kind>(random.between(1, 7)) : MoveCase::Remap;
    const bool shifts = c.kind == MoveCase::Shift || c.kind == MoveCase::Cshift || c.isSkew();
    const int rank = static_cast<int>(random.between(shifts || c.kind == MoveCase::WriteHalo, 4));
    c.shape = randomShape(random, rank);
    c.fromShape = c.shape;
    if (c.kind == MoveCase::Transpose) permute(random, c);
    const Group grid = randomGrid(random, processes);
    c.to = randomArray(random, grid, c.shape, c.kind == MoveCase::WriteHalo);
    if (c.kind == MoveCase::WriteHalo)
        c.from = c.to;
    else if (c.kind != MoveCase::Remap && c.kind != MoveCase::Transpose)
        c.from = anotherAligned(random, c.to);
    else
        c.from = randomArray(random, random.oneIn(2) ? grid : randomGrid(random, processes),
                             c.fromShape, false);
    if (shifts) {
        c.d = static_cast<int>(random.below(rank));
        c.amount = random.between(-15, 15);
        if (c.isSkew()) {
            c.amounts = alignedWithout(c.to, c.d);
            c.seed = random.seed();
        }
    }
    if (c.kind == MoveCase::WriteHalo) chooseWidths(random, c);
    c.text = textOf(c, processes);
    return c;
}

namespace {

detail::plan::Operation operationOf(const MoveCase& c) {
    namespace plan = detail::plan;
    const detail::Descriptor to = c.to.layout(), from = c.from.layout();
    if (c.kind == MoveCase::Remap) return plan::remap(to, from);
    if (c.kind == MoveCase::Copy) return plan::copy(to, from);
    if (c.kind == MoveCase::Transpose) return plan::transpose(to, from, c.permutation);
    if (c.kind != MoveCase::WriteHalo) return plan::shift(to, from, c.amount, c.d, c.isCyclic());
    std::vector<HaloWidth> widths;
    for (int r = 0; r < c.to.rank(); ++r) {
        if (c.modes[r] == Adlib::None)
            widths.push_back({0, 0, false});
        else
            widths.push_back({c.low[r], c.high[r], c.modes[r] == Adlib::Cyclic});
    }
    return plan::writeHalo(to, widths);
}

}  // namespace

detail::plan::Plan MoveCase::plan(int process) const {
    if (!isSkew()) return planFor(operationOf(*this), process);
    const Memory memory = amountsOn(process);
    const auto at = [&](Index offset) { return memory.at(amounts.offset + offset); };
    return detail::plan::skew(to.layout(), from.layout(), {amounts.layout(), at}, d, isCyclic(),
                              process);
}

/// One of three near c.amount, so that neighbouring lines often have the same.
Index MoveCase::amountAt(const Indices& line) const {
    Noise noise(seed + static_cast<std::uint64_t>(valueOf(line, without(shape, d))) / 2);
    return amount + noise.below(3);
}

Memory MoveCase::amountsOn(int process) const {
    const Indices lines = without(shape, d);
    Memory memory(static_cast<std::size_t>(amounts.slots), poison);
    forEachIndex(lines, [&](const Indices& line) {
        const Index slot = slotOf(amounts, line, process);
        if (slot >= 0) memory[static_cast<std::size_t>(slot)] = amountAt(line);
    });
    return memory;
}

Memory MoveCase::source(int process) const { return memoryOf(from, fromShape, process, poison); }

Memory MoveCase::destination(int process) const {
    if (kind == WriteHalo) return source(process);
    return Memory(static_cast<std::size_t>(to.slots), untouched);
}

Memory MoveCase::expected(int process) const {
    Memory memory = destination(process);
    if (kind == WriteHalo) {
        expectHalo(*this, process, memory);
        return memory;
    }
    forEachIndex(shape, [&](const Indices& index) {
        const Index slot = slotOf(to, index, process);
        Indices source = index;
        if (slot >= 0 && sourceOf(*this, source))
            memory[static_cast<std::size_t>(slot)] = valueOf(source, fromShape);
    });
    return memory;
}

}  // namespace hpspmd::test
