// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "comms.hpp"

#include <hpspmd/mpi.hpp>

#include <vector>

namespace hpspmd::detail {
namespace {

struct End {
    std::vector<void (*)()> calls;
    std::vector<MPI_Comm> comms;
};

int finish(MPI_Comm, int, void* end, void*) noexcept {
    for (const auto call : static_cast<End*>(end)->calls) call();
    for (MPI_Comm& comm : static_cast<End*>(end)->comms) MPI_Comm_free(&comm);
    return MPI_SUCCESS;
}

End& registeredEnd() {
    static End* end = nullptr;
    if (end != nullptr) return *end;
    end = new End;
    // MPI_Finalize begins with the deletion of the attributes of MPI_COMM_SELF.
    int key = MPI_KEYVAL_INVALID;
    checkMpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finish, &key, nullptr),
             "MPI_Comm_create_keyval");
    checkMpi(MPI_Comm_set_attr(MPI_COMM_SELF, key, end), "MPI_Comm_set_attr");
    checkMpi(MPI_Comm_free_keyval(&key), "MPI_Comm_free_keyval");  // once the attribute is gone
    return *end;
}

}  // namespace

void freeAtFinalize(MPI_Comm comm) { registeredEnd().comms.push_back(comm); }

std::size_t commCount() { return registeredEnd().comms.size(); }

void atFinalize(void (*f)()) { registeredEnd().calls.push_back(f); }

}  // namespace hpspmd::detail
