// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <iosfwd>

#include "plan/origin.hpp"
#include "plan/product.hpp"

namespace hpspmd::detail::plan {

/// Elements that go from one place to another: place 0 is the destination, place 1 the source.
using Copy = Product<2>;

/// Where something lies: the offsets first .. last.
struct Stretch {
    Index first = 0, last = -1;

    Index count() const { return last - first + 1; }
    friend bool operator==(const Stretch&, const Stretch&) = default;
};

/// Everything that one process sends to, or receives from, one other process. The regions travel
/// one after the other, each in its own order; both ends list them alike.
struct Message {
    int peer = 0;  ///< process number in the initial group
    std::vector<Region> regions;
    /// Elements of a row of the first region, as both ends see it: in the destination's last
    /// dimension. 0 if not known.
    Index row = 0;
    /// Of a long message: where its elements lie in the source, so that the receiver may read them
    /// there, and, for the receiver, how. Both ends know the one if one of them does.
    Stretch source = {};
    std::vector<Copy> copies = {};

    bool isReadable() const { return source.count() > 0; }
    Index count() const;
    /// The regions of its elements number first .. first + count - 1.
    std::vector<Region> part(Index first, Index count) const;
    friend bool operator==(const Message&, const Message&) = default;
};

/// What one process does in one execution of a schedule. Offsets are in elements, relative to the
/// data() of the destination (receives, copies) and of the source (sends, copies); a plan does not
/// know where data lives. Messages are ordered by peer, at most one per peer and direction.
struct Plan {
    std::vector<Message> sends;
    std::vector<Message> receives;
    std::vector<Copy> copies;
    /// To be carried out then, one after the other, by all processes that have any; within the
    /// destination.
    std::vector<Plan> relays = {};
    Origin origin = {};

    friend bool operator==(const Plan&, const Plan&) = default;
};

/// The plan without messages to and from these processes, whose numbers are in order.
Plan without(const std::vector<int>& processes, Plan plan);

std::ostream& operator<<(std::ostream& out, const Plan& plan);

}  // namespace hpspmd::detail::plan
