// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/scatter.hpp>
#include <cstring>
#include <hpspmd/ghosts.hpp>

#include "indirect.hpp"
#include "schedule/run.hpp"
#include "transport/letters.hpp"

namespace hpspmd::detail {

class PreparedScatter {
public:
    PreparedScatter(plan::ScatterPlan plan, std::size_t elementSize, Fingerprint fingerprint)
        : plan_(std::move(plan)),
          size_(elementSize),
          fingerprint_(fingerprint),
          transfer_(plan_.plan, elementSize) {}
    /// Completes the messages that are under way: so do the other processes.
    ~PreparedScatter() {
        transport::completeAtEnd([this] {
            transfer_.finish();
            kept_.release();
        });
    }

    void start(const Operand& to, const Operand& from, Where where) {
        markWritten(to.layout);
        to_ = static_cast<char*>(to.data);
        staging_.resize(plan_.staged * size_);
        transfer_.start(enter("scatter", apg(), fingerprint_, where), staging_.data(), from.data);
    }

    void keep(const Operand& array) { kept_.keep(array); }

    void finish(const Combining& combining) {
        transfer_.finish();
        for (const plan::ScatterPlan::Store& each : plan_.stores) {
            char* element = to_ + each.to * static_cast<Index>(size_);
            const char* value = staging_.data() + each.from * static_cast<Index>(size_);
            if (combining)
                combining({element, value, 1, 1, 1, 1, 1, 1});
            else
                std::memcpy(element, value, size_);
        }
        kept_.release();
    }

    bool isBusy() const { return transfer_.isBusy(); }

private:
    plan::ScatterPlan plan_;
    std::size_t size_;
    Fingerprint fingerprint_;
    Transfer transfer_;
    char* to_ = nullptr;  // of the execution under way
    std::vector<char> staging_;
    Kept kept_;
};

void DeleteScatter::operator()(PreparedScatter* scatter) const { delete scatter; }

namespace {

/// Tells the holders of the destination where the elements go that they will get.
std::map<int, std::vector<plan::Arrival>> announce(const Entered& entered,
                                                   const plan::Accesses& given) {
    return transport::deliverLists(entered, apg(), plan::arrivalsOf(given));
}

IndirectCall indirectCall(const Call& call, const Operand& to, const Operand& from,
                          const SubscriptArrays& subscripts) {
    return {call, Kind::Scatter, to, from, from, to, subscripts};
}

plan::Request requestOf(const IndirectCall& of) {
    return plan::scatterRequest(of.to.layout, of.from.layout, readable(of.subscripts), ownRank());
}

std::unique_ptr<PreparedScatter> prepared(const IndirectCall& of, const Entered& entered,
                                          const plan::Accesses& accesses) {
    return std::make_unique<PreparedScatter>(
        plan::scatterPlan(ownRank(), accesses, announce(entered, accesses)), of.to.elementSize,
        of.key().fingerprint());
}

}  // namespace

ScatterHandle makeScatter(const Operand& to, const Operand& from, const SubscriptArrays& subscripts,
                          const Call& call) {
    const IndirectCall of = indirectCall(call, to, from, subscripts);
    return ScatterHandle(newScheduleOf(
                             of, [&] { return requestOf(of); },
                             [&](const Entered& entered, const plan::Accesses& accesses) {
                                 return prepared(of, entered, accesses);
                             })
                             .release());
}

void scatter(const Operand& to, const Operand& from, const SubscriptArrays& subscripts,
             const Combining& combining, Where where) {
    const Call call{"scatter", where};
    const IndirectCall of = indirectCall(call, to, from, subscripts);
    of.requireNoOverlap();
    const Key key = of.key();
    PreparedScatter& scatter = scheduleOf<PreparedScatter>(
        of, key, [&] { return requestOf(of); },
        [&](const Entered& entered, const plan::Accesses& accesses) {
            return prepared(of, entered, accesses);
        },
        [](const Entered& entered, const Finding& mine, const PreparedScatter*) {
            return joined(entered, mine);
        });
    scatter.start(to, from, where);
    scatter.finish(combining);
    observeWritten(call.name, call.where, to);
}

void startScatter(PreparedScatter& scatter, const Operand& to, const Operand& from, Where where) {
    const Call call{"Scatter", where};
    if (scatter.isBusy()) raiseUnderWay(call);
    scatter.start(to, from, where);
    scatter.keep(to);
    scatter.keep(from);
}

void finishScatter(PreparedScatter& scatter, const Combining& combining, Where where) {
    const Call call{"Scatter", where};
    if (!scatter.isBusy()) raiseNotStarted(call);
    scatter.finish(combining);
}

}  // namespace hpspmd::detail
