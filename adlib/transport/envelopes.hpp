// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "transport/letters.hpp"

namespace hpspmd::detail::transport {

/// What each member tells each other one: how long its letter is, and a short one itself.
struct Envelope {
    std::uint64_t length = 0;
    char letter[88];

    bool isAll() const { return length <= sizeof letter; }
};

/// deliver() for groups of few: one message to each other member tells how long its letter is, and
/// holds all of a short one; a longer one follows.
Letters deliverByEnvelopes(const Entered& entered, const Group& g, const Letters& letters);

}  // namespace hpspmd::detail::transport
