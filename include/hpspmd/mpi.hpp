// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Groups, and those of arrays, as MPI communicators, for the user's own MPI calls. The only public
/// header that includes <mpi.h>.

#include <hpspmd/array.hpp>

#include <mpi.h>

namespace hpspmd {

/// A communicator of g's members in the order of their ranks; MPI_COMM_NULL on other processes.
/// Collective over g on first use, then kept; a duplicate, so that its messages meet no others. Do
/// not free it. MpiError, which says how many groups have one, when MPI has no more: MPICH has
/// about 2,040.
MPI_Comm comm(const Group& g, detail::Where where = detail::Where::here());

/// That of an array's group: `MPI_Allreduce(.., comm(a))`.
template <class T, class... Slots>
MPI_Comm comm(const Array<T, Slots...>& a, detail::Where where = detail::Where::here()) {
    return comm(a.grp(where), where);
}

namespace detail {

/// All processes; for the library's own messages. Errors are returned, not fatal.
MPI_Comm libraryComm();
/// MpiError, with MPI's own text, unless code is MPI_SUCCESS.
void checkMpi(int code, const char* call, Where where = Where::here());
/// The same for a call that asks whether something is done: without the answer yes it is none that
/// could be made to fail in a test, since how often one asks depends on the moment.
inline void checkPoll(int code, int done, const char* call, Where where = Where::here()) {
    if (done != 0 || code != MPI_SUCCESS) checkMpi(code, call, where);
}

}  // namespace detail
}  // namespace hpspmd
