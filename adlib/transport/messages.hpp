#pragma once

#include <cstddef>
#include <hpspmd/collective.hpp>
#include <memory>

namespace hpspmd::detail::transport {

/// A set of messages in flight between this process and others; the whole of Adlib communicates
/// through this class and exchange(). Peers are process numbers of the initial group. Messages
/// between the same pair of processes arrive in the order they were posted, which is enough, since
/// every pair runs the collectives it shares in one order. They also carry the tag of their
/// collective: one that belongs to another is never taken for the right one, and the wait for it
/// ends with an AdlibError (collective.hpp). Any size is legal: beyond 1 GiB a
/// message travels in parts. Memory grows to the largest set ever posted and is then reused, so
/// posting allocates nothing in steady state. Errors: MpiError.
class Messages {
public:
    Messages();
    ~Messages();
    Messages(const Messages&) = delete;
    Messages& operator=(const Messages&) = delete;

    /// The collective that the following messages belong to.
    void begin(const Entered& entered);
    void receive(void* to, std::size_t bytes, int peer);
    void send(const void* data, std::size_t bytes, int peer);

    /// Returns when all are complete; the set is then empty. The buffers belong to the messages
    /// until then.
    void wait();

private:
    struct Requests;
    std::unique_ptr<Requests> requests_;
};

/// Sends one block and receives another from the same peer.
void exchange(const Entered& entered, const void* data, void* to, std::size_t bytes, int peer);

}  // namespace hpspmd::detail::transport
