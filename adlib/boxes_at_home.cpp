// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "boxes_at_home.hpp"

#include <utility>

namespace hpspmd::detail {
namespace {

/// Of the places of a plan: what is written and what is read.
constexpr std::size_t destination = 0, source = 1;

/// Collects the boxes of one storage.
class Boxes {
public:
    Boxes(const Operand& array, std::vector<Box>& boxes)
        : first_(array.offset), size_(static_cast<Index>(array.elementSize)), boxes_(boxes) {}

    template <int K>
    void add(const plan::Product<K>& product, std::size_t place) const {
        plan::forEachPlane(product, [&](const plan::Plane<K>& plane) {
            const Index outer = plane.steps[0][place], inner = plane.steps[1][place];
            const Index start = plane.start[place];
            if (plane.counts[0] <= 0 || plane.counts[1] <= 0) return;
            if (plane.counts[1] == 1 || inner == 1)
                return addRows(start, plane.counts[1], plane.counts[0], outer);
            for (Index row = 0; row < plane.counts[0]; ++row)
                addRows(start + row * outer, 1, plane.counts[1], inner);
        });
    }

private:
    /// `rows` rows of `width` elements, `pitch` elements apart.
    void addRows(Index start, Index width, Index rows, Index pitch) const {
        if (pitch < 0) {  // backwards
            start += (rows - 1) * pitch;
            pitch = -pitch;
        }
        if (rows == 1 || pitch < width) {
            for (Index row = 0; row < rows; ++row) addBox(start + row * pitch, width, 1, width);
            return;
        }
        addBox(start, width, rows, pitch);
    }
    void addBox(Index start, Index width, Index rows, Index pitch) const {
        const auto bytes = [this](Index elements) {
            return static_cast<std::size_t>(elements * size_);
        };
        boxes_.push_back(
            {bytes(first_ + start), bytes(width), static_cast<std::size_t>(rows), bytes(pitch)});
    }

    Index first_, size_;
    std::vector<Box>& boxes_;
};

void collect(const plan::Plan& plan, const Boxes& read, const Boxes& copied, const Boxes& written) {
    for (const plan::Message& message : plan.sends)
        for (const plan::Region& region : message.regions) read.add(region, 0);
    for (const plan::Message& message : plan.receives)
        for (const plan::Region& region : message.regions) written.add(region, 0);
    for (const plan::Copy& copy : plan.copies) {
        copied.add(copy, destination);
        read.add(copy, source);
    }
    for (const plan::Plan& relay : plan.relays) collect(relay, read, written, written);
}

}  // namespace

void BoxesAtHome::add(const Operand& array, const plan::Plan& plan) {
    Mirror* const mirror = array.storage != nullptr ? array.storage->mirror : nullptr;
    if (mirror == nullptr) return;
    Part part{mirror, {}, {}, {}};
    collect(plan, Boxes(array, part.read), Boxes(array, part.copied), Boxes(array, part.written));
    if (part.read.empty() && part.written.empty()) return;
    if (boxesHome(*mirror, part.read, where_)) parts_.push_back(std::move(part));
}

void BoxesAtHome::giveBackCopied() {
    for (Part& part : parts_) {
        boxesToDevice(*part.mirror, part.copied, where_);
        part.read.insert(part.read.end(), part.copied.begin(), part.copied.end());
        part.copied.clear();
    }
}

void BoxesAtHome::giveBack() {
    giveBackCopied();
    for (const Part& part : parts_) boxesToDevice(*part.mirror, part.written, where_);
    for (const Part& part : parts_)  // which may be of one storage
        for (const std::vector<Box>* boxes : {&part.read, &part.written})
            boxesLeaveHome(*part.mirror, *boxes);
}

}  // namespace hpspmd::detail
