// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Ghost cells that go from the device of one process to that of another one.

#include <adlib/operand.hpp>

#include "plan/plan.hpp"
#include "schedule/exchange.hpp"
#include "transport/messages.hpp"

#include <functional>
#include <hpspmd/collective.hpp>
#include <vector>

namespace hpspmd::detail {

class Backend;
class DeviceLink;

/// The messages of an exchange within arrays that go that way: those between two processes that
/// both have all of the arrays on devices only, and these reach one another.
class DeviceGhosts {
public:
    struct Part {
        const Operand* array;
        const plan::Plan* plan;
    };

    /// Of `count` parts, which are asked for only where devices may meet. Asks each process of the
    /// node that messages go to or come from, unless none has devices.
    DeviceGhosts(const Entered& entered, std::size_t count,
                 const std::function<Part(std::size_t)>& part);

    /// The processes to and from which the messages go.
    const std::vector<int>& peers() const { return peers_; }
    /// Gives the device its work, and does not wait for it. DeviceError.
    void exchange() const;

private:
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

    const Entered& entered_;
    std::vector<Part> parts_;
    Backend* device_ = nullptr;
    std::vector<int> peers_;
};

/// The plan without messages to and from these processes.
plan::Plan without(const std::vector<int>& peers, plan::Plan plan);

}  // namespace hpspmd::detail
