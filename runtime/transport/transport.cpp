// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/transport.hpp"

#include "transport/mpi_transport.hpp"
#include "transport/node_transport.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace hpspmd::detail {
namespace {

bool isNodeWanted() {
    const char* const value = std::getenv("HPSPMD_TRANSPORT");
    return rankInNodeJob() >= 0 || (value != nullptr && std::string_view(value) == "node");
}

}  // namespace

Transport& jobTransport() {
    static Transport& chosen = [&]() -> Transport& {
        Transport* const mpi = isNodeWanted() ? nullptr : mpiTransport();
        return mpi != nullptr ? *mpi : nodeTransport();
    }();
    return chosen;
}

bool everywhereOnNode(bool condition) {
    std::vector<char> all(static_cast<std::size_t>(jobTransport().nodeSize()));
    const char own = condition;
    jobTransport().gatherOnNode(&own, 1, all.data());
    return std::find(all.begin(), all.end(), 0) == all.end();
}

}  // namespace hpspmd::detail
