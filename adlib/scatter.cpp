// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/scatter.hpp>
#include <cstring>
#include <hpspmd/ghosts.hpp>
#include <map>
#include <optional>

#include "indirect.hpp"
#include "schedule/device_combines.hpp"
#include "schedule/run.hpp"
#include "transport/letters.hpp"

namespace hpspmd::detail {
namespace {

/// Of several for one element, the last one, so that they may be executed in any order.
std::vector<plan::Copy> lastStores(const std::vector<plan::ScatterPlan::Store>& stores) {
    std::map<Index, Index> last;
    for (const plan::ScatterPlan::Store& each : stores) last[each.to] = each.from;
    std::vector<plan::Copy> copies;
    for (const auto& [to, from] : last) copies.push_back({{to, from}, {}});
    return copies;
}

}  // namespace

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
        start(enter("scatter", apg(), fingerprint_, where), to, from);
    }

    /// Where the arrays are: on a device, or else at home, where they come then. A function that
    /// kernels do not know is the host's.
    void execute(const Call& call, const Operand& to, const Operand& from,
                 const Combining& combining) {
        markWritten(to.layout);
        const Entered entered = enter("scatter", apg(), fingerprint_, call.where);
        if (executeOnDevice(entered, call, to, from, combining)) return;
        bringHome(from.storage, Use::Reads, call.where);
        bringHome(to.storage, Use::Writes, call.where);
        start(entered, to, from);
        finish(combining);
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
    void start(const Entered& entered, const Operand& to, const Operand& from) {
        to_ = static_cast<char*>(to.data);
        staging_.resize(plan_.staged * size_);
        transfer_.start(entered, staging_.data(), from.data);
    }

    bool executeOnDevice(const Entered& entered, const Call& call, const Operand& to,
                         const Operand& from, const Combining& combining) {
        if (from.storage == nullptr || from.storage->mirror == nullptr || observer != nullptr)
            return false;
        if (combining && combining.onDevice.sign == 0) return false;
        const DeviceTransfer::Staging staging{plan_.staged * size_, &storesBy(combining, call)};
        return transfer_.onDevice().execute(entered, call, to, from, &staging);
    }

    DeviceStores& storesBy(const Combining& combining, const Call& call) {
        if (!combining) {
            if (!stores_) stores_.emplace(lastStores(plan_.stores), size_);
            return *stores_;
        }
        if (!combines_) combines_.emplace(plan_.stores, size_);
        combines_->combineBy(combining, call.where);
        return *combines_;
    }

    plan::ScatterPlan plan_;
    std::size_t size_;
    Fingerprint fingerprint_;
    Transfer transfer_;
    char* to_ = nullptr;  // of the execution under way
    std::vector<char> staging_;
    KeptArrays kept_;
    std::optional<DeviceMoves> stores_;  // of each element, the last one
    std::optional<DeviceCombines> combines_;
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
    scatter.execute(call, to, from, combining);
    observeWritten(call.name, call.where, to);
}

void executeScatter(PreparedScatter& scatter, const Operand& to, const Operand& from,
                    const Combining& combining, Where where) {
    const Call call{"Scatter", where};
    if (scatter.isBusy()) raiseUnderWay(call);
    scatter.execute(call, to, from, combining);
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
