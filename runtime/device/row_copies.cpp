// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/row_copies.hpp"

#include "compose.hpp"
#include "device/backend.hpp"
#include "device/plane.hpp"
#include "device/report.hpp"

#include <hpspmd/device/error.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace hpspmd::detail {
namespace {

/// From the first slot to the last one of some rows.
RowStretch reachOf(Index first, const std::array<Index, 2>& steps, Index columns, Index begin,
                   Index end) {
    return {first + begin * steps[0], first + (end - 1) * steps[0] + (columns - 1) * steps[1] + 1};
}

/// How many rows begin before a slot.
Index rowsBefore(const SlotPlane& plane, Index slot) {
    const Index distance = slot - plane.to;
    return distance <= 0 ? 0 : std::min(plane.counts[0], (distance - 1) / plane.toSteps[0] + 1);
}

SlotPlane rowsOf(SlotPlane plane, Index begin, Index end) {
    plane.counts[0] = end - begin;
    plane.to += begin * plane.toSteps[0];
    plane.from += begin * plane.fromSteps[0];
    return plane;
}

/// With elements that lie one behind the other in one row.
SlotPlane inRows(SlotPlane plane) {
    if (plane.counts[1] > 1 || plane.toSteps[0] != 1 || plane.fromSteps[0] != 1) return plane;
    std::swap(plane.counts[0], plane.counts[1]);
    return plane;
}

void copyAtHome(std::byte* to, const std::byte* from, const SlotPlane& plane, std::size_t size) {
    const auto bytes = static_cast<Index>(size);
    const bool areRows = plane.toSteps[1] == 1 && plane.fromSteps[1] == 1;
    const Index count = areRows ? plane.counts[1] : 1;
    for (Index i = 0; i < plane.counts[0]; ++i)
        for (Index j = 0; j < plane.counts[1]; j += count)
            std::memcpy(
                to + (plane.to + i * plane.toSteps[0] + j * plane.toSteps[1]) * bytes,
                from + (plane.from + i * plane.fromSteps[0] + j * plane.fromSteps[1]) * bytes,
                static_cast<std::size_t>(count * bytes));
}

}  // namespace

RowCopies::RowCopies(Storage& storage, RowCount& count)
    : storage_(storage),
      count_(count),
      states_(storage.slots),
      copies_{{nullptr, storage.address, {0, storage.slots}}} {}

RowCopies::~RowCopies() {
    for (std::size_t k = 1; k < copies_.size(); ++k)
        if (copies_[k].memory != nullptr) release(*copies_[k].device);
}

std::size_t RowCopies::bytesOf(const RowStretch& rows) const {
    return static_cast<std::size_t>(rows.end - rows.begin) * storage_.elementSize;
}

std::size_t RowCopies::numberOf(const Backend* device) const {
    const auto found = std::find_if(copies_.begin(), copies_.end(),
                                    [&](const Copy& each) { return each.device == device; });
    return static_cast<std::size_t>(found - copies_.begin());
}

void RowCopies::adopt(Backend& device, std::byte* memory, bool isValidHome) {
    copies_.push_back({&device, memory, all()});
    const std::size_t number = states_.addCopy();
    states_.becomesValid(number, all());
    if (!isValidHome) states_.isWritten(number, all());
}

bool RowCopies::hold(Backend& device, const RowStretch& window) {
    std::size_t number = numberOf(&device);
    if (number == copies_.size()) {
        copies_.push_back({&device, nullptr, {}});
        states_.addCopy();
    }
    Copy& copy = copies_[number];
    if (copy.memory != nullptr && copy.window == window) return true;
    if (copy.memory != nullptr) release(device);
    copy.memory = device.allocate(bytesOf(window), bytesOf(all()));
    copy.window = window;
    if (copy.memory == nullptr) return false;
    device.invalidated(copy.memory, bytesOf(window), storage_.elementSize);
    return true;
}

void RowCopies::release(const Backend& device) noexcept {
    const std::size_t number = numberOf(&device);
    Copy& copy = copies_[number];
    copy.device->release(copy.memory, bytesOf(copy.window));
    copy.memory = nullptr;
    states_.drop(number);
}

