// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <hpspmd/collective.hpp>

namespace hpspmd::detail::transport {

/// Each member of g sends each other one a note of so many bytes: outgoing note k goes to the
/// member with rank k, incoming note k comes from it; the own one is left alone. Collective over g,
/// as part of the collective that was entered.
void exchangeNotes(const Entered& entered, const Group& g, const void* outgoing, void* incoming,
                   std::size_t bytes);

}  // namespace hpspmd::detail::transport
