// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/scan.hpp>
#include <hpspmd/create.hpp>
#include <hpspmd/ghosts.hpp>

#include "checks/checks.hpp"
#include "plan/operations.hpp"
#include "plan/scan.hpp"
#include "schedule/line_scan.hpp"
#include "schedule/run.hpp"

namespace hpspmd::detail {
namespace {

/// A layout like another, but for one dimension: by blocks in place of its format.
class Blockwise {
public:
    Blockwise(const Descriptor& like, int d, Where where)
        : group_(like.group), maps_(like.begin(), like.end()) {
        maps_[d].range = BlockRange(maps_[d].range.size(), maps_[d].range.dim(), where);
        layout_ = layOut(Placement(group_, where), maps_.data(), like.rank);
    }

    Descriptor descriptor() const { return {group_, maps_.data(), static_cast<int>(maps_.size())}; }
    std::size_t slots() const { return static_cast<std::size_t>(layout_.slots); }
    std::size_t origin() const { return static_cast<std::size_t>(layout_.origin); }

private:
    Group group_;
    std::vector<Map> maps_;
    Layout layout_;
};

/// Two arrays by blocks, for elements that are not in sequence: remapped there, scanned, and
/// remapped back. Their memory lives as long as one execution.
class Detour {
public:
    Detour(const Operand& to, const Operand& from, int d, Where where)
        : size_(to.elementSize),
          blocks_(from.layout, d, where),
          there_(ownPlan(plan::remap(blocks_.descriptor(), from.layout)), size_),
          back_(ownPlan(plan::remap(to.layout, blocks_.descriptor())), size_) {}

    Descriptor descriptor() const { return blocks_.descriptor(); }
    char* source() const { return source_.get() + blocks_.origin() * size_; }
    char* target() const { return target_.get() + blocks_.origin() * size_; }

    void go(const Entered& entered, const void* from) {
        for (auto* memory : {&source_, &target_}) memory->reset(new char[blocks_.slots() * size_]);
        there_.execute(entered, source(), from);
    }
    void comeBack(const Entered& entered, void* to) {
        back_.execute(entered, to, target());
        source_.reset();
        target_.reset();
    }

private:
    std::size_t size_;
    Blockwise blocks_;
    Transfer there_, back_;
    std::unique_ptr<char[]> source_, target_;
};

Key keyOf(const Operand& to, const Operand& from, int d) {
    Key key(Kind::Scan);
    key.add(to.layout).add(from.layout).add(static_cast<Index>(to.elementSize)).add(d);
    return key;
}

plan::ScanPlan planOf(const Operand& to, const Operand& from, int d, const Detour* detour) {
    if (detour == nullptr) return plan::scan(to.layout, from.layout, d, ownRank());
    return plan::scan(detour->descriptor(), detour->descriptor(), d, ownRank());
}

std::unique_ptr<Detour> detourOf(const Call& call, const Operand& to, const Operand& from, int d) {
    requireDimension(call, to, d);
    requireAligned(call, to, from);
    requireContained(call, to);
    if (plan::isInSequence(to.layout[d].range)) return nullptr;
    return std::make_unique<Detour>(to, from, d, call.where);
}

}  // namespace

class PreparedScan final : public Prepared {
public:
    PreparedScan(const Call& call, const Operand& to, const Operand& from, int d,
                 Fingerprint fingerprint)
        : fingerprint_(fingerprint),
          detour_(detourOf(call, to, from, d)),
          lines_(planOf(to, from, d, detour_.get()), to.elementSize) {}
    /// Completes what is under way: so do the other processes.
    ~PreparedScan() override {
        if (isBusy_) transport::completeAtEnd([this] { finish(); });
    }

    void start(const Call& call, const Operand& to, const Operand& from, const Scanner& scanner) {
        markWritten(to.layout);
        entered_ = enter(call.name, apg(), mixed(fingerprint_, scanner.stateBytes), call.where);
        isBusy_ = true;
        to_ = to.data;
        if (detour_) detour_->go(entered_, from.data);
        lines_.start(entered_, detour_ ? detour_->target() : to.data,
                     detour_ ? detour_->source() : from.data, scanner);
    }

    void finish() {
        isBusy_ = false;
        lines_.finish();
        if (detour_) detour_->comeBack(entered_, to_);
        kept_.release();
    }
    void keep(const Operand& array) { kept_.keep(array); }

    bool isBusy() const { return isBusy_; }

private:
    Fingerprint fingerprint_;
    std::unique_ptr<Detour> detour_;
    LineScan lines_;
    Entered entered_;
    void* to_ = nullptr;
    KeptArrays kept_;
    bool isBusy_ = false;
};

void DeleteScan::operator()(PreparedScan* scan) const { delete scan; }

void scan(const Operand& to, const Operand& from, int d, const Scanner& scanner, Where where) {
    const Call call{"scan", where};
    const Key key = keyOf(to, from, d);
    auto& prepared = cached<PreparedScan>(apg(), key, [&] {
        return std::make_unique<PreparedScan>(call, to, from, d, key.fingerprint());
    });
    requireDisjoint(call, to, from);
    prepared.start(call, to, from, scanner);
    prepared.finish();
    observeWritten(call.name, call.where, to);
}

ScanHandle makeScan(const Operand& to, const Operand& from, int d, Where where) {
    const Call call{"Scan", where};
    requireDisjoint(call, to, from);
    return ScanHandle(new PreparedScan(call, to, from, d, keyOf(to, from, d).fingerprint()));
}

void startScan(PreparedScan& scan, const Operand& to, const Operand& from, const Scanner& scanner,
               Where where) {
    const Call call{"Scan", where};
    if (scan.isBusy()) raiseUnderWay(call);
    scan.start(call, to, from, scanner);
    scan.keep(to);
    scan.keep(from);
}

void finishScan(PreparedScan& scan, Where where) {
    const Call call{"Scan", where};
    if (!scan.isBusy()) raiseNotStarted(call);
    scan.finish();
}

}  // namespace hpspmd::detail
