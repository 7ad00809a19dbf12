// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs whose processes do not meet in their collectives, and some whose processes do, but
/// late: the first argument says how; with a second one, collectives are not compared. astray_test
/// runs them.

#include <hpspmd/mpi.hpp>
#include <hpspmd>

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "transport/messages.hpp"

using namespace hpspmd;

namespace {

void rest(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

int size() { return apg().size(); }
int rank() { return apg().rank(); }
bool isLast() { return rank() == size() - 1; }

struct Arrays {
    Procs1 p;
    ExtBlockRange x{4 * size(), p.dim(0), 1, 1};
    Array<double, Dist> a = create<double>(p, x), b = create<double>(p, x);
    Array<double, Dist> cyclic = create<double>(p, CyclicRange(4 * size(), p.dim(0)));
};

void kinds() {
    Arrays arrays;
    Adlib::sum(arrays.a);
    isLast() ? Adlib::minval(arrays.a) : Adlib::maxval(arrays.a);
}
void goesOn() {  // as if the error had done no harm
    Arrays arrays;
    try {
        isLast() ? Adlib::minval(arrays.a) : Adlib::maxval(arrays.a);
    } catch (const AdlibError&) {
    }
    Adlib::copy(arrays.b, arrays.a);  // needs no messages
    Adlib::sum(arrays.a);
}
void breaksOff() {  // in the middle of a long message
    const std::vector<char> much(10'000'000);
    const detail::Entered entered = detail::enter("letter", apg(), 0, detail::Where::here());
    detail::transport::Messages messages;
    messages.begin(entered);
    if (isLast()) {
        messages.send(much.data(), much.size(), 0);
    } else if (rank() == 0) {
        rest(0.3);
        std::vector<char> come(much.size());
        messages.receive(come.data(), come.size(), size() - 1);
        messages.wait();
    }
}
void plans() {
    Arrays arrays;
    isLast() ? Adlib::remap(arrays.b, arrays.cyclic) : Adlib::remap(arrays.cyclic, arrays.b);
}
void amounts() {
    Arrays arrays;
    Adlib::cshift(arrays.b, arrays.a, isLast() ? 1 : 2);
}
void skips() {  // and ends as if nothing was missing
    Arrays arrays;
    for (int k = 0; k < 100; ++k)
        if (k != 50 || !isLast()) Adlib::writeHalo(arrays.a, {1}, {1}, {Adlib::Cyclic});
}
void exits() {
    Arrays arrays;
    if (isLast()) std::exit(0);
    Adlib::sum(arrays.a);
}
void exitsBadly() {
    Arrays arrays;
    if (isLast()) std::exit(7);
    Adlib::sum(arrays.a);
}
void killed() {
    Arrays arrays;
    Adlib::sum(arrays.a);
    if (isLast()) {
        rest(0.1);
        std::raise(SIGKILL);
    }
    Adlib::sum(arrays.a);
}
void throws() {
    Arrays arrays;
    if (isLast()) throw std::runtime_error("one process has a problem");
    Adlib::sum(arrays.a);
}
void throwsAndGoesOn() {
    Arrays arrays;
    try {
        if (isLast()) throw std::runtime_error("one process has a problem");
        Adlib::sum(arrays.a);
    } catch (const std::runtime_error&) {
        if (isLast()) return;
        throw;
    }
}
void memory() {
    Arrays arrays;
    if (isLast()) create<double>(arrays.p, Index{1} << 50);
    Adlib::sum(arrays.a);
}
void staysAway() {  // the mistake is behind it, but it computes on and on
    Arrays arrays;
    if (isLast()) {
        Adlib::shift(arrays.b, arrays.a, -4 * (size() - 1));  // sends, and waits for nothing
        rest(20);
    }
    Adlib::sum(arrays.a);
}
void finalizes() {
    Arrays arrays;
    if (isLast()) MPI_Finalize();
    Adlib::sum(arrays.a);
}
void slow() {
    Arrays arrays;
    if (isLast()) rest(3);
    Adlib::sum(arrays.a);
}
void filesUsedUp() {  // who waits cannot open the files that tell of the others
    Arrays arrays;
    while (!isLast() && ::open("/dev/null", O_RDONLY) >= 0) {
    }
    if (isLast()) rest(0.8);
    Adlib::sum(arrays.a);
}
void slowHalo() {
    Arrays arrays;
    Adlib::WriteHalo halo(arrays.a, {1}, {1}, {Adlib::Cyclic});
    halo.start();
    if (isLast()) rest(0.6);
    Adlib::sum(arrays.a);
    if (rank() == 0) rest(0.6);
    halo.finish();
}
void slowEnd() {
    Arrays arrays;
    Adlib::sum(arrays.a);
    if (isLast()) rest(1);
}
void disjoint() {  // each process, or half of them, goes its own way for a while
    const Procs2 q(2, size() / 2);
    if (!q.amMember()) return;
    const detail::On on(detail::restrict(q, q.dim(0), q.dim(0).crd()));
    const int half = q.dim(0).crd();
    for (int k = 0; k < 3 + 4 * half; ++k) {
        if (rank() == half % size()) rest(0.3);
        half == 0 ? Adlib::sum(k) : Adlib::broadcast(k);
    }
}
void nested() {  // all in one order: nothing is wrong
    const Procs2 q(2, size() / 2);
    const detail::On on(q);
    if (!on) return;
    for (int k = 0; k < 3; ++k) {
        if (rank() == k % q.size()) rest(0.4);
        Adlib::sum(1);
        const detail::On row(detail::restrict(q, q.dim(0), q.dim(0).crd()));
        Adlib::sum(2);
        if (rank() == 0) rest(0.3);
    }
}
void nestedWrongly() {  // process 0 is in a collective of all, process 1 in one of the pair
    const Procs1 all;
    const Procs1 pair(2);
    if (rank() != 1) Adlib::sum(1);
    {
        const detail::On on(pair);
        if (on) Adlib::sum(2);
    }
    if (rank() == 1) Adlib::sum(1);
}
void circle() {  // 0 1 / 2 3: 0 waits for 1, that for 3, that for 2, that for 0
    const Procs2 q(2, 2);
    const bool rowFirst = (q.dim(0).crd() + q.dim(1).crd()) % 2 == 0;
    for (const bool row : {rowFirst, !rowFirst}) {
        const Dimension d(row ? q.dim(0) : q.dim(1));
        const detail::On on(detail::restrict(q, d, d.crd()));
        Adlib::sum(1);
    }
}
void meets() {
    Arrays arrays;
    Adlib::sum(arrays.a);
}
char stateOf(int process) {
    std::string line;
    std::getline(std::ifstream("/proc/" + std::to_string(process) + "/stat"), line);
    return line.substr(line.rfind(')') + 1)[1];
}
void stopped() {  // by a signal, and continued when the others have waited for long
    Arrays arrays;
    for (int k = 0; k < 3; ++k) {
        const int process = Adlib::maxval(isLast() ? ::getpid() : 0);
        if (isLast()) std::raise(SIGSTOP);
        if (rank() == 0) {
            while (stateOf(process) != 'T') rest(0.01);
            rest(0.3);
            ::kill(process, SIGCONT);
        }
        Adlib::writeHalo(arrays.a, {1}, {1}, {Adlib::Cyclic});
    }
}
void stoppedAsleep() {  // while it waits itself
    Arrays arrays;
    const int process = Adlib::maxval(isLast() ? ::getpid() : 0);
    if (rank() == 0) {
        rest(0.1);
        ::kill(process, SIGSTOP);
        rest(0.4);
        ::kill(process, SIGCONT);
        rest(0.1);
    }
    Adlib::sum(arrays.a);
}

struct Scenario {
    const char* name;
    void (*run)();
};
constexpr Scenario scenarios[] = {{"goesOn", goesOn},
                                  {"kinds", kinds},
                                  {"breaksOff", breaksOff},
                                  {"plans", plans},
                                  {"amounts", amounts},
                                  {"skips", skips},
                                  {"exits", exits},
                                  {"exitsBadly", exitsBadly},
                                  {"killed", killed},
                                  {"throws", throws},
                                  {"throwsAndGoesOn", throwsAndGoesOn},
                                  {"meets", meets},
                                  {"memory", memory},
                                  {"finalizes", finalizes},
                                  {"slow", slow},
                                  {"filesUsedUp", filesUsedUp},
                                  {"staysAway", staysAway},
                                  {"slowHalo", slowHalo},
                                  {"slowEnd", slowEnd},
                                  {"stopped", stopped},
                                  {"stoppedAsleep", stoppedAsleep},
                                  {"disjoint", disjoint},
                                  {"nested", nested},
                                  {"circle", circle},
                                  {"nestedWrongly", nestedWrongly}};

}  // namespace

int main(int argc, char** argv) {
    for (const Scenario& scenario : scenarios)
        if (argc >= 2 && std::strcmp(argv[1], scenario.name) == 0) {
            const Procs1 p;
            if (argc == 3) detail::compareCollectives(false);
            scenario.run();
            std::puts("through");
            return 0;
        }
    return 99;
}
