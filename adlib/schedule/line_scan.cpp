// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/line_scan.hpp"

#include <utility>

namespace hpspmd::detail {

LineScan::LineScan(plan::ScanPlan plan, std::size_t elementSize)
    : plan_(std::move(plan)), elementSize_(elementSize) {
    for (const auto& [to, from] : plan_.steps) {
        Step& step = steps_.emplace_back();
        step.sends = to >= 0;
        step.receives = from >= 0;
        if (step.sends) step.to = to;
        if (step.receives) step.from = from;
    }
}

template <class Take>
void LineScan::forEachLine(const Take& take) const {
    const auto size = static_cast<Index>(elementSize_);
    plan::forEachRow(plan_.lines, [&](const auto& start, Index count, const auto& step) {
        if (count > 0)
            take(Line{to_ + start[0] * size, from_ + start[1] * size, step[0], step[1], count});
    });
}

void LineScan::start(const Entered& entered, void* to, const void* from, const Scanner& scanner) {
    messages_.begin(entered);
    transport::observe({"scan", plan_.origin.text, nullptr, scanner.stateBytes, 0});
    to_ = static_cast<char*>(to);
    from_ = static_cast<const char*>(from);
    scanner_ = scanner;
    hasBefore_ = false;
    const std::size_t bytes =
        steps_.empty() ? 0 : static_cast<std::size_t>(plan_.count) * scanner.stateBytes;
    for (std::vector<char>* states : {&mine_, &before_, &arriving_}) states->resize(bytes);
    char* state = steps_.empty() ? nullptr : mine_.data();
    forEachLine([&](const Line& line) {
        scanner_.begin(scanner_.op, line, state);
        if (state != nullptr) state += scanner_.stateBytes;
    });
    if (!steps_.empty()) post(steps_.front());
}

void LineScan::post(const Step& step) {
    if (step.receives) messages_.receive(arriving_.data(), arriving_.size(), step.from);
    if (step.sends) messages_.send(mine_.data(), mine_.size(), step.to);
}

void LineScan::take(const Step& step, bool isLast) {
    if (!step.receives) return;
    if (!isLast) {
        std::vector<char> both = arriving_;
        scanner_.combiner(both.data(), mine_.data(), both.size());
        mine_.swap(both);
    }
    if (hasBefore_) scanner_.combiner(arriving_.data(), before_.data(), before_.size());
    before_.swap(arriving_);
    hasBefore_ = true;
}

void LineScan::finish() {
    for (std::size_t k = 0; k < steps_.size(); ++k) {
        messages_.wait();
        const bool isLast = k + 1 == steps_.size();
        take(steps_[k], isLast);
        if (!isLast) post(steps_[k + 1]);
    }
    const char* state = hasBefore_ ? before_.data() : nullptr;
    forEachLine([&](const Line& line) {
        scanner_.complete(scanner_.op, line, state);
        if (state != nullptr) state += scanner_.stateBytes;
    });
}

}  // namespace hpspmd::detail
