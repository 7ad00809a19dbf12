// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// GhostExchange, one execution of writeHalo(), wherever its arrays are.

#include <adlib/operand.hpp>

#include "boxes_at_home.hpp"
#include "device/under_way.hpp"
#include "device_ghosts.hpp"
#include "schedule/exchange.hpp"

#include <vector>

namespace hpspmd::detail {

/// Messages go from device to device where two processes have all arrays there and reach one
/// another. The others go by the host: of arrays on devices only what they read and write is at
/// home for so long.
class GhostExchange final : public UnderWay {
public:
    GhostExchange(Exchange& exchange, const Entered& entered, const Exchange::Arrays& arrays);
    /// Completes it.
    ~GhostExchange() override;
    /// Of one that has not been started.
    GhostExchange(GhostExchange&&) = default;
    GhostExchange& operator=(GhostExchange&&) = delete;

    /// True if nests may run before it is complete: no array is spread over several devices.
    bool mayTravel() const;
    /// True if a device of an array serves several processes in turns: what waits in its queue
    /// keeps it from the others.
    bool isCrowded() const;
    /// True if a device has a valid copy of an array.
    bool isOnDevice() const;
    /// Waits until the devices of the arrays have nothing to do.
    void settle() const;

    /// Its messages are under way from here on. If it travels, nests may run beside it that leave
    /// alone what is sent, and ghost cells; else finish() follows. DeviceError.
    void start(const Exchange::Arrays& arrays, bool travels);
    /// Lets messages that can travel do so.
    void poll() { rest_.poll(); }
    /// The ghost cells are there. Nothing if it is not under way. DeviceError.
    void finish() override;

private:
    void keep(const Exchange::Arrays& arrays);
    void openAside();
    void flush() const;
    void joinAside() const;

    const Entered entered_;
    DeviceGhosts direct_;
    Exchange& rest_;
    BoxesAtHome boxes_;
    std::vector<StorageHandle> mirrored_;  // of arrays that have mirrors
    std::size_t parts_;
    bool isUnderWay_ = false, travels_ = false;
};

}  // namespace hpspmd::detail
