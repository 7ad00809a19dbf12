#include <adlib/broadcast.hpp>
#include <hpspmd/error.hpp>
#include <string>

#include "transport/combine.hpp"

namespace hpspmd::detail {

void broadcast(void* value, std::size_t bytes, const Group& from, Where where) {
    const Group active = apg();
    if (!active.contains(from))
        throw AdlibError("broadcast: the " + describe(from) +
                             " is not contained in the active process group " + describe(active),
                         where);
    transport::broadcast(active, position(active, member(from, 0)), value, bytes);
}

}  // namespace hpspmd::detail
