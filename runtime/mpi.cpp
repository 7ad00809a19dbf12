// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/mpi.hpp>

#include "comms.hpp"
#include "compose.hpp"
#include "fault.hpp"
#include "fork.hpp"

#include <hpspmd/environment.hpp>
#include <hpspmd/error.hpp>

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace hpspmd {
namespace detail {
namespace {

MPI_Comm makeComm(const Group& g, Where where) {
    MPI_Comm all = libraryComm();
    std::vector<int> members(static_cast<std::size_t>(g.size()));
    for (int k = 0; k < g.size(); ++k) members[static_cast<std::size_t>(k)] = member(g, k);
    MPI_Group everybody, group;
    checkMpi(MPI_Comm_group(all, &everybody), "MPI_Comm_group", where);
    checkMpi(MPI_Group_incl(everybody, g.size(), members.data(), &group), "MPI_Group_incl", where);
    MPI_Comm comm = MPI_COMM_NULL;
    const int made = MPI_Comm_create_group(all, group, 0, &comm);
    const std::size_t others = commCount();
    const std::string call = compose("MPI_Comm_create_group for the ", describe(g), ", after ",
                                     others, " communicators that other groups keep");
    checkMpi(made, others > 0 ? call.c_str() : "MPI_Comm_create_group", where);
    checkMpi(MPI_Group_free(&group), "MPI_Group_free", where);
    checkMpi(MPI_Group_free(&everybody), "MPI_Group_free", where);
    freeAtFinalize(comm);
    return comm;
}

}  // namespace

void checkMpi(int code, const char* call, Where where) {
    if (isFault()) code = MPI_ERR_OTHER;
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(code, text, &length);
    throw MpiError(compose(call, ": ", std::string(text, static_cast<std::size_t>(length))), where);
}

}  // namespace detail

MPI_Comm comm(const Group& g, detail::Where where) {
    detail::requireNoChild("comm", where);
    static auto& known = *new std::map<const detail::GroupRecord*, MPI_Comm>;
    static std::mutex mutex;
    if (g.record()->grid->initial != detail::World::actual().group().record()->grid)
        throw MpiError("comm() of a group of a pretended world", where);
    if (!g.amMember()) return MPI_COMM_NULL;
    const std::lock_guard lock(mutex);
    const auto entry = known.find(g.record());
    if (entry != known.end()) return entry->second;
    return known[g.record()] = detail::makeComm(g, where);
}

}  // namespace hpspmd
