// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/parts.hpp"

#include "compose.hpp"
#include "device/mirror.hpp"
#include "device/room.hpp"
#include "target/back_end.hpp"
#include "transport/transport.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace hpspmd::detail {
namespace {

constexpr Index fewestRows = 8;  // of a part that is worth its copies

/// Who runs which iterations; null: the host.
struct Part {
    Backend* device;
    RowPart rows;
};

/// An array of the nest, and what is done with it.
struct PartArray {
    Mirror* mirror;
    Index slots;
    Use use;
    RowsTaken rows;

    PartArray(const Taken& taken, Where nest)
        : mirror(mirrorOf(taken.storage, nest)),
          slots(taken.storage == nullptr ? 0 : taken.storage->slots),
          use(taken.use),
          rows(taken.rows) {
        rows.areKnown = rows.areKnown && rows.stride > 0;
    }

    /// Slots of what iterations reach at these distances. Elements of a row lie between multiples
    /// of the stride.
    Stretch slotsOf(const RowPart& part, const Shifts& shifts) const {
        if (!rows.areKnown) return {0, slots};
        if (part.first > part.last) return {};
        const Index row = rows.offset >= 0 ? rows.offset / rows.stride
                                           : -((rows.stride - 1 - rows.offset) / rows.stride);
        const Stretch reached{(row + part.first + shifts.lo) * rows.stride,
                              (row + part.last + shifts.hi + 1) * rows.stride};
        return reached.cut({0, slots});
    }
    Stretch reachedBy(const RowPart& part) const { return slotsOf(part, rows.shifts); }
    Stretch writtenBy(const RowPart& part) const {
        return use == Use::Reads ? Stretch() : slotsOf(part, {rows.written, rows.written});
    }
};

/// The nest of this thread that is divided.
struct Divided {
    std::vector<PartArray> arrays;
    std::vector<Part> parts;
    RowPart left = {};  // to the host
    bool runInTurn = false;
    bool isAtHome = false;  // no further part runs on a device
};
thread_local Divided divided;

/// Empty if one of them cannot be had.
std::vector<PartArray> arraysOf(const DividedNest& nest) {
    std::vector<PartArray> arrays;
    for (const Taken* each = nest.begin; each != nest.end; ++each) {
        arrays.emplace_back(*each, nest.site.where);
        if (arrays.back().mirror == nullptr || each->storage->staysHome) return {};
    }
    return arrays;
}

NestArrays namedArrays(const KernelText& kernel, const std::vector<PartArray>& arrays) {
    std::vector<Mirror*> mirrors;
    for (const PartArray& each : arrays) mirrors.push_back(each.mirror);
    return NestArrays(&kernel, mirrors);
}

/// GPUs of CUDA that are this process's among those of its node.
std::vector<Backend*> ownCudaDevices() {
    const bool isJob = environmentRuns();
    const int size = isJob ? jobTransport().nodeSize() : 1;
    std::vector<Backend*> result;
    for (int k = isJob ? jobTransport().nodeRank() : 0; k < cudaDevices(); k += size)
        if (findDevice(Target(TargetKind::Cuda, k), false).device.kind() != TargetKind::None)
            result.push_back(&cudaDevice(k));
    return result;
}

/// Those of HPSPMD_DEVICES that work, or all GPUs of CUDA.
const std::vector<Backend*>& ownDevices() {
    static const auto& devices = *new std::vector<Backend*>([] {
        if (namedDevices().empty()) return ownCudaDevices();
        std::vector<Backend*> result;
        std::map<std::string, int> times;
        for (const Target& each : namedDevices()) {
            if (findDevice(each, false).device.kind() == TargetKind::None) continue;
            const std::string name = backendOf(each)->name();
            result.push_back(backendOf(each, times[name]++));
        }
        return result;
    }());
    return devices;
}

RowPart both(const RowPart& a, const RowPart& b) {
    return {std::max(a.first, b.first), std::min(a.last, b.last)};
}

/// Devices take equal parts of what of the range the process holds, the host the rest behind them:
/// so a nest over the same range is cut in the same way.
std::vector<Part> partsFor(const OutermostLoop& outermost, int percent) {
    const RowPart& held = outermost.held;
    const Index rows = held.last - held.first + 1;
    const Index ofDevices = rows * percent / 100;
    const auto count = static_cast<Index>(ownDevices().size());
    std::vector<Part> parts;
    Index first = held.first;
    const auto add = [&](Backend* device, Index end) {
        if (end - first >= fewestRows) {
            parts.push_back({device, both({first, end - 1}, outermost.part)});
            first = end;
        }
    };
    for (Index k = 0; k < count; ++k)
        add(ownDevices()[static_cast<std::size_t>(k)], held.first + ofDevices * (k + 1) / count);
    add(nullptr, held.first + rows);
    if (!parts.empty())  // too few rows for the host, or for a last device
        parts.back().rows.last = std::min(held.last, outermost.part.last);
    return parts;
}

/// No element is written by two parts, and none of a row that the other one holds.
bool areIndependent(const std::vector<PartArray>& arrays, const std::vector<Part>& parts) {
    for (const PartArray& one : arrays)
        for (const PartArray& other : arrays) {
            if (one.mirror != other.mirror) continue;
            for (std::size_t p = 0; p < parts.size(); ++p)
                for (std::size_t q = 0; q < parts.size(); ++q)
                    if (p != q &&
                        !one.writtenBy(parts[p].rows).cut(other.writtenBy(parts[q].rows)).isEmpty())
                        return false;
        }
    return true;
}

/// Gives each device memory for all arrays, and the kernel.
bool prepareParts(const DividedNest& nest, const std::vector<PartArray>& arrays,
                  const std::vector<Part>& parts) {
    for (const Part& part : parts)
        if (part.device != nullptr && !part.device->prepare(nest.kernel, nest.strides).empty())
            return false;
    for (const PartArray& each : arrays) {
        const bool isElsewhere = each.mirror->device() != nullptr &&
                                 std::none_of(parts.begin(), parts.end(), [&](const Part& part) {
                                     return part.device == each.mirror->device();
                                 });
        if (isElsewhere) each.mirror->leaveDevice(nest.site.where);
        each.mirror->split();
    }
    const NestArrays named = namedArrays(nest.kernel, arrays);
    return std::all_of(parts.begin(), parts.end(), [&](const Part& part) {
        return part.device == nullptr || makeRoom(*part.device, named, nest.site.where).empty();
    });
}

/// makeRoom() of a later device may have sent home what an earlier one was given.
bool areSplit(const std::vector<PartArray>& arrays) {
    return std::all_of(arrays.begin(), arrays.end(),
                       [](const PartArray& each) { return each.mirror->isSplit(); });
}

bool areRead(const std::vector<PartArray>& arrays, const Part& part, Where nest) {
    if (part.rows.first > part.rows.last) return true;
    return std::all_of(arrays.begin(), arrays.end(), [&](const PartArray& each) {
        const Stretch rows = each.reachedBy(part.rows);
        return each.mirror->rowsTo(part.device, rows.joined(each.writtenBy(part.rows)), nest);
    });
}

void noteWritten(const std::vector<PartArray>& arrays, const Part& part) {
    if (part.rows.first > part.rows.last) return;
    for (const PartArray& each : arrays)
        if (const Stretch rows = each.writtenBy(part.rows); !rows.isEmpty())
            each.mirror->rowsWritten(part.device, rows);
}

Division divisionInto(std::vector<PartArray> arrays, std::vector<Part> parts, bool runInTurn) {
    Division division{0, false, {}};
    if (parts.back().device == nullptr) {
        division.left = parts.back().rows;
        parts.pop_back();
    }
    division.parts = static_cast<int>(parts.size());
    divided = {std::move(arrays), std::move(parts), division.left, runInTurn, false};
    return division;
}

/// Slots that the device must hold of each array in a piece.
std::map<Mirror*, Stretch> windowsOf(const std::vector<PartArray>& arrays, const RowPart& piece) {
    std::map<Mirror*, Stretch> windows;
    for (const PartArray& each : arrays) {
        Stretch& window = windows[each.mirror];
        window = window.joined(each.reachedBy(piece)).joined(each.writtenBy(piece));
    }
    return windows;
}

std::size_t bytesOf(const std::map<Mirror*, Stretch>& windows) {
    std::size_t bytes = 0;
    for (const auto& [mirror, window] : windows)
        bytes += static_cast<std::size_t>(window.end - window.begin) * mirror->elementSize();
    return bytes;
}

/// The iterations in so many pieces of about one size.
std::vector<Part> piecesOf(Backend& device, const RowPart& all, Index count) {
    const Index rows = all.last - all.first + 1;
    std::vector<Part> pieces;
    for (Index k = 0; k < count; ++k)
        pieces.push_back(
            {&device, {all.first + rows * k / count, all.first + rows * (k + 1) / count - 1}});
    return pieces;
}

bool hold(Backend& device, const std::map<Mirror*, Stretch>& windows) {
    return std::all_of(windows.begin(), windows.end(), [&](const auto& each) {
        return each.first->split().hold(device, each.second);
    });
}

void releaseAll(const std::vector<PartArray>& arrays, Where nest) {
    for (const PartArray& each : arrays)
        if (each.mirror->isSplit()) each.mirror->leaveDevice(nest);
}

/// Is there room for each of the pieces? Other arrays go home for them.
bool fit(Backend& device, const DividedNest& nest, const std::vector<PartArray>& arrays,
         const std::vector<Part>& pieces) {
    std::map<Mirror*, Stretch> largest;
    for (const Part& piece : pieces) {
        auto windows = windowsOf(arrays, piece.rows);
        if (bytesOf(windows) > bytesOf(largest)) largest = std::move(windows);
    }
    const NestArrays named = namedArrays(nest.kernel, arrays);
    if (!leavesRoom(device, bytesOf(largest), named, nest.site.where)) return false;
    while (!hold(device, largest))
        if (!sendOneHome(device, named, nest.site.where)) return false;
    return true;
}

/// By the part that the host runs, of an array that the nest may know by several names.
Stretch readAtHome(const Mirror* mirror) {
    Stretch rows;
    for (const PartArray& each : divided.arrays)
        if (each.mirror == mirror && divided.left.first <= divided.left.last)
            rows = rows.joined(each.reachedBy(divided.left));
    return rows;
}

}  // namespace

