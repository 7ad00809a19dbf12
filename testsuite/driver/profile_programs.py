# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs, in the extended language and in C, that profile.py runs."""

program = r"""#include <hpspmd>
#include <csignal>
#include <cstdlib>
#include <string>
#include <unistd.h>
using namespace hpspmd;

void (*volatile leave)(int) = std::exit;

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    Procs1 p;
    on (p) {
        ExtBlockRange x(24, p.dim(0), 1, 1);
        ExtBlockRange y(10, p.dim(0), 2, 1);
        double [[-,*]] a = new double [[x, 7]], c = new double [[x, 7]];
        float [[-]] b = new float [[y]];
        overall (i = x for :) for (int k = 0; k < 7; ++k) a[i, k] = i`;
        overall (i = y for :) b[i] = 1;
        for (int step = 0; step < 100; ++step) {
            Adlib::writeHalo(a);                                   // HALO
            if (step % 10 == 0) Adlib::writeHalo(b);               // HALO OF b
            overall (i = x for 1 : 22) {                           // NEST
                if (what == "sleep" && p.rank() == p.size() - 1 && i` == x.localBlock().globalBase + 1) ::usleep(3000);
                for (int k = 0; k < 7; ++k) c[i, k] = 0.5 * (a[i - 1, k] + a[i + 1, k]);
            }
            if (what == "kill" && step == 50 && p.rank() == p.size() - 1) std::raise(SIGKILL);
            if (what == "error" && step == 95) b = Adlib::sum(b) > 0 ? float [[-]]() : b;
            if (step == 99) Adlib::writeHalo(b);                   // ERROR
            if (what == "exit" && step == 50 && p.rank() == p.size() - 1) leave(5);
        }
        for (int k = 0; k < 3; ++k) static_cast<void>(Adlib::maxval(a));  // MAXVAL
    }
}
"""

# Of MPI's functions as the processor passes their arguments, for each MPI alike.
preloaded = r"""#include <stdio.h>
static long sent;
typedef void *any;
int PMPI_Isend(any, any, any, any, any, any, any);
int PMPI_Finalize(void);
int MPI_Isend(any a, any b, any c, any d, any e, any f, any g) { ++sent; return PMPI_Isend(a, b, c, d, e, f, g); }
int MPI_Finalize(void) { printf("tool: %ld\n", sent); return PMPI_Finalize(); }
"""

counted = r"""#include <hpspmd>
#include <hpspmd/mpi.hpp>
#include <cstdio>
using namespace hpspmd;

long messages = 0, bytes = 0;

extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
    if (comm == detail::libraryComm()) ++messages, bytes += count;
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int main() {
    Procs2 p;
    on (p) {
        ExtBlockRange x(31, p.dim(0), 1, 2), y(17, p.dim(1), 2, 0);
        CyclicRange u(31, p.dim(0)), v(17, p.dim(1));
        BlockRange w(31, p.dim(1)), z(17, p.dim(0));
        double [[-,-]] a = new double [[x, y]], b = new double [[u, v]], d = new double [[u, v]], c = new double [[z, w]];
        overall (i = x for :, j = y for :) a[i, j] = i` + j`;
        for (int k = 0; k < 2; ++k) {
            Adlib::writeHalo(a);
            Adlib::remap(b, a);
            Adlib::cshift(d, b, 3, 0);
            Adlib::transpose(c, a, {1, 0});
            static_cast<void>(Adlib::sum(a));
            static_cast<void>(Adlib::maxloc(b));
            static_cast<void>(Adlib::broadcast(k));
        }
    }
    std::printf("sent %d %ld %ld\n", detail::ownRank(), messages, bytes);
}
"""

loops = r"""#include <hpspmd>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
using namespace hpspmd;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

int main(int, char** argv) {
    Procs1 p;
    on (p) {
        const Index n = 100, steps = std::atoi(argv[1]);
        ExtBlockRange x(n, p.dim(0), 1, 1);
        double [[-]] a = new double [[x]], b = new double [[x]];
        overall (i = x for :) a[i] = b[i] = i`;
        const double start = seconds();
        const std::clock_t worked = std::clock();
        for (Index step = 0; step < steps; ++step) {
            Adlib::writeHalo(a);
            overall (i = x for 1 : n - 2) b[i] = 0.5 * (a[i - 1] + a[i + 1]);
            std::swap(a, b);
        }
        std::printf("loop %d %f %f\n", p.rank(), seconds() - start, double(std::clock() - worked) / CLOCKS_PER_SEC);
    }
}
"""

tool = r"""#include <hpspmd/tools.h>
#include <stdio.h>
#include <string.h>
static long halos, depth, waits, messages, bytes, made, freed;
static void enter(void *data, const struct HpspmdSite *site) {
    ++depth;
    if (!strcmp(site->what, "writeHalo") && strstr(site->file, "prog.hpcpp")) ++halos;
}
static void leave(void *data) { --depth; }
static void wait_(void *data, int begins) { waits += begins ? 1 : -1; }
static void message(void *data, int process, size_t n) { ++messages; bytes += (long)n; }
static void arrayMade(void *data, const void *address, size_t n) { ++made; }
static void arrayFreed(void *data, const void *address) { ++freed; }
static void end(void *data) {
    printf("tool %d: %ld halos, depth %ld, waits %ld, %ld messages, %ld arrays\n", *(int *)data, halos, depth, waits, messages, made - freed);
}
int hpspmdToolStart(int version, int process, struct HpspmdTool *tool) {
    static int own;
    own = process;
    if (version != HPSPMD_TOOLS_VERSION) return 1;
    tool->data = &own;
    tool->enter = enter; tool->leave = leave; tool->wait = wait_; tool->message = message;
    tool->arrayMade = arrayMade; tool->arrayFreed = arrayFreed; tool->end = end;
    return 0;
}
"""
