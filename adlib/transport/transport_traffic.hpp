// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "transport/messages.hpp"
#include "transport/transport.hpp"

namespace hpspmd::detail::transport {

/// Messages under way by the transport of the job. Beyond 1 GiB a message travels in parts.
class TransportTraffic {
public:
    /// `tag`: any number that both sides know.
    void receive(const Entered& entered, std::uint64_t tag, void* to, std::size_t bytes,
                 int process, const Arrival& arrival);
    void send(const Entered& entered, std::uint64_t tag, const void* data, std::size_t bytes,
              int process);

    /// True if something is under way into these bytes, or near them.
    bool isReceiving(const void* begin, std::size_t bytes) const;
    /// True if all are complete. Tests those that were not.
    bool advance(const Entered& entered);
    /// True if one of them is under way.
    bool isOpen() const;
    void clear() { open_.clear(); }
    /// After an error: nobody waits for what is still under way.
    void abandon();

private:
    /// A part of a message.
    struct Part {
        Request request;
        std::ptrdiff_t expected;  ///< bytes that must come; -1 if it is sent
        Arrival arrival;
        const char* data;  ///< the message that has come with its last part
        const char* to;    ///< where this part comes to
    };

    bool advance(Part& part, const Entered& entered);

    std::vector<Part> open_;
};

}  // namespace hpspmd::detail::transport
