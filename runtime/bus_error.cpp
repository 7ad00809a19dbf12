// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bus_error.hpp"

#include "compose.hpp"
#include "job.hpp"

#include <hpspmd/environment.hpp>
#include <hpspmd/error.hpp>

#include <csignal>

namespace hpspmd::detail {
namespace {

const Reservation* watched = nullptr;
struct sigaction before;

// The signal comes from an access to the elements of an array, not from inside of malloc or stdio,
// so composing a message and ending the job is safe enough, and nothing else is left to be done.
void onBusError(int, siginfo_t* info, void*) {
    if (watched->contains(info->si_addr)) {
        const OutOfMemory error(
            "the system has no memory left for the elements of an array (it granted the address "
            "space, but not the page that is used now)",
            {});
        endJob(error.what(), error.exitCode());
    }
    ::sigaction(SIGBUS, &before, nullptr);  // the access is repeated
}

}  // namespace

void reportMissingMemory(const Reservation& memory) {
    struct sigaction current;
    if (memory.file() < 0 || ::sigaction(SIGBUS, nullptr, &current) != 0) return;
    if ((current.sa_flags & SA_SIGINFO) != 0 && current.sa_sigaction == onBusError) return;
    before = current;
    watched = &memory;
    struct sigaction ours = {};
    ours.sa_sigaction = onBusError;
    ours.sa_flags = SA_SIGINFO;
    ::sigaction(SIGBUS, &ours, nullptr);
}

}  // namespace hpspmd::detail
