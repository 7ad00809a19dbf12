// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/broadcast.hpp>
#include <adlib/operand.hpp>
#include <hpspmd/error.hpp>
#include <string>

#include "transport/combine.hpp"

namespace hpspmd::detail {

void broadcast(void* value, std::size_t bytes, const Group& from, Where where) {
    const Call call{"broadcast", where};
    const Group active = apg();
    from.record(where);  // NullArray
    if (!active.contains(from))
        throw AdlibError("broadcast: the " + describe(from) +
                             " is not contained in the active process group " + describe(active),
                         where);
    const int root = position(active, member(from, 0));
    const Fingerprint plan = mixed(mixed(0, bytes), static_cast<std::uint64_t>(root));
    transport::broadcast(enter("broadcast", active, plan, where), active, root, value, bytes);
}

}  // namespace hpspmd::detail