bool RowCopies::isOn(const Backend& device) const {
    const std::size_t number = numberOf(&device);
    return number < copies_.size() && copies_[number].memory != nullptr;
}

std::size_t RowCopies::bytesOn(const Backend& device) const {
    return isOn(device) ? bytesOf(copies_[numberOf(&device)].window) : 0;
}

std::byte* RowCopies::slotZero(const Backend& device) const {
    const Copy& copy = copies_[numberOf(&device)];
    return copy.memory - bytesOf({0, copy.window.begin});
}

/// False, and nothing has been copied, if they do not reach each other.
bool RowCopies::isDoneDirectly(const RowMove& move) {
    const Copy &from = copies_[move.from], &to = copies_[move.to];
    const auto placeIn = [&](const Copy& copy) {
        return copy.memory + bytesOf({copy.window.begin, move.rows.begin});
    };
    const std::size_t bytes = bytesOf(move.rows);
    if (!to.device->copyFrom(*from.device, placeIn(to), placeIn(from), bytes)) return false;
    count_.toDevices += bytes;
    return true;
}

bool RowCopies::isDone(const RowMove& move) {
    const std::size_t bytes = bytesOf(move.rows);
    std::byte* const home = storage_.address + bytesOf({0, move.rows.begin});
    const Copy& away = copies_[std::max(move.from, move.to)];
    std::byte* const there = away.memory + bytesOf({away.window.begin, move.rows.begin});
    (move.to == 0 ? count_.toHome : count_.toDevices) += bytes;
    return move.to == 0 ? away.device->copyOut(home, there, bytes)
                        : away.device->copyIn(there, home, bytes);
}

bool RowCopies::read(const Backend* device, const RowStretch& rows) {
    if (device != nullptr)
        for (const RowMove& move : states_.directMovesFor(numberOf(device), rows))
            if (isDoneDirectly(move)) states_.becomesValid(move.to, move.rows);
    for (const RowMove& move : states_.movesFor(numberOf(device), rows)) {
        if (!isDone(move)) return false;
        states_.becomesValid(move.to, move.rows);
    }
    return true;
}

void RowCopies::write(const Backend* device, const RowStretch& rows) {
    states_.isWritten(numberOf(device), rows);
}

void RowCopies::invalidate(const RowStretch& readAtHome) {
    for (std::size_t k = 0; k < copies_.size(); ++k) {
        const Copy& copy = copies_[k];
        Backend* const device = k == 0 ? copies_.back().device : copy.device;
        if (device == nullptr || copy.memory == nullptr) continue;
        RowSet lost;
        for (const RowStretch& each : states_.validIn(k).missingIn(copy.window)) lost.add(each);
        if (k == 0) lost.remove(readAtHome);
        for (const RowStretch& each : lost.stretches())
            device->invalidated(copy.memory + bytesOf({copy.window.begin, each.begin}),
                                bytesOf(each), storage_.elementSize);
    }
}

void RowCopies::forEachPart(const Box& box, const RowStretch& rows,
                            const std::function<void(const Box&)>& f) const {
    const std::size_t begin = bytesOf({0, rows.begin}), end = bytesOf({0, rows.end});
    Box whole{0, box.width, 0, box.pitch};  // rows of the box that lie in the rows wholly
    for (std::size_t r = 0; r <= box.rows; ++r) {
        const std::size_t first = box.first + r * box.pitch, last = first + box.width;
        if (r < box.rows && begin <= first && last <= end) {
            if (whole.rows++ == 0) whole.first = first;
            continue;
        }
        if (whole.rows > 0) f(whole);
        whole.rows = 0;
        const std::size_t low = std::max(first, begin), high = std::min(last, end);
        if (r < box.rows && low < high) f({low, high - low, 1, box.pitch});
    }
}

