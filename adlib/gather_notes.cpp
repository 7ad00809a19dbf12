// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gather_notes.hpp"

#include <algorithm>

#include "schedule/pack.hpp"
#include "transport/notes.hpp"

namespace hpspmd::detail {

bool GatherNotes::fit(const plan::Plan& schedule, std::size_t elementSize) {
    const auto most = static_cast<Index>(sizeof(Note::elements) / elementSize);
    return std::all_of(schedule.sends.begin(), schedule.sends.end(),
                       [&](const plan::Message& message) { return message.count() <= most; });
}

void GatherNotes::write(const Finding& mine, const plan::Plan* schedule, const Operand& from) {
    const bool withElements = schedule != nullptr && fit(*schedule, from.elementSize);
    for (Note& note : outgoing_) {
        note.finding = mine;
        note.place = withElements ? static_cast<std::int64_t>(lowestPlace(mine.places)) : -1;
    }
    if (!withElements) return;
    for (const plan::Message& message : schedule->sends) {
        char* out = outgoing_[static_cast<std::size_t>(position(apg(), message.peer))].elements;
        for (const plan::Region& region : message.regions)
            out = pack(out, from.data, region, from.elementSize);
    }
}

Finding GatherNotes::exchange(const Entered& entered, const Finding& mine,
                              const plan::Plan* schedule, const Operand& from) {
    const Group g = apg();
    haveElements_ = false;
    if (g.size() == 1 || g.size() > transport::few) return joined(entered, mine);
    write(mine, schedule, from);
    transport::exchangeNotes(entered, g, outgoing_.data(), incoming_.data(), sizeof(Note));
    const auto rank = static_cast<std::size_t>(g.rank());
    const std::int64_t place = outgoing_[rank].place;
    Finding all = mine;
    haveElements_ = place >= 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(g.size()); ++k) {
        if (k == rank) continue;
        all.join(incoming_[k].finding);
        haveElements_ = haveElements_ && incoming_[k].place == place;
    }
    return all;
}

void GatherNotes::store(const plan::Plan& schedule, const Operand& to, const Operand& from) const {
    for (const plan::Message& message : schedule.receives) {
        const char* in =
            incoming_[static_cast<std::size_t>(position(apg(), message.peer))].elements;
        for (const plan::Region& region : message.regions)
            in = unpack(to.data, in, region, to.elementSize);
    }
    for (const plan::Copy& copy : schedule.copies)
        copyProduct(to.data, from.data, copy, to.elementSize);
}

}  // namespace hpspmd::detail
