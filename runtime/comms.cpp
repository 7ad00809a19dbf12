#include "comms.hpp"

#include <hpspmd/mpi.hpp>

#include <vector>

namespace hpspmd::detail {
namespace {

std::vector<MPI_Comm>& comms() {
    static auto& instance = *new std::vector<MPI_Comm>;
    return instance;
}

int freeComms(MPI_Comm, int, void*, void*) {
    for (MPI_Comm& comm : comms()) MPI_Comm_free(&comm);
    return MPI_SUCCESS;
}

}  // namespace

void freeAtFinalize(MPI_Comm comm) {
    comms().push_back(comm);
    if (comms().size() > 1) return;
    // MPI_Finalize begins with the deletion of the attributes of MPI_COMM_SELF.
    int key = MPI_KEYVAL_INVALID;
    checkMpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, freeComms, &key, nullptr),
             "MPI_Comm_create_keyval");
    checkMpi(MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr), "MPI_Comm_set_attr");
    checkMpi(MPI_Comm_free_keyval(&key), "MPI_Comm_free_keyval");  // once the attribute is gone
}

}  // namespace hpspmd::detail
