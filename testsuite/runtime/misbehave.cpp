// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs that end badly, or in an unusual order: the first argument says how. exit_codes_test
/// runs them.

#include <hpspmd/collective.hpp>
#include <hpspmd/mpi.hpp>
#include <hpspmd>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

#include <unistd.h>

using namespace hpspmd;

namespace {

using Vector = Array<double, Dist>;

bool abortBlocks = false;

Vector outlives;  // destroyed after the environment has stopped

Vector makeVector(Index n = 10) {
    Procs1 p;
    const detail::Activate in(p);
    return create<double>(p, BlockRange(n, p.dim(0)));
}

void wait() {
    int value = 0;
    MPI_Bcast(&value, 1, MPI_INT, apg().size() - 1, comm(apg()));
}

void groupTooLarge() { Procs2 p(1000, 1000); }
void notContained() {
    Procs1 p(1);
    Procs1 q;
    if (const detail::On onP{p}) {
        if (const detail::On onQ{q / q.dim(0)[0]}) std::puts("process 0 lies in both");
        const detail::On again(q.size() > 1 ? Group(q) : Group(p / p.dim(0)[0]));
        if (q.size() == 1) throw GroupNotContained("one process contains itself");
    }
    if (apg().rank() > 0) wait();
}
void shiftTooWide() {
    Vector a = makeVector();
    detail::shifted(Index{1}, a, 0);
}
volatile int* nowhere = nullptr;
void crashes() {  // the last one; the others wait for it
    static_cast<void>(detail::enter("sum", apg(), 0, detail::Where::here()));
    if (apg().rank() == apg().size() - 1) *nowhere = 1;
    wait();
}
int recursion(int n);
int (*volatile again)(int) = recursion;
int recursion(int n) {
    volatile char room[4096] = {};
    return room[n % 4096] + again(n + 1);
}
void overflows() { std::exit(recursion(apg().size())); }
void aborts() {
    if (apg().size() > 0) std::abort();
}
void outOfBounds() { CollapsedRange(3).location(3); }
void onlyLast() {  // the others wait in a collective for ever
    if (apg().rank() == apg().size() - 1) CollapsedRange(3).location(-1);
    wait();
}
void abortNeverReturns() {  // as if it waited for a lock
    abortBlocks = true;
    onlyLast();
}
void memory() { Vector a = makeVector(Index{1} << 50); }
void memoryIsGone() {  // as if the system had no page left: the file behind the array shrinks
    Vector a = makeVector(100'000 * apg().size());
    for (int file = 0; file < 100; ++file) {
        char name[100] = {};
        const std::string path = "/proc/self/fd/" + std::to_string(file);
        if (::readlink(path.c_str(), name, sizeof name - 1) > 0 &&
            std::strstr(name, "memfd:hpspmd"))
            if (::ftruncate(file, 400'000) != 0) std::exit(1);
    }
    a.data()[99'999] = 1;
}
void adlib() { throw AdlibError("sum: provoked"); }
void io() { throw IoError("provoked"); }
void mpi() {
    int value = 0;
    detail::checkMpi(MPI_Send(&value, 1, MPI_INT, 1 << 20, 0, detail::libraryComm()), "MPI_Send");
}
void foreign() {
    apg();
    throw std::runtime_error("not one of ours");
}
void terminates() {
    apg();
    std::terminate();
}
void beforeStart() { CollapsedRange(-1); }
void beforeStartAlone() {
    const char* rank =
        std::getenv("PMI_RANK") ? std::getenv("PMI_RANK") : std::getenv("OMPI_COMM_WORLD_RANK");
    if (rank == nullptr || std::strcmp(rank, "0") == 0) CollapsedRange(-1);
    wait();
}
void exits() {
    outlives = makeVector();
    std::exit(0);
}
void exitsBadly() {  // one process leaves the others waiting
    if (apg().rank() == 0) std::exit(7);
    wait();
}
void exitsBadlyTogether() {
    std::printf("rank %d says goodbye\n", apg().rank());
    std::exit(7);
}
void adopts() {
    MPI_Init(nullptr, nullptr);
    outlives = makeVector();
    int rank = -1, size = 0;
    MPI_Comm_rank(comm(apg()), &rank);
    MPI_Comm_size(comm(apg()), &size);
    if (rank != apg().rank() || size != apg().size()) std::exit(1);
    MPI_Finalize();
    outlives = Vector();
    try {
        comm(apg() / Location(Dimension(apg().record()->grid->dimensions[0])[0]));
        if (apg().rank() == 0) std::exit(2);
    } catch (const MpiError&) {
    }
}
void endsNormally() { outlives = makeVector(); }

struct Scenario {
    const char* name;
    void (*run)();
};
constexpr Scenario scenarios[] = {{"groupTooLarge", groupTooLarge},
                                  {"notContained", notContained},
                                  {"shiftTooWide", shiftTooWide},
                                  {"outOfBounds", outOfBounds},
                                  {"crashes", crashes},
                                  {"overflows", overflows},
                                  {"aborts", aborts},
                                  {"onlyLast", onlyLast},
                                  {"abortNeverReturns", abortNeverReturns},
                                  {"memory", memory},
                                  {"memoryIsGone", memoryIsGone},
                                  {"adlib", adlib},
                                  {"io", io},
                                  {"mpi", mpi},
                                  {"foreign", foreign},
                                  {"terminates", terminates},
                                  {"beforeStart", beforeStart},
                                  {"beforeStartAlone", beforeStartAlone},
                                  {"exits", exits},
                                  {"exitsBadly", exitsBadly},
                                  {"exitsBadlyTogether", exitsBadlyTogether},
                                  {"adopts", adopts},
                                  {"endsNormally", endsNormally}};

}  // namespace

// Stands before MPI's own.
int MPI_Abort(MPI_Comm comm, int code) {
    while (abortBlocks) ::pause();
    return PMPI_Abort(comm, code);
}

int main(int argc, char** argv) {
    for (const Scenario& scenario : scenarios)
        if (argc == 2 && std::strcmp(argv[1], scenario.name) == 0) {
            scenario.run();
            return 0;
        }
    return 99;
}