Division shareAmongDevices(const DividedNest& nest) {
    const int percent = shareAt(nest.site);
    if (percent <= 0) return {};
    std::vector<Part> parts = partsFor(*nest.outermost, percent);
    if (parts.size() < 2) return {};
    std::vector<PartArray> arrays = arraysOf(nest);
    const Where where = nest.site.where;
    if (arrays.empty() || !areIndependent(arrays, parts)) {
        tellOfNest(nest.site, "its rows cannot be divided among devices");
        return {};
    }
    if (!prepareParts(nest, arrays, parts) || !areSplit(arrays)) return {};
    for (const Part& part : parts)
        if (!areRead(arrays, part, where)) return {};
    for (const Part& part : parts) noteWritten(arrays, part);
    return divisionInto(std::move(arrays), std::move(parts), false);
}

Division takeInTurn(Backend& device, const DividedNest& nest, const std::string& reason) {
    std::vector<PartArray> arrays = arraysOf(nest);
    const RowPart& all = nest.outermost->part;
    const bool shrinks = std::any_of(arrays.begin(), arrays.end(),
                                     [](const PartArray& each) { return each.rows.areKnown; });
    if (!shrinks || all.first >= all.last) return {};
    const Where where = nest.site.where;
    const auto least = windowsOf(arrays, {all.first, all.first});
    if (!leavesRoom(device, bytesOf(least), namedArrays(nest.kernel, arrays), where)) return {};
    for (const PartArray& each : arrays) each.mirror->leaveDevice(where);
    constexpr Index few = 64;  // beyond them not each number is tried
    for (Index count = 2; count <= all.last - all.first + 1; count += count < few ? 1 : count) {
        std::vector<Part> pieces = piecesOf(device, all, count);
        for (const PartArray& each : arrays) each.mirror->split();
        if (fit(device, nest, arrays, pieces)) {
            tellOfNest(nest.site, compose(reason, ": runs in ", count, " pieces"));
            return divisionInto(std::move(arrays), std::move(pieces), true);
        }
        releaseAll(arrays, where);
    }
    return {};
}

