// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <hpspmd/collective.hpp>

#include "plan/plan.hpp"
#include "schedule/exchange.hpp"
#include "transport/messages.hpp"

namespace hpspmd::detail {

/// Several plans run as one: what they send to one process travels in one message. Each moves
/// elements within an array of its own.
class JointTransfer final : public Exchange {
public:
    struct Part {
        plan::Plan plan;
        std::size_t elementSize;
    };

    explicit JointTransfer(std::vector<Part> parts);
    /// Completes what is under way: so do the other processes.
    ~JointTransfer() override;

    /// `arrays` are the data() of the parts' arrays.
    void start(const Entered& entered, std::vector<void*> arrays);
    void poll() override { messages_.poll(); }
    void finish() override;
    bool hasMessages() const override { return !receives_.empty() || !sends_.empty(); }
    bool isBusy() const { return busy_; }

    std::size_t parts() const override { return parts_.size(); }
    const plan::Plan& plan(std::size_t k) const override { return parts_[k].plan; }
    void startWithin(const Entered& entered, const Arrays& arrays) override;

protected:
    std::unique_ptr<Exchange> madeWithout(const std::vector<int>& processes) const override;

private:
    /// What all parts together exchange with one process, at a place in the buffer.
    struct Parcel {
        int peer;
        std::vector<std::pair<std::size_t, const plan::Message*>> messages;  // by part
        std::size_t place, bytes;
    };

    std::vector<Parcel> parcels(std::vector<plan::Message> plan::Plan::*messages);

    std::vector<Part> parts_;
    plan::Origin origin_;
    std::vector<Parcel> receives_, sends_;
    std::vector<char> buffer_;
    std::vector<void*> arrays_;
    transport::Messages messages_;
    bool busy_ = false;
};

}  // namespace hpspmd::detail
