// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/parts.hpp"

#include "compose.hpp"
#include "device/hand_out.hpp"
#include "device/mirror.hpp"
#include "device/part_arrays.hpp"
#include "device/part_shares.hpp"
#include "device/room.hpp"
#include "target/back_end.hpp"
#include "transport/transport.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace hpspmd::detail {
namespace {

constexpr Index fewestRows = 8;  // of a part that is worth its copies

/// The nest of this thread that is divided.
struct Divided {
    std::vector<PartArray> arrays;
    std::vector<DevicePart> parts;
    RowPart left = {};  // to the host
    bool runInTurn = false;
    bool isAtHome = false;            // no further part runs on a device
    MeasuredShares* timed = nullptr;  // null: parts run at the same time
    PartClock clock = {};
    std::optional<HandOut> handOut = {};  // parts are those of a turn
    RowPart held = {};                    // for that
};
thread_local Divided divided;

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

/// Devices take parts of what of the range the process holds, the host the rest behind them: so a
/// nest over the same range is cut in the same way.
std::vector<DevicePart> partsFor(const OutermostLoop& outermost, const CutRows& cut) {
    const RowPart& held = outermost.held;
    const std::size_t count = ownDevices().size();
    std::vector<DevicePart> parts;
    Index first = held.first;
    const auto add = [&](Backend* device, Index end, std::size_t number) {
        if (end - first >= fewestRows) {
            parts.push_back({device, both({first, end - 1}, outermost.part), number});
            first = end;
        }
    };
    for (std::size_t k = 0; k < count; ++k) add(ownDevices()[k], held.first + cut.ends[k], k);
    add(nullptr, held.last + 1, count);
    if (!parts.empty())  // too few rows for the host, or for a last device
        parts.back().rows.last = std::min(held.last, outermost.part.last);
    return parts;
}

/// Gives each device memory for all arrays, and the kernel.
bool prepareParts(const DividedNest& nest, const std::vector<PartArray>& arrays,
                  const std::vector<DevicePart>& parts) {
    for (const DevicePart& part : parts)
        if (part.device != nullptr && !part.device->prepare(nest.kernel, nest.strides).empty())
            return false;
    for (const PartArray& each : arrays) {
        const bool isElsewhere =
            each.mirror->device() != nullptr &&
            std::none_of(parts.begin(), parts.end(), [&](const DevicePart& part) {
                return part.device == each.mirror->device();
            });
        if (isElsewhere) each.mirror->leaveDevice(nest.site.where);
        each.mirror->split();
    }
    const NestArrays named = namedArrays(nest.kernel, arrays);
    return std::all_of(parts.begin(), parts.end(), [&](const DevicePart& part) {
        return part.device == nullptr || makeRoom(*part.device, named, nest.site.where).empty();
    });
}

Division divisionInto(std::vector<PartArray> arrays, std::vector<DevicePart> parts,
                      bool runInTurn) {
    Division division{0, false, {}};
    if (parts.back().device == nullptr) {
        division.left = parts.back().rows;
        parts.pop_back();
    }
    division.parts = static_cast<int>(parts.size());
    divided = {std::move(arrays), std::move(parts), division.left, runInTurn};
    return division;
}

/// How many chunks each device gets at once, by the rows that the process holds. Nests of several
/// threads may ask.
std::vector<int> aheadFor(const RowPart& held, const std::vector<int>* learnt = nullptr) {
    static std::mutex& mutex = *new std::mutex;
    static auto& all = *new std::map<std::pair<Index, Index>, std::vector<int>>;
    const std::lock_guard lock(mutex);
    auto& ahead = all.try_emplace({held.first, held.last}, ownDevices().size(), 1).first->second;
    if (learnt != nullptr) ahead = *learnt;
    return ahead;
}

/// To whoever is done now, at least one chunk; rows of the host's are brought home before devices
/// have more to do.
void handOutChunks(Where nest) {
    const std::vector<Backend*>& devices = ownDevices();
    for (;;) {
        std::vector<bool> areBusy;
        for (const Backend* const each : devices) areBusy.push_back(each->isBusy());
        const auto chunks = divided.handOut->next(areBusy);
        for (const HandOut::Chunk& each : chunks) {
            const RowPart rows{each.first, each.last};
            if (each.worker < devices.size())
                divided.parts.push_back({devices[each.worker], rows, each.worker});
            else
                divided.left = rows;
        }
        if (!chunks.empty()) break;
        std::this_thread::yield();
    }
    areRead(divided.arrays, {nullptr, divided.left}, nest);
}

/// Rows are dealt out, turn by turn.
std::optional<Division> dealAmongDevices(const DividedNest& nest, int schedule) {
    const RowPart &part = nest.outermost->part, &held = nest.outermost->held;
    if (part.first >= part.last) return {};
    HandOut handOut(part.first, part.last, schedule, aheadFor(held));
    const Index chunks = handOut.countLeft();
    if (chunks < 2) return {};
    std::vector<PartArray> arrays = arraysOf(nest);
    const Index middle = part.first + (part.last - part.first) / 2;
    if (arrays.empty() || !areIndependent(arrays, {{nullptr, {part.first, middle}},
                                                   {nullptr, {middle + 1, part.last}}})) {
        tellOfNest(nest.site, "its rows cannot be divided among devices");
        return {};
    }
    std::vector<DevicePart> all;
    for (Backend* const each : ownDevices()) all.push_back({each, part});
    if (!prepareParts(nest, arrays, all) || !areSplit(arrays)) return {};
    tellOfNest(nest.site, compose(part.last - part.first + 1, " rows in ", chunks, " chunks"));
    divided = {std::move(arrays), {}, {}, false};
    divided.handOut = std::move(handOut);
    divided.held = held;
    Division division{0, false, {}, true};
    nextTurn(division, nest.site.where);
    return division;
}

/// Slots that the device must hold of each array in a piece.
std::map<Mirror*, RowStretch> windowsOf(const std::vector<PartArray>& arrays,
                                        const RowPart& piece) {
    std::map<Mirror*, RowStretch> windows;
    for (const PartArray& each : arrays) {
        RowStretch& window = windows[each.mirror];
        window = window.joined(each.reachedBy(piece)).joined(each.writtenBy(piece));
    }
    return windows;
}

std::size_t bytesOf(const std::map<Mirror*, RowStretch>& windows) {
    std::size_t bytes = 0;
    for (const auto& [mirror, window] : windows)
        bytes += static_cast<std::size_t>(window.end - window.begin) * mirror->elementSize();
    return bytes;
}

/// The iterations in so many pieces of about one size.
std::vector<DevicePart> piecesOf(Backend& device, const RowPart& all, Index count) {
    const Index rows = all.last - all.first + 1;
    std::vector<DevicePart> pieces;
    for (Index k = 0; k < count; ++k)
        pieces.push_back(
            {&device, {all.first + rows * k / count, all.first + rows * (k + 1) / count - 1}});
    return pieces;
}

bool hold(Backend& device, const std::map<Mirror*, RowStretch>& windows) {
    return std::all_of(windows.begin(), windows.end(), [&](const auto& each) {
        return each.first->split().hold(device, each.second);
    });
}

void releaseAll(const std::vector<PartArray>& arrays, Where nest) {
    for (const PartArray& each : arrays)
        if (each.mirror->isSplit()) each.mirror->leaveDevice(nest);
}

/// True if there is room for each of the pieces. Other arrays go home for them.
bool fit(Backend& device, const DividedNest& nest, const std::vector<PartArray>& arrays,
         const std::vector<DevicePart>& pieces) {
    std::map<Mirror*, RowStretch> largest;
    for (const DevicePart& piece : pieces) {
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
RowStretch readAtHome(const Mirror* mirror) {
    RowStretch rows;
    for (const PartArray& each : divided.arrays)
        if (each.mirror == mirror && divided.left.first <= divided.left.last)
            rows = rows.joined(each.reachedBy(divided.left));
    return rows;
}

}  // namespace

std::optional<Division> shareAmongDevices(const DividedNest& nest) {
    const int percent = shareAt(nest.site);
    if (percent <= 0) return {};
    if (isDealtOut(percent)) return dealAmongDevices(nest, percent);
    const CutRows cut = cutRows(*nest.outermost, percent, ownDevices(), nest.site);
    std::vector<DevicePart> parts = partsFor(*nest.outermost, cut);
    if (parts.empty()) return {};
    if (parts.size() == 1) {  // measured: one is faster alone
        if (!isMeasured(percent) || parts.front().device == ownDevices().front()) return {};
        if (parts.front().device == nullptr) return Division();
    }
    std::vector<PartArray> arrays = arraysOf(nest);
    const Where where = nest.site.where;
    if (arrays.empty() || !areIndependent(arrays, parts)) {
        tellOfNest(nest.site, "its rows cannot be divided among devices");
        return {};
    }
    if (!prepareParts(nest, arrays, parts) || !areSplit(arrays)) return {};
    for (const DevicePart& part : parts)
        if (!areRead(arrays, part, where)) return {};
    for (const DevicePart& part : parts) noteWritten(arrays, part);
    const Division division = divisionInto(std::move(arrays), std::move(parts), false);
    divided.timed = cut.timed;
    return division;
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
        std::vector<DevicePart> pieces = piecesOf(device, all, count);
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
    const DevicePart& part = divided.parts[static_cast<std::size_t>(number)];
    if (divided.isAtHome) return {part.rows, RunsAt::Home};
    chooseDevice(*part.device);
    divided.clock.start(divided.timed, part.device);
    if (!divided.runInTurn && !divided.handOut) return {part.rows, RunsAt::Device};
    if ((divided.runInTurn && !hold(*part.device, windowsOf(divided.arrays, part.rows))) ||
        !areRead(divided.arrays, part, nest))
        return {part.rows, RunsAt::Home};
    noteWritten(divided.arrays, part);
    return {part.rows, RunsAt::Device};
}

void leavePart(int number, Where nest) {
    if (divided.handOut) return;
    const bool isLast = static_cast<std::size_t>(number) + 1 == divided.parts.size();
    if (!divided.runInTurn) {
        const DevicePart& part = divided.parts[static_cast<std::size_t>(number)];
        divided.clock.stop(part.number, part.iterations(), part.device);
        for (const PartArray& each : divided.arrays)
            if (isLast && each.mirror->isSplit()) each.mirror->rowsAreLeft(readAtHome(each.mirror));
        return;
    }
    const DevicePart& part = divided.parts[static_cast<std::size_t>(number)];
    for (const PartArray& each : divided.arrays)
        if (each.mirror->isSplit() && each.use == Use::Writes && each.rows.areKnown)
            each.mirror->rowsTo(nullptr, each.writtenBy(part.rows), nest);
    if (isLast) releaseAll(divided.arrays, nest);
}

void leaveHost() {
    const Index iterations = divided.left.last - divided.left.first + 1;
    divided.clock.stop(ownDevices().size(), iterations, nullptr);
    divided.clock = {};
}

bool nextTurn(Division& division, Where nest) {
    noteWritten(divided.arrays, {nullptr, divided.left});  // devices may have read what was before
    divided.left = {};
    divided.parts.clear();
    if (divided.handOut->isEmpty()) {
        for (const PartArray& each : divided.arrays)
            if (each.mirror->isSplit()) each.mirror->rowsAreLeft({});
        aheadFor(divided.held, &divided.handOut->ahead());
        return false;
    }
    if (divided.isAtHome) {
        const HandOut::Chunk rest = divided.handOut->rest();
        divided.left = {rest.first, rest.last};
    } else {
        handOutChunks(nest);
    }
    division.parts = static_cast<int>(divided.parts.size());
    division.left = divided.left;
    return true;
}

void stayAtHome() { divided.isAtHome = true; }

}  // namespace hpspmd::detail
