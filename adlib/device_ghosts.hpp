// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Ghost cells that go from the device of one process to that of another one.

#include <adlib/operand.hpp>

#include "plan/plan.hpp"
#include "schedule/exchange.hpp"
#include "transport/messages.hpp"

#include <hpspmd/collective.hpp>
#include <vector>

namespace hpspmd::detail {

class Backend;
class DeviceLink;

/// The messages of an exchange within arrays that go that way: those between two processes that
/// both have all of the arrays on devices only, and these reach one another.
class DeviceGhosts {
public:
    /// Asks each process of the node that messages go to or come from, unless none has devices. The
    /// arrays are asked for only where devices may meet.
    DeviceGhosts(const Entered& entered, const Exchange& exchange, const Exchange::Arrays& arrays);

    /// The processes to and from which the messages go.
    const std::vector<int>& peers() const { return peers_; }
    /// Give the device its work, and do not wait for it. DeviceError.
    void send() const;
    void receive() const;

private:
    /// An array, which lives as long as the exchange.
    struct Part {
        const Storage* storage;
        Index offset;
        std::size_t elementSize;
        const plan::Plan* plan;
    };

    bool areOnDevice();
    std::vector<transport::Peer> neighboursWithMessages() const;
    std::size_t bytesOf(int peer, std::vector<plan::Message> plan::Plan::*way) const;
    void connect(const std::vector<transport::Peer>& peers);
    void send(DeviceLink& link, int peer, std::size_t bytes) const;
    void receive(DeviceLink& link, int peer) const;
    static std::byte* placeOf(const Part& part, const plan::Plane<1>& plane);
    void require(bool isDone) const;
    template <class F>
    bool forEachPlane(int peer, std::vector<plan::Message> plan::Plan::*way, const F& f) const;

    const Entered entered_;
    std::vector<Part> parts_;
    Backend* device_ = nullptr;
    std::vector<int> peers_;
};

}  // namespace hpspmd::detail