/// False if a row is valid in parts, or not in the other array's copy there.
bool RowCopies::appendCopies(const RowCopies& from, const SlotPlane& plane,
                             std::vector<PlaneCopy>& copies) const {
    const Index columns = plane.counts[1];
    for (std::size_t k = 0; k < copies_.size(); ++k)
        for (const RowStretch& valid : states_.validIn(k).stretches()) {
            const Index begin = rowsBefore(plane, valid.begin), end = rowsBefore(plane, valid.end);
            const auto rows = [&](Index first, Index last) {
                return reachOf(plane.to, plane.toSteps, columns, first, last);
            };
            if (begin > 0 && rows(begin - 1, begin).end > valid.begin) return false;
            if (begin == end) continue;
            if (rows(begin, end).end > valid.end) return false;
            const std::size_t other = from.numberOf(copies_[k].device);
            const RowStretch read = reachOf(plane.from, plane.fromSteps, columns, begin, end);
            if (other == from.copies_.size() || from.copies_[other].memory == nullptr ||
                !from.states_.validIn(other).missingIn(read).empty())
                return false;
            copies.push_back({k, other, rowsOf(plane, begin, end)});
        }
    return true;
}

bool RowCopies::isCopied(const RowCopies& from, const PlaneCopy& one) const {
    const SlotPlane plane = inRows(one.plane);
    if (one.to == 0) {
        copyAtHome(storage_.address, from.storage_.address, plane, storage_.elementSize);
        return true;
    }
    Backend& device = *copies_[one.to].device;
    return move(device, slotZero(device) + bytesOf({0, plane.to}),
                from.slotZero(device) + bytesOf({0, plane.from}),
                {plane.counts, plane.toSteps, plane.fromSteps}, storage_.elementSize);
}

bool RowCopies::copy(const RowCopies& from, const std::vector<SlotPlane>& planes, Where where) {
    std::vector<PlaneCopy> copies;
    for (const SlotPlane& plane : planes)
        if (!appendCopies(from, plane, copies)) return false;
    for (const PlaneCopy& each : copies)
        if (each.to != 0 && !prepareMoves(*copies_[each.to].device, storage_.elementSize).empty())
            return false;
    for (const PlaneCopy& each : copies) {
        Backend* const device = copies_[each.to].device;
        if (!isCopied(from, each))
            throw DeviceError(compose("elements cannot be moved on ", device->name()), where);
        if (device != nullptr) noteLaunch(where, device->name(), "copy");
    }
    return true;
}

bool RowCopies::boxesHome(const std::vector<Box>& read) {
    bool areThere = true;
    const RowSet atHome = states_.validIn(0);
    for (const Box& box : read)
        for (const RowStretch& away : atHome.missingIn(all()))
            for (std::size_t k = 1; k < copies_.size(); ++k)
                for (const RowStretch& valid : states_.validIn(k).in(away))
                    forEachPart(box, valid, [&](const Box& part) {
                        areThere = areThere && copies_[k].device->copyOut(storage_.address,
                                                                          copies_[k].memory, part);
                        count_.toHome += part.width * part.rows;
                    });
    return areThere;
}

bool RowCopies::boxesToDevices(const std::vector<Box>& written) {
    bool areThere = true;
    for (const Box& box : written)
        for (std::size_t k = 1; k < copies_.size(); ++k)
            for (const RowStretch& valid : states_.validIn(k).stretches())
                forEachPart(box, valid, [&](const Box& part) {
                    areThere = areThere &&
                               copies_[k].device->copyIn(copies_[k].memory, storage_.address, part);
                    count_.toDevices += part.width * part.rows;
                });
    return areThere;
}

void RowCopies::boxesLeaveHome(const std::vector<Box>& boxes) {
    for (const Box& box : boxes)
        for (const RowStretch& away : states_.validIn(0).missingIn(all()))
            forEachPart(box, away, [&](const Box& part) {
                for (std::size_t r = 0; r < part.rows; ++r)
                    copies_.back().device->invalidated(
                        storage_.address + part.first + r * part.pitch, part.width,
                        storage_.elementSize);
            });
}

}  // namespace hpspmd::detail
