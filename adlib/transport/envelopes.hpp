#pragma once

#include "transport/letters.hpp"

namespace hpspmd::detail::transport {

/// deliver() for groups of few: one message to each other member tells how long its letter is, and
/// holds all of a short one; a longer one follows.
Letters deliverByEnvelopes(const Entered& entered, const Group& g, const Letters& letters);

}  // namespace hpspmd::detail::transport
