// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/slots.hpp>

#include "boxes_at_home.hpp"
#include "device/mirror.hpp"
#include "plan/plan.hpp"
#include "schedule/transfer.hpp"

#include <algorithm>
#include <utility>

namespace hpspmd::detail {
namespace {

/// The slots of a box in K arrays.
template <int K>
plan::Product<K> productOf(const SlotBox& box, const std::array<const Descriptor*, K>& layouts) {
    plan::Product<K> product;
    for (std::size_t r = 0; r < box.size(); ++r) {
        plan::Runs<K>& runs = product.dims.emplace_back();
        for (const Block& block : box[r]) {
            plan::Run<K>& run = runs.emplace_back();
            run.count = block.count;
            for (std::size_t k = 0; k < K; ++k) {
                const Index stride = (*layouts[k])[static_cast<int>(r)].stride;
                run.base[k] = block.localBase * stride;
                run.step[k] = block.localStep * stride;
            }
        }
    }
    return plan::simplified(product);
}

/// As a message to nobody, or from nobody.
std::vector<plan::Message> messageOf(const Operand& array, const std::vector<SlotBox>& boxes) {
    plan::Message message;
    for (const SlotBox& box : boxes) message.regions.push_back(productOf<1>(box, {&array.layout}));
    return {message};
}

bool mayBeElsewhere(const Operand& array) {
    return array.storage != nullptr && array.storage->mirror != nullptr;
}

/// The slots of a box in both arrays.
std::vector<SlotPlane> planesOf(const SlotBox& box, const Operand& to, const Operand& from) {
    std::vector<SlotPlane> planes;
    const auto add = [&](plan::Plane<2> plane) {
        if (plane.counts[0] <= 0 || plane.counts[1] <= 0) return;
        if (plane.counts[0] == 1) {  // elements are rows, since some may be elsewhere
            std::swap(plane.counts[0], plane.counts[1]);
            std::swap(plane.steps[0], plane.steps[1]);
        }
        const auto step = [&](std::size_t run, std::size_t array) {
            return plane.counts[run] > 1 ? plane.steps[run][array] : 1;
        };
        planes.push_back({plane.counts,
                          to.offset + plane.start[0],
                          from.offset + plane.start[1],
                          {step(0, 0), step(1, 0)},
                          {step(0, 1), step(1, 1)}});
    };
    for (const Block& last : box.back()) {  // so that columns of few elements are planes
        SlotBox part = box;
        part.back() = {last};
        plan::forEachPlane(productOf<2>(part, {&to.layout, &from.layout}), add);
    }
    return planes;
}

bool isCopiable(const SlotPlane& plane) {
    const auto isOrdered = [&](const std::array<Index, 2>& steps) {
        const Index width = (plane.counts[1] - 1) * steps[1] + 1;
        return steps[0] > 0 && steps[1] > 0 && (plane.counts[0] == 1 || steps[0] >= width);
    };
    return isOrdered(plane.toSteps) && isOrdered(plane.fromSteps);
}

/// Of arrays of which several devices have rows.
bool isCopiedInRows(const SlotBox& box, const Operand& to, const Operand& from, Where where) {
    if (!mayBeElsewhere(to) || !mayBeElsewhere(from) || box.empty()) return false;
    Mirror &destination = *to.storage->mirror, &source = *from.storage->mirror;
    if (!destination.isSplit() || !source.isSplit() || to.storage == from.storage) return false;
    const std::vector<SlotPlane> planes = planesOf(box, to, from);
    return std::all_of(planes.begin(), planes.end(), isCopiable) &&
           destination.split().copy(source.split(), planes, where);
}

}  // namespace

bool copiedOnDevice(const Call& call, const Operand& to, const Operand& from,
                    std::vector<SlotBox>& boxes) {
    if (!mayBeElsewhere(from)) return false;
    const auto isDone = [&](const SlotBox& box) {
        return isCopiedInRows(box, to, from, call.where);
    };
    boxes.erase(std::remove_if(boxes.begin(), boxes.end(), isDone), boxes.end());
    if (boxes.empty()) return true;
    plan::Plan plan;
    for (const SlotBox& box : boxes)
        plan.copies.push_back(productOf<2>(box, {&to.layout, &from.layout}));
    return DeviceTransfer(plan, to.elementSize).execute({}, call, to, from);
}

SlotsAtHome::SlotsAtHome(Where where) : boxes_(std::make_unique<BoxesAtHome>(where)) {}
SlotsAtHome::~SlotsAtHome() = default;

void SlotsAtHome::takeToRead(const Operand& array, const std::vector<SlotBox>& boxes) {
    if (!mayBeElsewhere(array)) return;
    plan::Plan plan;
    plan.sends = messageOf(array, boxes);
    boxes_->add(array, plan);
}

void SlotsAtHome::takeToWrite(const Operand& array, const std::vector<SlotBox>& boxes) {
    if (!mayBeElsewhere(array)) return;
    plan::Plan plan;
    plan.receives = messageOf(array, boxes);
    boxes_->add(array, plan);
}

void SlotsAtHome::giveBack() { boxes_->giveBack(); }

}  // namespace hpspmd::detail
