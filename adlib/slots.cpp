// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/slots.hpp>

#include "boxes_at_home.hpp"
#include "plan/plan.hpp"
#include "schedule/transfer.hpp"

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

}  // namespace

bool copiedOnDevice(const Call& call, const Operand& to, const Operand& from,
                    const std::vector<SlotBox>& boxes) {
    if (from.storage == nullptr || from.storage->mirror == nullptr) return false;
    plan::Plan plan;
    for (const SlotBox& box : boxes)
        plan.copies.push_back(productOf<2>(box, {&to.layout, &from.layout}));
    return DeviceTransfer(plan, to.elementSize).execute({}, call, to, from);
}

SlotsAtHome::SlotsAtHome(Where where) : boxes_(std::make_unique<BoxesAtHome>(where)) {}
SlotsAtHome::~SlotsAtHome() = default;

void SlotsAtHome::takeToRead(const Operand& array, const std::vector<SlotBox>& boxes) {
    plan::Plan plan;
    plan.sends = messageOf(array, boxes);
    boxes_->add(array, plan);
}

void SlotsAtHome::takeToWrite(const Operand& array, const std::vector<SlotBox>& boxes) {
    plan::Plan plan;
    plan.receives = messageOf(array, boxes);
    boxes_->add(array, plan);
}

void SlotsAtHome::giveBack() { boxes_->giveBack(); }

}  // namespace hpspmd::detail