EnteredPart enterPart(int number, Where nest) {
    const Part& part = divided.parts[static_cast<std::size_t>(number)];
    if (divided.isAtHome) return {part.rows, RunsAt::Home};
    chooseDevice(*part.device);
    if (!divided.runInTurn) return {part.rows, RunsAt::Device};
    if (!hold(*part.device, windowsOf(divided.arrays, part.rows)) ||
        !areRead(divided.arrays, part, nest))
        return {part.rows, RunsAt::Home};
    noteWritten(divided.arrays, part);
    return {part.rows, RunsAt::Device};
}

void leavePart(int number, Where nest) {
    const bool isLast = static_cast<std::size_t>(number) + 1 == divided.parts.size();
    if (!divided.runInTurn) {
        for (const PartArray& each : divided.arrays)
            if (isLast && each.mirror->isSplit()) each.mirror->rowsAreLeft(readAtHome(each.mirror));
        return;
    }
    const Part& part = divided.parts[static_cast<std::size_t>(number)];
    for (const PartArray& each : divided.arrays)
        if (each.mirror->isSplit() && each.use == Use::Writes && each.rows.areKnown)
            each.mirror->rowsTo(nullptr, each.writtenBy(part.rows), nest);
    if (isLast) releaseAll(divided.arrays, nest);
}

void stayAtHome() { divided.isAtHome = true; }

}  // namespace hpspmd::detail
